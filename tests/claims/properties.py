"""P1 to P10 of `guards.md` 2.8, each a function of its own over what the customer got, the rows and the wire.

They judge from the stored document, the requests that the model was sent and what it answered. Only the catalogue of
the portal's own sentences is read from the product (`wording`), because it is the list of what may be said.
"""

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from claims.agent import wording
from tests.claims import oracle
from tests.claims.oracle import Broken, Json, World, folded
from tests.evil import Sent
from tests.evil_faults import DATABASE, STORE, Fault

VOCABULARY = Path(wording.__file__).parent / "vocab" / "clarify.txt"
CITED_KINDS = {"quote", "plain"}
DUE = {"failed", "over_budget", "unavailable", "person", "needs_decision", "not_found", "no_schedule"}
DEADLINE = 25.0


@dataclass(frozen=True)
class Case:
    """One turn and everything around it. `prefixes` and `secrets` belong to the whole run."""

    world: World
    family: str
    turn: Json
    again: Json | None
    said: list[str]
    claim: Json
    messages: list[Json]
    sent: list[Sent]
    items: dict[str, str]
    before: set[str]
    linked: str | None
    ended_within: float | None
    fault: Fault | None
    prefixes: dict[tuple[str, str], str]
    secrets: tuple[str, ...]

    @property
    def segments(self) -> list[Json]:
        segments: list[Json] = self.turn["reply"]["segments"]
        return segments

    @property
    def texts(self) -> list[str]:
        return [segment["text"] for segment in self.segments]

    @property
    def evidence(self) -> set[str]:
        """The clauses that the wire showed to the model in this turn."""
        shown: set[str] = set()
        for sent in self.sent:
            given = json.loads(sent.request[1]["content"])["evidence"] if sent.tool == "answer" else None
            if given is not None:
                shown |= {clause["clause_id"] for clause in given["clauses"]}
        return shown

    @property
    def commit_failed(self) -> bool:
        return self.fault is not None and self.fault.kind in DATABASE and self.fault.hit


def P1_citations_are_of_this_turns_evidence(case: Case) -> None:
    cited = [citation["clause_id"] for citation in case.turn["citations"]]
    assert cited == list(dict.fromkeys(s["citation"]["clause_id"] for s in case.segments if s["citation"]))
    assert set(cited) <= case.evidence, "a clause that was not fetched in this turn"
    assert not cited or case.turn["outcome"] in oracle.CITING
    assert not cited or case.fault is None or case.fault.kind not in STORE, "from a store that cannot be read"


def P2_what_is_shown_is_the_stored_bytes(case: Case) -> None:
    oracle.shown_text_is_the_stored_text(case)  # type: ignore[arg-type]
    for citation in case.turn["citations"]:
        stored = case.world.wording[citation["clause_id"]]
        shown = (citation["title"], citation["text"].encode(), citation["version"])
        assert shown == (stored.title, stored.text.encode(), case.world.version)


def P3_always_shown_sentences_are_there(case: Case) -> None:
    oracle.always_shown_sentences_are_shown(case)  # type: ignore[arg-type]


def P4_a_waiting_sentence_if_and_only_if_its_row(case: Case) -> None:
    found = [match for text in case.texts if (match := oracle.WAITING.fullmatch(text))]
    said = [match[1] for match in found]
    assert said == ([case.linked] if case.linked else []), "a sentence about the waiting list without its row"
    assert set(re.findall(r"WL-\w+", _ours(case))) == set(said)
    assert (case.turn["waiting_item"] or {}).get("reference") == case.linked
    if case.linked:
        assert case.linked in case.items, "another claim's row"
        assert case.items[case.linked] in case.said, "another question's row"
        assert found[0][0].startswith("Your question is already") is (case.linked in case.before)
    excused = wording.TOO_MANY_WAITING in case.texts or wording.NOT_QUEUED in case.texts
    assert case.linked or case.turn["outcome"] not in DUE or excused, "a row was owed"
    assert (wording.NOT_QUEUED in case.texts) is case.commit_failed
    assert wording.TOO_MANY_WAITING not in case.texts or len(case.items) >= 5


def P5_schedule_sentences_are_the_schedules_state(case: Case) -> None:
    oracle.schedule_sentences_are_the_schedules(case)  # type: ignore[arg-type]
    missing = wording.FORMS[wording.Form.NO_SCHEDULE]
    assert case.world.schedule is None or missing not in case.texts


