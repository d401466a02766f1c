"""The bench itself: every real server answers through its own client, and a missing one never passes quietly."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench import portal
from tests.bench.processes import DidNotStart

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.objects
def test_the_s3_server_keeps_the_first_of_two_create_only_writes(s3_server, s3_bucket):
    client = s3_server.client()
    client.put_object(Bucket=s3_bucket, Key="k", Body=b"first", IfNoneMatch="*")
    with pytest.raises(client.exceptions.ClientError, match="PreconditionFailed"):
        client.put_object(Bucket=s3_bucket, Key="k", Body=b"second", IfNoneMatch="*")
    body = client.get_object(Bucket=s3_bucket, Key="k")["Body"]
    assert body.read() == b"first"
    client.close()


@pytest.mark.broker
def test_the_broker_speaks_redis(broker_url):
    import valkey

    with valkey.from_url(broker_url) as client:
        client.set("seen", "yes")
        assert client.get("seen") == b"yes"


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_the_suite_runs_on_a_real_postgresql():
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int, current_setting('fsync')")
        version, fsync = cursor.fetchone()
    assert (version >= 140000, fsync) == (True, "off")


def test_an_empty_postgresql_database_is_to_be_had_for_processes(postgres_url):
    import psycopg

    with psycopg.connect(postgres_url) as connection:
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert tables == (0,)


@pytest.mark.browser
def test_the_browser_shows_and_clicks_a_page(browser_page):
    browser_page.set_content("<button onclick=\"this.textContent='Tapped'\">Tap</button>")
    browser_page.click("button")
    assert browser_page.inner_text("button") == "Tapped"
    assert browser_page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone") == "Pacific/Auckland"


STAND_IN = """
import os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
assert sys.argv[1:3] == ["start", "--port"], sys.argv
print("seen", sorted(name for name in os.environ if name.startswith(("PORTAL_", "DJANGO_", "SECRET"))))
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_error(404)
HTTPServer(("127.0.0.1", int(sys.argv[3])), Handler).serve_forever()
"""


def test_the_portal_is_served_with_nothing_set_and_ends_with_the_bench(tmp_path, monkeypatch):
    (tmp_path / "manage.py").write_text(STAND_IN)
    monkeypatch.setattr(portal, "ROOT", tmp_path)
    monkeypatch.setenv("SECRET_KEY", "the developer's own")
    with portal.serving(tmp_path, seconds=20) as served:
        assert served.output().startswith("seen ['PORTAL_VAR_DIR']")
    assert served.process.child.returncode is not None


def test_a_portal_that_does_not_start_says_its_last_words(tmp_path, monkeypatch):
    (tmp_path / "manage.py").write_text("raise SystemExit('SECRET_KEY is not set')")
    monkeypatch.setattr(portal, "ROOT", tmp_path)
    with pytest.raises(DidNotStart, match="SECRET_KEY is not set"), portal.serving(tmp_path, seconds=20):
        pass


def test_the_developers_environment_and_var_stay_out_of_the_tests(tmp_path, settings):
    assert not [name for name in os.environ if name.startswith(("S3_", "AWS_")) or name == "SECRET_KEY"]
    assert settings.VAR_DIR.parent == tmp_path
    assert ROOT not in Path(os.environ["PORTAL_VAR_DIR"]).parents


def test_loopback_is_all_the_network_there_is():
    import socket

    # pytest-socket warns before it refuses, and a warning is an error here.
    with pytest.raises(UserWarning, match="tried to use socket"), socket.socket() as probe:
        probe.connect(("192.0.2.1", 80))


@pytest.mark.parametrize(
    ("options", "words"), [([], "1 skipped"), (["--services"], "--services, but weed is not here")]
)
def test_a_missing_service_is_skipped_by_default_and_fails_with_services(tmp_path, options, words):
    (tmp_path / "test_one.py").write_text(
        "from tests.bench.processes import NotHere\ndef test_one(missing):\n    missing(NotHere('weed is not here'))\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "tests.conftest", "-c", ROOT / "pyproject.toml"]
    done = subprocess.run(
        [*command, "--rootdir", tmp_path, *options, tmp_path / "test_one.py"],
        cwd=ROOT,
        env={name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        capture_output=True,
        text=True,
    )
    assert words in done.stdout
    assert done.returncode == (1 if options else 0)
