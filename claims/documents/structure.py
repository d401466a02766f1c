"""An uploaded policy is split: furniture out, paragraphs together, headings above them, a kind for each (M80 to M85).

Rules of structure, in the order in which they run: page furniture, contents pages, where forms begin, paragraphs and
headings, the stack of numbers, kinds, carve-backs, endorsements. No list of any form's headings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from claims.documents.blocks import RUN_IN, Block
from claims.documents.contents_pages import contents_lines
from claims.documents.endorsements import amended, condition_of, forms_of
from claims.documents.forms import FormMark, form_marks
from claims.documents.furniture import furniture
from claims.documents.nodes import Heading, Placed
from claims.documents.outline import Outline, settle_headings
from claims.documents.page_habits import usual_size
from claims.documents.pages import Reading
from claims.documents.paragraphs import blocks_of
from claims.documents.rows import Row, row_of
from claims.documents.sections import Section, SectionKind, Structure, Unit
from claims.documents.units import Draft, drafts_of, passage_of
from claims.documents.verdicts import endorsement_of, verdicts

_PITCH = 1.25
_LARGER = 1.08


def split(reading: Reading) -> Structure:
    """The sections of a reading, in the order of the file. The same reading gives the same sections and ids.

    Every line with text that is no furniture is in a unit of exactly one section or is a heading.
    """
    rows = _rows(reading)
    apart = furniture(rows)
    body = [row for row in rows if row.line.number not in apart]
    apart |= contents_lines(body)
    marks = form_marks(rows, apart)
    body = _prepared([row for row in rows if row.line.number not in apart], rows)
    outline = _outline(body, marks)
    printed = {page.number: page.printed for page in reading.pages}
    drafts = drafts_of(outline.placed, verdicts(outline.placed), printed)
    sections = _sections(outline, drafts, printed)
    sections = amended(sections)
    declared = any(section.kind is SectionKind.DECLARATIONS for section in sections)
    return Structure(sections, forms_of(rows, marks, sections, declared=declared), frozenset(apart), declared)


def _rows(reading: Reading) -> list[Row]:
    """Lines with text. A gap is an empty line, or a wider space than usual."""
    rows: list[Row] = []
    empty = False
    for line in reading.lines:
        if not line.text.strip():
            empty = True
            continue
        row = row_of(line)
        if not row.text:
            row.text = line.text.strip()
        row.blank = empty
        row.broken = bool(rows) and rows[-1].line.page != line.page
        rows.append(row)
        empty = False
    _mark_gaps(rows)
    return rows


def _mark_gaps(rows: Sequence[Row]) -> None:
    """With geometry: a gap above a line, a column's end, and what stands out by size or weight."""
    pitches = sorted(
        round(row.line.box.top - before.line.box.top, 1)
        for before, row in pairwise(rows)
        if row.line.box and before.line.box and not row.broken and row.line.box.top > before.line.box.top
    )
    if not pitches:
        return
    usual = pitches[len(pitches) // 2]
    close = [pitch for pitch in pitches if pitch <= usual]
    usual = close[len(close) // 2] if close else usual
    for before, row in pairwise(rows):
        if row.line.box is None or before.line.box is None or row.broken:
            continue
        down = row.line.box.top - before.line.box.top
        row.broken = down <= -1
        row.blank = row.blank or down > usual * _PITCH
    size = usual_size(rows)
    bold = sum(len(row.text) for row in rows if row.line.bold) * 2 > sum(len(row.text) for row in rows)
    for row in rows:
        larger = bool(size and row.line.size and row.line.size > size * _LARGER)
        row.strong = larger or bool(row.line.bold and not bold)


def _prepared(body: list[Row], rows: Sequence[Row]) -> list[Row]:
    """Where furniture stood between two lines nothing is known of the space between them."""
    kept = {id(row) for row in body}
    skipped = False
    for row in rows:
        if id(row) not in kept:
            skipped = True
        elif skipped:
            row.broken, skipped = True, False
    return body


def _outline(body: Sequence[Row], marks: Sequence[FormMark]) -> Outline:
    blocks = blocks_of(body)
    starts = {mark.line: mark.form.number for mark in marks}
    outline = Outline(blocks, starts)
    if settle_headings(outline):
        for block in blocks:
            block.label = block.readings[0] if block.readings else block.label
        outline = Outline(blocks, starts)
    return outline


def _sections(outline: Outline, drafts: Mapping[int, Draft], printed: Mapping[int, str | None]) -> tuple[Section, ...]:
    used = {id(each.heading) for each in outline.placed}
    used |= {id(node.parent) for node in outline.headings if node.parent is not None}
    groups: list[tuple[Heading, SectionKind, list[Unit], Block | None]] = []
    opened: Heading | None = None
    for node in outline.order:
        if isinstance(node, Heading):
            if id(node) not in used and node.block is not None:
                groups.append(_lone(node, printed))
            opened = node
            continue
        draft = drafts[id(node)]
        heading, kind = node.heading, draft.verdict.kind
        if not groups or groups[-1][0] is not heading or groups[-1][1] is not kind:
            groups.append((heading, kind, [], heading.block if opened is heading else None))
        opened = None
        groups[-1][2].append(_without_run_in(node, draft, printed).unit(drafts))
    return tuple(_section(index, *group) for index, group in enumerate(groups, start=1))


def _lone(heading: Heading, printed: Mapping[int, str | None]) -> tuple[Heading, SectionKind, list[Unit], Block | None]:
    """A line of a heading's shape with nothing below it is text that would else be lost to every search."""
    block = heading.block
    assert block is not None  # noqa: S101
    inside = heading.parent is not None and endorsement_of(heading) is not None
    kind = SectionKind.ENDORSEMENTS if inside else SectionKind.UNCLASSIFIED
    above = heading.parent or heading
    return above, kind, [Unit(passage_of(block.rows, printed))], None


def _without_run_in(placed: Placed, draft: Draft, printed: Mapping[int, str | None]) -> Draft:
    if not placed.block.run_in:
        return draft
    raw = placed.block.first.line.text.strip()
    found = RUN_IN.search(raw[: placed.block.run_in + 40])
    if found is None:
        return draft
    return replace(draft, passage=passage_of(placed.block.rows, printed, skip=found.end()))


def _section(index: int, heading: Heading, kind: SectionKind, units: list[Unit], block: Block | None) -> Section:
    first = units[0].passage
    start = block.first.line if block is not None else None
    path = tuple(node.title for node in heading.lineage())
    return Section(
        section_id=f"section-{index}",
        kind=kind,
        heading=path[-1] if path else "",
        path=path,
        start_line=start.number if start else first.start_line,
        end_line=units[-1].passage.end_line,
        page=start.page if start else first.page,
        printed_page=first.printed_page,
        units=tuple(units),
        form=heading.form,
        condition=condition_of(units),
    )
