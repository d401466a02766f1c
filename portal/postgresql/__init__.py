"""Django's PostgreSQL, where a web request does not wait for ever for a server that stands still (`bounds`, `base`)."""
