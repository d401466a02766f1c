"""The offline chooser: not a language model. It reads the same prompt as a model and calls the same tools.

It compares texts (`likeness`): the message with the kinds' one-line descriptions, with the directory's titles and
their parts, and with the numbered lines of the clauses that were fetched. It hears no facts, never says that a decision
is wanted (the server's own net does), and has no answer for scripts other than Latin: then it names no clause.

A title says less than its clause, so it names every clause whose title may fit, up to three, and cites what their
lines bear out.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from claims.agent.likeness import likeness
from knowledge.answers import MAX_CLAUSE_IDS

_KIND = re.compile(r"^- (question|report|person|status|other): (.+)$", re.MULTILINE)
_DIRECTORY_LINE = re.compile(r"^([A-Z]{3}-[A-Z]{3}-\d{2}): (.+)$", re.MULTILINE)
_REMARK = re.compile(r"\([^)]*\)")
_PARTS = re.compile(r"[,:;]| and | or ")

# Chosen on the odd rows of the motor inventory and on 170 invented messages, never on the even rows.
# Something else than a question must be this much liker: then 1 question in 100 is lost, and "ok" is taken for one.
KIND_MARGIN = 0.18
# Whole titles tell best whether anything fits, their parts tell best which.
PART_SHARE = 0.3
# Titles below this fit nothing: 3 in 4 of the invented questions with an answer lie above, 1 in 12 of those without.
NAME_ABOVE = 0.43
# A message that is so short, or that no title fits, goes on with what was last spoken about ...
VAGUE_WORDS = 6
# ... and a clause of the last turn counts as this like: above a chance likeness, below a title that was really meant.
FOLLOW_UP = 0.70
# A clause with no line liker than this says nothing to the message, whatever its title promises.
SAY_ABOVE = 0.31
# ... nor does a clause that a longer message may only be going on with, unless a line of it is clearly meant.
SAY_FOLLOW_UP_ABOVE = 0.45
# A second clause is cited when title and lines together come this near to the first's.
CITE_WITHIN = 0.05
# A plain line is said rather than a sentence that is no more than this liker.
PLAIN_MARGIN = 0.05


def choose(messages: list[dict[str, Any]], tool: str) -> str:
    """The arguments of the tool call as JSON text. Any prompt of `prompt.py` gives a legal call."""
    system, user = str(messages[0]["content"]), json.loads(messages[1]["content"])
    steps = {"plan": _plan, "context_resolve": _resolve, "answer": _answer}
    return json.dumps(steps[tool](system, user))


def _plan(system: str, user: dict[str, Any]) -> dict[str, Any]:
    message = user["message"]
    scores = _likeness_to_described(message, dict(_KIND.findall(system)))
    best = max(scores, key=lambda kind: scores[kind])
    # A question that is taken for something else is lost; something else taken for a question finds no clause.
    is_clear = _is_latin(message) and scores[best] - scores["question"] > KIND_MARGIN
    return {"kind": best if is_clear else "question", "wants_decision": False, "facts": []}


def _resolve(system: str, user: dict[str, Any]) -> dict[str, Any]:
    scores = _title_scores(system, user) if _is_latin(user["message"]) else {}
    ranked = sorted(scores, key=lambda clause_id: scores[clause_id], reverse=True)
    return {"clause_ids": [i for i in ranked if scores[i] > NAME_ABOVE][:MAX_CLAUSE_IDS]}


def _answer(system: str, user: dict[str, Any]) -> dict[str, Any]:
    titles = _title_scores(system, user)
    likest = [(clause, *_likest_line(user, clause)) for clause in user["evidence"]["clauses"]]
    fitting = [
        (titles.get(c["clause_id"], 0.0) + score, c, line)
        for c, line, score in likest
        if score > _least_likeness(user, titles.get(c["clause_id"], 0.0))
    ]
    ranked = sorted(fitting, key=lambda scored: -scored[0])
    segments: list[dict[str, Any]] = []
    for score, clause, line in ranked:
        if ranked[0][0] - score > CITE_WITHIN:
            break
        first = {"kind": "plain", "clause_id": clause["clause_id"], "line": 1}
        # The first plain line says what the clause gives: the customer has read it when the last turn was about it.
        if not segments and clause["plain"] and clause["clause_id"] not in _last_clauses(user) and line != first:
            segments.append(first)
        segments.append(line)
    return {"segments": segments or [{"kind": "form", "name": "not_found"}]}


def _least_likeness(user: dict[str, Any], title_score: float) -> float:
    """What a line must reach to be said: more where the clause is named for the last turn's sake alone."""
    is_guess = title_score == FOLLOW_UP and not _is_vague(user["message"])
    return SAY_FOLLOW_UP_ABOVE if is_guess else SAY_ABOVE


