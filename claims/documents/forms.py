"""Where a form begins, which forms the declarations list, and which are only named."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from claims.documents.form_numbers import FormNumber, form_numbers, page_of, without_form
from claims.documents.furniture import zones
from claims.documents.rows import Row
from claims.documents.sections import Form, Section, SectionKind

_LIST_TITLE = re.compile(
    r"\b(?:forms?|endorsements?|wordings?)\b.{0,60}\b(?:appl\w+|attach\w+|part of|listed|made part|included|"
    r"forming)\b"
    r"|\b(?:schedule|list) of (?:forms?|endorsements?)\b|^forms?(?: and endorsements?)?\s*:|^forms and "
    r"endorsements\b|^endorsements?\s*:",
    re.IGNORECASE,
)
_TITLED = re.compile(r"ENDORSEMENT\b")
_TITLE_WORD = re.compile(
    r"\b(?:form|policy|endorsement|wording|rider|booklet|coverage|declarations?|insurance)\b", re.IGNORECASE
)
_MAX_TITLE_WORDS = 14
_MAX_BESIDE = 6
_FIRST_LINES = 12


@dataclass(frozen=True, slots=True)
class FormMark:
    """A form begins at `line`. `resets` is False where it is only the name of the form that was open all along."""

    line: int
    form: FormNumber
    resets: bool = True


def form_marks(rows: Sequence[Row], furniture: frozenset[int]) -> tuple[FormMark, ...]:
    """Beginnings of forms, in order: pages with another number at their edge, and titles with a number."""
    lists = listing_lines(rows)
    pages = _page_marks(rows, lists)
    found: list[FormMark] = []
    by_line = {mark.line: mark for mark in pages}
    current: str | None = None
    several = len({row.line.page for row in rows}) > 1
    for place, row in enumerate(rows):
        mark = by_line.get(row.line.number)
        if mark is None and row.line.number not in lists:
            mark = _line_mark(row, furniture, several=several)
        if mark is None and place < _FIRST_LINES and current is None:
            mark = _code_mark(row)
        if mark is None or mark.form.key == current:
            continue
        first_and_late = current is None and (page_of(row.text) or (1, None))[0] > 1 and row.line.number in furniture
        found.append(FormMark(rows[0].line.number if first_and_late else mark.line, mark.form, not first_and_late))
        current = mark.form.key
    return tuple(found)


def _code_mark(row: Row) -> FormMark | None:
    """A code alone on a line of the cover is the form's number, whatever follows."""
    numbers = form_numbers(row.text)
    return FormMark(row.line.number, numbers[0]) if len(numbers) == 1 and not without_form(row.text) else None


def listing_lines(rows: Sequence[Row]) -> frozenset[int]:
    """Lines of a list of forms, as declarations carry it: they name forms and begin none."""
    found: set[int] = set()
    run: list[int] = []
    for place, row in enumerate(rows):
        numbers = form_numbers(row.text)
        if _TITLED.match(row.text) and not form_numbers(rows[place + 1].text if place + 1 < len(rows) else ""):
            numbers = ()
        titled = bool(_LIST_TITLE.search(row.text[:200]))
        listed = bool(numbers) and bool(run) and not row.blank and page_of(row.text) is None
        if titled or len(numbers) > 1 or listed:
            run.append(row.line.number)
            continue
        found.update(run)
        run = []
    found.update(run)
    return frozenset(found)


def _page_marks(rows: Sequence[Row], lists: frozenset[int]) -> list[FormMark]:
    """Pages whose edge shows another form number than the page before."""
    pages: dict[int, list[Row]] = {}
    for row in rows:
        pages.setdefault(row.line.page, []).append(row)
    if len(pages) < 2:
        return []
    marks: list[FormMark] = []
    last: str | None = None
    for page in pages.values():
        form = _edge_form(page, lists)
        if form is not None and form.key != last:
            marks.append(FormMark(page[0].line.number, form))
            last = form.key
    return marks


def _edge_form(page: Sequence[Row], lists: frozenset[int]) -> FormNumber | None:
    top, bottom = zones(page)
    for row in [*reversed(bottom), *top]:
        if row.line.number in lists or len(row.text) > 120 or row.last in ".;:":
            continue
        numbers = form_numbers(row.text)
        if len(numbers) == 1 and (numbers[0].edition or page_of(row.text) or row.text.strip() == numbers[0].number):
            return numbers[0]
    return None


def _line_mark(row: Row, furniture: frozenset[int], *, several: bool) -> FormMark | None:
    text = row.text
    if len(text) > 120 or text[-1:] in ".;:,":
        return None
    numbers = form_numbers(text)
    if len(numbers) != 1:
        return None
    if row.line.number in furniture:
        return FormMark(row.line.number, numbers[0]) if page_of(text) and not several else None
    rest = without_form(text)
    words = rest.split()
    printed = numbers[0].edition is not None and len(words) <= _MAX_BESIDE and (not rest or rest.isupper())
    named = bool(_TITLE_WORD.search(rest)) and len(words) <= _MAX_TITLE_WORDS and not text[:1].islower()
    if not printed and not named:
        return None
    titled = (
        not rest or rest.isupper() or all(word[:1].isupper() or len(word) < 4 for word in words if word[:1].isalpha())
    )
    return FormMark(row.line.number, numbers[0]) if titled else None


def forms_of(
    rows: Sequence[Row], marks: Sequence[FormMark], sections: Sequence[Section], *, declared: bool
) -> tuple[Form, ...]:
    """Forms that begin in the file, then those that it only names. `listed` is None without declarations."""
    lists = listing_lines(rows)
    declared_lines = {
        line
        for section in sections
        if section.kind is SectionKind.DECLARATIONS
        for line in range(section.start_line, section.end_line + 1)
    }
    named = {
        form.key: form
        for row in rows
        if row.line.number in lists or row.line.number in declared_lines
        for form in form_numbers(row.text)
    }
    spoken = {form.key: form for row in rows for form in form_numbers(row.text) if _speaks_of(row.text, form.start)}
    found: dict[str, Form] = {}
    for mark in marks:
        listed = (mark.form.key in named) if declared else None
        found.setdefault(mark.form.key, Form(mark.form.number, mark.form.edition, mark.line, listed, True))
    for key, form in {**spoken, **named}.items():
        if key not in found:
            found[key] = Form(form.number, form.edition, None, (key in named) if declared else None, False)
    return tuple(found.values())


def _speaks_of(text: str, start: int) -> bool:
    return bool(
        re.search(
            r"\b(?:endorsements?|forms?|rider)(?: (?:no\.?|number))? ?$",
            text[max(0, start - 24) : start],
            re.IGNORECASE,
        )
    )
