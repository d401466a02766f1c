"""What every test gets: settings of its own, no network beyond loopback, and real servers where it asks for them.

    uv run pytest                   SQLite; tests that need PostgreSQL are skipped and say so
    uv run pytest --postgresql      the whole suite on a PostgreSQL that the run starts and ends
    uv run pytest --services        the same, and a server or browser that is missing is a failure, not a skip
    uv run pytest --thorough        the long proofs too (--services runs them anyway)
    uv run pytest --database-url U  the whole suite on a server you run

Nothing of the developer's environment reaches the settings, and the checkout's `var/` is never touched.
"""

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import hypothesis
import pytest
from django.test import override_settings

from tests.bench import broker, browser, object_store, portal, postgresql
from tests.bench.processes import NotHere
from tests.fakellm import FakeLLM, Script

OURS = ("PORTAL_", "S3_", "AWS_", "DJANGO_", "LITELLM_")
OUR_NAMES = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DEBUG", "ALLOWED_HOSTS", "LOG_LEVEL", "SECURE_SSL_REDIRECT"}
run = contextlib.ExitStack()

# Two of its health checks watch the clock and the luck of a seed, so on a busy machine they would fail now and then.
OF_THE_MACHINE = [hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.filter_too_much]
hypothesis.settings.register_profile("whole", deadline=None, print_blob=True, suppress_health_check=OF_THE_MACHINE)
hypothesis.settings.register_profile("plain", hypothesis.settings.get_profile("whole"), max_examples=40)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("portal")
    group.addoption("--postgresql", action="store_true", help="run the whole suite on a PostgreSQL server of its own")
    group.addoption("--services", action="store_true", help="--postgresql, and every missing service is a failure")
    group.addoption("--thorough", action="store_true", help="the long proofs too, which --services runs anyway")
    group.addoption("--database-url", help="run the whole suite on this database server (in a database test_...)")


def pytest_configure(config: pytest.Config) -> None:
    """Lay the environment and load the settings: pytest-django sets Django up after this, not before.

    That is why no settings module is named in pyproject.toml: it would be loaded before any option is known.
    """
    if config.getoption("help") or config.getoption("version") or _only_hands_out(config):
        return
    is_whole = config.getoption("--thorough") or config.getoption("--services")
    hypothesis.settings.load_profile("whole" if is_whole else "plain")
    for name in list(os.environ):
        if name.startswith(OURS) or name in OUR_NAMES:
            del os.environ[name]
    var_dir = tempfile.mkdtemp(prefix="portal-tests-")
    run.callback(shutil.rmtree, var_dir, ignore_errors=True)
    os.environ["PORTAL_VAR_DIR"] = var_dir
    if (url := _database_url(config)) is not None:
        os.environ["DATABASE_URL"] = url
    os.environ["DJANGO_SETTINGS_MODULE"] = "portal.settings"
    from django.conf import settings

    if settings.configured:
        raise pytest.UsageError(
            "Unset DJANGO_SETTINGS_MODULE: the tests load the settings themselves, after laying the environment."
        )
    settings.DATABASES  # noqa: B018 (loads them)


def _only_hands_out(config: pytest.Config) -> bool:
    """Whether this is the process that spreads tests over others (`-n`): it runs none, so it lays nothing."""
    return bool(getattr(config.option, "numprocesses", None)) and not hasattr(config, "workerinput")


def _database_url(config: pytest.Config) -> str | None:
    given: str | None = config.getoption("--database-url")
    if given is None and (config.getoption("--postgresql") or config.getoption("--services")):
        try:
            return f"{run.enter_context(postgresql.running())}/portal"
        except NotHere as missing:
            raise pytest.UsageError(str(missing)) from missing
    return given