def _is_vague(message: str) -> bool:
    return len(message.split()) <= VAGUE_WORDS


def _likest_line(user: dict[str, Any], clause: dict[str, Any]) -> tuple[dict[str, Any], float]:
    """The segment that shows the clause's likest line, and how like the message it is.

    A benefit that the schedule does not list comes without plain lines: then what counts is what it depends on.
    """
    plain, sentences = clause["plain"], clause["sentences"]
    message = user["message"]
    plain_scores = dict(zip(plain, likeness(message, list(plain.values())), strict=True))
    sentence_scores = dict(zip(sentences, likeness(message, list(sentences.values())), strict=True))
    best = max(*plain_scores.values(), *sentence_scores.values())
    if plain_scores and max(plain_scores.values()) + PLAIN_MARGIN >= best:
        line = max(plain_scores, key=lambda number: plain_scores[number])
        return {"kind": "plain", "clause_id": clause["clause_id"], "line": int(line)}, best
    if not plain and clause["schedule_section"]:
        code = clause["schedule_section"].replace("_", " ")
        sentence_scores = dict(zip(sentences, likeness(code, list(sentences.values())), strict=True))
    sentence = max(sentence_scores, key=lambda number: sentence_scores[number])
    return {"kind": "quote", "clause_id": clause["clause_id"], "sentences": [int(sentence)]}, best


def _title_scores(system: str, user: dict[str, Any]) -> dict[str, float]:
    """How like each title of the directory is to the message; none without a directory."""
    scores = _likeness_to_described(user["message"], dict(_DIRECTORY_LINE.findall(system)))
    if scores and (_is_vague(user["message"]) or max(scores.values()) < NAME_ABOVE):
        for clause_id in _last_clauses(user):
            if clause_id in scores:
                scores[clause_id] = max(scores[clause_id], FOLLOW_UP)
    return scores


def _last_clauses(user: dict[str, Any]) -> list[str]:
    return list(user["history"][-1]["clause_ids"]) if user["history"] else []


def _likeness_to_described(message: str, descriptions: Mapping[str, str]) -> dict[str, float]:
    """The likeness to a whole description and to its likest part: "rental car" is one part of a long title."""
    wholes = {name: _REMARK.sub("", description).strip() for name, description in descriptions.items()}
    owners: list[str] = []
    parts: list[str] = []
    for name, text in wholes.items():
        for part in (text, *_PARTS.split(text)):
            if len(part.strip()) > 2:
                owners.append(name)
                parts.append(part.strip())
    whole = dict(zip(wholes, likeness(message, list(wholes.values())), strict=True))
    likest = dict.fromkeys(descriptions, 0.0)
    for name, score in zip(owners, likeness(message, parts), strict=True):
        likest[name] = max(likest[name], score)
    return {name: (1 - PART_SHARE) * whole[name] + PART_SHARE * likest[name] for name in descriptions}


def _is_latin(message: str) -> bool:
    letters = [character for character in message if character.isalpha()]
    return not letters or sum("LATIN" in unicodedata.name(c, "") for c in letters) >= len(letters) / 2
