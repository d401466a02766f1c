"""A finding as the API and the command give it (`api.md`, Adjuster): snake_case, every quotation with where it stands.

Beside the shape of `api.md` a candidate carries `lead_ins` (the lead-in's parts, each with its lines), `condition` and
`effect`, so that nothing that the finder holds is lost on the way.
"""

from collections.abc import Sequence
from typing import Any

from claims.documents.findings import Candidate, Finding
from claims.documents.folding import shown
from claims.documents.sections import Passage


def finding_json(finding: Finding, *, document_id: str) -> dict[str, Any]:
    """`candidate_count` and `citation_required` are always there, as are the lists (M76)."""
    return {
        "outcome": str(finding.outcome),
        "refused": finding.refused,
        "reason": finding.reason,
        "citation_required": finding.citation_required,
        "guidance": finding.guidance,
        "candidate_count": len(finding.candidates),
        "words": {
            "searched": list(finding.words.searched),
            "dropped": list(finding.words.dropped),
            "forms": {word: list(forms) for word, forms in finding.words.forms.items()},
        },
        "pages_not_read": list(finding.pages_not_read),
        "candidates": [_candidate(candidate, document_id) for candidate in finding.candidates],
    }


def _candidate(candidate: Candidate, document_id: str) -> dict[str, Any]:
    first, last = candidate.passages[0], candidate.passages[-1]
    return {
        "document_id": document_id,
        "section_id": candidate.section_id,
        "section_kind": str(candidate.section_kind),
        "path": list(candidate.path),
        "quote": _text(candidate.passages),
        "lead_in": _text(_above(candidate)),
        "lead_ins": [_passage(passage) for passage in candidate.lead_ins],
        "exceptions": [_passage(passage) for passage in candidate.exceptions],
        "condition": _passage(candidate.condition) if candidate.condition is not None else None,
        "amended_by": [
            {"form": amendment.form, "change": str(amendment.change), **_passage(amendment.passage)}
            for amendment in candidate.amended_by
        ],
        "named_not_uploaded": list(candidate.named_not_uploaded),
        "effect": str(candidate.effect) if candidate.effect is not None else None,
        "page": first.page,
        "printed_page": first.printed_page,
        "start_line": first.start_line,
        "end_line": last.end_line,
        "matched": list(candidate.matched),
    }


def _above(candidate: Candidate) -> Sequence[Passage]:
    """The condition of an endorsement stands above everything that it holds."""
    return candidate.lead_ins if candidate.condition is None else (candidate.condition, *candidate.lead_ins)


def _text(passages: Sequence[Passage]) -> str:
    """Paragraphs and items on lines of their own."""
    return "\n".join(shown(passage.text) for passage in passages)


def _passage(passage: Passage) -> dict[str, Any]:
    return {
        "quote": shown(passage.text),
        "page": passage.page,
        "printed_page": passage.printed_page,
        "start_line": passage.start_line,
        "end_line": passage.end_line,
    }
