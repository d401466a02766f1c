"""The document format: text to clauses, clauses to sentences with offsets and parts, and back byte for byte.

Pure text work. It does not judge whether a clause is well written (`clause_rules`) and never repairs a document:
what `write_document` would not give back exactly is refused, with the first line that differs.
All offsets count code points of NFC text.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from hashlib import sha256
from itertools import pairwise
from typing import Any

from knowledge.clause_yaml import DocumentError as DocumentError  # raised by what is here, so had from here
from knowledge.clause_yaml import as_texts, read_mapping, write_scalar

CLAUSE_ID = re.compile(r"[A-Z]{3}-(?:COV|BEN|EXC|CON|CLM)-[0-9]{2}")
_HEADING = re.compile(r"## (?P<id>\S+) (?P<title>\S.*)")
_LINE = re.compile(r"\[(?P<part>[a-z_]+)\](?P<always>\*?) (?P<bullet>- )?(?P<text>(?![*-] )\S.*)")
_SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_HEADER_KEYS = ("document_id", "family", "insurer", "version", "effective_from", "withdraws", "visibility")
_BLOCK_KEYS = ("schedule_section", "sources", "plain")
_FENCE = "```"


class Part(StrEnum):
    """What a sentence does in its clause (M48)."""

    TRIGGER = "trigger"
    PROVIDES = "provides"
    LIMIT = "limit"
    STARTS = "starts"
    ENDS = "ends"
    NOT_INCLUDED = "not_included"
    EXCESS = "excess"
    SCHEDULE = "schedule"
    DUTY = "duty"
    OTHER = "other"


_PARTS = frozenset(part.value for part in Part)


class Visibility(StrEnum):
    """Who may be shown a document."""

    CUSTOMER = "customer"
    STAFF = "staff"


@dataclass(frozen=True)
class Sentence:
    """One line of a clause: `text[start:end]` of its clause, without the bullet mark.

    `index` counts from 1. `lead_in` is the index of the line that a bullet hangs on, None for every other line.
    """

    index: int
    start: int
    end: int
    part: Part
    always: bool
    lead_in: int | None
    bullet: bool


@dataclass(frozen=True)
class ClauseText:
    """A clause as written. `text` is the body without the part prefixes; its hash and its length are of that."""

    clause_id: str
    title: str
    schedule_section: str | None
    sources: tuple[str, ...]
    plain: tuple[str, ...]
    text: str
    sentences: tuple[Sentence, ...]

    @property
    def sha256(self) -> str:
        """The SHA-256 of the text in UTF-8, as hex."""
        return text_hash(self.text)

    @property
    def body(self) -> str:
        """The text with its part prefixes, as it stands in a document; no line end at the end."""
        return "\n".join(
            f"[{s.part}]{'*' if s.always else ''} {'- ' if s.bullet else ''}{self.text[s.start : s.end]}"
            for s in self.sentences
        )

    def sentence_text(self, index: int) -> str:
        """The characters of sentence `index`, counted from 1. Raises IndexError for an index that is not there."""
        if not 1 <= index <= len(self.sentences):
            raise IndexError(f"{self.clause_id} has sentences 1 to {len(self.sentences)}, not {index}")
        sentence = self.sentences[index - 1]
        return self.text[sentence.start : sentence.end]


@dataclass(frozen=True)
class PolicyDocument:
    """One version of one family's document."""

    document_id: str
    family: str
    insurer: str
    version: str
    effective_from: date
    withdraws: tuple[str, ...]
    visibility: Visibility
    preamble: str
    clauses: tuple[ClauseText, ...]


def text_hash(text: str) -> str:
    """The SHA-256 of `text` in UTF-8, as hex."""
    return sha256(text.encode()).hexdigest()


