"""What a model is sent: one first part for everybody, the directory only in a lookup, nothing of ours as history."""

import json
import re
from datetime import date
from pathlib import Path

import pytest

from claims.agent import wording
from claims.agent.evidence import Evidence, HistoryTurn, KnownFact, NoEvidence
from claims.agent.prompt import DIRECTORY_HEADING, first_messages, render_directory, render_evidence, repair_messages
from claims.agent.tools import ANSWER, CONTEXT_RESOLVE, PLAN, Violation
from claims.agent.vocabulary import Code, Field, Guidance
from knowledge.answers import MAX_CLAUSE_CHARACTERS, MAX_CLAUSE_IDS, DirectoryLine, FetchedClause
from knowledge.clause_text import read_document
from tests.builders_agent import DIRECTORY, HIRE_CAR, LISTING, NOT_LISTING, context, evidence, question, run

CONTENT = Path(__file__).parents[3] / "knowledge/content"
DOCUMENTS = sorted(CONTENT.glob("*/*.md"))
PLAIN = {"kind": "plain", "clause_id": "MTR-BEN-03", "line": 1}


def system_of(messages):
    assert [message["role"] for message in messages] == ["system", "user"]
    return messages[0]["content"]


def user_of(messages):
    return json.loads(messages[1]["content"])


def test_M12_the_directory_is_sent_when_a_lookup_is_planned_and_the_family_is_confirmed():
    ask = question(PLAIN)
    run(ask)
    shown = {step: DIRECTORY_HEADING in system_of(messages) for step, messages in ask.requests}
    assert shown == {"plan": False, "context_resolve": True, "answer": True}
    for _, messages in ask.requests[1:]:
        assert render_directory(DIRECTORY) in system_of(messages)


@pytest.mark.parametrize(
    ("kind", "confirmed"), [("question", False), ("report", True), ("status", True), ("other", True)]
)
def test_M12_M25_M31_a_turn_without_a_lookup_sees_no_directory_and_asks_once(kind, confirmed):
    ask = question(PLAIN, kind=kind)
    result = run(ask, family_confirmed=confirmed)
    assert [step for step, _ in ask.requests] == ["plan"]
    assert all("MTR-" not in json.dumps(messages) for _, messages in ask.requests)
    assert (result.directory, result.requested, result.evidence) == (None, None, None)


def test_M25_the_context_of_a_turn_without_a_lookup_holds_exactly_this():
    ask = question(PLAIN, kind="other")
    run(ask, context("Thanks!", history=[HistoryTurn("Hello", "other", (), None)]))
    [(_, messages)] = ask.requests
    assert user_of(messages) == {
        "today": "2030-06-01",
        "facts": [{"field": "family", "value": "motor", "confirmed": True}],
        "schedule": {
            "state": "found",
            "sections": [
                {"code": "comprehensive", "label": "comprehensive cover"},
                {"code": "alternative_transport", "label": "alternative transport"},
            ],
            "details": [{"code": "excess", "label": "excess", "value": "NZD 500"}],
        },
        "history": [{"customer": "Hello", "outcome": "other", "clause_ids": [], "asked": None}],
        "message": "Thanks!",
        "evidence": None,
    }


def test_P10_the_first_part_is_the_same_bytes_for_two_claims_of_a_family():
    one, other = question(PLAIN), question(PLAIN, clause_ids=["MTR-BEN-02"])
    other.arguments["answer"] = {"segments": [{"kind": "plain", "clause_id": "MTR-BEN-02", "line": 1}]}
    run(one, context("Do I get a rental?"))
    run(
        other,
        context(
            "Is my windscreen covered? I'm Mere",
            schedule=NOT_LISTING,
            today=date(2031, 2, 3),
            facts=[KnownFact(Field.PLACE, "Ōtara", confirmed=False)],
        ),
    )
    assert [system_of(m) for _, m in one.requests] == [system_of(m) for _, m in other.requests]


@pytest.mark.parametrize("tool", [PLAN, CONTEXT_RESOLVE, ANSWER], ids=lambda tool: tool["function"]["name"])
def test_P10_no_date_no_number_and_no_name_of_a_claim_stands_in_the_first_part(tool):
    system = system_of(first_messages(tool, context()))
    assert not re.search(r"\d{2,}", system)
    assert not re.search(r"NW-|CL-|WL-|MTR-|2030", system)


