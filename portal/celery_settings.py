"""Celery's settings, from the portal's. See docs/operation.md for the broker's own (append-only file, no eviction)."""

from portal.settings import PORTAL_TASK_VISIBILITY, REDIS_URL

broker_url = REDIS_URL or "memory://"
# Seconds. A frozen broker must not hold a thread: the publishing thread of the web process waits this long at most.
broker_transport_options = {
    "visibility_timeout": PORTAL_TASK_VISIBILITY,
    "socket_connect_timeout": 1,
    "socket_timeout": 5,
    "max_retries": 0,
}
broker_connection_retry_on_startup = True
broker_connection_max_retries = None
task_default_queue = "turns"
task_ignore_result = True
task_acks_late = True
task_reject_on_worker_lost = True
task_publish_retry = False
worker_prefetch_multiplier = 1
worker_hijack_root_logger = False
worker_enable_remote_control = False
task_send_sent_event = False
timezone = "Pacific/Auckland"
# Celery would close a thread's connection to the database after each task; Django's own rules do that better
# (CONN_MAX_AGE, health checks; see `claims.tasks`). A number of tasks that no worker reaches.
CELERY_DB_REUSE_MAX = 10**12