def read_document(text: str) -> PolicyDocument:
    """Read a whole document. Raises DocumentError for what `write_document` would not give back as it stands."""
    _check_characters(text)
    lines = text.split("\n")
    if lines[0] != "---" or "---" not in lines[1:]:
        raise DocumentError(1, "a document starts with a header between two lines of ---")
    header_end = lines.index("---", 1)
    header = read_mapping("\n".join(lines[1:header_end]), _HEADER_KEYS, first_line=2)
    sections = list(_sections(text))
    if not sections:
        raise DocumentError(len(lines), "a document holds at least one clause, under a line that starts with '## '")
    preamble_start = len("\n".join(lines[: header_end + 1])) + 1
    preamble = text[preamble_start : sections[0][0]].strip("\n")
    clauses = tuple(_read_section(text[start:end], text.count("\n", 0, start) + 1) for start, end in sections)
    document = _with_header(header, preamble, clauses)
    _check_canonical(text, write_document(document))
    return document


def write_document(document: PolicyDocument) -> str:
    """The one way to write a document down; the same document always gives the same characters."""
    withdraws = ", ".join(write_scalar(version, in_flow=True) for version in document.withdraws)
    head = [
        "---",
        f"document_id: {write_scalar(document.document_id)}",
        f"family: {write_scalar(document.family)}",
        f"insurer: {write_scalar(document.insurer)}",
        f"version: {write_scalar(document.version)}",
        f"effective_from: {document.effective_from.isoformat()}",
        f"withdraws: [{withdraws}]",
        f"visibility: {document.visibility}",
        "---",
        document.preamble,
        "",
    ]
    return "\n".join(head) + "\n" + "\n".join(write_clause(clause) for clause in document.clauses)


def write_clause(clause: ClauseText) -> str:
    """One clause as it stands in a document, from its heading to the line end of its last line."""
    sources = ", ".join(write_scalar(source, in_flow=True) for source in clause.sources)
    plain = ["plain:", *(f"  - {write_scalar(line)}" for line in clause.plain)] if clause.plain else ["plain: []"]
    code = f" {write_scalar(clause.schedule_section)}" if clause.schedule_section else ""
    block = [f"{_FENCE}clause", f"schedule_section:{code}", f"sources: [{sources}]", *plain, _FENCE]
    return "\n".join([f"## {clause.clause_id} {clause.title}", "", *block, "", clause.body]) + "\n"


def read_clause(section: str) -> ClauseText:
    """Read one clause's slice of a document (see `clause_spans`). Raises DocumentError, lines from the heading on."""
    return _read_section(section, first_line=1)


def clause_spans(text: str) -> dict[str, tuple[int, int]]:
    """Where each clause stands: its id to (start, end) in code points, from its heading up to the next one.

    Raises DocumentError for a heading without a title and for an id that stands twice.
    """
    spans: dict[str, tuple[int, int]] = {}
    for start, end in _sections(text):
        line = text.count("\n", 0, start) + 1
        clause_id, _ = _read_heading(text[start:end].split("\n", 1)[0], line)
        if clause_id in spans:
            raise DocumentError(line, f"{clause_id} stands twice in this document")
        spans[clause_id] = (start, end)
    return spans


def read_body(body: str) -> tuple[str, tuple[Sentence, ...]]:
    """The text and sentences of a body of `[part] text` lines. Raises DocumentError, lines from the first one on."""
    return _read_body(body.split("\n"), first_line=1)


def _sections(text: str) -> Iterator[tuple[int, int]]:
    starts = [match.start() for match in re.finditer(r"^## ", text, re.MULTILINE)]
    yield from pairwise([*starts, len(text)])


def _read_heading(line: str, number: int) -> tuple[str, str]:
    heading = _HEADING.fullmatch(line)
    if not heading or not CLAUSE_ID.fullmatch(heading["id"]):
        raise DocumentError(number, "a clause starts with '## ', its id such as MTR-COV-01, a space and its title")
    return heading["id"], heading["title"]


