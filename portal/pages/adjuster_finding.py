"""A finding as the adjuster's page shows it: each place with all that it cannot be read without, its words marked.

Nothing is worded here that the finder did not say. All text of a policy stays plain text; the templates escape it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from claims.documents.findings import Candidate, Finding, Outcome
from claims.documents.marks import Piece, marked
from claims.documents.sections import Amendment, Passage
from portal.pages.adjuster_words import CHANGES, GONE, KINDS, OUTCOMES, lines_in_words, page_in_words, visible

A_PAGE = 20


@dataclass(frozen=True)
class Asked:
    """What was asked of a file; `first` is the number of the first place to show, from 1."""

    document_id: UUID
    query: str
    exact: bool = False
    first: int = 1

    @property
    def as_query(self) -> str:
        return urlencode({"q": self.query, **({"exact": "1"} if self.exact else {})})


@dataclass(frozen=True)
class Quote:
    """A passage in pieces, where it stands, and the address of its page with its lines marked."""

    pieces: tuple[Piece, ...]
    place: str
    address: str


@dataclass(frozen=True)
class Change:
    """An endorsement that touches the place: "Deleted by HL 33"."""

    what: str
    quote: Quote


@dataclass(frozen=True)
class Card:
    """`opens` is the address of the page on which the quotation begins. `comes_along`: no word found it, it amends."""

    number: int
    kind: str
    effect: str
    supports: bool
    form: str
    path: tuple[str, ...]
    place: str
    opens: str
    section_id: str
    quotes: tuple[Quote, ...]
    lead_ins: tuple[Quote, ...]
    exceptions: tuple[Quote, ...]
    condition: Quote | None
    changes: tuple[Change, ...]
    is_gone: bool
    missing: tuple[str, ...]
    comes_along: bool


@dataclass(frozen=True)
class FindingPage:
    """`last` is the number of the last place shown. `earlier` and `later` are the addresses of the places that are not
    on this page, empty where there are none."""

    outcome: str
    is_bearing: bool
    reason: str
    guidance: str
    words: tuple[tuple[str, str], ...]
    dropped: str
    pages_not_read: str
    total: int
    cards: tuple[Card, ...]
    last: int
    earlier: str
    later: str


def finding_page(finding: Finding, asked: Asked) -> FindingPage:
    """At most A_PAGE places; how many there are is always said."""
    total = len(finding.candidates)
    start = min(max(asked.first, 1), max(total, 1)) - 1
    candidates = finding.candidates[start : start + A_PAGE]
    return FindingPage(
        outcome=OUTCOMES[finding.outcome],
        is_bearing=finding.outcome is Outcome.BEARING,
        reason=finding.reason or "",
        guidance=finding.guidance,
        words=tuple((word, ", ".join(forms)) for word, forms in finding.words.forms.items()),
        dropped=", ".join(finding.words.dropped),
        pages_not_read=", ".join(map(str, finding.pages_not_read)),
        total=total,
        cards=tuple(_card(each, number, finding, asked) for number, each in enumerate(candidates, start=start + 1)),
        last=start + len(candidates),
        earlier=_places_from(asked, max(start + 1 - A_PAGE, 1)) if start else "",
        later=_places_from(asked, start + 1 + A_PAGE) if start + A_PAGE < total else "",
    )


def _places_from(asked: Asked, number: int) -> str:
    return f"?{asked.as_query}&from={number}#found"


def page_address(document_id: UUID, passage: Passage, asked: Asked | None = None) -> str:
    """The page on which a passage begins, with its lines marked and the words that were asked for."""
    address = reverse("policy-page", kwargs={"document_id": document_id, "number": passage.page})
    words = f"&{asked.as_query}" if asked else ""
    return f"{address}?lines={passage.start_line}-{passage.end_line}{words}#line-{passage.start_line}"


def _card(candidate: Candidate, number: int, finding: Finding, asked: Asked) -> Card:
    forms = tuple(form for forms in finding.words.forms.values() for form in forms)

    def quoted(passages: Sequence[Passage]) -> tuple[Quote, ...]:
        return tuple(_quote(passage, forms, asked) for passage in passages)

    first, last = candidate.passages[0], candidate.passages[-1]
    whole = Passage(first.start_line, last.end_line, first.page, first.printed_page, "")
    return Card(
        number=number,
        kind=KINDS[candidate.section_kind],
        effect=KINDS[candidate.effect] if candidate.effect else "",
        supports=candidate.is_bearing,
        form=candidate.form or "",
        path=tuple(map(visible, candidate.path)),
        place=f"{page_in_words(first.page, first.printed_page)}, {lines_in_words(first, last)}",
        opens=page_address(asked.document_id, whole, asked),
        section_id=candidate.section_id,
        quotes=quoted(candidate.passages),
        lead_ins=quoted(candidate.lead_ins),
        exceptions=quoted(candidate.exceptions),
        condition=_quote(candidate.condition, forms, asked) if candidate.condition else None,
        changes=tuple(_change(each, forms, asked) for each in candidate.amended_by),
        is_gone=any(each.change in GONE for each in candidate.amended_by),
        missing=candidate.named_not_uploaded,
        comes_along=not candidate.matched,
    )


def _change(amendment: Amendment, forms: Sequence[str], asked: Asked) -> Change:
    return Change(f"{CHANGES[amendment.change]} {amendment.form}", _quote(amendment.passage, forms, asked))


def _quote(passage: Passage, forms: Sequence[str], asked: Asked) -> Quote:
    pieces = tuple(Piece(visible(each.text), each.is_match) for each in marked(passage.text, forms))
    place = f"{page_in_words(passage.page, passage.printed_page)}, {lines_in_words(passage, passage)}"
    return Quote(pieces, place, page_address(asked.document_id, passage, asked))
