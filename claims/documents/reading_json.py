"""A reading as JSON and back: how it leaves the process that read the file. Data only, whatever that process became."""

import json
from typing import Any, TypeVar

from claims.documents.pages import (
    Box,
    FileKind,
    Line,
    Note,
    NoteKind,
    NotRead,
    Page,
    PageState,
    Reading,
    Unreadable,
)

T = TypeVar("T")


def to_json(answer: Reading | NotRead) -> str:
    if isinstance(answer, NotRead):
        return json.dumps({"not_read": [answer.reason, answer.detail]})
    pages = [
        [
            page.number,
            page.state,
            page.printed,
            page.characters,
            page.hidden_text,
            [_from_line(line) for line in page.lines],
        ]
        for page in answer.pages
    ]
    notes = [[note.kind, note.detail, note.page] for note in answer.notes]
    return json.dumps({"kind": answer.kind, "pages": pages, "notes": notes, "unreadable": answer.unreadable})


def _from_line(line: Line) -> list[Any]:
    box = line.box
    return [line.number, line.text, box and [box.left, box.top, box.right, box.bottom], line.size, line.bold]


def from_json(text: str | bytes) -> Reading | NotRead:
    """Raises ValueError for anything that `to_json` does not write."""
    try:
        return _answer(json.loads(text))
    except (TypeError, KeyError, IndexError, RecursionError) as error:
        raise ValueError("not a reading") from error


def _answer(data: dict[str, Any]) -> Reading | NotRead:
    if "not_read" in data:
        reason, detail = data["not_read"]
        return NotRead(Unreadable(reason), _typed(detail, str))
    return Reading(
        FileKind(data["kind"]),
        tuple(_page(*page) for page in data["pages"]),
        tuple(
            Note(NoteKind(kind), _typed(detail, str), None if page is None else _typed(page, int))
            for kind, detail, page in data["notes"]
        ),
        None if data["unreadable"] is None else Unreadable(data["unreadable"]),
    )


def _page(number: Any, state: Any, printed: Any, characters: Any, hidden: Any, lines: Any) -> Page:
    number = _typed(number, int)
    return Page(
        number,
        PageState(state),
        tuple(_line(number, *line) for line in lines),
        None if printed is None else _typed(printed, str),
        _typed(characters, int),
        _typed(hidden, bool),
    )


def _line(page: int, number: Any, text: Any, box: Any, size: Any, bold: Any) -> Line:
    return Line(
        _typed(number, int),
        _typed(text, str),
        page,
        None if box is None else Box(*(float(edge) for edge in box)),
        None if size is None else float(size),
        None if bold is None else _typed(bold, bool),
    )


def _typed(value: Any, kind: type[T]) -> T:
    if type(value) is not kind:
        raise TypeError(f"{kind.__name__} expected")
    return value