def test_M16_the_schedule_is_sent_even_when_no_clause_was_named():
    ask = question({"kind": "form", "name": "not_found"}, clause_ids=[])
    run(ask)
    step, messages = ask.requests[-1]
    assert step == "answer"
    assert user_of(messages)["schedule"]["state"] == "found"
    assert user_of(messages)["evidence"] == {"guidance_status": "no_clause_selected", "clauses": [], "not_found": []}


def test_an_unknown_schedule_is_told_from_an_empty_one():
    assert user_of(first_messages(PLAN, context(schedule=NoEvidence())))["schedule"] == {"state": "no_evidence"}
    assert user_of(first_messages(PLAN, context(schedule=NOT_LISTING)))["schedule"]["state"] == "found"


def test_history_is_the_customers_words_and_ids_never_a_sentence_of_ours_or_a_clause():
    history = [HistoryTurn("Do I get a rental?", "answered", ("MTR-BEN-03",), None)]
    sent = first_messages(PLAN, context("does that include fuel?", history=history))[1]["content"]
    assert json.loads(sent)["history"] == [
        {"customer": "Do I get a rental?", "outcome": "answered", "clause_ids": ["MTR-BEN-03"], "asked": None}
    ]
    ours = [*wording.FORMS.values(), wording.listed("alternative_transport"), wording.SAFE_REPLY]
    assert not [text for text in [*ours, *HIRE_CAR.plain, HIRE_CAR.text] if text in sent]


def test_M15_the_model_sees_clauses_whole_and_numbered():
    [clause, _] = render_evidence(evidence())["clauses"]
    assert list(clause["sentences"]) == [str(sentence.index) for sentence in HIRE_CAR.sentences]
    assert "".join(clause["sentences"].values()).replace(" ", "") == re.sub(r"\n(- )?|\s", "", HIRE_CAR.text)
    assert clause["plain"] == {1: HIRE_CAR.plain[0], 2: HIRE_CAR.plain[1]}


def test_M3_the_plain_lines_of_an_unlisted_benefit_are_not_offered():
    lines = {
        schedule: render_evidence(evidence(schedule))["clauses"][0]["plain"] for schedule in (LISTING, NOT_LISTING)
    }
    assert (len(lines[LISTING]), len(lines[NOT_LISTING])) == (2, 0)
    assert len(render_evidence(evidence(NoEvidence()))["clauses"][0]["plain"]) == 2


def test_a_repair_tells_codes_and_what_is_legal_and_quotes_nothing():
    bad = '{"segments": [{"kind": "text", "text": "You are covered."}]}'
    verdict = repair_messages("call_1", "answer", bad, (Violation(Code.UNKNOWN_KIND, "a kind", 0),), "clauses: none.")
    assert [message["role"] for message in verdict] == ["assistant", "tool"]
    assert verdict[0]["tool_calls"][0]["function"]["arguments"] == bad
    assert json.loads(verdict[1]["content"]) == {
        "refused": [{"code": "V7", "detail": "a kind", "segment": 0}],
        "legal": "clauses: none.",
    }
    assert [m["role"] for m in repair_messages(None, "answer", "", (), "")] == ["assistant", "user"]


@pytest.fixture(scope="module")
def tokens():
    """How many tokens a text has by LiteLLM's bundled tokenizer."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("OFFLINE_MODE", "true"), ("LOCAL_MODEL_COST_MAP", "True"), ("MODE", "PRODUCTION")):
            patch.setenv(f"LITELLM_{name}", value)
        import litellm

        yield lambda text: litellm.token_counter(model="", text=text)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_M22_R10_three_clauses_the_directory_and_what_stands_around_keep_to_their_budgets(tokens, path):
    document = read_document(path.read_text(encoding="utf-8"))
    clauses = document.clauses
    directory = tuple(DirectoryLine(clause.clause_id, clause.title) for clause in clauses)
    assert tokens(render_directory(directory)) <= 600

    def sent(*some):
        given = tuple(FetchedClause(document.version, document.document_id, c.sha256, c) for c in some)
        return tokens(json.dumps(render_evidence(Evidence(LISTING, Guidance.OK, given)), ensure_ascii=False))

    largest = sorted(clauses, key=lambda clause: tokens(clause.text))[-MAX_CLAUSE_IDS:]
    around = sorted(clauses, key=lambda clause: sent(clause) - tokens(clause.text))[-MAX_CLAUSE_IDS:]
    assert sum(tokens(clause.text) for clause in largest) <= 1200
    assert sent(*around) - sum(tokens(clause.text) for clause in around) <= 1000
    assert all(len(clause.text) <= MAX_CLAUSE_CHARACTERS for clause in clauses)
