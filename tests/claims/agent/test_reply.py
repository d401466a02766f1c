"""The reply: stored characters, always-shown sentences once, bullets with their lead-in, one order of sentences."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.agent import wording
from claims.agent.checks import Ground, check
from claims.agent.endings import Situation, outcome_of
from claims.agent.evidence import NoEvidence, Schedule
from claims.agent.facts import HeardFact
from claims.agent.reply import Committed, Queued, compose, stored_text, with_lead_ins
from claims.agent.runtime import TurnResult
from claims.agent.tools import MAX_SEGMENTS, MAX_SENTENCES, Plan, Refused
from claims.agent.vocabulary import MODEL_FORMS, MODEL_REASONS, Code, Field, Form, Kind, Outcome
from tests.builders_agent import CLAUSES, GLASS, HIRE_CAR, LISTING, NOT_LISTING, TRANSPORT, evidence

CANNOT_DECIDE = wording.FORMS[Form.CANNOT_DECIDE]
LISTED = wording.listed(TRANSPORT)
QUEUED = Queued("WL-22222222", 2, datetime(2030, 6, 10, 5, 0, tzinfo=UTC), already=False)


def ground(schedule=LISTING):
    return Ground(evidence(schedule), written=frozenset(), confirmed=frozenset([Field.FAMILY]))


def quote(*sentences, clause="MTR-BEN-03"):
    return {"kind": "quote", "clause_id": clause, "sentences": list(sentences)}


def plain(line, clause="MTR-BEN-03"):
    return {"kind": "plain", "clause_id": clause, "line": line}


def reply_to(*segments, schedule=LISTING, wants_decision=False, committed=None, english=True):
    """The outcome and the sentences of a question's reply with these segments, which must pass every check."""
    checked = check(tuple(segments), ground(schedule))
    result = TurnResult(
        plan=Plan(Kind.QUESTION, wants_decision, ()),
        wants_decision=wants_decision,
        evidence=evidence(schedule),
        segments=checked,
    )
    situation = Situation(result, schedule, family_confirmed=True, decision_recorded=False)
    outcome = outcome_of(situation)
    return outcome, compose(situation, outcome, committed or Committed(), english=english)


def texts(sentences):
    return [sentence.text for sentence in sentences]


def shown_numbers(sentences, clause_id):
    return [
        number
        for sentence in sentences
        if sentence.kind == "quote" and sentence.citation.clause_id == clause_id
        for number in sentence.citation.sentences
    ]


def test_M1_a_plain_line_with_its_conditions_the_schedule_and_who_decides():
    outcome, sentences = reply_to(plain(2))
    assert outcome is Outcome.ANSWERED
    assert [(sentence.kind, sentence.text) for sentence in sentences] == [
        ("plain", "It can pay up to NZD 60 a day."),
        (
            "quote",
            "This benefit applies when Northwind accepts a claim. "
            "It applies only when the policy schedule lists alternative transport.",
        ),
        ("schedule", LISTED),
        ("form", CANNOT_DECIDE),
    ]


def test_always_shown_sentences_come_once_after_the_last_segment_of_their_clause():
    _, sentences = reply_to(plain(1), quote(1, clause="MTR-BEN-02"), plain(2), quote(3, clause="MTR-BEN-02"))
    cited = [(s.citation.clause_id, s.citation.sentences, s.citation.line) for s in sentences if s.citation]
    assert cited == [
        ("MTR-BEN-03", (), 1),
        ("MTR-BEN-02", (1,), None),
        ("MTR-BEN-03", (), 2),
        ("MTR-BEN-03", (1, 7), None),
        ("MTR-BEN-02", (3,), None),
    ]


def test_an_always_shown_sentence_that_was_quoted_is_not_repeated():
    _, sentences = reply_to(quote(1, 3), quote(7))
    assert shown_numbers(sentences, "MTR-BEN-03") == [1, 3, 7]


def test_a_bullet_is_shown_with_its_lead_in_once():
    _, sentences = reply_to(quote(6))
    assert sentences[0].text == "It does not include:\n- tolls and parking"
    assert sentences[0].citation.sentences == (4, 6)
    _, both = reply_to(quote(4, 5, 6))
    assert both[0].text == "It does not include:\n- fuel\n- tolls and parking"


def test_text_after_bullets_begins_a_line_of_its_own():
    _, sentences = reply_to(quote(6, 7))
    assert sentences[0].text.split("\n")[-1] == HIRE_CAR.sentence_text(7)


