"""Finding: whole words, what is tried and named, what comes along, and six answers that never share a shape."""

from itertools import combinations

import pytest

from claims.documents.finder import find, refuse
from claims.documents.finding_json import finding_json
from claims.documents.findings import Outcome
from claims.documents.pages import FileKind, Note, NoteKind, NotRead, PageState, Reading, Unreadable
from claims.documents.sections import Amendment, Change, Form, SectionKind, Structure, Unit
from tests.builders_documents import flood_only, homeowners, passage, reading_of_structure, section, structure


def ask(made, query, *, exact=False, **reading):
    return find(made, reading_of_structure(made, **reading), query, exact=exact)


def says(*texts, kind="exclusions"):
    return structure(section(1, kind, *texts))


def found_on(made, query, **more):
    return [candidate.passages[0].start_line for candidate in ask(made, query, **more).candidates]


# Words


def test_M92_M95_mold_damage_in_the_basement_is_the_exclusion_and_the_endorsement():
    finding = ask(homeowners(), "mold damage in the basement")
    assert [str(candidate.section_kind) for candidate in finding.candidates] == ["exclusions", "endorsements"]
    assert (finding.words.searched, finding.words.dropped) == (("mold", "basement"), ("damage", "in", "the"))
    assert finding.outcome is Outcome.BEARING
    assert "No paragraph holds basement." in finding.guidance


def test_M93_M111_roof_damage_does_not_match_proof_of_loss():
    made = says("Send us a signed proof of loss.", "Protect the property from further damage.", kind="conditions")
    finding = ask(made, "roof damage")
    assert (finding.outcome, finding.candidates) == (Outcome.NO_MATCH, ())
    assert finding.words.searched == ("roof",)
    assert "Left out because any policy is full of it: damage." in finding.guidance


def test_M96_M108_refusal_theft_of_jewelry_finds_nothing_where_nothing_says_so():
    finding = ask(homeowners(), "theft of jewelry")
    assert (finding.outcome, finding.candidates) == (Outcome.NO_MATCH, ())
    assert finding.citation_required


def test_M108_refusal_a_word_that_only_a_definition_holds_supports_nothing():
    made = structure(
        section(1, "insuring_agreement", "We cover direct physical loss to the home."),
        section(2, "definitions", '"Sinkhole" means a hollow formed by dissolving limestone.'),
    )
    finding = ask(made, "is a sinkhole covered?")
    assert finding.outcome is Outcome.NON_BEARING_ONLY
    assert [candidate.is_bearing for candidate in finding.candidates] == [False]
    assert "no supporting language" in finding.guidance


@pytest.mark.parametrize("query", ["cyber liability", "cyber-liability coverage", "data breach", "ransomware payment"])
def test_M97_M108_a_flood_policy_has_no_candidate_for_a_cyber_question(query):
    assert ask(flood_only(), query).candidates == ()


def test_a_word_of_every_policy_is_searched_when_nothing_else_is_asked():
    finding = ask(homeowners(), "damage")
    assert (finding.words.searched, finding.words.dropped) == (("damage",), ())
    assert len(finding.candidates) == 1


def test_D09_plurals_and_possessives_and_nothing_further():
    made = says("We do not cover trees, fences or swimming pools.", "We do not pay for burglaries from a vehicle.")
    assert found_on(made, "tree fell") == [11]
    assert found_on(made, "burglary") == [12]
    assert found_on(made, "pool") == [11]
    assert ask(made, "pool").candidates[0].matched == ("pools",)
    finding = ask(made, "fenced")
    assert finding.outcome is Outcome.NO_MATCH
    assert "Searched: fenced. Only exact words, plain plurals and possessives were tried" in finding.guidance


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("jetty", "Jetties"),
        ("jetties", "a jetty"),
        ("boxes", "a box"),
        ("box", "boxes"),
        ("cameras", "one camera"),
        ("house", "houses"),
        ("houses", "a house"),
        ("glass", "glasses"),
        ("movies", "a movie"),
        ("potatoes", "a potato"),
        ("insured", "the insured\u2019s car"),
        ("insured's", "the insured"),
        ("worker's", "the workers' hut"),
        ("workers' compensation", "workers\u2019 rights"),
        ("Maori", "M\u0101ori land"),
        ("25,000", "up to $25,000."),
    ],
)
def test_T33_forms_of_one_word_find_each_other(asked, text):
    assert found_on(says(f"This is about {text} only."), asked) == [11]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("roof", "proof"),
        ("art", "parts of a party"),
        ("pet", "a carpet"),
        ("pet", "a car-\npet and another carpet"),
        ("beer", "to be"),
        ("suicide", "suicided"),
        ("fence", "fenced"),
        ("25", "25,000"),
    ],
)
def test_D08_T34_no_part_of_a_word_and_no_stem(asked, text):
    assert found_on(says(f"This is about {text} only."), asked) == []


