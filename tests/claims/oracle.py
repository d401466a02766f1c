"""What must hold of any reply, judged from the stored documents, the rows and the wire, with no code of the product.

Each oracle is a function from a `Case` to nothing; what does not hold raises `Broken` with the oracle's name.
"""

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.hostile import CANARY, Output

Json = dict[str, Any]

DECIDES = (
    "I can explain the policy, but I can't decide a claim: whether a loss is accepted is decided by a person in our "
    "claims team."
)
SAFE = "I couldn't put together an answer I can stand behind."
TOO_MANY = "You already have several questions with our staff today. For anything more, please call us."
ENGLISH_ONLY = (
    "The policy wording is in English, and for now I answer in English. You can ask for a person at any time."
)
KEPT = "so I won't guess what it says. What you have told us so far is kept."
# The place of a fixed sentence in the reply, by `turn.md`: 2 state, 3 segments and forms, 7 cannot_decide, 8 waiting.
FORMS = {
    ENGLISH_ONLY: 1,
    SAFE: 2,
    f"I can't look up the policy wording right now, {KEPT}": 2,
    f"There is no approved policy wording that I can read for this kind of policy at the moment, {KEPT}": 2,
    "The date of loss is before the first policy wording that I can read, so I can't say what applied then. "
    "What you have told us so far is kept.": 2,
    "I couldn't find a schedule for this policy number, so I can't say which benefits this policy includes.": 2,
    "Before I can look anything up I need to know which policy this is about: motor, home or contents.": 3,
    "I could not find a clause in your policy that answers this.": 3,
    "I'm sorry to hear that, and I hope you are all right.": 3,
    "Thank you.": 3,
    "I can look up what your policy wording and schedule say, note what happened, and put a question in front of our "
    "staff.": 3,
    "No decision on your claim has been recorded yet that I could show you.": 3,
    "I didn't find anything to note in that message.": 3,
    DECIDES: 7,
    TOO_MANY: 8,
}
QUESTIONS = {
    "Is this about your motor, home or contents policy?",
    "On which date did it happen?",
    "Where did it happen?",
    "What happened, in your own words?",
    "Who was driving?",
    "Have the Police been told, and when?",
    "Was anybody else involved, and how?",
}
NOTED = re.compile(
    r"I've noted this from your message, for you to confirm\. (Kind of policy|Date of loss|Place of loss|What happened|"
    r"Driver|Police told|Others involved): (.*)\.",
    re.DOTALL,
)
WAITING = re.compile(
    r"(?:I've put your question on the waiting list for our staff|Your question is already on the waiting list)\. "
    r"Reference (WL-[2-9A-HJKMNP-Z]{8}), number ([0-9]+) in line; a person is due to reply by [0-9]+ \w+ [0-9]{4}\."
)
OUTCOMES = set(
    "failed unavailable family_needed person needs_decision not_found no_schedule not_listed answered told clarify "
    "noted other".split()
)
NEXT = [("plan", "context_resolve"), ("context_resolve", "answer")]
CITING = {"needs_decision", "no_schedule", "not_listed", "answered"}
LABELS = {
    "comprehensive": "comprehensive cover",
    "glass_excess_free": "excess-free glass",
    "owner_occupied": "owner-occupied home",
}


class Broken(AssertionError):
    """A promise that a reply broke; the text begins with the oracle's name."""


@dataclass(frozen=True)
class StoredClause:
    title: str
    schedule_section: str
    plain: tuple[str, ...]
    lines: tuple[str, ...]
    always: frozenset[int]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def shown(self, numbers: list[int]) -> str:
        """Bullets on lines of their own, everything else one after the other."""
        text, before = "", ""
        for line in (self.lines[number - 1] for number in numbers):
            gap = "" if not text else "\n" if "- " in (line[:2], before[:2]) else " "
            text, before = text + gap + line, line
        return text

    def hangs_on(self, number: int) -> int | None:
        """The line that a bullet stands under."""
        if not self.lines[number - 1].startswith("- "):
            return None
        return next(n for n in range(number - 1, 0, -1) if not self.lines[n - 1].startswith("- "))


def read_stored(path: Path) -> dict[str, StoredClause]:
    """The clauses of a stored document, by plain string work."""
    clauses = {}
    for section in path.read_text(encoding="utf-8").split("\n## ")[1:]:
        heading, _, rest = section.partition("\n")
        clause_id, title = heading.split(" ", 1)
        _, block, body = rest.split("```")
        of = re.search(r"^schedule_section:[ ]?(.*)$", block, re.MULTILINE)
        plain = re.findall(r"^  - (.*)$", block.split("\nplain:")[1], re.MULTILINE)
        lines = [line.split("] " if "]*" not in line else "]* ", 1) for line in body.strip().split("\n")]
        always = frozenset(n for n, line in enumerate(body.strip().split("\n"), 1) if re.match(r"\[\w+\]\*", line))
        clauses[clause_id] = StoredClause(
            title,
            of[1] if of else "",
            tuple(json.loads(line) if line.startswith('"') else line for line in plain),
            tuple(line[1] for line in lines),
            always,
        )
    return clauses