def P6_every_other_sentence_is_in_the_catalogue(case: Case) -> None:
    for segment in case.segments:
        kind, text = segment["kind"], segment["text"]
        if kind in {"quote", "plain", "schedule"}:
            continue
        if kind == "noted":
            assert _is_noted(text, case.turn["message"]), f"not the customer's words: {text}"
        elif kind == "clarify":
            assert _is_in_the_vocabulary(text), f"no question of the vocabulary: {text}"
            assert json.dumps(text)[1:-1] in case.sent[-1].reply.calls[0].arguments  # type: ignore[union-attr]
        else:
            known = {"form": forms(), "ask": set(wording.QUESTIONS.values()), "escalate": set()}[kind]
            assert text in known or (kind == "escalate" and oracle.WAITING.fullmatch(text)), f"not ours: {text}"
    assert sum(segment["kind"] == "clarify" for segment in case.segments) <= 1
    away = set(wording.UNAVAILABLE.values()) & set(case.texts)
    assert bool(away) is (case.turn["outcome"] == "unavailable")
    is_true = case.fault is not None and case.fault.kind in STORE
    store_words = wording.FORMS[wording.Form.UNAVAILABLE]
    assert store_words not in case.texts or is_true, "unavailable, and the store was there"
    if wording.FORMS[wording.Form.NOT_FOUND] in case.texts:
        assert not case.turn["citations"], "nothing was found, beside something that was"
        assert not is_true or not any(s.tool == "answer" and case.evidence for s in case.sent)


def P7_cannot_decide_stands_beside_any_clause(case: Case) -> None:
    speaks = any(segment["kind"] in {"quote", "plain", "schedule"} for segment in case.segments)
    owed = speaks or case.turn["outcome"] == "needs_decision"
    assert case.texts.count(wording.FORMS[wording.Form.CANNOT_DECIDE]) == 1 or not owed
    assert case.texts.count(wording.FORMS[wording.Form.CANNOT_DECIDE]) <= 1
    assert case.claim["decision"] is None


def P8_exactly_one_reply_by_the_deadline(case: Case) -> None:
    assert case.turn["status"] == "done", "the turn is left without a reply"
    replies = [m["text"] for m in case.messages if m["turn"] == case.turn["id"] and m["from"] == "portal"]
    assert replies == ["\n".join(case.texts)] == [case.turn["reply"]["text"]]
    asked = [m["text"] for m in case.messages if m["turn"] == case.turn["id"] and m["from"] == "customer"]
    assert asked == [case.turn["message"]] == case.said[-1:]
    assert case.again is None or case.again == case.turn, "the same key, another answer"
    assert len(case.sent) <= 4
    assert all(0 < sent.seconds <= DEADLINE for sent in case.sent)
    assert case.ended_within is not None and case.ended_within <= DEADLINE


def P9_nothing_of_another_claim(case: Case) -> None:
    seen = json.dumps([case.turn, case.claim, case.messages], ensure_ascii=False).casefold()
    # The ids that it named and that are not there come back to it in the last step: its own words, to nobody else.
    echo = re.compile(r'"not_found": \[[^\]]*\]')
    wire = echo.sub("", "\n".join(m["content"] for sent in case.sent for m in sent.request[:2])).casefold()
    for secret in case.secrets:
        assert secret.casefold() not in seen, "shown to the customer"
        assert secret.casefold() not in wire, "sent to the model"


def P10_the_prefix_is_the_same_bytes(case: Case) -> None:
    for sent in case.sent:
        has_directory = sent.tool != "plan"
        prefix = json.dumps([sent.request[0], sent.offer], ensure_ascii=False)
        first = case.prefixes.setdefault((sent.tool, case.family if has_directory else ""), prefix)
        assert prefix == first, f"another prefix of {sent.tool}"


def R6_a_reply_is_the_whole_of_what_was_taken(case: Case) -> None:
    """Nothing bad is taken, at any step, and of what is taken nothing is left out: a reply is never trimmed."""
    is_failed = case.turn["outcome"] in {"failed", "over_budget"}
    kinds = {segment["kind"] for segment in case.segments}
    assert not is_failed or not kinds & {*CITED_KINDS, "schedule", "clarify"}
    taken = [one for one, after in zip(case.sent, case.sent[1:], strict=False) if one.tool != after.tool]
    if case.sent and not is_failed:
        taken.append(case.sent[-1])
    for sent in taken:
        arguments = _well_formed(sent)
        if sent.tool == "answer":
            _shown_whole(arguments["segments"], case)


def facts_are_the_customers(case: Case) -> None:
    oracle.facts_are_the_customers(case)  # type: ignore[arg-type]


PROPERTIES: tuple[Callable[[Case], None], ...] = (
    P8_exactly_one_reply_by_the_deadline,
    P1_citations_are_of_this_turns_evidence,
    P2_what_is_shown_is_the_stored_bytes,
    P3_always_shown_sentences_are_there,
    P4_a_waiting_sentence_if_and_only_if_its_row,
    P5_schedule_sentences_are_the_schedules_state,
    P6_every_other_sentence_is_in_the_catalogue,
    P7_cannot_decide_stands_beside_any_clause,
    P9_nothing_of_another_claim,
    P10_the_prefix_is_the_same_bytes,
    R6_a_reply_is_the_whole_of_what_was_taken,
    facts_are_the_customers,
)


def broken_by(case: Case) -> list[Broken]:
    """What does not hold of a turn, by the property's name."""
    found = []
    for holds in PROPERTIES:
        try:
            holds(case)
        except AssertionError as error:
            turn = json.dumps(case.turn, ensure_ascii=False)[:3000]
            outputs = "\n".join(str(sent.reply)[:400] for sent in case.sent)
            found.append(Broken(f"{holds.__name__}: {error}\n{turn}\n{outputs}"))
            if case.turn["reply"] is None:
                break
    return found


