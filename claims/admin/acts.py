"""What the case page can do: each act's form, and the one act of `claims.waiting_list` that it calls.

A form only reads what was typed. Whether an act is possible is the waiting list's to say.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django import forms
from django.contrib.auth.models import User

from claims import waiting_list
from claims.models import WaitingItem
from claims.staff_answers import UnknownClauses, with_clauses
from knowledge.answers import MAX_CLAUSE_IDS
from knowledge.language import decision_problem

MAX_TEXT = 8000
MAX_REASON = 1000
# What a person types on the page and must never lose.
TYPED = ("answer", "clause_ids", "reason", "note", "decision")


@dataclass(frozen=True)
class Problem:
    """Why an act was not done: by field, or `standing` when the state of the item or conversation stands in the way."""

    by_field: Mapping[str, str] = field(default_factory=dict)
    standing: str = ""


def _text(missing: str, longest: int) -> forms.CharField:
    too_long = f"Shorten it to {longest:,} characters, or send it in parts."
    return forms.CharField(max_length=longest, error_messages={"required": missing, "max_length": too_long})


def _lines(text: str) -> str:
    """Browsers send line ends as two characters; a conversation holds one."""
    return text.replace("\r\n", "\n")


class AnswerForm(forms.Form):
    answer = _text("Write the answer first.", MAX_TEXT)
    clause_ids = forms.CharField(required=False, max_length=200)
    seen_seq = forms.IntegerField(min_value=0)
    send_anyway = forms.BooleanField(required=False)

    def clean_answer(self) -> str:
        return _lines(self.cleaned_data["answer"])

    def clean_clause_ids(self) -> tuple[str, ...]:
        parts = self.cleaned_data["clause_ids"].upper().replace(",", " ").split()
        ids = tuple(dict.fromkeys(parts))
        if len(ids) > MAX_CLAUSE_IDS:
            raise forms.ValidationError(f"Name at most {MAX_CLAUSE_IDS} clauses.")
        return ids

    def clean(self) -> None:
        problem = decision_problem(self.cleaned_data.get("answer", ""))
        if problem and not self.cleaned_data.get("send_anyway"):
            self.add_error("send_anyway", f"Not sent yet: {problem}. Change the answer, or tick the box to send it.")


class CloseForm(forms.Form):
    reason = _text("Write why it is closed without an answer.", MAX_REASON)


class NoteForm(forms.Form):
    note = _text("Write the note first.", MAX_TEXT)


class DecisionForm(forms.Form):
    decision = _text("Write the decision first.", MAX_TEXT)

    def clean_decision(self) -> str:
        return _lines(self.cleaned_data["decision"])


def _answer(item: WaitingItem, by: User, given: dict[str, Any], now: datetime) -> None:
    text = with_clauses(item.claim, given["answer"], given["clause_ids"], now)
    waiting_list.answer(reference=item.reference, by=by, text=text, seen_seq=given["seen_seq"], now=now)


def _take(item: WaitingItem, by: User, given: dict[str, Any], now: datetime) -> None:
    waiting_list.take(reference=item.reference, by=by)


def _release(item: WaitingItem, by: User, given: dict[str, Any], now: datetime) -> None:
    waiting_list.release(reference=item.reference, by=by)


def _close(item: WaitingItem, by: User, given: dict[str, Any], now: datetime) -> None:
    waiting_list.close(reference=item.reference, by=by, reason=given["reason"], now=now)


def _note(item: WaitingItem, by: User, given: dict[str, Any], now: datetime) -> None:
    waiting_list.note(reference=item.reference, by=by, text=given["note"], now=now)


def _decide(item: WaitingItem, by: User, given: dict[str, Any], now: datetime) -> None:
    waiting_list.record_decision(reference=item.reference, by=by, text=given["decision"], now=now)


@dataclass(frozen=True)
class Act:
    """`done` is said when it worked; the fields of `form` are what it uses up of what was typed."""

    form: type[forms.Form]
    do: Callable[[WaitingItem, User, dict[str, Any], datetime], None]
    done: str


ACTS = {
    "take": Act(forms.Form, _take, "You have taken {}."),
    "release": Act(forms.Form, _release, "{} is back on the list for anybody to take."),
    "answer": Act(AnswerForm, _answer, "Your answer to {} is in the customer's conversation."),
    "close": Act(CloseForm, _close, "{} is closed. The customer was sent nothing."),
    "note": Act(NoteForm, _note, "The note is on {}. Only staff see it."),
    "decision": Act(DecisionForm, _decide, "The decision is recorded on the claim of {}. The customer can see it."),
}


def carry_out(act: Act, item: WaitingItem, *, by: User, typed: Mapping[str, Any], now: datetime) -> Problem | None:
    """Do it, or say why it was not done; then nothing has changed."""
    form = act.form(typed)
    if not form.is_valid():
        return Problem(by_field={name: str(errors[0]) for name, errors in form.errors.items()})
    try:
        act.do(item, by, form.cleaned_data, now)
    except UnknownClauses as error:
        return Problem(by_field={"clause_ids": str(error)})
    except waiting_list.CannotDo as error:
        return Problem(standing=str(error))
    return None
