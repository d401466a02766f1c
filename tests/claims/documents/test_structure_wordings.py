"""Invented wordings of other countries and lines: the right kind for what is labelled, the opposite for nothing."""

from functools import cache
from pathlib import Path

import pytest

from claims.documents.sections import Change, SectionKind, Structure
from tests.claims.documents.plain import structure_of, the_unit

WORDINGS = Path(__file__).parent / "wordings"
GRANT, EXCLUSIONS, CONDITIONS = SectionKind.INSURING_AGREEMENT, SectionKind.EXCLUSIONS, SectionKind.CONDITIONS
DEFINITIONS, DECLARATIONS, ENDORSEMENTS = (
    SectionKind.DEFINITIONS,
    SectionKind.DECLARATIONS,
    SectionKind.ENDORSEMENTS,
)
UNKNOWN = SectionKind.UNCLASSIFIED

LABELS = [
    ("uk_booklet", "A change to the terms of your policy", DEFINITIONS, []),
    ("uk_booklet", "The first part of any claim", DEFINITIONS, []),
    ("uk_booklet", "Escape of water from a fixed", GRANT, [35]),
    ("uk_booklet", "The excess shown on your schedule.", EXCLUSIONS, []),
    ("uk_booklet", "that happens while the home is unoccupied", EXCLUSIONS, [44]),
    ("uk_booklet", "somewhere else for you to live", GRANT, []),
    ("uk_booklet", "the cost of finding the leak", GRANT, []),
    ("uk_booklet", "Pedal cycles while", EXCLUSIONS, []),
    ("uk_booklet", "vermin, insects or fungus", EXCLUSIONS, [75]),
    ("uk_booklet", "You must take care to prevent", CONDITIONS, []),
    ("uk_booklet", "Tell the police within 24 hours", CONDITIONS, []),
    ("ho3_like", "We will provide the insurance described", GRANT, []),
    ("ho3_like", "Volunteer activities for which", DEFINITIONS, [10, 13, 15]),
    ("ho3_like", "Materials and supplies located on", GRANT, [24]),
    ("ho3_like", "2. We do not cover land, including land on which the dwelling", EXCLUSIONS, []),
    ("ho3_like", "Other structures rented or held for rental", EXCLUSIONS, [30]),
    ("ho3_like", "Animals, birds or fish", EXCLUSIONS, [42]),
    ("ho3_like", "removal of debris of covered property", GRANT, []),
    ("ho3_like", "We insure against direct loss to property", GRANT, [54]),
    ("ho3_like", "Smog, rust or other corrosion", EXCLUSIONS, [54, 56, 58, 61]),
    ("ho3_like", "3. Explosion", GRANT, [66]),
    ("ho3_like", "Water which backs up through sewers", EXCLUSIONS, [75, 83]),
    ("ho3_like", "1. Weather conditions.", EXCLUSIONS, [87]),
    ("ho3_like", "your signed, sworn proof of loss", CONDITIONS, [97]),
    ("ho3_like", "Provide a defense at our expense", GRANT, [107]),
    ("ho3_like", "which is expected or intended by an", EXCLUSIONS, []),
    ("au_pds", "caused by an accident, theft, fire, hail", GRANT, []),
    ("au_pds", "mechanical, structural or electrical failure", EXCLUSIONS, [10]),
    ("au_pds", "a hire car for up to 21 days", GRANT, []),
    ("au_pds", "fuel, tolls or fines", EXCLUSIONS, []),
    ("au_pds", "We cover your legal liability", GRANT, []),
    ("au_pds", "did not hold a licence", EXCLUSIONS, [36]),
    ("au_pds", "(b) get the name and address", CONDITIONS, [48]),
    ("au_pds", "Market value: what your car", DEFINITIONS, []),
    ("nz_house", "We agree to insure you in return", GRANT, []),
    ("nz_house", "hidden gradual damage", GRANT, []),
    ("nz_house", "restore plants and lawns", GRANT, []),
    ("nz_house", "settling, shrinking or cracking", EXCLUSIONS, [24]),
    ("nz_house", "loss caused by earthquake", EXCLUSIONS, []),
    ("nz_house", "manufacture of drugs", EXCLUSIONS, []),
    ("nz_house", "must not make any false statement", CONDITIONS, []),
    ("nz_house", "Home does not include temporary structures", DEFINITIONS, []),
    ("commercial", "Named insured: Example Bakery", DECLARATIONS, []),
    ("commercial", "General aggregate", DECLARATIONS, []),
    ("commercial", "a. We will pay those sums", GRANT, []),
    ("commercial", "assumption of liability", EXCLUSIONS, [22]),
    ("commercial", "brakes or cooling fluids", EXCLUSIONS, [22, 31]),
    ("commercial", "arising out of a criminal act", EXCLUSIONS, [39]),
    ("commercial", "notified as soon as practicable", CONDITIONS, []),
    ("commercial", '"Occurrence" means an accident', DEFINITIONS, []),
    ("commercial", "any refusal to employ that", ENDORSEMENTS, [62]),
    ("commercial", "We waive any right of recovery", ENDORSEMENTS, []),
    ("cyber", "breach response costs incurred", GRANT, []),
    ("cyber", "Infrastructure failure", EXCLUSIONS, [18]),
    ("cyber", "(c) War", EXCLUSIONS, [18]),
    ("cyber", "must not admit liability", CONDITIONS, []),
    ("cyber", "Restoration period: the period", DEFINITIONS, []),
    ("farm", "fences destroyed by fire", GRANT, []),
    ("farm", "hydrostatic pressure", EXCLUSIONS, [14]),
    ("farm", "vermin, insects or birds", EXCLUSIONS, [14]),
    ("farm", "unoccupied for more than 90 days", EXCLUSIONS, []),
    ("farm", "electrocution", GRANT, [23]),
    ("farm", "transported by sea", EXCLUSIONS, []),
    ("farm", "confiscation by order", EXCLUSIONS, []),
    ("farm", "covered by another policy", CONDITIONS, []),
    ("strata", "fraudulent misappropriation of your funds", GRANT, []),
    ("strata", "more than twelve months after", EXCLUSIONS, [13]),
    ("strata", "an accountant engaged to substantiate", GRANT, []),
    ("strata", "illness or bodily injury of any person", EXCLUSIONS, [37]),
    ("strata", "Contact us straight away", CONDITIONS, []),
    ("landlord", "B. Other Structures", DECLARATIONS, [7]),
    ("landlord", "Deductible   ", DECLARATIONS, []),
    ("landlord", "This coverage does not apply to land", EXCLUSIONS, []),
    ("landlord", "removing debris of covered property", GRANT, []),
    ("landlord", "c. water below the surface", EXCLUSIONS, [28, 33]),
    ("landlord", "3. Neglect, meaning", EXCLUSIONS, [28]),
    ("landlord", "your signed, sworn proof of loss", CONDITIONS, [44]),
    ("landlord", "For an additional premium", ENDORSEMENTS, []),
    ("london", "agree to indemnify the", GRANT, []),
    ("london", "2. This insurance covers general average", GRANT, []),
    ("london", "4.2 ordinary leakage", EXCLUSIONS, [18]),
    ("london", "5.1.2 unfitness of container", EXCLUSIONS, [26, 28]),
    ("london", "The Assured shall give prompt notice", CONDITIONS, []),
    ("indian", "i) Fire", GRANT, [6]),
    ("indian", "a) loss or damage to bullion", EXCLUSIONS, [12]),
    ("indian", "from the shop while it is closed", EXCLUSIONS, [20]),
    ("indian", "consequential loss of any kind", EXCLUSIONS, [25]),
    ("indian", "rateable", CONDITIONS, []),
    ("indian", "in any respect fraudulent", CONDITIONS, []),
    ("travel_plain", "you are called for jury service", GRANT, [7]),
    ("travel_plain", "you didn't tell us about", EXCLUSIONS, []),
    ("travel_plain", "one relative to stay with you", GRANT, []),
    ("travel_plain", "private rooms", EXCLUSIONS, []),
    ("travel_plain", "Valuables left in checked bags", EXCLUSIONS, []),
    ("travel_plain", "Badminton", UNKNOWN, [39]),
    ("travel_plain", "Base jumping", UNKNOWN, [43]),
    ("liability_caps", "Premiums on appeal bonds", GRANT, [10]),
    ("liability_caps", "b. Used by; or", EXCLUSIONS, [14, 17]),
    ("liability_caps", "Any vehicle which has fewer", EXCLUSIONS, [24]),
    ("liability_caps", "our maximum limit of liability", CONDITIONS, []),
    ("liability_caps", "necessary medical services", GRANT, []),
    ("liability_caps", "2. Caused by war.", EXCLUSIONS, [37]),
    ("liability_caps", "Submit a proof of loss", CONDITIONS, [42, 45]),
    ("liability_caps", "who has made fraudulent statements", CONDITIONS, []),
    ("farm_dwelling", "COVERAGE B  DETACHED PRIVATE STRUCTURES", DECLARATIONS, []),
    ("farm_dwelling", "DEDUCTIBLE $1,000", DECLARATIONS, []),
    ("farm_dwelling", "Barns, granaries, bins", EXCLUSIONS, []),
    ("farm_dwelling", "occurring while the DWELLING is under construction", EXCLUSIONS, [85, 93, 94]),
    ("farm_dwelling", "8. WATER ESCAPE", GRANT, [85]),
    ("farm_dwelling", "(d) by freezing", EXCLUSIONS, [85, 97, 98]),
    ("farm_dwelling", "9. WINDSTORM", GRANT, [85]),
    ("small_craft", "(b) mechanical or electrical breakdown", EXCLUSIONS, [118]),
    ("small_craft", "3.1.2 We extend part 2", GRANT, []),
    ("small_craft", "3.1.4 Sails split", EXCLUSIONS, []),
    ("small_craft", "agreed value  the sum", DEFINITIONS, []),
    ("safeguards", "The amounts stated in Additional Coverages", CONDITIONS, []),
    ("safeguards", "If part of a sprinkler system", ENDORSEMENTS, []),
]


