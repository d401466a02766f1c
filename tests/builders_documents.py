"""Policies made by hand: units in sections, so that a test of the finder says what it is given."""

from claims.documents.pages import FileKind, Line, Page, PageState, Reading, Unreadable
from claims.documents.sections import Passage, Section, SectionKind, Structure, Unit


def passage(line, text, *, page=1, lines=1):
    return Passage(line, line + lines - 1, page, None, text)


def section(number, kind, *units, heading="", **changes):
    """Units as texts, one line each, below the heading on line `number * 10`; or as units."""
    first = number * 10
    made = tuple(
        Unit(passage(first + offset, each)) if isinstance(each, str) else each
        for offset, each in enumerate(units, start=1)
    )
    heading = heading or SectionKind(kind).name.replace("_", " ")
    path = changes.pop("path", (heading,))
    return Section(
        f"section-{number}", SectionKind(kind), heading, path, first, first + len(made), 1, None, made, **changes
    )


def structure(*sections, **changes):
    return Structure(tuple(sections), **changes)


def reading_of_structure(made, *, pages_not_read=(), unreadable: Unreadable | None = None, notes=()):
    """What such a structure would have been split from: headings and passages on their lines, further pages unread."""
    lines = {}
    for each in made.sections:
        lines[each.start_line] = each.heading
        for unit in each.units:
            lines[unit.passage.start_line] = unit.passage.text
    read = Page(1, PageState.READ, tuple(Line(number, text, 1) for number, text in sorted(lines.items())), None, 1000)
    pages = [read, *(Page(number, PageState.PICTURE) for number in pages_not_read)]
    return Reading(FileKind.PDF, tuple(pages), tuple(notes), unreadable)


def homeowners():
    """A short homeowners policy that says nothing of theft, with an endorsement that gives back some mold."""
    return structure(
        section(
            1,
            "insuring_agreement",
            "We cover direct physical loss to the dwelling, its roof coverings and other structures.",
        ),
        section(
            2,
            "exclusions",
            "We do not cover loss caused by mold, fungus or wet rot except as given under the Limited Fungi Coverage "
            "endorsement.",
            "We do not cover loss caused by flood.",
        ),
        section(
            3,
            "conditions",
            "Send us a signed proof of loss within 60 days after our request.",
            "Protect the property from further damage.",
        ),
        section(
            4,
            "endorsements",
            "Limited Fungi Coverage: this endorsement gives up to $10,000 for loss caused by mold or fungus when the "
            "cause is otherwise covered.",
            heading="ENDORSEMENT HL 27",
            form="HL 27",
        ),
    )


def flood_only():
    return structure(
        section(1, "insuring_agreement", "We pay for direct physical loss by or from flood to the insured building."),
        section(2, "exclusions", "We do not pay for loss of revenue or for the cost of complying with any law."),
        section(3, "conditions", "Give us prompt written notice of a flood loss."),
    )
