"""The offline chooser: not a language model. It reads the same prompt as a model and calls the same tools.

It compares texts (`likeness`): the message with the kinds' one-line descriptions, with the directory's titles and
their parts, and with the numbered lines of the clauses that were fetched. It hears no facts, never says that a decision
is wanted (the server's own net does), and has no answer for scripts other than Latin: then it names no clause.
"""

import json
import re
import unicodedata
from typing import Any

from claims.agent.likeness import likeness
from knowledge.answers import MAX_CLAUSE_IDS

_KIND = re.compile(r"^- (question|report|person|status|other): (.+)$", re.MULTILINE)
_DIRECTORY_LINE = re.compile(r"^([A-Z]{3}-[A-Z]{3}-\d{2}): (.+)$", re.MULTILINE)
_TITLE_PARTS = re.compile(r"[,:;()]| and | or ")

# Chosen on the odd rows of the motor inventory; the even rows were not looked at.
KIND_MARGIN = 0.15
NAME_ABOVE = 0.42
NAME_WITHIN = 0.06
FOLLOW_UP_SHARE = 0.5
SAY_ABOVE = 0.30
QUOTE_MARGIN = 0.05


def choose(messages: list[dict[str, Any]], tool: str) -> str:
    """The arguments of the tool call as JSON text. Any prompt of `prompt.py` gives a legal call."""
    system, user = str(messages[0]["content"]), json.loads(messages[1]["content"])
    steps = {"plan": _plan, "context_resolve": _resolve, "answer": _answer}
    return json.dumps(steps[tool](system, user))


def _plan(system: str, user: dict[str, Any]) -> dict[str, Any]:
    descriptions = dict(_KIND.findall(system))
    kinds = list(descriptions)
    scores = dict(zip(kinds, likeness(user["message"], [descriptions[kind] for kind in kinds]), strict=True))
    best = max(kinds, key=lambda kind: scores[kind])
    # A question that is taken for something else is lost; something else taken for a question finds no clause.
    kind = best if scores[best] - scores["question"] > KIND_MARGIN else "question"
    return {"kind": kind, "wants_decision": False, "facts": []}


def _resolve(system: str, user: dict[str, Any]) -> dict[str, Any]:
    directory = dict(_DIRECTORY_LINE.findall(system))
    message = user["message"]
    if not directory or not _is_latin(message):
        return {"clause_ids": []}
    scores = _title_scores(message, directory)
    history = user["history"]
    if history and history[-1]["clause_ids"]:
        before = _title_scores(f"{history[-1]['customer']} {message}", directory)
        scores = {
            clause_id: max(
                score, before[clause_id] * (1 if clause_id in history[-1]["clause_ids"] else FOLLOW_UP_SHARE)
            )
            for clause_id, score in scores.items()
        }
    ranked = sorted(scores, key=lambda clause_id: scores[clause_id], reverse=True)
    top = scores[ranked[0]]
    named = [i for i in ranked if scores[i] >= NAME_ABOVE and top - scores[i] <= NAME_WITHIN]
    return {"clause_ids": named[:MAX_CLAUSE_IDS]}


def _title_scores(message: str, directory: dict[str, str]) -> dict[str, float]:
    """A title is as alike as its likest part: "rental car" is one part of a long title."""
    owners: list[str] = []
    texts: list[str] = []
    for clause_id, title in directory.items():
        parts = [part.strip() for part in _TITLE_PARTS.split(title)]
        for text in dict.fromkeys([title, *(part for part in parts if len(part) > 2)]):
            owners.append(clause_id)
            texts.append(text)
    scores: dict[str, float] = dict.fromkeys(directory, 0.0)
    for clause_id, score in zip(owners, likeness(message, texts), strict=True):
        scores[clause_id] = max(scores[clause_id], score)
    return scores


def _answer(system: str, user: dict[str, Any]) -> dict[str, Any]:
    segments: list[dict[str, Any]] = []
    for number, clause in enumerate(user["evidence"]["clauses"]):
        segment = _best_line(user["message"], clause, at_any_rate=number == 0)
        if segment is not None:
            segments.append(segment)
    return {"segments": segments or [{"kind": "form", "name": "not_found"}]}


def _best_line(message: str, clause: dict[str, Any], *, at_any_rate: bool) -> dict[str, Any] | None:
    """The plain line or the sentence that is likest to the message; a sentence only when it is clearly likelier."""
    plain, sentences = clause["plain"], clause["sentences"]
    plain_scores = dict(zip(plain, likeness(message, list(plain.values())), strict=True))
    sentence_scores = dict(zip(sentences, likeness(message, list(sentences.values())), strict=True))
    line = max(plain_scores, key=lambda key: plain_scores[key], default=None)
    sentence = max(sentence_scores, key=lambda key: sentence_scores[key])
    best = max(plain_scores.get(line or "", 0.0), sentence_scores[sentence])
    if best < SAY_ABOVE and not at_any_rate:
        return None
    if line is not None and plain_scores[line] + QUOTE_MARGIN >= sentence_scores[sentence]:
        return {"kind": "plain", "clause_id": clause["clause_id"], "line": int(line)}
    return {"kind": "quote", "clause_id": clause["clause_id"], "sentences": [int(sentence)]}


def _is_latin(message: str) -> bool:
    letters = [character for character in message if character.isalpha()]
    return not letters or sum("LATIN" in unicodedata.name(c, "") for c in letters) >= len(letters) / 2
