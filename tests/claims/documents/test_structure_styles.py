"""Further invented wordings, each in a style of its own: kinds, lead-ins, how much has a kind, and nothing opposite."""

import pytest

from claims.documents.sections import SectionKind
from tests.claims.documents.plain import the_unit, units_of
from tests.claims.documents.test_structure_wordings import (
    CONDITIONS,
    DEFINITIONS,
    EXCLUSIONS,
    GRANT,
    UNKNOWN,
    structure,
)

LABELS = [
    ("dwelling", "(4) Mold, fungus or wet rot; or", EXCLUSIONS, [9, 12]),
    ("dwelling", "we cover loss caused by mold", GRANT, []),
    ("dwelling", "This peril does not include loss", EXCLUSIONS, [22, 24]),
    ("dwelling", "the failure of power if", EXCLUSIONS, [30]),
    ("dwelling", "Submits a signed statement", CONDITIONS, [43]),
    ("dwelling", "1. Bodily injury arising out of the rendering", EXCLUSIONS, [69]),
    ("dwelling", "2. Property damage to property owned", EXCLUSIONS, [74]),
    ("dwelling", "2. Provide a defense by counsel", GRANT, [60]),
    ("storage", "(2) Permanently installed machinery", GRANT, [9, 11]),
    ("storage", "c. Contraband", EXCLUSIONS, [20]),
    ("storage", "Extract pollutants", EXCLUSIONS, [31]),
    ("storage", "what is and is not covered", UNKNOWN, []),
    ("storage", "(1) Vandalism", CONDITIONS, [78]),
    ("storage", '"Stock" means', DEFINITIONS, []),
    ("numbered_a1", "Insured is the statutory liability", GRANT, []),
    ("numbered_a1", "(2) the defence against unjustified", GRANT, [12]),
    ("numbered_a1", "(3) for compensation of futile", EXCLUSIONS, [16]),
    ("numbered_a1", "Not insured is the liability as keeper", EXCLUSIONS, []),
    ("numbered_a1", "Liability for damage caused by the use of an aircraft", EXCLUSIONS, [31]),
    ("numbered_a1", "c) forward any court documents", CONDITIONS, [49]),
    ("motor_titles", "• repair your car", GRANT, [5]),
    ("motor_titles", "loss of value after a repair", EXCLUSIONS, [9]),
    ("motor_titles", "Legal liability for damage your car", GRANT, []),
    ("motor_titles", "Damage to property you own", EXCLUSIONS, []),
    ("motor_titles", "Agreed value - the amount", DEFINITIONS, []),
    ("craft", "We, the Underwriters, agree", GRANT, []),
    ("craft", "2.3 jettison", GRANT, [8]),
    ("craft", "4.3 consumable stores", EXCLUSIONS, [20]),
    ("craft", "5.2.1 the operation of the Vessel", EXCLUSIONS, [31]),
    ("craft", "7.3 Warranted no single-handed", CONDITIONS, []),
    ("craft", "13.2 capture, seizure", EXCLUSIONS, [52]),
]
STYLES = tuple(dict.fromkeys(name for name, *_ in LABELS))
MOST_UNKNOWN = {"motor_titles": 0.3}
"""What titles of looks alone put under `Things we don't cover` has no kind (M83)."""


@pytest.mark.parametrize(("name", "words", "kind", "leads"), LABELS, ids=[f"{n}: {w[:30]}" for n, w, *_ in LABELS])
def test_the_kind_and_the_lead_in(name, words, kind, leads):
    found = the_unit(structure(name), words)
    assert found.kind is kind
    assert found.lead_ins == leads


@pytest.mark.parametrize("name", STYLES)
def test_M80_nine_tenths_of_the_text_have_a_kind(name):
    units = units_of(structure(name))
    unknown = sum(len(each.text) for each in units if each.kind is SectionKind.UNCLASSIFIED)
    assert unknown <= MOST_UNKNOWN.get(name, 0.1) * sum(len(each.text) for each in units)
