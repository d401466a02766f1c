"""M35, M40: no constant names a version; only the content folder and tests about versions do."""

import re
from pathlib import Path

from knowledge.seeding import CONTENT

ROOT = Path(__file__).resolve().parents[2]
APPS = ("portal", "evals", "claims", "knowledge")
RUNTIME = (".py", ".html", ".js", ".toml", ".yaml", ".json", ".txt")
A_VERSION = re.compile(r"(?<![\w.-])(?:MVP-)?20\d\d\.\d{1,2}(?![\w.])")


def runtime_files() -> list[Path]:
    files = [path for app in (*APPS, "templates") for path in (ROOT / app).rglob("*") if path.suffix in RUNTIME]
    return [path for path in files if "migrations" not in path.parts and CONTENT not in path.parents]


def test_M35_M40_no_version_stands_in_runtime_code() -> None:
    names = {path.parent.name for path in CONTENT.glob("*/*.md")}
    assert len(names) > 1 and all(A_VERSION.search(name) for name in names)
    found = {}
    for path in runtime_files():
        text = path.read_text(encoding="utf-8")
        hits = set(A_VERSION.findall(text)) | {name for name in names if name in text}
        if hits:
            found[str(path.relative_to(ROOT))] = hits
    assert found == {}
