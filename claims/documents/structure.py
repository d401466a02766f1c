"""An uploaded policy is split: furniture out, paragraphs together, headings above them, a kind for each (M80 to M85).

Rules of structure, in the order in which they run: page furniture, contents pages, where forms begin, paragraphs and
headings, the stack of numbers, chapters of headings, kinds, carve-backs, endorsements. No list of any form's headings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from claims.documents.blocks import Block
from claims.documents.chapters import settle_chapters
from claims.documents.contents_pages import contents_lines
from claims.documents.endorsements import amended, condition_of
from claims.documents.forms import FormMark, form_marks, forms_of
from claims.documents.furniture import furniture
from claims.documents.nodes import Heading
from claims.documents.outline import Outline
from claims.documents.page_habits import usual_pitch, usual_size
from claims.documents.pages import Reading
from claims.documents.paragraphs import blocks_of
from claims.documents.rows import Row, row_of
from claims.documents.sections import Passage, Section, SectionKind, Structure, Unit
from claims.documents.settling import settle_headings
from claims.documents.units import Draft, drafts_of, passage_of
from claims.documents.verdicts import verdicts

_PITCH = 1.25
_LARGER = 1.08
_MAX_ROUNDS = 3


def split(reading: Reading) -> Structure:
    """The sections of a reading, in the order of the file. The same reading gives the same sections and ids.

    Every line with text that is no furniture is in a unit of exactly one section or is a heading.
    """
    rows = _rows(reading)
    printed = {page.number: page.printed for page in reading.pages}
    apart = furniture(rows, printed)
    body = [row for row in rows if row.line.number not in apart]
    apart |= contents_lines(body)
    marks = form_marks(rows, apart)
    body = _prepared([row for row in rows if row.line.number not in apart], rows)
    outline = _outline(body, marks)
    settle_chapters(outline.order)
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
    usual = usual_pitch(rows)
    if usual is None:
        return
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
    for _ in range(_MAX_ROUNDS):
        if not settle_headings(outline):
            break
        for block in blocks:
            block.label = block.readings[0] if block.readings else block.label
        outline = Outline(blocks, starts)
    return outline


@dataclass(slots=True)
class _Group:
    """Units in a row with one heading and one kind. `block` is the heading's own where it stands right above them."""

    heading: Heading
    kind: SectionKind
    units: list[Unit]
    block: Block | None


def _sections(outline: Outline, drafts: Mapping[int, Draft], printed: Mapping[int, str | None]) -> tuple[Section, ...]:
    used = {id(each.heading) for each in outline.placed}
    used |= {id(node.parent) for node in outline.headings if node.parent is not None}
    groups: list[_Group] = []
    opened: Heading | None = None
    for node in outline.order:
        if isinstance(node, Heading):
            if id(node) not in used and node.block is not None:
                groups.append(_lone(node, node.block, printed))
            opened = node
            continue
        draft = drafts[id(node)]
        heading, kind = node.heading, draft.verdict.kind
        if not groups or groups[-1].heading is not heading or groups[-1].kind is not kind:
            groups.append(_Group(heading, kind, [], heading.block if opened is heading else None))
        opened = None
        groups[-1].units.append(draft.unit(drafts))
    conditions = _conditions(groups)
    return tuple(_section(index, group, conditions) for index, group in enumerate(groups, start=1))


def _lone(heading: Heading, block: Block, printed: Mapping[int, str | None]) -> _Group:
    """A line of a heading's shape with nothing below it is text that would else be lost to every search."""
    kind = SectionKind.ENDORSEMENTS if heading.in_endorsement else SectionKind.UNCLASSIFIED
    above = heading.parent or Heading(None, None, form=heading.form)
    return _Group(above, kind, [Unit(passage_of(block.rows, printed))], None)


def _conditions(groups: Sequence[_Group]) -> dict[int, Passage]:
    """By heading: the passage that makes what stands below it depend on the declarations or a schedule (D19, S26)."""
    found: dict[int, Passage] = {}
    for group in groups:
        condition = condition_of(group.units)
        if condition is not None:
            found.setdefault(id(group.heading.endorsement or group.heading), condition)
    return found


def _section(index: int, group: _Group, conditions: Mapping[int, Passage]) -> Section:
    first = group.units[0].passage
    start = group.block.first.line if group.block is not None else None
    path = tuple(node.title for node in group.heading.lineage())
    return Section(
        section_id=f"section-{index}",
        kind=group.kind,
        heading=path[-1] if path else "",
        path=path,
        start_line=start.number if start else first.start_line,
        end_line=group.units[-1].passage.end_line,
        page=start.page if start else first.page,
        printed_page=first.printed_page,
        units=tuple(group.units),
        form=group.heading.form,
        condition=_condition_above(group.heading, conditions),
    )


def _condition_above(heading: Heading, conditions: Mapping[int, Passage]) -> Passage | None:
    node: Heading | None = heading
    while node is not None:
        if id(node) in conditions:
            return conditions[id(node)]
        node = node.parent
    return None