def pytest_unconfigure() -> None:
    run.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    from django.db import connection

    if not (config.getoption("--thorough") or config.getoption("--services")):
        for item in items:
            if item.get_closest_marker("thorough"):
                item.add_marker(pytest.mark.skip(reason="a long proof: run with --thorough or --services"))

    if connection.vendor != "postgresql":
        reason = "needs PostgreSQL: run with --postgresql or --services"
        for item in items:
            if item.get_closest_marker("postgresql"):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def missing(pytestconfig: pytest.Config) -> Callable[[NotHere], NoReturn]:
    """What to do about a service that is not here: skip and say so; with --services, fail."""

    def decide(reason: NotHere) -> NoReturn:
        if pytestconfig.getoption("--services"):
            pytest.fail(f"--services, but {reason}", pytrace=False)
        pytest.skip(str(reason))

    return decide


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(autouse=True)
def own_var_dir(tmp_path: Path, settings: Any) -> Path:
    """Each test has a `var/` and so an object store of its own."""
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    return settings.VAR_DIR


@pytest.fixture(scope="session")
def postgres_server(missing: Callable[[NotHere], NoReturn]) -> Iterator[str]:
    """A PostgreSQL server (its URL without a database): the one that the suite runs on, or one started now."""
    from django.conf import settings

    if settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        yield os.environ["DATABASE_URL"].rsplit("/", 1)[0]
        return
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(postgresql.running())
        except NotHere as reason:
            missing(reason)
        yield server


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The URL of an empty PostgreSQL database, for a test that starts processes of its own."""
    return postgresql.fresh_database(postgres_server)


@pytest.fixture(scope="session")
def s3_server(missing: Callable[[NotHere], NoReturn]) -> Iterator[object_store.S3Server]:
    """A real S3 server (endpoint, access_key, secret_key, credentials, client())."""
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(object_store.running())
        except NotHere as reason:
            missing(reason)
        yield server


@pytest.fixture
def s3_bucket(s3_server: object_store.S3Server, settings: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """A fresh bucket that the portal's settings point to."""
    bucket = f"bench-{secrets.token_hex(6)}"
    client = s3_server.client()
    client.create_bucket(Bucket=bucket)
    client.close()
    for name, value in s3_server.credentials.items():
        monkeypatch.setenv(name, value)
    settings.S3_ENDPOINT_URL = s3_server.endpoint
    settings.S3_BUCKET = bucket
    return bucket


@pytest.fixture
def s3_store(s3_bucket: str) -> Any:
    """The portal's own store on a fresh bucket of a real S3 server."""
    from knowledge.storage import open_store

    return open_store()


@pytest.fixture(scope="session")
def broker_url(missing: Callable[[NotHere], NoReturn]) -> Iterator[str]:
    """A real broker (redis://...)."""
    with contextlib.ExitStack() as stack:
        try:
            url = stack.enter_context(broker.running())
        except NotHere as reason:
            missing(reason)
        yield url


@pytest.fixture(scope="session")
def served_portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[portal.ServedPortal]:
    """The real product with nothing set, served by `manage.py start` (url, var_dir, output())."""
    with portal.serving(tmp_path_factory.mktemp("portal")) as served:
        yield served


@pytest.fixture
def browser_page(missing: Callable[[NotHere], NoReturn], monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A page of a real Chromium (Playwright's synchronous API)."""
    # Playwright keeps an event loop in this thread, which Django would take for asynchronous code.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    with contextlib.ExitStack() as stack:
        try:
            page = stack.enter_context(browser.page())
        except NotHere as reason:
            missing(reason)
        yield page


@pytest.fixture
def fakellm() -> Iterator[Callable[[Script], FakeLLM]]:
    """Make scripted models: `fakellm([tool_call(...), ...])`, running; the test fails when one is asked too often."""
    models: list[FakeLLM] = []

    def make(script: Script) -> FakeLLM:
        models.append(FakeLLM(script).start())
        return models[-1]

    yield make
    for model in models:
        model.stop()
    for model in models:
        model.check()


@pytest.fixture(autouse=True)
def no_pause_before_a_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider that fails is asked once more after half a second, which no test of this process need wait."""
    monkeypatch.setattr("claims.agent.runtime.RETRY_PAUSE_SECONDS", 0.0)


@pytest.fixture(autouse=True)
def closed_breakers() -> Iterator[None]:
    """A breaker belongs to the process: one that a test opened would refuse the next test's model."""
    yield
    from claims.agent.model import breaker_of

    breaker_of.cache_clear()
