"""What holds for the repository as a whole: no host or path of a machine, small files, light starts, a plain README."""

import ast
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = {".py", ".md", ".toml", ".txt", ".html", ".css", ".js", ".json", ".yaml", ".yml", ".svg", ".sh", ""}
KNOWN_PTH = {"_virtualenv.pth", "distutils-precedence.pth"}
FILE_LINES, TEST_FILE_LINES, FUNCTION_LINES = 300, 400, 50


def _tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def _texts() -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text() for path in _tracked() if path.suffix in TEXT}


def _code() -> dict[str, str]:
    generated = ("migrations/",)
    return {
        name: text for name, text in _texts().items() if name.endswith(".py") and not any(g in name for g in generated)
    }


def _hits(pattern: str) -> list[str]:
    found = re.compile(pattern, re.IGNORECASE)
    return [f"{name}: {hit[0]}" for name, text in _texts().items() for hit in [found.search(text)] if hit]


def test_no_package_registry_is_named():
    """The patterns are put together here, so that this file does not hold what it looks for."""
    ends = "|".join(["pypi", "pythonhosted", "npmjs", "deb.debian"])
    assert _hits(rf"\b(?:{ends})\.(?:org|com|net)\b") == []
    assert _hits("(?:extra-)?index" + r"-url\s*=|\bfind" + r"-links\s*=|/simple/\w") == []


def test_no_registry_of_this_machine_is_named():
    lock = ROOT / "uv.lock"
    if not lock.exists():
        pytest.skip("no uv.lock here to learn the registry's host from")
    hosts = set(re.findall(r"https?://([^/\"]+)", lock.read_text()))
    assert [hit for host in hosts for hit in _hits(re.escape(host))] == []


def test_no_path_of_a_machine_is_named():
    assert _hits(r"(?<![\w.>{}*-])/(?:" + "|".join(["work", "root", r"home/\w+", r"users/\w+"]) + r")/[\w.]") == []


def test_the_lock_file_and_what_runs_leave_behind_is_not_tracked():
    names = {str(path.relative_to(ROOT)) for path in _tracked()}
    assert "uv.lock" not in names
    assert not [name for name in names if name.startswith(("var/", ".venv/")) or "__pycache__" in name]


def test_the_requirements_have_hashes_and_no_host():
    for name in ("base", "dev", "ci"):
        lines = (ROOT / "requirements" / f"{name}.txt").read_text().splitlines()
        pins = [line for line in lines if "==" in line]
        assert len(pins) > 50
        assert all(line.endswith("\\") for line in pins), "a pin without a hash"
        assert not [line for line in lines if "://" in line or line.startswith("-")]


def test_M71_the_readme_says_what_this_is_and_the_two_commands():
    text = (ROOT / "README.md").read_text()
    second = [line for line in text.splitlines() if line.strip()][1].lower()
    for words in (
        "drafting aid",
        "licensed adjuster",
        "no determination",
        "no legal advice",
        "decides",
        "reviews",
        "signs",
    ):
        assert words in second
    assert "uv run manage.py start" in text
    assert "uv run pytest" in text


def test_the_licence_is_MIT():
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")
    assert 'license = "MIT"' in (ROOT / "pyproject.toml").read_text()


def test_files_and_functions_stay_small():
    long = []
    for name, text in _code().items():
        limit = TEST_FILE_LINES if name.startswith("tests/") else FILE_LINES
        if (lines := len(text.splitlines())) > limit:
            long.append(f"{name}: {lines} lines, at most {limit}")
        if name.startswith("tests/"):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION_LINES:
                    long.append(f"{name}: {node.name} has {lines} lines, at most {FUNCTION_LINES}")
    assert long == []


def test_no_catch_all_modules_and_nothing_left_to_do():
    names = {Path(name).name for name in _code()}
    assert names.isdisjoint({"utils.py", "helpers.py", "services.py", "signals.py", "common.py", "misc.py"})
    assert _hits(r"\b(?:TO" + "DO|FIX" + r"ME|X" + r"XX)\b") == []


def test_every_test_name_is_used_once_in_its_file():
    """A second function of the same name would silently replace the first."""
    twice = []
    for name, text in _code().items():
        if name.startswith("tests/"):
            tests = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
            twice += [f"{name}: {test}" for test in set(tests) if tests.count(test) > 1]
    assert twice == []


def test_nothing_runs_at_every_start_of_this_python():
    """A poisoned package once hid its stealer in a .pth file: only those of the virtual environment itself are here."""
    found = {path.name for path in Path(sysconfig.get_path("purelib")).glob("*.pth")}
    assert found <= KNOWN_PTH


LIGHT = """
import os, sys, django
from django.core.management import call_command
django.setup()
call_command("check", verbosity=0)
call_command("migrate", verbosity=0)
from django.test import Client
status = Client().get("/").status_code
print(status, sorted({"litellm", "openai", "onnxruntime", "tokenizers", "boto3"} & set(sys.modules)))
"""


def test_a_check_a_migration_and_a_page_load_no_model_library(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", LIGHT],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PORTAL_VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "portal.settings"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "200 []"