def test_T35_exact_tries_the_word_alone():
    made = says("Trees fall.", "A tree fell on the insured's car.")
    assert found_on(made, "trees", exact=True) == [11]
    assert found_on(made, "tree", exact=True) == [12]
    assert found_on(made, "insured", exact=True) == []
    assert ask(made, "tree", exact=True).words.forms == {"tree": ("tree",)}


@pytest.mark.parametrize("asked", ["self-insured", "selfinsured", "self insured", "insured"])
@pytest.mark.parametrize("between", ["-", "\ufffe", "\u00ad", "-\n", "- ", "\u2010"])
def test_D12_D13_a_hyphen_is_read_every_way_that_it_leaves_open(asked, between):
    assert found_on(says(f"The self{between}insured amount."), asked) == [11]


def test_D12_a_chain_of_broken_hyphens():
    made = says("The prod\u00aducts\ufffecompleted operations hazard.")
    for asked in ("products-completed", "productscompleted", "products", "completed"):
        assert found_on(made, asked) == [11]
    assert found_on(made, "prod-completed") == []


def test_T06_T10_what_a_file_puts_into_a_word_does_not_hide_it():
    made = says("The o\ufb01\u200bce, the \ufb01re and the ha\u0308user.", "An O\ufb03 ce.")
    assert found_on(made, "fire") == [11]
    assert found_on(made, "h\u00e4user") == [11]
    assert found_on(made, "office") == [12]


def test_the_forms_tried_are_named():
    finding = ask(homeowners(), "burglary of self-insured goods")
    assert finding.words.forms["burglary"] == ("burglary", "burglaries", "burglary's")
    assert {"self-insured", "selfinsured"} <= set(finding.words.forms["self-insured"])


def test_places_that_hold_more_of_the_words_come_first_and_a_schedule_before_the_form():
    made = structure(
        section(1, "exclusions", "We do not pay for pools.", "We do not pay for pool fences."),
        section(2, "declarations", "Pool limit 5,000"),
    )
    assert found_on(made, "pool fence") == [12, 21, 11]


# What comes along


LEAD = passage(11, "We do not pay for loss caused by water that:")
DRAIN, SUMP = passage(12, "a. backs up through a drain;"), passage(13, "b. overflows from a sump;")
UNLESS = passage(14, "unless a covered fire caused the back-up or overflow.")


def a_list():
    return structure(
        section(
            1,
            "exclusions",
            Unit(LEAD, exceptions=(UNLESS,)),
            Unit(DRAIN, "a", (LEAD,), (UNLESS,)),
            Unit(SUMP, "b", (LEAD,), (UNLESS,)),
            Unit(UNLESS, None, (LEAD,)),
        )
    )


@pytest.mark.parametrize(
    ("asked", "quoted", "above", "below"),
    [
        ("sump", (SUMP,), (LEAD,), (UNLESS,)),
        ("water", (LEAD, DRAIN, SUMP), (), (UNLESS,)),
        ("fire", (UNLESS,), (LEAD, DRAIN, SUMP), ()),
    ],
    ids=["an item", "its lead-in", "what takes it back"],
)
def test_D05_D06_nothing_is_shown_without_what_it_hangs_on(asked, quoted, above, below):
    (candidate,) = ask(a_list(), asked).candidates
    assert (candidate.passages, candidate.lead_ins, candidate.exceptions) == (quoted, above, below)


