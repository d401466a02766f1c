"""Staff's keyword search of the wording: the clauses of a family's release that share words with what was typed.

A keyword search finds words and misses meaning; `keyword_ranker` says how it ranks and why. It is for people who look
something up, who open the clause and read it. Claims and evaluations may not import it (a contract): no customer's
question is answered from it, and nothing that it finds counts as accuracy (M24, M26, M57, M65). It reads the rows of
the release anew at each search and keeps no index.
"""

from dataclasses import dataclass
from datetime import date

from knowledge.catalogue import Absent, Wording, WrittenClause, clauses_of, open_wording
from knowledge.clause_text import ClauseText
from knowledge.keyword_ranker import Match, Searchable, rank, searched_words

MAX_QUERY = 400
"""How long a query may be, in characters; a question of a customer fits."""


@dataclass(frozen=True)
class SearchResult:
    """`words` are those that were searched for, empty when the query has none; `matches` are best first.

    No word, no match and no wording to search are three different things.
    """

    wording: Wording | Absent
    words: tuple[str, ...]
    matches: tuple[Match, ...]


def search_clauses(*, family: str, query: str, day: date, version: str | None = None) -> SearchResult:
    """Search the titles and texts of the wording in force on `day`, or of a version that is named.

    Raises NotWritten for an unknown family or version, and ValueError for a query that is too long.
    """
    if len(query) > MAX_QUERY:
        raise ValueError(f"a query has at most {MAX_QUERY} characters, not {len(query)}")
    wording = open_wording(family, day, version)
    words = searched_words(query)
    if isinstance(wording, Absent) or not words:
        return SearchResult(wording, words, ())
    return SearchResult(wording, words, rank([_searchable(c) for c in clauses_of(wording)], query))


def _searchable(clause: WrittenClause) -> Searchable:
    """A clause without a text that can be trusted is searched by its title."""
    return Searchable(clause.clause_id, clause.title, () if clause.text is None else lines_of(clause.text))


def lines_of(clause: ClauseText) -> tuple[str, ...]:
    """The plain lines and the sentences of a clause; a bullet never without the line that leads to it."""
    lines = list(clause.plain)
    for sentence in clause.sentences:
        text = clause.sentence_text(sentence.index)
        lines.append(text if sentence.lead_in is None else f"{clause.sentence_text(sentence.lead_in)} {text}")
    return tuple(lines)