@dataclass(frozen=True)
class World:
    """What is true outside the reply: the wording in force by family, and the schedule of the claim's policy."""

    wording: dict[str, StoredClause]
    version: str
    schedule: Json | None

    @property
    def benefits(self) -> set[str]:
        return {clause.schedule_section for clause in self.wording.values()} - {""}


@dataclass(frozen=True)
class Case:
    """One finished turn and everything around it."""

    world: World
    turn: Json
    said: list[str]
    claim: Json
    messages: list[Json]
    evidence: list[str] | None
    outputs: list[Output]
    items: dict[str, str]
    linked: str | None

    @property
    def segments(self) -> list[Json]:
        segments: list[Json] = self.turn["reply"]["segments"]
        return segments

    @property
    def texts(self) -> list[str]:
        return [segment["text"] for segment in self.segments]


def label(code: str) -> str:
    return LABELS.get(code, code.replace("_", " "))


def folded(text: str) -> str:
    kept = "".join(c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c) != "Cf")
    return " ".join(kept.split())


def no_word_of_the_models(case: Case) -> None:
    seen = json.dumps([case.turn, case.claim, case.messages], ensure_ascii=False).casefold()
    assert CANARY not in seen
    for words in ("1,260", "go ahead", "you are covered", "has been declined", "will pay your claim", "escalated"):
        assert words not in "\n".join(case.texts).casefold()


def citations_are_this_turns_evidence(case: Case) -> None:
    cited = [citation["clause_id"] for citation in case.turn["citations"]]
    shown = [s["citation"]["clause_id"] for s in case.segments if s["citation"]]
    assert cited == list(dict.fromkeys(shown))
    assert set(cited) <= set(case.evidence or ()), "a clause that was not fetched in this turn"
    assert not cited or case.turn["outcome"] in CITING
    for citation in case.turn["citations"]:
        stored = case.world.wording[citation["clause_id"]]
        assert (citation["title"], citation["text"]) == (stored.title, stored.text)
        assert citation["version"] == case.world.version


def shown_text_is_the_stored_text(case: Case) -> None:
    for segment in case.segments:
        citation = segment["citation"]
        assert (citation is not None) == (segment["kind"] in {"quote", "plain"})
        if citation is None:
            continue
        stored = case.world.wording[citation["clause_id"]]
        assert citation["version"] == case.world.version
        if segment["kind"] == "plain":
            assert citation["sentences"] == []
            assert segment["text"] == stored.plain[citation["line"] - 1]
        else:
            numbers = citation["sentences"]
            assert citation["line"] is None
            assert numbers == sorted(set(numbers))
            assert segment["text"] == stored.shown(numbers)
            assert {stored.hangs_on(number) for number in numbers} - {None} <= set(numbers)


def always_shown_sentences_are_shown(case: Case) -> None:
    for citation in case.turn["citations"]:
        quotes = [s["citation"] for s in case.segments if s["kind"] == "quote"]
        shown = {n for c in quotes if c["clause_id"] == citation["clause_id"] for n in c["sentences"]}
        assert case.world.wording[citation["clause_id"]].always <= shown


def schedule_sentences_are_the_schedules(case: Case) -> None:
    schedule, benefits = case.world.schedule, case.world.benefits
    texts = [s["text"] for s in case.segments if s["kind"] == "schedule"]
    sections = schedule["sections"] if schedule else []
    true = {f"Your schedule lists {label(code)}." for code in sections if code not in benefits}
    included = {
        code: f"Your schedule lists {label(code)}, so your policy includes this benefit, subject to the claim being "
        "accepted."
        for code in benefits
    }
    absent = {
        code: f"Your schedule does not list {label(code)}, and the clause applies only when the schedule lists it."
        for code in benefits
    }
    if schedule:
        true |= {included[code] if code in sections else absent[code] for code in benefits}
        true |= {f"Your schedule shows {d['label']}: {d['value']}." for d in schedule["details"]}
        true.add(f"Your schedule can still be read. It lists: {', '.join(label(code) for code in sections)}.")
    assert set(texts) <= true
    cited = [case.world.wording[citation["clause_id"]].schedule_section for citation in case.turn["citations"]]
    for code in filter(None, cited) if schedule else ():
        assert (included[code] if code in sections else absent[code]) in texts
        assert code in sections or not any(
            s["kind"] == "plain" and case.world.wording[s["citation"]["clause_id"]].schedule_section == code
            for s in case.segments
        ), "a plain line of a benefit that is not listed"