def _read_section(section: str, first_line: int) -> ClauseText:
    lines = section.rstrip("\n").split("\n")
    clause_id, title = _read_heading(lines[0], first_line)
    if lines[1:3] != ["", f"{_FENCE}clause"] or _FENCE not in lines[3:]:
        raise DocumentError(
            first_line + 1, f"{clause_id}: after its title come an empty line and a {_FENCE}clause block"
        )
    closing = lines.index(_FENCE, 3)
    if lines[closing + 1 : closing + 2] != [""]:
        raise DocumentError(first_line + closing + 1, f"{clause_id}: an empty line and the text follow the block")
    block = read_mapping("\n".join(lines[3:closing]), _BLOCK_KEYS, first_line=first_line + 3)
    code = block["schedule_section"]
    if code is not None and (not isinstance(code, str) or not code):
        raise DocumentError(first_line + 3, f"{clause_id}: schedule_section is a code, or nothing")
    sources = as_texts(block["sources"], f"{clause_id}: sources", first_line + 4)
    plain = as_texts(block["plain"], f"{clause_id}: plain", first_line + 5)
    text, sentences = _read_body(lines[closing + 2 :], first_line=first_line + closing + 2)
    return ClauseText(clause_id, title, code, sources, plain, text, sentences)


def _read_body(lines: Sequence[str], first_line: int) -> tuple[str, tuple[Sentence, ...]]:
    sentences: list[Sentence] = []
    shown: list[str] = []
    position = 0
    lead_in: Sentence | None = None
    for index, line in enumerate(lines, start=1):
        number = first_line + index - 1
        match = _LINE.fullmatch(line)
        if not match or match["part"] not in _PARTS or line != line.rstrip():
            raise DocumentError(
                number, "a line of a clause is '[part] text', with a known part and no space at its end"
            )
        part, mark = Part(match["part"]), match["bullet"] or ""
        if mark and (lead_in is None or lead_in.part != part):
            raise DocumentError(number, f"a bullet follows a lead-in line of the same part, here [{part}]")
        start = position + len(mark)
        end = start + len(match["text"])
        hangs_on = lead_in.index if mark and lead_in else None
        sentence = Sentence(index, start, end, part, bool(match["always"]), hangs_on, bool(mark))
        sentences.append(sentence)
        shown.append(mark + match["text"])
        position = end + 1
        lead_in = lead_in if mark else sentence
    return "\n".join(shown), tuple(sentences)


def _with_header(header: dict[str, Any], preamble: str, clauses: tuple[ClauseText, ...]) -> PolicyDocument:
    names = {}
    for line, key in enumerate(("document_id", "family", "insurer", "version"), start=2):
        value = header[key]
        if not isinstance(value, str) or not _SAFE_NAME.fullmatch(value):
            raise DocumentError(line, f'{key} is letters, digits, dots and dashes; a number is quoted, such as "1.0"')
        names[key] = value
    if type(header["effective_from"]) is not date:
        raise DocumentError(6, "effective_from is a day, written like 2030-01-31")
    if header["visibility"] not in tuple(Visibility):
        raise DocumentError(8, f"visibility is one of {', '.join(Visibility)}")
    if not preamble:
        raise DocumentError(10, "a preamble stands between the header and the first clause")
    return PolicyDocument(
        document_id=names["document_id"],
        family=names["family"],
        insurer=names["insurer"],
        version=names["version"],
        effective_from=header["effective_from"],
        withdraws=as_texts(header["withdraws"], "withdraws", 7),
        visibility=Visibility(header["visibility"]),
        preamble=preamble,
        clauses=clauses,
    )


def _check_characters(text: str) -> None:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.isprintable():
            raise DocumentError(number, "only printable characters and plain spaces; no tabs, no carriage returns")
        if not unicodedata.is_normalized("NFC", line):
            raise DocumentError(number, "the text is not in Unicode's composed form (NFC)")


def _check_canonical(text: str, written: str) -> None:
    if text == written:
        return
    given, expected = text.split("\n"), written.split("\n")
    pairs = enumerate(zip(given, expected, strict=False), start=1)
    number = next((n for n, (a, b) in pairs if a != b), min(len(given), len(expected)) + 1)
    wanted = repr(expected[number - 1]) if number <= len(expected) else "nothing"
    found = repr(given[number - 1]) if number <= len(given) else "nothing"
    raise DocumentError(number, f"the one way to write this is {wanted}, found {found}")