@cache
def forms() -> frozenset[str]:
    """Every sentence that a `form` segment may be, but what staff recorded."""
    single = (
        wording.SAFE_REPLY, wording.OVER_BUDGET, wording.NOT_QUEUED, wording.TOO_MANY_WAITING,
        wording.NOTHING_RECORDED, wording.NOTHING_HEARD,
    )  # fmt: skip
    return frozenset({*wording.FORMS.values(), *wording.UNAVAILABLE.values(), *single})


@cache
def vocabulary() -> frozenset[str]:
    return frozenset(VOCABULARY.read_text(encoding="utf-8").split())


def _is_in_the_vocabulary(text: str) -> bool:
    words = re.findall(r"[a-z']+", text.lower())
    plain = re.fullmatch(r"[A-Za-z ,']+\?", text) is not None
    return plain and 4 <= len(words) <= 25 and set(words) <= vocabulary()


def _is_noted(text: str, message: str) -> bool:
    match = oracle.NOTED.fullmatch(text)
    if not match:
        return False
    words = re.findall(r"“(.*)”", match[2], re.DOTALL)
    if match[1] == "Kind of policy":
        return match[2] in {"motor", "home", "contents"}
    return bool(words) and folded(words[-1]) in folded(message)


def _ours(case: Case) -> str:
    """The reply without the customer's own quoted words."""
    return "\n".join(segment["text"] for segment in case.segments if segment["kind"] != "noted")


KEYS = {
    "quote": {"clause_id", "sentences"}, "plain": {"clause_id", "line"}, "schedule": {"section"}, "form": {"name"},
    "noted": {"field"}, "ask": {"field"}, "status": set(), "clarify": {"text"}, "escalate": {"reason"},
}  # fmt: skip


def _well_formed(sent: Sent) -> Json:
    """The arguments of an output that a careful server may take, by the tools' own rules."""
    reply = sent.reply
    assert reply is not None, "no reply at all was taken"
    assert reply.finish_reason not in {"length", "content_filter"}, "an output that was cut or filtered was taken"
    assert [call.name for call in reply.calls] == [sent.tool], "not exactly the one call that was offered"
    arguments = json.loads(reply.calls[0].arguments)
    keys = {"plan": {"kind", "wants_decision", "facts"}, "context_resolve": {"clause_ids"}, "answer": {"segments"}}
    assert set(arguments) == keys[sent.tool]
    if sent.tool == "plan":
        assert type(arguments["wants_decision"]) is bool
        assert arguments["kind"] in {"question", "report", "person", "status", "other"}
    elif sent.tool == "context_resolve":
        assert len(arguments["clause_ids"]) <= 3
        assert all(type(clause_id) is str for clause_id in arguments["clause_ids"])
    else:
        assert 1 <= len(arguments["segments"]) <= 8
        for segment in arguments["segments"]:
            assert set(segment) == {"kind", *KEYS[segment["kind"]]}, "a bad segment was taken"
            numbers = [segment["line"]] if segment["kind"] == "plain" else segment.get("sentences", [])
            assert all(type(number) is int for number in numbers), "a number that is none was taken"
            assert numbers == sorted(set(numbers)) and len(numbers) <= 6
    result: Json = arguments
    return result


def _shown_whole(segments: list[Json], case: Case) -> None:
    """Every segment that was taken stands in the reply, in its order."""
    rest = iter(case.segments)
    for segment in segments:
        assert _is_not_shown_itself(segment, case) or any(_shows(one, segment) for one in rest), f"left out: {segment}"
    wanted = any(segment["kind"] == "escalate" for segment in segments)
    told = {wording.TOO_MANY_WAITING, wording.NOT_QUEUED} & set(case.texts)
    assert not wanted or case.linked or told, "left out: escalate"


def _is_not_shown_itself(segment: Json, case: Case) -> bool:
    """The server says these once and in its own place, or where they are true."""
    kind = segment["kind"]
    return kind in {"schedule", "noted", "ask", "escalate"} or segment.get("name") == "not_found"


def _shows(shown: Json, segment: Json) -> bool:
    citation, kind = shown["citation"], segment["kind"]
    if kind in CITED_KINDS:
        if shown["kind"] != kind or citation["clause_id"] != segment["clause_id"]:
            return False
        return (
            citation["line"] == segment["line"]
            if kind == "plain"
            else set(segment["sentences"]) <= set(citation["sentences"])
        )
    if kind == "form":
        return bool(shown["text"] == wording.FORMS[wording.Form(segment["name"])])
    if kind == "status":
        return bool(shown["text"] == wording.NOTHING_RECORDED)
    return bool(shown["kind"] == "clarify" and shown["text"] == segment["text"])


def folds_to(text: str) -> str:
    """Letters and digits only, compatibility forms folded: for looking for words whatever they are dressed in."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in plain if c.isalnum())