@cache
def structure(name: str) -> Structure:
    return structure_of((WORDINGS / f"{name}.txt").read_text())


@pytest.mark.parametrize(("name", "words", "kind", "leads"), LABELS, ids=[f"{n}: {w[:30]}" for n, w, *_ in LABELS])
def test_the_kind_and_the_lead_in(name, words, kind, leads):
    found = the_unit(structure(name), words)
    assert found.kind is kind
    assert found.lead_ins == leads


def test_S12_a_counting_footer_is_furniture_where_pages_are_not_marked():
    assert structure("uk_booklet").furniture >= {15, 31, 51}


def test_S20_a_defined_term_is_no_heading_of_its_own_kind():
    found = the_unit(structure("uk_booklet"), "A change to the terms of your policy")
    assert found.section.path == ("Definitions", "Endorsement")


def test_S26_a_section_that_the_schedule_switches_on_says_so_for_all_its_parts():
    for words in ("inspect the home every three months", "We will pay lost rent"):
        section = the_unit(structure("nz_house"), words).section
        assert section.condition is not None
        assert section.condition.start_line == 40
    assert the_unit(structure("nz_house"), "keep the home in good repair").section.condition is None


def test_S39_an_exception_below_a_heading_of_its_own_belongs_to_the_text_above_it():
    found = the_unit(structure("ho3_like"), "Earth Movement means earthquake")
    assert found.exceptions == [81]
    motor = the_unit(structure("ho3_like"), 'c. "Motor vehicles".')
    assert motor.exceptions == [46]
    pollution = the_unit(structure("commercial"), "arising out of the release of")
    assert pollution.exceptions == [31, 32, 33]
    assert the_unit(structure("strata"), "c)  brought by").exceptions == [45]
    assert the_unit(structure("farm"), "We will not pay for loss of data").exceptions == [41]
    assert the_unit(structure("landlord"), "a. flood, surface water").exceptions == [37]
    assert the_unit(structure("landlord"), "3. Neglect, meaning").exceptions == []
    assert the_unit(structure("london"), "5.1.1 unseaworthiness").exceptions == [34]
    assert the_unit(structure("indian"), "from the shop while it is closed").exceptions == [23]
    assert the_unit(structure("liability_caps"), "c. In the care of;").exceptions == [22]


def test_S29_an_endorsement_marks_only_the_coverage_that_it_names():
    contractual = the_unit(structure("commercial"), "assumption of liability").unit
    assert [(each.form, each.change) for each in contractual.amended_by] == [("BL 21 47", Change.ADDS)]
    pollution = the_unit(structure("commercial"), "arising out of the release of").unit
    assert [each.change for each in pollution.amended_by] == [Change.ADDS, Change.REPLACES]
    assert the_unit(structure("commercial"), "arising out of a criminal act").unit.amended_by == ()


def test_T66_the_forms_that_the_declarations_list_and_those_that_are_there():
    forms = [(each.number, each.edition, each.listed, each.uploaded) for each in structure("commercial").forms]
    assert forms == [
        ("BL 00 01", "04 24", True, True),
        ("BL 21 47", "12 24", True, True),
        ("BL 24 04", "05 25", True, True),
        ("BL 33 10", "01 26", True, False),
    ]
    assert structure("commercial").has_declarations
    waiver = the_unit(structure("commercial"), "We waive any right").section
    assert waiver.condition is not None
    assert waiver.condition.start_line == 72
