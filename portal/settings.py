"""Every setting of the portal, read from the environment. A wrong value stops the start and says what to set.

Without any variable the portal runs the demo: SQLite and files under `var/`, turns in process, the offline chooser.
"""

import secrets
import sys
from datetime import timedelta
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(environ.Env().str("PORTAL_VAR_DIR", default=str(BASE_DIR / "var")))

env = environ.Env()


def _boolean(name: str, default: bool) -> bool:
    value = env.str(name, default=str(default)).strip().lower()
    if value not in {"true", "false", "1", "0", "yes", "no", "on", "off"}:
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to true or false.")
    return value in {"true", "1", "yes", "on"}


def _one_of(name: str, default: str, allowed: list[str]) -> str:
    value: str = env.str(name, default=default).strip().upper()
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to one of {', '.join(allowed)}.")
    return value


def _whole_number(name: str, default: int) -> int:
    value = env.str(name, default=str(default)).strip()
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to a whole number, for example {default}.")
    return int(value)


def _seconds(name: str, default: float) -> float:
    value = env.str(name, default=str(default)).strip()
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ImproperlyConfigured(
            f"{name} is {value!r}. Set it to a number of seconds above 0, for example {default}."
        )
    return seconds


# The demo (no SECRET_KEY given) makes its own key once and runs with DEBUG; anything else must say what it wants.
_given_key: str = env.str("SECRET_KEY", default="")
DEBUG = _boolean("DEBUG", default=not _given_key)


def _secret_key() -> str:
    if _given_key:
        return _given_key
    if not DEBUG:
        raise ImproperlyConfigured(
            "SECRET_KEY is not set while DEBUG is off. Set SECRET_KEY to a long random text, for example the output of "
            "`python -c 'import secrets; print(secrets.token_urlsafe(50))'`."
        )
    kept = VAR_DIR / "secret_key"
    if not kept.exists():
        VAR_DIR.mkdir(parents=True, exist_ok=True)
        kept.write_text(secrets.token_urlsafe(50))
        kept.chmod(0o600)
    return kept.read_text().strip()


SECRET_KEY = _secret_key()
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]", "testserver"] if DEBUG else [])
if not DEBUG and not ALLOWED_HOSTS and "check" not in sys.argv:
    raise ImproperlyConfigured(
        "ALLOWED_HOSTS is empty while DEBUG is off. Set it to the host names that serve the portal."
    )

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "knowledge.apps.KnowledgeConfig",
    "claims.apps.ClaimsConfig",
    "evals.apps.EvalsConfig",
    "portal.apps.PortalConfig",
]

MIDDLEWARE = [
    "portal.postgresql.bounds.BoundedWaits",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "portal.headers.PageHeaders",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "portal.pages.errors.CustomerErrors",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "portal.urls"
WSGI_APPLICATION = "portal.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "portal.pages.context.answering_model",
            ]
        },
    }
]