def test_M3_an_unlisted_benefit_is_said_first_and_promises_nothing():
    outcome, sentences = reply_to(quote(7), schedule=NOT_LISTING)
    assert outcome is Outcome.NOT_LISTED
    assert sentences[0].text == wording.not_listed(TRANSPORT)
    assert "your policy includes" not in " ".join(texts(sentences))
    assert sentences[-1].text == CANNOT_DECIDE


def test_M10_an_unknown_schedule_is_said_first_and_no_benefit_is_named():
    outcome, sentences = reply_to(quote(7), schedule=NoEvidence())
    assert outcome is Outcome.NO_SCHEDULE
    assert sentences[0].text == wording.FORMS[Form.NO_SCHEDULE]
    assert not [sentence for sentence in sentences if sentence.kind == "schedule"]


def test_the_order_of_all_that_a_reply_can_hold():
    committed = Committed(noted=(HeardFact(Field.PLACE, "Ōtara", "Ōtara"),), queued=QUEUED, next_field=Field.LOSS_DATE)
    _, sentences = reply_to(plain(1), schedule=LISTING, wants_decision=True, committed=committed, english=False)
    assert texts(sentences) == [
        wording.FORMS[Form.ENGLISH_ONLY],
        HIRE_CAR.plain[0],
        stored_text(HIRE_CAR, (1, 7)),
        LISTED,
        wording.noted(Field.PLACE, "Ōtara", "Ōtara"),
        wording.QUESTIONS[Field.LOSS_DATE],
        CANNOT_DECIDE,
        wording.waiting(QUEUED.reference, QUEUED.position, QUEUED.due_at),
    ]


def test_M9_a_sentence_about_the_waiting_list_needs_its_row():
    escalate = {"kind": "escalate", "reason": "person"}
    _, without = reply_to(plain(1), escalate)
    assert "waiting list" not in " ".join(texts(without))
    _, too_many = reply_to(plain(1), escalate, committed=Committed(too_many=True))
    assert texts(too_many)[-1] == wording.TOO_MANY_WAITING


def test_a_schedule_segment_says_what_is_stored_and_never_says_a_benefit_twice():
    section = {"kind": "schedule", "section": TRANSPORT}
    _, alone = reply_to(section)
    assert texts(alone) == [LISTED, CANNOT_DECIDE]
    _, beside = reply_to(plain(1), section)
    assert texts(beside).count(LISTED) == 1
    _, detail = reply_to({"kind": "schedule", "section": "excess"})
    assert texts(detail)[0] == "Your schedule shows excess: NZD 500."


REFUSED = {
    "M21 a clause that was not fetched": (plain(1, "MTR-COV-01"), Code.NOT_FETCHED),
    "its id in lower case": (plain(1, "mtr-ben-03"), Code.NOT_FETCHED),
    "its id with an invisible character": (plain(1, "MTR-BEN\u200b-03"), Code.NOT_FETCHED),
    "its id in wide characters": (plain(1, "ＭＴＲ-BEN-03"), Code.NOT_FETCHED),
    "a list for an id": (plain(1, ["MTR-BEN-03"]), Code.NOT_FETCHED),
    "line 0": (plain(0), Code.BAD_SPAN),
    "a line too far": (plain(3), Code.BAD_SPAN),
    "true for line 1": (plain(True), Code.BAD_SPAN),
    "1.0 for line 1": (plain(1.0), Code.BAD_SPAN),
    "sentence 0": (quote(0), Code.BAD_SPAN),
    "a sentence too far": (quote(8), Code.BAD_SPAN),
    "a sentence from the end": (quote(-1), Code.BAD_SPAN),
    "true for sentence 1": (quote(True), Code.BAD_SPAN),
    "unsorted": (quote(3, 1), Code.BAD_SPAN),
    "repeated": (quote(1, 1), Code.BAD_SPAN),
    "no sentence": (quote(), Code.BAD_SPAN),
    "seven sentences": (quote(1, 2, 3, 4, 5, 6, 7), Code.BAD_SPAN),
    "an unknown code": ({"kind": "schedule", "section": "jetski"}, Code.STATE_DISAGREES),
    "a form of the server's": ({"kind": "form", "name": "cannot_decide"}, Code.STATE_DISAGREES),
    "noted with nothing written": ({"kind": "noted", "field": "place"}, Code.STATE_DISAGREES),
    "asking for what is confirmed": ({"kind": "ask", "field": "family"}, Code.STATE_DISAGREES),
    "a reason of the server's": ({"kind": "escalate", "reason": "guard_rejected"}, Code.STATE_DISAGREES),
}


