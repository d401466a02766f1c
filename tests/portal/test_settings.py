"""A wrong setting stops the start, by its name and with the fix; with nothing set the demo runs."""

import os
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

SETTINGS = Path(__file__).resolve().parents[2] / "portal" / "settings.py"
LIVE = {"SECRET_KEY": "k" * 50, "ALLOWED_HOSTS": "portal.example"}


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Run the settings file with this environment and no other; its command line is `manage.py start`."""

    def run(**environment: str) -> dict[str, Any]:
        for name in [name for name in os.environ if name.startswith("PORTAL_") or name == "DATABASE_URL"]:
            monkeypatch.delenv(name)
        for name, value in {"PORTAL_VAR_DIR": str(tmp_path / "var"), **environment}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["manage.py", "start"])
        return runpy.run_path(str(SETTINGS))

    return run


def test_with_nothing_set_the_demo_runs_on_sqlite_with_a_key_of_its_own(load, tmp_path):
    first, second = load(), load()
    assert (first["DEBUG"], first["PORTAL_MODEL"], first["S3_BUCKET"]) == (True, "", "")
    assert first["DATABASES"]["default"]["ENGINE"] == "django.db.backends.sqlite3"
    assert Path(first["DATABASES"]["default"]["NAME"]).parent == tmp_path / "var"
    assert first["SECRET_KEY"] == second["SECRET_KEY"] and len(first["SECRET_KEY"]) >= 50
    assert (tmp_path / "var" / "secret_key").stat().st_mode & 0o077 == 0


def test_a_key_and_hosts_are_enough_to_run_without_debug(load):
    settings = load(**LIVE)
    assert settings["DEBUG"] is False
    assert settings["SESSION_COOKIE_SECURE"] and settings["CSRF_COOKIE_SECURE"] and settings["SECURE_SSL_REDIRECT"]


@pytest.mark.parametrize(
    ("environment", "name", "fix"),
    [
        ({"DEBUG": "maybe"}, "DEBUG", "true or false"),
        ({"DEBUG": "false", "ALLOWED_HOSTS": "portal.example"}, "SECRET_KEY", "long random text"),
        ({"SECRET_KEY": "k" * 50}, "ALLOWED_HOSTS", "host names"),
        ({**LIVE, "SECURE_SSL_REDIRECT": "perhaps"}, "SECURE_SSL_REDIRECT", "true or false"),
        ({"DATABASE_URL": "postgresql//no-colon"}, "DATABASE_URL", "postgresql://"),
        ({"DATABASE_URL": "postgresql://host:port/name"}, "DATABASE_URL", "postgresql://"),
        ({"DATABASE_URL": "mysql://localhost/portal"}, "DATABASE_URL", "postgresql"),
        ({"S3_ENDPOINT_URL": "http://localhost:9000"}, "S3_BUCKET", "together"),
        ({"S3_BUCKET": "clauses"}, "S3_ENDPOINT_URL", "together"),
        ({"PORTAL_MODEL_TIMEOUT": "soon"}, "PORTAL_MODEL_TIMEOUT", "seconds"),
        ({"PORTAL_MODEL_TIMEOUT": "nan"}, "PORTAL_MODEL_TIMEOUT", "seconds"),
        ({"PORTAL_TURN_DEADLINE": "0"}, "PORTAL_TURN_DEADLINE", "seconds"),
        ({"PORTAL_TURN_DEADLINE": "inf"}, "PORTAL_TURN_DEADLINE", "seconds"),
        ({"PORTAL_TURN_LEASE": "-1"}, "PORTAL_TURN_LEASE", "seconds"),
        ({"PORTAL_DAILY_TOKENS": "many"}, "PORTAL_DAILY_TOKENS", "whole number"),
        ({**LIVE, "PORTAL_FAULT_POINT": "turn.taken"}, "PORTAL_FAULT_POINT", "Unset it"),
        ({"PORTAL_MESSAGES_A_MINUTE": "-1"}, "PORTAL_MESSAGES_A_MINUTE", "whole number"),
        ({"PORTAL_CLAIMS_AN_HOUR": "²"}, "PORTAL_CLAIMS_AN_HOUR", "whole number"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL", "WARNING"),
    ],
    ids=lambda value: next(iter(value.items())) if isinstance(value, dict) else "",
)
def test_a_wrong_setting_is_refused_by_name_with_the_fix(load, environment, name, fix):
    with pytest.raises(ImproperlyConfigured) as refused:
        load(**environment)
    assert name in str(refused.value)
    assert fix in str(refused.value)


def test_a_refused_database_address_does_not_repeat_its_password(load):
    with pytest.raises(ImproperlyConfigured) as refused:
        load(DATABASE_URL="mysql://portal:hunter2@localhost/portal")
    assert "hunter2" not in str(refused.value)
