"""How the adjuster's pages name what the reading and the finder tell by enumerations."""

from collections.abc import Sequence

from claims.documents.findings import Outcome
from claims.documents.folding import shown
from claims.documents.pages import NoteKind, PageState
from claims.documents.sections import Change, Passage, SectionKind
from claims.documents.terms import Whose

KINDS = {
    SectionKind.DECLARATIONS: "Declarations",
    SectionKind.INSURING_AGREEMENT: "Insuring agreement",
    SectionKind.EXCLUSIONS: "Exclusions",
    SectionKind.CONDITIONS: "Conditions",
    SectionKind.ENDORSEMENTS: "Endorsements",
    SectionKind.DEFINITIONS: "Definitions",
    SectionKind.UNCLASSIFIED: "Unclassified",
}
PAGE_STATES = {
    PageState.READ: "Read",
    PageState.BLANK: "Blank",
    PageState.PICTURE: "Not read: a picture without text",
    PageState.REPEATED_ONLY: "Not read: only lines that other pages repeat",
    PageState.DAMAGED: "Not read: damaged, or letters without a meaning",
    PageState.LOCKED: "Not read: locked",
}
NOTES = {
    NoteKind.TRACKED_CHANGES: "Tracked changes",
    NoteKind.HIDDEN_TEXT: "Hidden text",
    NoteKind.STRUCK_TEXT: "Struck text",
    NoteKind.NOT_READ: "Not read",
    NoteKind.FORM_FIELDS: "Form fields",
    NoteKind.ENCODING: "Encoding",
}
OUTCOMES = {
    Outcome.BEARING: "Found in text that can support a position",
    Outcome.NON_BEARING_ONLY: "Found only in declarations, definitions or unclassified text",
    Outcome.NO_MATCH: "No match for these words. That is not silence",
    Outcome.PARTLY_READ: "Not known: part of the file was not read",
    Outcome.UNREADABLE: "Nothing was searched: the file was not read",
    Outcome.NOT_SEARCHED: "Nothing was searched: there is no word to search for",
}
CHANGES = {
    Change.DELETES: "Deleted by",
    Change.REPLACES: "Replaced by",
    Change.ADDS: "Added to by",
    Change.MODIFIES: "Modified by",
}
GONE = frozenset({Change.DELETES, Change.REPLACES})
"""After these the base text no longer stands as it is printed."""

WHOSE = {
    Whose.INSURED: "The insured's duty",
    Whose.SOMEBODY_ELSE: "Not the insured's duty: no day follows from it",
    Whose.UNCLEAR: "Whose duty it is is for you to read: no day follows from it",
}
_MOST_NAMED = 8
# Marks that turn the order of letters round on a screen: a text would be read as another than it is.
_TURNERS = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C))


def visible(text: str) -> str:
    """A text of a policy as it is shown: its own characters, in the order in which they are stored and searched."""
    return shown(text).translate(_TURNERS)


def lines_in_words(first: Passage, last: Passage) -> str:
    if first.start_line == last.end_line:
        return f"line {first.start_line}"
    return f"lines {first.start_line} to {last.end_line}"


def page_in_words(number: int, printed: str | None) -> str:
    """Both numbers: the sheet's and the one printed on it."""
    return f"page {number}" if printed is None else f"page {number} (printed {printed})"


def pages_in_words(total: int, not_read: Sequence[tuple[int, PageState]]) -> str:
    """How much of a file was read; every page that was not is named, or how many more there are."""
    if not not_read:
        return "1 page, read" if total == 1 else f"{total} pages, all read"
    named = "; ".join(f"page {number}: {_why(state)}" for number, state in not_read[:_MOST_NAMED])
    more = f"; and {len(not_read) - _MOST_NAMED} more" if len(not_read) > _MOST_NAMED else ""
    return f"{total - len(not_read)} of {total} pages read. Not read: {named}{more}"


def _why(state: PageState) -> str:
    return PAGE_STATES[state].removeprefix("Not read: ")


def size_in_words(size: int) -> str:
    """Bytes for people."""
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1_000_000:.1f} MB" if size >= 1_000_000 else f"{round(size / 1000)} kB"
