"""A typed quotation is found in its section, or refused by name; what is shown is the file's own (`guards.md` 2.4)."""

import pytest

from claims.documents.pages import Unreadable
from claims.documents.quotes import MIN_CHARACTERS, Quotation, QuoteProblem, RefusedQuote, check_quote
from claims.documents.sections import SectionKind, Structure, Unit
from claims.documents.sentences import sentence_spans
from tests.builders_documents import passage, reading_of_structure, section, structure
from tests.claims.documents.quotations import Tally, prove

MOLD = "7. We do not cover loss caused by mold. We do cover mold that \u201cfire\u201d caused, as No. 5 says."
RUST = "a. rust, wear and tear or the insured's neglect of 1,000 days;"
BROKEN = "b. discrim\ufffeination, self\ufffeinsured risks and water below the sur- face; or"


def made(kind="exclusions", **changes):
    return structure(
        section(1, kind, MOLD, RUST, BROKEN, **changes),
        section(2, "conditions", "We pay 10 days after proof. We pay 10 days after judgment."),
    )


def check(text, *, section_id="section-1", policy=None, **reading):
    policy = policy or made()
    return check_quote(policy, reading_of_structure(policy, **reading), section_id=section_id, quotation=text)


def shown(text, **more):
    found = check(text, **more)
    assert isinstance(found, Quotation), found
    return found.text


def problem(text, **more):
    found = check(text, **more)
    assert isinstance(found, RefusedQuote), found.text
    assert found.detail
    return found.problem


@pytest.mark.parametrize("start", range(0, 2000, 250))
def test_2000_true_quotations_are_found_in_every_variant_and_no_changed_one_is(start):
    tally = Tally()
    for seed in range(start, start + 250):
        prove(seed, tally)
    assert (tally.quotations, tally.changes + tally.still_true) == (250, 250)
    assert tally.variants == 8 * 250
    assert tally.changes > 200


def test_a_quotation_grows_to_its_sentence_so_that_not_cover_never_becomes_cover():
    assert shown("cover loss caused by mold") == "7. We do not cover loss caused by mold."
    assert shown('mold that "fire" caused') == "We do cover mold that \u201cfire\u201d caused, as No. 5 says."
    assert shown("caused by mold. We do cover mold") == MOLD


def test_what_is_shown_is_the_source_and_not_what_was_typed():
    found = check('cover  mold\nthat "fire\u201d  caused')
    assert isinstance(found, Quotation)
    (part,) = found.parts
    assert part.source in MOLD
    assert (part.passage.start_line, found.section.section_id, found.kind) == (11, "section-1", SectionKind.EXCLUSIONS)


def test_an_item_is_shown_whole_and_items_stand_on_lines_of_their_own():
    assert shown("wear and tear or the insured's") == RUST
    assert shown("of 1,000 days; b. discrimination") == f"{RUST}\nb. discrim-ination, self-insured risks and water " + (
        "below the sur- face; or"
    )


@pytest.mark.parametrize(
    "text",
    [
        "discrimination, self-insured risks",
        "discrim-ination, selfinsured risks",
        "discrim\ufffeination, self\u00adinsured risks",
        "below the surface; or",
        "below the sur-\nface; or",
        "below the sur-face; or",
    ],
)
def test_D12_D13_a_broken_word_is_quoted_in_any_reading(text):
    assert shown(text).startswith("b. discrim-ination")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", QuoteProblem.TOO_SHORT),
        (" ... ", QuoteProblem.TOO_SHORT),
        ("caused by m", QuoteProblem.TOO_SHORT),
        ("We do not cover ... by mold", QuoteProblem.TOO_SHORT),
        ("loss caused by mo", QuoteProblem.CUTS_A_WORD),
        ("over loss caused by mold", QuoteProblem.CUTS_A_WORD),
        ("tear or the insured' neglect", QuoteProblem.NOT_FOUND),
        ("wear and tear or the insured's neglect of 1", QuoteProblem.CUTS_A_WORD),
        ("000 days; b. discrimination", QuoteProblem.CUTS_A_WORD),
        ("water below the sur", QuoteProblem.CUTS_A_WORD),
        ("We do cover loss caused by mold", QuoteProblem.NOT_FOUND),
        ("we do not cover loss caused by mold", QuoteProblem.NOT_FOUND),
        ("We d\u043e not cover loss caused by mold", QuoteProblem.NOT_FOUND),
        ("rust wear and tear or the insured's", QuoteProblem.NOT_FOUND),
        ("wear and tear or the insured's ... We do not cover loss", QuoteProblem.OUT_OF_ORDER),
        ("loss caused by mold ... loss caused by mold", QuoteProblem.OUT_OF_ORDER),
        ("We pay 10 days after proof.", QuoteProblem.NOT_FOUND),
        ("EXCLUSIONS 7. We do not cover", QuoteProblem.NOT_FOUND),
    ],
)
def test_what_is_not_in_the_section_is_refused_by_name(text, wanted):
    assert problem(text) is wanted


