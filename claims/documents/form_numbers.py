"""Form numbers and editions as they are printed: `HL 4400 (01 24)`, `HO 00 03 10 00`, `Form 81-2 Ed. 01/24`."""

import re
from dataclasses import dataclass

_NOT_FORMS = (
    "inr usd nzd aud gbp eur cad sgd hkd zar chf jpy rs cfr usc fr abn acn afsl nzbn fsp fca frn gst vat po "
    "box no page pages tel fax ph zone zones unit suite level road street section part article chapter item "
    "clause paragraph coverage cover exclusion condition limit year years day days am pm of to in by and or "
    "the a kg km cm mm m ft policy claim line table schedule appendix act nsw vic qld tas sa wa nt bc ad iso "
    "iec jan feb mar apr may jun jul aug sep sept oct nov dec version vol "
).split()
_STOP = frozenset(_NOT_FORMS)
_NUMBER = re.compile(
    r"(?<![\w/])(?P<letters>[A-Z]{1,5}(?:-[A-Z]{1,5})?)[ -]?(?P<digits>\d{2,6}(?:[ -]\d{2}){0,4})"
    r"(?P<state>[A-Z]{0,2})(?![\w/-]|"
    r"[.,]\d)"
)
_EDITION = re.compile(
    r"\s{0,2}(?:\((?:ed(?:ition|n)?\.? ?)?(?P<in>\d{1,2}[ /-]\d{2,4}|\d{4}|[A-Z][a-z]{2,8} \d{4})\)"
    r"|(?:ed(?:ition|n)?\.? ?)(?P<ed>\d{1,2}[ /-]\d{2,4}|[A-Z][a-z]{2,8} \d{4})|(?P<bare>\d{2}/\d{2,4}))",
    re.IGNORECASE,
)
_PAGE = re.compile(r"\bpage (?P<page>\d{1,3})(?: ?(?:of|/) ?(?P<of>\d{1,3}))?\b", re.IGNORECASE)
_POSTCODE_END = re.compile(r" ?\d[A-Z]{2}\b")
_ISO_PARTS = 4
_LONE_LETTER_DIGITS = 3


@dataclass(frozen=True, slots=True)
class FormNumber:
    """`number` as printed, single spaces; `edition` without brackets, None when none is printed."""

    number: str
    edition: str | None
    start: int
    end: int

    @property
    def key(self) -> str:
        """What two prints of one number are compared by."""
        return re.sub(r"[^A-Z0-9]", "", self.number.upper())


def form_numbers(text: str) -> tuple[FormNumber, ...]:
    """Every form number in a folded text. Amounts, dates, statutes and postcodes are none."""
    found = []
    for match in _NUMBER.finditer(text[:2000]):
        if match["letters"].lower() in _STOP or _POSTCODE_END.match(text, match.end()):
            continue
        if len(match["letters"]) == 1 and len(match["digits"]) < _LONE_LETTER_DIGITS:
            continue
        found.append(_form(text, match))
    return tuple(found)


def page_of(text: str) -> tuple[int, int | None] | None:
    """`Page 3 of 9` is (3, 9), `Page 3` is (3, None)."""
    match = _PAGE.search(text)
    if not match:
        return None
    return int(match["page"]), int(match["of"]) if match["of"] else None


def without_form(text: str) -> str:
    """The words of a line beside its form number, edition and page."""
    for form in reversed(form_numbers(text)):
        text = text[: form.start] + " " + text[form.end :]
    return " ".join(_PAGE.sub(" ", text).split())


def _form(text: str, match: "re.Match[str]") -> FormNumber:
    number, edition, end = match[0], None, match.end()
    after = _EDITION.match(text, end)
    if after:
        edition, end = after["in"] or after["ed"] or after["bare"], after.end()
    else:
        parts = match["digits"].replace("-", " ").split()
        if len(parts) >= _ISO_PARTS and all(len(part) == 2 for part in parts):
            edition = " ".join(parts[-2:])
            number = f"{match['letters']} {' '.join(parts[:-2])}{match['state']}"
    return FormNumber(" ".join(number.split()), edition, match.start(), end)
