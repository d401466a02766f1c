"""What is drawn on a PDF page beside text: pictures, shapes, and what lies over what."""

import ctypes
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

MAX_OBJECTS = 200_000
_MAX_DEPTH = 5
_THIN = 2.5
_MOST_HELD = 2000
_A_DRAWING = 100
"""A form object with shapes counts as a drawing with this many strokes: it may hold anything."""

Bounds = tuple[float, float, float, float]
"""Left, bottom, right, top in the space of the page."""


@dataclass
class Drawn:
    """`orders` maps the address of a text object to its place in the order of drawing; `covers` are filled shapes.

    `marks` counts the strokes that lines and shapes are made of (a box has five), `strokes` are those thin enough to
    strike words out. `whole` is False where a page holds too many objects to look at each.
    """

    orders: dict[int, int] = field(default_factory=dict)
    pictures: list[Bounds] = field(default_factory=list)
    covers: list[tuple[int, Bounds]] = field(default_factory=list)
    strokes: list[Bounds] = field(default_factory=list)
    marks: int = 0
    texts: int = 0
    whole: bool = True

    @property
    def nothing(self) -> bool:
        return not (self.pictures or self.marks or self.texts)


def drawn_on(page: Any) -> Drawn:
    drawn = Drawn()
    count = pdfium.FPDFPage_CountObjects(page)
    drawn.whole = count <= MAX_OBJECTS
    for order in range(min(count, MAX_OBJECTS)):
        thing = pdfium.FPDFPage_GetObject(page, order)
        kind = pdfium.FPDFPageObj_GetType(thing)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            drawn.texts += 1
            drawn.orders[ctypes.cast(thing, ctypes.c_void_p).value or 0] = order
        else:
            _note(drawn, thing, kind, order)
    return drawn


def _note(drawn: Drawn, thing: Any, kind: int, order: int) -> None:
    if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
        _note_picture(drawn, thing, order)
    elif kind == pdfium.FPDF_PAGEOBJ_FORM:
        held = _held_by(thing, 0, [_MOST_HELD])
        drawn.texts += pdfium.FPDF_PAGEOBJ_TEXT in held
        drawn.marks += _A_DRAWING * len(held & {pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_SHADING})
        if pdfium.FPDF_PAGEOBJ_IMAGE in held:
            _note_picture(drawn, thing, order)
    elif kind in (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_SHADING):
        drawn.marks += max(pdfium.FPDFPath_CountSegments(thing), 1)
        left, bottom, right, top = bounds = _bounds(thing)
        if top - bottom <= _THIN < right - left:
            drawn.strokes.append(bounds)
        elif _is_filled(thing):
            drawn.covers.append((order, bounds))


def _note_picture(drawn: Drawn, thing: Any, order: int) -> None:
    bounds = _bounds(thing)
    drawn.pictures.append(bounds)
    drawn.covers.append((order, bounds))


def _held_by(form: Any, depth: int, left: list[int]) -> set[int]:
    """Kinds of objects inside a form object (a drawing that is used like one picture). `left`: how many to look at."""
    kinds: set[int] = set()
    for index in range(pdfium.FPDFFormObj_CountObjects(form)):
        left[0] -= 1
        if left[0] < 0:
            break
        thing = pdfium.FPDFFormObj_GetObject(form, index)
        kind = pdfium.FPDFPageObj_GetType(thing)
        if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
            kinds |= _held_by(thing, depth + 1, left)
        else:
            kinds.add(kind)
    return kinds


def _is_filled(path: Any) -> bool:
    mode, stroke = ctypes.c_int(0), pdfium.FPDF_BOOL(0)
    return bool(pdfium.FPDFPath_GetDrawMode(path, mode, stroke)) and mode.value != pdfium.FPDF_FILLMODE_NONE


def _bounds(thing: Any) -> Bounds:
    left, bottom, right, top = (ctypes.c_float(0) for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(thing, left, bottom, right, top)
    return left.value, bottom.value, right.value, top.value


def share_covered(pictures: list[Bounds], frame: Bounds) -> float:
    """Share of the frame under pictures, 0 to 1. Pictures over each other count twice: an upper bound."""
    left, bottom, right, top = frame
    whole = max((right - left) * (top - bottom), 1.0)
    covered = sum(
        max(0.0, min(right, x1) - max(left, x0)) * max(0.0, min(top, y1) - max(bottom, y0))
        for x0, y0, x1, y1 in pictures
    )
    return min(covered / whole, 1.0)
