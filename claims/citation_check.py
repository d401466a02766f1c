"""Are the stored answers still what they were? Every citation is hashed again, and every shown sentence found again.

Compares with the rows of the release it came from, too; a release that is gone is named, not passed over.
"""

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from claims.models import Citation, Turn
from knowledge.answers import IngestedClause
from knowledge.clause_text import text_hash
from knowledge.lookup import ingested_clauses


@dataclass(frozen=True)
class Difference:
    turn_id: str
    clause_id: str
    version: str
    what: str


@dataclass(frozen=True)
class Checked:
    citations: int
    sentences: int
    differences: tuple[Difference, ...]


def check_citations() -> Checked:
    """Reads every stored citation and writes nothing."""
    differences: list[Difference] = []
    citations = sentences = 0
    # One look at each version, however many turns cite it.
    ingested = functools.cache(ingested_clauses)
    turns = Turn.objects.filter(citations__isnull=False).distinct().prefetch_related("citations").order_by("at")
    for turn in turns.iterator(chunk_size=500):
        cited = {citation.clause_id: citation for citation in turn.citations.all()}
        citations += len(cited)
        differences.extend(
            d
            for citation in cited.values()
            for d in _of_citation(turn, citation, ingested(citation.document_id, citation.version))
        )
        for segment in turn.segments or []:
            if segment["citation"] is not None:
                sentences += 1
                differences.extend(_of_segment(turn, segment, cited, ingested))
    return Checked(citations, sentences, tuple(differences))


def _of_citation(turn: Turn, citation: Citation, clauses: Mapping[str, IngestedClause]) -> Iterator[Difference]:
    where = (str(turn.pk), citation.clause_id, citation.version)
    if text_hash(citation.text) != citation.sha256:
        yield Difference(*where, "the stored text is not the text that was cited")
    ingested = clauses.get(citation.clause_id)
    if ingested is None:
        yield Difference(*where, "the release holds no such clause any more")
    elif ingested.sha256 != citation.sha256:
        yield Difference(*where, "the release holds another text under this number")


def _of_segment(
    turn: Turn,
    segment: dict[str, Any],
    cited: dict[str, Citation],
    ingested: Callable[[str, str], Mapping[str, IngestedClause]],
) -> Iterator[Difference]:
    shown = segment["citation"]
    where = (str(turn.pk), str(shown["clause_id"]), str(shown["version"]))
    citation = cited.get(str(shown["clause_id"]))
    if citation is None:
        yield Difference(*where, "a sentence is shown from a clause that the turn does not cite")
    elif segment["kind"] == "quote":
        lines = [line.removeprefix("- ") for line in citation.text.split("\n")]
        wanted = [lines[index - 1] for index in shown["sentences"] if 0 < index <= len(lines)]
        if len(wanted) != len(shown["sentences"]) or not _is_made_of(str(segment["text"]), wanted):
            yield Difference(*where, "a quotation is not the stored sentences")
    elif segment["kind"] == "plain":
        clause = ingested(citation.document_id, citation.version).get(citation.clause_id)
        # A release without the clause is named for the citation already.
        if clause is not None and str(segment["text"]) not in clause.plain[shown["line"] - 1 : shown["line"]]:
            yield Difference(*where, "a plain line is not the release's")


def _is_made_of(text: str, lines: list[str]) -> bool:
    """Whether a text is these lines in their order, with nothing between them but spaces, line ends and bullets."""
    for line in lines:
        before, found, text = text.partition(line)
        if not found or before.strip(" \n-"):
            return False
    return not text.strip()
