"""Documents of any shape that the format allows, well written or not."""

import unicodedata
from datetime import date

from hypothesis import strategies as st

from knowledge.clause_text import ClauseText, Part, PolicyDocument, Visibility, read_body

_characters = st.characters(exclude_categories=("C", "Z")) | st.sampled_from(" :#-[]{},\"'&*!|>%@`?=~/\\")
texts = (
    st.text(_characters, min_size=1, max_size=40)
    .map(lambda text: unicodedata.normalize("NFC", text).strip())
    .filter(lambda text: text and text.isprintable() and not text.startswith(("- ", "* ")))
) | st.sampled_from(["null", "yes", "1.0", "2030-01-31", "a: b", "a #b", "ā", "O'Neil", "[x]", "~", "=", "<<", "9:60"])
names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,12}", fullmatch=True)
clause_ids = st.builds(
    lambda kind, number: f"MTR-{kind}-{number:02}",
    st.sampled_from(["COV", "BEN", "EXC", "CON", "CLM"]),
    st.integers(1, 99),
)


@st.composite
def bodies(draw: st.DrawFn) -> str:
    lines = []
    for part in draw(st.lists(st.sampled_from(list(Part)), min_size=1, max_size=5)):
        lines.append(f"[{part}]{draw(st.sampled_from(['', '*']))} {draw(texts)}")
        for bullet in draw(st.lists(texts, max_size=3)):
            lines.append(f"[{part}]{draw(st.sampled_from(['', '*']))} - {bullet}")
    return "\n".join(lines)


@st.composite
def clauses(draw: st.DrawFn, clause_id: str | None = None) -> ClauseText:
    text, sentences = read_body(draw(bodies()))
    return ClauseText(
        clause_id=clause_id or draw(clause_ids),
        title=draw(texts),
        schedule_section=draw(st.none() | st.from_regex(r"[a-z][a-z_]{0,20}", fullmatch=True)),
        sources=tuple(draw(st.lists(texts, max_size=3))),
        plain=tuple(draw(st.lists(texts, max_size=3))),
        text=text,
        sentences=sentences,
    )


@st.composite
def documents(draw: st.DrawFn) -> PolicyDocument:
    ids = draw(st.lists(clause_ids, min_size=1, max_size=4, unique=True))
    return PolicyDocument(
        document_id=draw(names),
        family=draw(names),
        insurer=draw(names),
        version=draw(names),
        effective_from=draw(st.dates(date(1990, 1, 1), date(2099, 12, 31))),
        withdraws=tuple(draw(st.lists(names, max_size=2))),
        visibility=draw(st.sampled_from(list(Visibility))),
        preamble=draw(texts.filter(lambda text: not text.startswith("## "))),
        clauses=tuple(draw(clauses(clause_id)) for clause_id in ids),
    )