def every_other_sentence_is_ours(case: Case) -> None:
    place = 0
    for segment in case.segments:
        now = _place(segment, case)
        assert now >= place, f"out of order: {segment}"
        place = now


def _place(segment: Json, case: Case) -> int:
    kind, text = segment["kind"], segment["text"]
    if kind == "form":
        assert text in FORMS, f"no sentence of ours: {text}"
        return FORMS[text]
    if kind in {"quote", "plain"}:
        return 3
    if kind == "schedule":
        return 2 if "does not list" in text or "still be read" in text else 3
    if kind == "noted":
        match = NOTED.fullmatch(text)
        assert match, f"no sentence of ours: {text}"
        words = re.findall(r"“(.*)”", match[2], re.DOTALL)
        told = match[1] == "Kind of policy" and match[2] in {"motor", "home", "contents"}
        assert told or (words and folded(words[-1]) in folded(case.turn["message"])), "not the customer's words"
        return 5
    if kind == "ask":
        assert text in QUESTIONS
        return 6
    assert kind == "escalate"
    assert WAITING.fullmatch(text), f"no sentence of ours: {text}"
    return 8


def waiting_sentence_and_row_go_together(case: Case) -> None:
    said = [match[1] for text in case.texts if (match := WAITING.fullmatch(text))]
    assert said == ([case.linked] if case.linked else []), "a sentence about the waiting list without its row"
    assert case.linked is None or case.items[case.linked] in case.said
    assert (case.turn["waiting_item"] or {}).get("reference") == case.linked
    mentioned = set(re.findall(r"WL-\w+", "\n".join(case.texts)))
    assert mentioned == set(said)
    due = {"failed", "unavailable", "person", "needs_decision", "not_found", "no_schedule"}
    assert case.linked or case.turn["outcome"] not in due or TOO_MANY in case.texts


def nothing_is_decided(case: Case) -> None:
    speaks = any(segment["kind"] in {"quote", "plain", "schedule"} for segment in case.segments)
    assert not speaks or case.texts.count(DECIDES) == 1
    assert case.turn["outcome"] in OUTCOMES
    assert case.claim["decision"] is None


def one_reply_to_each_message(case: Case) -> None:
    replies = [m for m in case.messages if m["turn"] == case.turn["id"] and m["from"] == "portal"]
    assert [reply["text"] for reply in replies] == ["\n".join(case.texts)] == [case.turn["reply"]["text"]]
    asked = [m["text"] for m in case.messages if m["turn"] == case.turn["id"] and m["from"] == "customer"]
    assert asked == [case.turn["message"]] == case.said[-1:]
    assert case.turn["status"] == "done"


def facts_are_the_customers(case: Case) -> None:
    told = [folded(message["text"]) for message in case.messages if message["from"] == "customer"]
    for fact in case.claim["facts"]:
        if not fact["confirmed"] and fact["field"] != "family":
            assert any(fact["value"] in text for text in told) or re.fullmatch(r"[0-9]{4}(-[0-9]{2}){2}", fact["value"])


def a_reply_stands_whole_or_not_at_all(case: Case) -> None:
    """A turn fails when and only when two outputs were bad, one could not be read, or four were not enough.

    A bad output is asked for again once, and so is a provider that fails in passing; a good one never is.
    """
    verdicts = [output.good for output in case.outputs]
    for output, following in pairwise(case.outputs):
        steps, again = (output.tool, following.tool), output.good is False or output.may_pass
        assert steps in ([(output.tool, output.tool)] if again else NEXT), (output.why, steps)
    failures = [output for output in case.outputs if output.good is None]
    must_fail = verdicts.count(False) >= 2 or len(failures) >= 2 or any(not output.may_pass for output in failures)
    if len(verdicts) == 4 and case.outputs[-1].tool != "answer" and verdicts[-1]:
        return
    must_fail = must_fail or (len(verdicts) == 4 and not verdicts[-1])
    assert (case.turn["outcome"] == "failed") is must_fail, [output.why for output in case.outputs]
    assert (SAFE in case.texts) is must_fail
    assert 1 <= len(verdicts) <= 4


ORACLES: tuple[Callable[[Case], None], ...] = (
    one_reply_to_each_message,
    no_word_of_the_models,
    citations_are_this_turns_evidence,
    shown_text_is_the_stored_text,
    always_shown_sentences_are_shown,
    schedule_sentences_are_the_schedules,
    every_other_sentence_is_ours,
    waiting_sentence_and_row_go_together,
    nothing_is_decided,
    facts_are_the_customers,
    a_reply_stands_whole_or_not_at_all,
)


def judge(case: Case) -> None:
    """Raises Broken when one oracle does not hold."""
    for oracle in ORACLES:
        try:
            oracle(case)
        except AssertionError as error:
            raise Broken(f"{oracle.__name__}: {error}\n{json.dumps(case.turn, ensure_ascii=False)[:3000]}") from error