def amended():
    says_so = passage(21, "Exclusion 7 is deleted. The most we pay for back-up is 5,000.")
    deleted = Unit(
        passage(11, "7. We do not pay for water from a drain."),
        "7",
        amended_by=(Amendment("HL 33", Change.DELETES, says_so),),
    )
    return structure(
        section(1, "exclusions", deleted),
        section(2, "endorsements", Unit(says_so), heading="ENDORSEMENT HL 33", form="HL 33"),
    )


def test_D18_a_deleted_exclusion_never_stands_alone():
    exclusion, endorsement = ask(amended(), "drain").candidates
    assert (exclusion.amended_by[0].form, exclusion.amended_by[0].change) == ("HL 33", Change.DELETES)
    assert exclusion.amended_by[0].passage.start_line == 21
    assert (endorsement.section_kind, endorsement.matched) == (SectionKind.ENDORSEMENTS, ())


def test_D18_an_endorsement_that_only_came_along_makes_no_definition_bearing():
    says_so = passage(21, "The definition of hail is replaced.")
    defined = Unit(passage(11, "Hail means ice."), amended_by=(Amendment("HL 9", Change.REPLACES, says_so),))
    made = structure(
        section(1, "definitions", defined), section(2, "endorsements", Unit(says_so), heading="HL 9", form="HL 9")
    )
    assert ask(made, "ice").outcome is Outcome.NON_BEARING_ONLY


@pytest.mark.parametrize("declared", [False, True])
def test_D19_an_endorsement_brings_its_condition(declared):
    condition = passage(11, "This form has effect only where the declarations name its number.")
    made = structure(
        section(
            1,
            "endorsements",
            Unit(condition),
            Unit(passage(12, "We pay for a rental car.")),
            heading="ENDORSEMENT HL 41",
            form="HL 41",
            condition=condition,
        ),
        has_declarations=declared,
    )
    finding = ask(made, "rental car")
    assert finding.candidates[0].condition == condition
    assert ("holds no declarations page: whether it applies is unknown" in finding.guidance) is not declared
    (shown,) = finding_json(finding, document_id="d")["candidates"]
    assert shown["lead_in"].startswith("This form has effect only")


def test_M114_forms_that_are_named_and_not_uploaded_are_named():
    exclusion = "We do not pay for mold except under the Extended Fungi Cover endorsement or HL 99 12."
    made = structure(section(1, "exclusions", exclusion), forms=(Form("HL 99 12", None, None, None, uploaded=False),))
    finding = ask(made, "mold")
    assert finding.candidates[0].named_not_uploaded == ("HL 99 12", "Extended Fungi Cover endorsement")
    assert "Named here and not in this file: HL 99 12, Extended Fungi Cover endorsement." in finding.guidance
    assert ask(homeowners(), "mold").candidates[0].named_not_uploaded == ()


def test_a_form_that_the_declarations_do_not_list_is_named():
    made = structure(
        section(1, "endorsements", "We pay for a rental car.", heading="HL 41", form="HL 41"),
        forms=(Form("HL 41", None, 10, listed=False, uploaded=True),),
        has_declarations=True,
    )
    assert "The declarations do not list HL 41." in ask(made, "rental").guidance


def test_M94_no_quotation_holds_a_heading_and_a_heading_alone_is_named():
    made = structure(section(1, "exclusions", "We do not pay for fungus.", heading="MOLD"))
    finding = ask(made, "mold")
    assert (finding.outcome, finding.candidates) == (Outcome.NO_MATCH, ())
    assert "there is a match on line 10 (page 1)" in finding.guidance


def test_remarks_on_the_reading_go_with_every_answer():
    note = Note(NoteKind.TRACKED_CHANGES, "The file holds tracked changes.")
    made = homeowners()
    assert "The file holds tracked changes." in ask(made, "mold", notes=[note]).guidance
    assert "The file holds tracked changes." in ask(made, "theft", notes=[note]).guidance


# Outcomes


def the_six():
    made = homeowners()
    defined = structure(section(1, "definitions", "Hail means ice."))
    return {
        Outcome.BEARING: ask(made, "mold"),
        Outcome.NON_BEARING_ONLY: ask(defined, "hail"),
        Outcome.NO_MATCH: ask(made, "hail"),
        Outcome.PARTLY_READ: ask(made, "hail", pages_not_read=(2,)),
        Outcome.UNREADABLE: ask(made, "hail", unreadable=Unreadable.NO_TEXT),
        Outcome.NOT_SEARCHED: ask(made, "is it the?"),
    }


