"""The chain of times: each wrong order is refused with both settings' names, wherever a process starts."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from portal.celery import refuse_or_prepare
from portal.checks import CHAIN, refuse_wrong_times, times_form_a_chain

ROOT = Path(__file__).resolve().parents[2]


def test_the_chain_is_model_turn_lease_visibility_and_holds_as_delivered():
    assert CHAIN == ("PORTAL_MODEL_TIMEOUT", "PORTAL_TURN_DEADLINE", "PORTAL_TURN_LEASE", "PORTAL_TASK_VISIBILITY")
    assert times_form_a_chain(None) == []
    refuse_wrong_times()


@pytest.mark.parametrize("same", [True, False], ids=["as long", "longer"])
@pytest.mark.parametrize(("shorter", "longer"), list(pairwise(CHAIN)))
def test_each_wrong_order_is_refused_naming_both_settings_and_the_fix(settings, shorter, longer, same):
    seconds = 100.0
    for number, name in enumerate(CHAIN):
        setattr(settings, name, seconds + number)
    setattr(settings, longer, getattr(settings, shorter) if same else getattr(settings, shorter) - 0.5)
    first = times_form_a_chain(None)[0]
    assert shorter in first.msg and longer in first.msg
    assert first.hint == f"Lower {shorter} or raise {longer}."
    with pytest.raises(SystemCheckError, match=f"{shorter} is .* must be shorter than {longer}"):
        call_command("check")
    with pytest.raises(ImproperlyConfigured, match=f"Lower {shorter} or raise {longer}"):
        refuse_wrong_times()


def test_every_wrong_pair_is_named_at_once(settings):
    for number, name in enumerate(CHAIN):
        setattr(settings, name, 100.0 - number)
    assert [problem.id for problem in times_form_a_chain(None)] == ["portal.E001", "portal.E002", "portal.E003"]


def test_a_worker_does_not_start_with_times_in_a_wrong_order(settings):
    """Celery runs the system checks of Django and passes over what they find."""
    settings.PORTAL_TURN_LEASE = 5.0
    with pytest.raises(SystemExit) as refused:
        refuse_or_prepare()
    assert "PORTAL_TURN_DEADLINE" in str(refused.value.code) and "PORTAL_TURN_LEASE" in str(refused.value.code)


WEB = [sys.executable, "-c", "import portal.wsgi"]
CHECK = [sys.executable, "manage.py", "check"]
WORKER = [sys.executable, "-m", "celery", "-A", "portal", "worker", "--pool", "threads"]
STARTS = [(CHECK, "5", 1), (CHECK, "40", 0), (WEB, "5", 1), (WEB, "40", 0), (WORKER, "5", 1)]


@pytest.mark.parametrize(("command", "lease", "code"), STARTS)
def test_no_process_of_the_product_starts_with_times_in_a_wrong_order(tmp_path, command, lease, code):
    environment = {
        "PATH": os.environ["PATH"],
        "PORTAL_VAR_DIR": str(tmp_path / "var"),
        "PORTAL_TURN_LEASE": lease,
        "DJANGO_SETTINGS_MODULE": "portal.settings",
    }
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, done.stderr
    if code:
        assert "PORTAL_TURN_DEADLINE is 25 s and must be shorter than PORTAL_TURN_LEASE, which is 5 s." in done.stderr
