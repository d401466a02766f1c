"""The text of Word paragraphs as it reads when every tracked change is taken: one step from what Word shows."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from claims.documents.docx_styles import Look, Styles, W, value

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_PIC = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
_VML = "{urn:schemas-microsoft-com:vml}"

_TAKEN = frozenset({f"{W}ins", f"{W}moveTo"})
_GONE = frozenset({f"{W}del", f"{W}moveFrom"})
_BOXES = frozenset({f"{W}drawing", f"{W}pict", f"{W}object"})
_FIXED = {
    f"{W}tab": "\t",
    f"{W}ptab": "\t",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "\u2011",
    f"{W}softHyphen": "\u00ad",
}
_OUTSIDE = re.compile(r"\b(?:DDE|DDEAUTO|INCLUDETEXT|INCLUDEPICTURE|LINK|IMPORT)\b", re.IGNORECASE)
_TINY = 2.0
_QUOTED = 80

PAGE = "\f"
LINE = "\n"


@dataclass(frozen=True)
class Run:
    text: str
    look: Look


@dataclass
class Found:
    """What a file holds beside its plain words."""

    changes: Counter[str] = field(default_factory=Counter)
    authors: Counter[str] = field(default_factory=Counter)
    dates: set[str] = field(default_factory=set)
    deleted: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    struck: list[str] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)

    def change(self, element: Any, what: str) -> None:
        self.changes[what] += 1
        author, date = element.get(f"{W}author"), element.get(f"{W}date", "")
        if author:
            self.authors[author] += 1
        if date:
            self.dates.add(date[:10])
        if what == "deletion":
            self.deleted += [part.text or "" for part in element.iter(f"{W}delText", f"{W}t")]


class Inline:
    """The runs inside paragraphs, in their order; `boxes` are the text boxes that hang on the last paragraph."""

    def __init__(self, styles: Styles, found: Found) -> None:
        self._styles = styles
        self._found = found
        self.boxes: list[Any] = []
        self.pictures = 0

    def runs(self, paragraph: Any, style: str | None, *, shaded: bool) -> list[Run]:
        """`shaded`: the paragraph stands on a ground that may be dark, so that white letters are seen."""
        runs: list[Run] = []
        self._walk(paragraph, style, shaded, runs)
        return runs

    def _walk(self, parent: Any, style: str | None, shaded: bool, runs: list[Run]) -> None:
        for child in parent.iterchildren():
            if not isinstance(child.tag, str):
                continue
            if child.tag == f"{W}r":
                self._run(child, style, shaded, runs)
            elif child.tag in _GONE:
                self._found.change(child, "deletion")
            elif child.tag == f"{MC}AlternateContent":
                self._walk(_choice(child), style, shaded, runs)
            elif child.tag not in (f"{W}pPr", f"{W}sdtPr"):
                if child.tag in _TAKEN:
                    self._found.change(child, "insertion")
                self._walk(child, style, shaded, runs)

    def _run(self, run: Any, style: str | None, shaded: bool, runs: list[Run]) -> None:
        properties = run.find(f"{W}rPr")
        character = None if properties is None else value(properties.find(f"{W}rStyle"))
        look = self._styles.look(style, character, properties)
        text = "".join(self._text(child) for child in run.iterchildren() if isinstance(child.tag, str))
        if not text:
            return
        if look.hidden or (look.white and not shaded) or (look.size is not None and look.size <= _TINY):
            self._found.hidden.append(text)
            return
        if look.struck and text.strip():
            self._found.struck.append(text)
        runs.append(Run(text, look))

    def _text(self, child: Any) -> str:
        tag = child.tag
        if tag in (f"{W}t", f"{M}t"):
            return (child.text or "").replace("\n", " ").replace("\f", " ")
        if tag == f"{W}br":
            return PAGE if child.get(f"{W}type") == "page" else LINE
        if tag == f"{W}sym":
            return _symbol(child)
        if tag == f"{W}instrText" and _OUTSIDE.search(child.text or ""):
            self._found.others["fields that fetch from another place (not followed)"] += 1
        elif tag in _BOXES:
            self._box(child)
        elif tag == f"{MC}AlternateContent":
            return "".join(self._text(each) for each in _choice(child).iterchildren() if isinstance(each.tag, str))
        return _FIXED.get(tag, "")

    def _box(self, drawing: Any) -> None:
        """Text boxes are kept for later; what else was drawn is counted."""
        boxes = list(drawing.iter(f"{W}txbxContent"))
        self.boxes += [box for box in boxes if not _inside_fallback(box, drawing)]
        pictures = sum(1 for _ in drawing.iter(f"{_PIC}pic", f"{_VML}imagedata"))
        self.pictures += pictures
        self._found.others["pictures"] += pictures
        self._found.others["charts"] += sum(1 for _ in drawing.iter(f"{_CHART}chart"))
        self._found.others["diagrams"] += sum(1 for _ in drawing.iter(f"{_DGM}relIds"))
        self._found.others["embedded objects"] += drawing.tag == f"{W}object"
        self._found.others["texts in drawings"] += sum(
            1 for each in drawing.iter(f"{_A}t") if (each.text or "").strip()
        )


def _choice(alternatives: Any) -> Any:
    """Word writes some drawings twice, for itself and for older programs: only one of them is read."""
    chosen = alternatives.find(f"{MC}Choice")
    if chosen is None:
        chosen = alternatives.find(f"{MC}Fallback")
    return alternatives.makeelement(f"{MC}Choice") if chosen is None else chosen


def _inside_fallback(box: Any, top: Any) -> bool:
    above = box.getparent()
    while above is not None and above is not top:
        if above.tag == f"{MC}Fallback" and above.getparent().find(f"{MC}Choice") is not None:
            return True
        if above.tag == f"{W}txbxContent":
            return True
        above = above.getparent()
    return False


def _symbol(element: Any) -> str:
    """A letter of a symbol font has no meaning of its own."""
    try:
        code = int(element.get(f"{W}char", ""), 16)
    except ValueError:
        return "\N{REPLACEMENT CHARACTER}"
    return chr(code) if 0x20 <= code < 0xD800 else "\N{REPLACEMENT CHARACTER}"


def quoted(texts: list[str]) -> str:
    text = " ".join(" ".join(texts).split())
    return f'"{text[:_QUOTED]}"'
