"""The YAML inside a policy document: the header, a clause's block, and the one way to write a text in them.

It knows nothing of clauses. PyYAML reads; what is written is ours, so that a document has exactly one form.
"""

import json
from typing import Any

import yaml

try:
    from yaml import CSafeLoader as SafeLoader  # the C one is about ten times as fast
except ImportError:  # pragma: no cover - a PyYAML built without libyaml
    from yaml import SafeLoader  # type: ignore[assignment]


class DocumentError(ValueError):
    """The text is not a policy document; `line` counts from 1 in the text that was given."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


def read_mapping(text: str, keys: tuple[str, ...], first_line: int) -> dict[str, Any]:
    """The mapping in `text`, with exactly `keys` in this order. Raises DocumentError, lines from `first_line` on."""
    try:
        found = yaml.load(text, Loader=SafeLoader)
    except (yaml.YAMLError, ValueError, ArithmeticError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        raise DocumentError(first_line + (mark.line if mark else 0), f"this is not YAML: {error}") from error
    if not isinstance(found, dict) or tuple(found) != keys:
        raise DocumentError(first_line, f"exactly these keys in this order: {', '.join(keys)}")
    return found


def as_texts(value: object, name: str, line: int) -> tuple[str, ...]:
    """`value` as texts, none of them empty. Raises DocumentError for anything but a list of texts."""
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise DocumentError(line, f"{name} is a list of texts; put a number or a date in double quotes")
    return tuple(value)


def write_scalar(value: str, *, in_flow: bool = False) -> str:
    """`value` plain where YAML reads it back as the same text, else in double quotes as JSON writes it."""
    try:
        plain = yaml.load(f"[{value}]" if in_flow else f"- {value}", Loader=SafeLoader) == [value]
    except (yaml.YAMLError, ValueError, ArithmeticError, RecursionError):
        plain = False
    return value if plain else json.dumps(value, ensure_ascii=False)