def shape(finding):
    """What tells one answer from another without its outcome and its words: what is null, empty or true."""
    made = finding_json(finding, document_id="d")
    return (
        made["refused"],
        made["reason"] is None,
        bool(made["words"]["searched"]),
        bool(made["pages_not_read"]),
        any(candidate["section_kind"] in ("exclusions", "endorsements") for candidate in made["candidates"]),
        bool(made["candidates"]),
    )


@pytest.mark.parametrize(("one", "other"), list(combinations(Outcome, 2)))
def test_R1_M77_M91_no_two_outcomes_share_a_shape_or_a_guidance(one, other):
    six = the_six()
    assert six[one].outcome is one
    assert six[other].outcome is other
    assert shape(six[one]) != shape(six[other])
    first, second = (six[each].guidance.split(". ")[0] for each in (one, other))
    assert first != second
    assert six[one].guidance != six[other].guidance


def test_R3_pages_that_were_not_read_are_named_in_every_answer():
    made = homeowners()
    for query in ("mold", "hail", "the"):
        assert ask(made, query, pages_not_read=(2, 3)).pages_not_read == (2, 3)
    assert "Pages 2, 3 were not read" in ask(made, "mold", pages_not_read=(2, 3)).guidance
    assert ask(made, "mold", pages_not_read=(2,)).outcome is Outcome.BEARING
    defined = structure(section(1, "definitions", "Hail means ice."))
    partly = ask(defined, "hail", pages_not_read=(2,))
    assert (partly.outcome, len(partly.candidates)) == (Outcome.PARTLY_READ, 1)


def test_M90_no_sections_refuse_whatever_the_reading_says():
    reading = reading_of_structure(homeowners())
    for empty in (Structure(()), structure(section(1, "exclusions"))):
        finding = find(empty, reading, "mold")
        assert (finding.refused, finding.outcome, finding.candidates) == (True, Outcome.UNREADABLE, ())
        assert "That is not silence" in finding.reason


def test_M87_M111_an_unread_file_is_refused_with_its_reason():
    refused = refuse(NotRead(Unreadable.LOCKED, "The file needs a password."))
    assert (refused.refused, refused.reason) == (True, "The file needs a password.")
    empty = Reading(FileKind.PDF, (), (), Unreadable.NO_TEXT)
    assert find(Structure(()), empty, "mold").outcome is Outcome.UNREADABLE
    assert {state.value for state in PageState} >= {"picture"}


def test_M76_the_shape_of_an_answer():
    made = finding_json(ask(homeowners(), "mold damage"), document_id="policy-1")
    assert list(made) == [
        "outcome",
        "refused",
        "reason",
        "citation_required",
        "guidance",
        "candidate_count",
        "words",
        "pages_not_read",
        "candidates",
    ]
    assert made["citation_required"] is True
    assert made["candidate_count"] == len(made["candidates"]) == 2
    assert {"document_id", "section_id", "section_kind", "path", "quote", "lead_in", "exceptions", "amended_by"} <= set(
        made["candidates"][0]
    )
    assert {"named_not_uploaded", "page", "printed_page", "start_line", "end_line", "matched"} <= set(
        made["candidates"][0]
    )


def test_D12_what_is_shown_holds_no_broken_hyphen_and_what_is_kept_does():
    finding = ask(says("Harassment, discrim\ufffeination or prod\u00aducts."), "discrimination")
    (shown,) = finding_json(finding, document_id="d")["candidates"]
    assert shown["quote"] == "Harassment, discrim-ination or products."
    assert "\ufffe" in finding.candidates[0].passages[0].text


@pytest.mark.parametrize("query", ["", "   ", "the", "?!", "is it my own?"])
def test_M74_a_question_without_a_word_is_not_searched(query):
    finding = ask(homeowners(), query)
    assert (finding.outcome, finding.refused) == (Outcome.NOT_SEARCHED, False)
    assert finding.reason
    assert finding.guidance.startswith("Not checked yet")


def test_M79_no_guidance_concludes_anything():
    for finding in the_six().values():
        text = finding.guidance.lower()
        assert not any(word in text for word in ("is covered", "not covered", "is silent", "will pay", "must pay"))