def _database() -> dict[str, object]:
    url = env.str("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'portal.sqlite3'}")
    try:
        database: dict[str, object] = dict(environ.Env.db_url_config(url))
    except Exception as error:
        raise ImproperlyConfigured(
            "DATABASE_URL cannot be read. Set it like postgresql://user:password@host:5432/name or sqlite:///path/to/file."
        ) from error
    engine = database.get("ENGINE")
    if engine == "django.db.backends.sqlite3":
        VAR_DIR.mkdir(parents=True, exist_ok=True)
        database["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 5,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        }
    elif engine == "django.db.backends.postgresql":
        database["ENGINE"] = "portal.postgresql"
        database["CONN_MAX_AGE"] = 60
        database["CONN_HEALTH_CHECKS"] = True
        # The last two: a network that swallows packets ends a worker's wait too, after 10 s without acknowledgement.
        database["OPTIONS"] = {
            "connect_timeout": 2,
            "options": "-c lock_timeout=3000",
            "tcp_user_timeout": 10_000,
            "keepalives_idle": 10,
        }
    else:
        raise ImproperlyConfigured(
            f"DATABASE_URL names {url.split(':')[0]!r}. The portal runs on postgresql or sqlite."
        )
    return database


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
AUTHENTICATION_BACKENDS = ["portal.access.NoDemoAccounts"]
LOGIN_URL = "/admin/login/"

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "Pacific/Auckland"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "portal" / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

if not DEBUG:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = _boolean("SECURE_SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
FILE_UPLOAD_HANDLERS = [
    "portal.upload_bound.BoundedUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "portal.access.StaffToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["portal.bodies.JSONObject"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "portal.problems.as_problem",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Northwind policy knowledge portal",
    "DESCRIPTION": "Answers about a policy, from clauses that were fetched in the same turn.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "ENUM_NAME_OVERRIDES": {
        "TurnStatus": "claims.models.TURN_STATUSES",
        "WaitingStatus": "claims.models.WaitingItem.Status",
    },
}
REST_KNOX = {"TOKEN_TTL": timedelta(days=90), "AUTH_HEADER_PREFIX": "Token"}

# The object store: files under var/ unless an S3 endpoint is named. Credentials come by boto3's own names.
S3_ENDPOINT_URL = env.str("S3_ENDPOINT_URL", default="")
S3_BUCKET = env.str("S3_BUCKET", default="")
if bool(S3_ENDPOINT_URL) != bool(S3_BUCKET):
    raise ImproperlyConfigured(
        "Set S3_ENDPOINT_URL and S3_BUCKET together, or neither to keep objects as files under var/."
    )

# The model: a LiteLLM model name. Without one the offline chooser answers, and every page says so.
# The key itself is read from PORTAL_MODEL_API_KEY only where the call is made.
PORTAL_MODEL = env.str("PORTAL_MODEL", default="")
PORTAL_MODEL_API_BASE = env.str("PORTAL_MODEL_API_BASE", default="")
PORTAL_MODEL_TIMEOUT = _seconds("PORTAL_MODEL_TIMEOUT", default=12.0)
PORTAL_TURN_DEADLINE = _seconds("PORTAL_TURN_DEADLINE", default=25.0)

# The turn as a job. The times form a chain that `check` holds: model < turn < lease < visibility.
REDIS_URL = env.str("REDIS_URL", default="")
PORTAL_TURN_LEASE = _seconds("PORTAL_TURN_LEASE", default=40.0)
PORTAL_TASK_VISIBILITY = _seconds("PORTAL_TASK_VISIBILITY", default=120.0)
PORTAL_SWEEP_SECONDS = _seconds("PORTAL_SWEEP_SECONDS", default=15.0)
PORTAL_SWEEP_GRACE = _seconds("PORTAL_SWEEP_GRACE", default=15.0)
PORTAL_SWEEP_THREADS = _whole_number("PORTAL_SWEEP_THREADS", default=8)
PORTAL_FAULT_POINT = env.str("PORTAL_FAULT_POINT", default="")
if PORTAL_FAULT_POINT and not DEBUG:
    raise ImproperlyConfigured("PORTAL_FAULT_POINT ends the process on purpose. Unset it: it is for tests, with DEBUG.")

# Tokens of all turns of a New Zealand day; then questions go to the waiting list. 0 sets no budget.
PORTAL_DAILY_TOKENS = _whole_number("PORTAL_DAILY_TOKENS", default=0)

# Rates; 0 switches one off (evaluation runs and the bench).
PORTAL_MESSAGES_A_MINUTE = _whole_number("PORTAL_MESSAGES_A_MINUTE", default=30)
PORTAL_CLAIMS_AN_HOUR = _whole_number("PORTAL_CLAIMS_AN_HOUR", default=20)

# The most that one adjuster keeps here: files, and their bytes together.
PORTAL_ADJUSTER_FILES = _whole_number("PORTAL_ADJUSTER_FILES", default=200)
PORTAL_ADJUSTER_BYTES = _whole_number("PORTAL_ADJUSTER_BYTES", default=1_000_000_000)

LOG_LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    # LiteLLM tells of every call; below WARNING it would also tell what was asked.
    "loggers": {"LiteLLM": {"level": "WARNING"}},
    "root": {"handlers": ["console"], "level": _one_of("LOG_LEVEL", "WARNING", LOG_LEVELS)},
}
