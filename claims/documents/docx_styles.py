"""What the styles of a DOCX file say of paragraphs and runs: size, boldness, numbering, whether text is hidden."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MAX_CHAIN = 20


def value(element: Any | None, default: str | None = None) -> str | None:
    """The `w:val` of an element."""
    return default if element is None else element.get(f"{W}val", default)


def is_on(element: Any | None) -> bool | None:
    """A switch such as `w:b`: on, off, or (None) not said."""
    return None if element is None else element.get(f"{W}val", "true") not in ("0", "false", "off", "none")


@dataclass(frozen=True)
class Look:
    """How a run looks; None where nothing was said. `size` in points."""

    size: float | None = None
    bold: bool | None = None
    struck: bool | None = None
    hidden: bool | None = None
    white: bool | None = None

    def under(self, other: Look) -> Look:
        """This look, with what `other` says in its place."""
        said = {name: given for name, given in vars(other).items() if given is not None}
        return replace(self, **said)


def look_of(properties: Any | None) -> Look:
    """The look that a `w:rPr` asks for."""
    if properties is None:
        return Look()
    size = value(properties.find(f"{W}sz"))
    colour = value(properties.find(f"{W}color"))
    shaded = properties.find(f"{W}shd") is not None or properties.find(f"{W}highlight") is not None
    struck = [is_on(properties.find(f"{W}{name}")) for name in ("strike", "dstrike")]
    return Look(
        size=_half_points(size),
        bold=is_on(properties.find(f"{W}b")),
        struck=next((switch for switch in struck if switch is not None), None),
        hidden=is_on(properties.find(f"{W}vanish")),
        white=None if colour is None else colour.lower() in ("ffffff", "white") and not shaded,
    )


def _half_points(size: str | None) -> float | None:
    try:
        return None if size is None else float(size) / 2
    except ValueError:
        return None


class Styles:
    """`styles.xml`, or nothing where a file has none."""

    def __init__(self, root: Any | None) -> None:
        self._styles: dict[str, Any] = {}
        self._default = Look()
        self._paragraph: str | None = None
        if root is None:
            return
        self._default = look_of(root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr"))
        for style in root.iterfind(f"{W}style"):
            name = style.get(f"{W}styleId", "")
            self._styles[name] = style
            if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in ("1", "true"):
                self._paragraph = name

    def look(self, paragraph: str | None, run: str | None, direct: Any | None) -> Look:
        look = self._default
        for name in (paragraph or self._paragraph, run):
            for style in reversed(self._chain(name)):
                look = look.under(look_of(style.find(f"{W}rPr")))
        return look.under(look_of(direct))

    def numbering(self, paragraph: str | None) -> Any | None:
        """The `w:numPr` that a paragraph style brings along."""
        for style in self._chain(paragraph or self._paragraph):
            found = style.find(f"{W}pPr/{W}numPr")
            if found is not None:
                return found
        return None

    def _chain(self, name: str | None) -> list[Any]:
        """The style and what it is based on, nearest first."""
        chain: list[Any] = []
        while name in self._styles and len(chain) < _MAX_CHAIN:
            chain.append(self._styles[name])
            name = value(chain[-1].find(f"{W}basedOn"))
        return chain
