"""A heading, a paragraph or a list item: whole rows of a file."""

import re
from dataclasses import dataclass

from claims.documents.numbering import Label
from claims.documents.rows import Row

_LEADS = re.compile(r"\b(?:the following|as follows|these|listed below)\b[^.]{0,60}\.?$", re.IGNORECASE)
RUN_IN = re.compile(
    r"(?:(?:General |Policy |GENERAL )?(?:Exclusions|EXCLUSIONS|Conditions|CONDITIONS|Definitions|DEFINITIONS)"
    r"|Insuring [Aa]greement|INSURING AGREEMENT|What (?:is|we do) not cover(?:ed)?|What (?:is|we) cover(?:ed)?)"
    r"(?: ?[.:-]+ +| +(?=(?:This|We|The|You|If|In|Any|No|Under) [a-z]))(?=\S)"
)


@dataclass(slots=True)
class Block:
    """A heading, a paragraph or a list item: whole rows of the file, one after the other."""

    rows: list[Row]
    label: Label | None = None
    readings: tuple[Label, ...] = ()
    heading: bool = False
    settled: bool = False
    """Found to be no heading by what stands around it: that is final."""
    text: str = ""
    edge: float = 0.0
    """Where its lines begin on the page or column that it has come to: under the first line, or under the second."""
    run_in: int = 0
    """So many characters of `text` are a heading that its sentence follows on the same line (S7)."""

    @property
    def first(self) -> Row:
        return self.rows[0]

    @property
    def title(self) -> str:
        """The words after the number, and after a heading on the same line."""
        return self.text[max(self.run_in, self.label.end if self.label else 0) :].lstrip()

    @property
    def leads_in(self) -> bool:
        """Whether it leads into a list."""
        return self.text.endswith((":", ":-", " -")) or bool(_LEADS.search(self.text[-120:]))

    def run_in_heading(self) -> "Block":
        """The heading of a paragraph that stands on its heading's line (S7)."""
        title = self.text[: self.run_in]
        return Block(self.rows[:1], self.label, self.readings, heading=True, text=title)