def test_words_that_stand_twice_need_more_of_them():
    assert problem("We pay 10 days after", section_id="section-2") is QuoteProblem.NOT_UNIQUE
    assert shown("We pay 10 days after judgment", section_id="section-2") == "We pay 10 days after judgment."


@pytest.mark.parametrize("size", [MIN_CHARACTERS - 1, MIN_CHARACTERS])
def test_twelve_characters_are_the_least(size):
    word = "abcdefghijklmno"[:size]
    policy = structure(section(1, "exclusions", f"Nothing {word} here."))
    found = check(word, policy=policy)
    assert isinstance(found, Quotation) is (size == MIN_CHARACTERS)


@pytest.mark.parametrize("dots", ["...", "\u2026", " . . . ", "[...]", " [\u2026] ", "...."])
def test_an_ellipsis_is_two_quotations_in_order_with_the_gap_shown(dots):
    text = shown(f"We do not cover loss caused by mold{dots}wear and tear or the insured's neglect")
    assert text == f"7. We do not cover loss caused by mold.\n[...] {RUST}"
    assert shown(f'We do not cover loss{dots}mold that "fire" caused') == MOLD


@pytest.mark.parametrize("kind", list(SectionKind))
def test_M78_only_text_that_bears_on_cover_supports_a_position(kind):
    found = check("not cover loss caused by mold", policy=made(kind))
    assert isinstance(found, Quotation)
    bearing = {"insuring_agreement", "exclusions", "conditions", "endorsements"}
    assert found.supports is (kind.value in bearing)


def test_M78_a_definition_inside_an_endorsement_supports_none():
    defined = Unit(passage(11, "Hail means ice that falls."), effect=SectionKind.DEFINITIONS)
    found = check("Hail means ice that", policy=structure(section(1, "endorsements", defined)))
    assert isinstance(found, Quotation)
    assert not found.supports


def test_M90_an_unread_file_and_an_unknown_section_refuse():
    assert problem("We do not cover loss", unreadable=Unreadable.TOO_LITTLE_TEXT) is QuoteProblem.UNREAD
    nothing = check_quote(Structure(()), reading_of_structure(made()), section_id="section-1", quotation="We do not")
    assert nothing == RefusedQuote(QuoteProblem.UNREAD)
    assert problem("We do not cover loss", section_id="section-9") is QuoteProblem.NO_SUCH_SECTION


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("We pay. You pay.", ["We pay.", "You pay."]),
        ("7. We pay. (a) You pay.", ["7. We pay. (a) You pay."]),
        ("A. Coverage A. We pay.", ["A. Coverage A. We pay."]),
        ("See No. 5 below.  Next?\nYes!", ["See No. 5 below.", "Next?", "Yes!"]),
        ("The U.S. Government pays $1.50. 30 days are left.", ["The U.S. Government pays $1.50.", "30 days are left."]),
        ("It says \u201cno.\u201d Then more.", ["It says \u201cno.\u201d", "Then more."]),
        ("b. birds; or", ["b. birds; or"]),
        ("  ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them_and_rather_late(text, sentences):
    assert [text[start:end] for start, end in sentence_spans(text)] == sentences
