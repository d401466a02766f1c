"""A policy cut into what can be named and quoted: forms, sections with their kind, and units of text."""

from dataclasses import dataclass
from enum import StrEnum


class SectionKind(StrEnum):
    """M80. A kind is navigation, never a decision (R8)."""

    DECLARATIONS = "declarations"
    INSURING_AGREEMENT = "insuring_agreement"
    EXCLUSIONS = "exclusions"
    CONDITIONS = "conditions"
    ENDORSEMENTS = "endorsements"
    DEFINITIONS = "definitions"
    UNCLASSIFIED = "unclassified"


BEARING = frozenset(
    {SectionKind.INSURING_AGREEMENT, SectionKind.EXCLUSIONS, SectionKind.CONDITIONS, SectionKind.ENDORSEMENTS}
)
"""Text of these kinds can support a position; of the others it is context only (M77, M78)."""


class Change(StrEnum):
    """What an endorsement does to the text that it names."""

    DELETES = "deletes"
    REPLACES = "replaces"
    ADDS = "adds"
    MODIFIES = "modifies"


@dataclass(frozen=True)
class Passage:
    """Whole lines of the source, the last one included; `text` is their text without line ends and page furniture.

    Every character of `text` but single spaces between lines is the source's own, in its order. A heading that stands
    on the first line before the text ("2. Exclusions This insurance ...") is not in `text`.
    """

    start_line: int
    end_line: int
    page: int
    printed_page: str | None
    text: str


@dataclass(frozen=True)
class Amendment:
    """An endorsement that touches a unit: `passage` is where it says so."""

    form: str
    change: Change
    passage: Passage


@dataclass(frozen=True)
class Unit:
    """One paragraph or list item with what it cannot be read without: its lead-in and the carve-backs below it.

    Every line of text is in the passage of exactly one unit: lead-ins and carve-backs are units of their own too.
    `exceptions` hold what restores or narrows the unit, and the end of a sentence that goes on below its list.
    `label` is its own number or letter ("7", "a"), None when it has none. `effect` is what the unit does where that
    differs from its section: inside an endorsement an exclusion is EXCLUSIONS, else None.
    """

    passage: Passage
    label: str | None = None
    lead_ins: tuple[Passage, ...] = ()
    exceptions: tuple[Passage, ...] = ()
    amended_by: tuple[Amendment, ...] = ()
    effect: SectionKind | None = None


@dataclass(frozen=True)
class Section:
    """`section_id` is stable for the same bytes. `path` holds the headings from the outermost down to its own.

    The heading is never part of a unit (M94). `form` is the form number that it belongs to, None when none is printed.
    `condition` is the passage by which an endorsement applies only when something else says so.
    """

    section_id: str
    kind: SectionKind
    heading: str
    path: tuple[str, ...]
    start_line: int
    end_line: int
    page: int
    printed_page: str | None
    units: tuple[Unit, ...]
    form: str | None = None
    condition: Passage | None = None


@dataclass(frozen=True)
class Form:
    """A form of the package. `listed` says whether the declarations name it; None when there are no declarations.

    `uploaded` is False for a form that is only named.
    """

    number: str
    edition: str | None
    start_line: int | None
    listed: bool | None
    uploaded: bool


@dataclass(frozen=True)
class Structure:
    """`furniture` are the numbers of lines that repeat on pages or only number them, and of tables of contents: neither
    headings nor quotable."""

    sections: tuple[Section, ...]
    forms: tuple[Form, ...] = ()
    furniture: frozenset[int] = frozenset()
    has_declarations: bool = False