@pytest.mark.parametrize(("segment", "code"), REFUSED.values(), ids=REFUSED)
def test_a_reply_with_one_bad_segment_is_refused_whole(segment, code):
    for segments in ((segment,), (plain(1), segment), (segment, plain(1))):
        with pytest.raises(Refused) as refused:
            check(segments, ground())
        assert [violation.code for violation in refused.value.violations] == [code]


def test_not_found_stands_neither_beside_a_clause_nor_where_a_decision_is_asked():
    not_found = {"kind": "form", "name": "not_found"}
    with pytest.raises(Refused):
        check((not_found, plain(1)), ground())
    outcome, sentences = reply_to(not_found)
    assert (outcome, texts(sentences)) == (Outcome.NOT_FOUND, [wording.FORMS[Form.NOT_FOUND]])
    outcome, sentences = reply_to(not_found, wants_decision=True)
    assert (outcome, texts(sentences)) == (Outcome.NEEDS_DECISION, [CANNOT_DECIDE])


def good_segments(schedule):
    def spans(clause):
        numbers = st.sets(st.integers(1, len(clause.sentences)), min_size=1, max_size=MAX_SENTENCES)
        return numbers.map(lambda chosen: quote(*sorted(chosen), clause=clause.clause_id))

    given_evidence = evidence(schedule)
    kinds = [spans(clause) for clause in CLAUSES]
    for clause in CLAUSES:
        if lines := given_evidence.plain_lines(clause.clause_id):
            kinds.append(st.integers(1, len(lines)).map(lambda line, i=clause.clause_id: plain(line, i)))
    kinds += [
        st.sampled_from(sorted(given_evidence.schedule_codes())).map(lambda c: {"kind": "schedule", "section": c}),
        st.sampled_from([form.value for form in MODEL_FORMS if form is not Form.NOT_FOUND]).map(
            lambda name: {"kind": "form", "name": name}
        ),
        st.sampled_from([reason.value for reason in MODEL_REASONS]).map(lambda r: {"kind": "escalate", "reason": r}),
        st.sampled_from([f.value for f in Field if f is not Field.FAMILY]).map(lambda f: {"kind": "ask", "field": f}),
    ]
    return st.lists(st.one_of(kinds), min_size=1, max_size=MAX_SEGMENTS)


CATALOGUE = {*wording.FORMS.values(), *wording.QUESTIONS.values()}


@given(st.data(), st.sampled_from([LISTING, NOT_LISTING, NoEvidence()]), st.booleans())
def test_P1_P7_whatever_the_segments_the_reply_is_ours_and_whole(data, schedule, wants_decision):
    segments = data.draw(good_segments(schedule))
    _, sentences = reply_to(*segments, schedule=schedule, wants_decision=wants_decision)
    by_id = {clause.clause_id: clause for clause in CLAUSES}
    cited = {segment["clause_id"] for segment in segments if "clause_id" in segment}
    assert {s.citation.clause_id for s in sentences if s.citation} == cited
    for sentence in sentences:
        if sentence.kind == "quote":
            clause = by_id[sentence.citation.clause_id]
            pieces = [clause.sentence_text(number) for number in sentence.citation.sentences]
            assert "".join(pieces).replace(" ", "") == sentence.text.replace("\n- ", "").replace("\n", "").replace(
                " ", ""
            )
            assert sentence.citation.sentences == with_lead_ins(clause, sentence.citation.sentences)
        elif sentence.kind == "plain":
            assert sentence.text == by_id[sentence.citation.clause_id].plain[sentence.citation.line - 1]
        elif sentence.kind == "schedule":
            assert isinstance(schedule, Schedule)
        else:
            assert sentence.text in CATALOGUE
    for clause_id in cited:
        always = {sentence.index for sentence in by_id[clause_id].sentences if sentence.always}
        assert always <= set(shown_numbers(sentences, clause_id))
    says = any(sentence.kind in {"quote", "plain", "schedule"} for sentence in sentences)
    assert texts(sentences).count(CANNOT_DECIDE) == (says or wants_decision)
    includes = LISTED in texts(sentences)
    assert not includes or (isinstance(schedule, Schedule) and schedule.lists(TRANSPORT))
    if "MTR-BEN-03" in cited:
        assert includes == (schedule == LISTING)


@pytest.mark.parametrize("clause", [HIRE_CAR, GLASS], ids=lambda clause: clause.clause_id)
def test_M15_all_sentences_together_are_the_clauses_text(clause):
    everything = stored_text(clause, [sentence.index for sentence in clause.sentences])
    assert everything.split() == clause.text.split()
