"""Every sentence that the portal says of itself. The model words none of them (`guards.md` 2.2).

A sentence about the waiting list is made here from a committed row's values and nowhere else.
"""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from claims.agent.vocabulary import Field, Form, Outcome, Stage
from knowledge.answers import Missing

NEW_ZEALAND = ZoneInfo("Pacific/Auckland")
OFFLINE_CHOOSER = "offline chooser, not a language model"

FORMS: dict[Form, str] = {
    Form.CANNOT_DECIDE: "I can explain the policy, but I can't decide a claim: whether a loss is accepted is decided "
    "by a person in our claims team.",
    Form.NOT_FOUND: "I could not find a clause in your policy that answers this.",
    Form.UNAVAILABLE: "I can't look up the policy wording right now, so I won't guess what it says. "
    "What you have told us so far is kept.",
    Form.FAMILY_NEEDED: "Before I can look anything up I need to know which policy this is about: motor, home or "
    "contents.",
    Form.NO_SCHEDULE: "I couldn't find a schedule for this policy number, so I can't say which benefits this policy "
    "includes.",
    Form.SORRY: "I'm sorry to hear that, and I hope you are all right.",
    Form.THANKS: "Thank you.",
    Form.WHAT_I_CAN_DO: "I can look up what your policy wording and schedule say, note what happened, and put a "
    "question in front of our staff.",
    Form.ENGLISH_ONLY: "The policy wording is in English, and for now I answer in English. You can ask for a person at "
    "any time.",
    Form.ASK_A_PERSON: "You can ask for a person at any time.",
}

UNAVAILABLE: dict[Missing, str] = {
    Missing.STORE: FORMS[Form.UNAVAILABLE],
    Missing.MISMATCH: FORMS[Form.UNAVAILABLE],
    Missing.NO_RELEASE: "There is no approved policy wording that I can read for this kind of policy at the moment, so "
    "I won't guess what it says. What you have told us so far is kept.",
    Missing.BEFORE_FIRST: "The date of loss is before the first policy wording that I can read, so I can't say what "
    "applied then. What you have told us so far is kept.",
}

SAFE_REPLY = "I couldn't put together an answer I can stand behind."
OVER_BUDGET = "I can't look anything up any more today, so I won't guess. What you have told us so far is kept."
NOT_QUEUED = "I couldn't place your question on the waiting list just now. Please try again, or call us."
TOO_MANY_WAITING = "You already have several questions with our staff today. For anything more, please call us."
NOTHING_RECORDED = "No decision on your claim has been recorded yet that I could show you."
NOTHING_HEARD = "I didn't find anything to note in that message."
LATE = (
    "This takes longer than it should. Your message is kept, and you need not send it again. "
    "Load this page again in a minute, or ask for a person."
)
LOADS_AGAIN = "This page loads again by itself."
SCHEDULE_STILL_READ = "Your schedule can still be read."

FIELD_LABELS: dict[Field, str] = {
    Field.FAMILY: "Kind of policy",
    Field.LOSS_DATE: "Date of loss",
    Field.PLACE: "Place of loss",
    Field.WHAT_HAPPENED: "What happened",
    Field.DRIVER: "Driver",
    Field.POLICE_TOLD: "Police told",
    Field.OTHERS_INVOLVED: "Others involved",
}

QUESTIONS: dict[Field, str] = {
    Field.FAMILY: "Is this about your motor, home or contents policy?",
    Field.LOSS_DATE: "On which date did it happen?",
    Field.PLACE: "Where did it happen?",
    Field.WHAT_HAPPENED: "What happened, in your own words?",
    Field.DRIVER: "Who was driving?",
    Field.POLICE_TOLD: "Have the Police been told, and when?",
    Field.OTHERS_INVOLVED: "Was anybody else involved, and how?",
}

# What is done with a message, while it has no answer yet; before the first stage it waits in line.
STAGES: dict[Stage | None, str] = {
    None: "Your message is in line…",
    Stage.PLANNING: "Reading your message…",
    Stage.LOOKING_UP: "Looking in your policy…",
    Stage.ANSWERING: "Choosing what answers it…",
    Stage.CHECKING: "Checking the answer…",
}

CODE_LABELS: dict[str, str] = {
    "comprehensive": "comprehensive cover",
    "third_party_fire_theft": "third party, fire and theft cover",
    "third_party_only": "third party only cover",
    "agreed_value": "agreed value",
    "market_value": "market value",
    "alternative_transport": "alternative transport",
    "glass_excess_free": "excess-free glass",
    "roadside_assistance": "roadside assistance",
    "business_use": "business use",
    "owner_occupied": "owner-occupied home",
    "landlord_cover": "landlord cover",
    "loss_of_rent": "loss of rent",
    "meth_contamination": "methamphetamine contamination",
    "retaining_walls_specified": "specified retaining walls",
    "pool_specified": "a specified pool",
    "contract_works": "contract works",
    "short_stay_guests": "short-stay guests",
    "replacement_value": "replacement value",
    "present_value": "present value",
    "specified_items": "specified items",
    "overseas_portables": "portable items overseas",
    "storage_cover": "storage cover",
}

REASONS_IN_WORDS = {
    "person": "The customer asked for a person.",
    "needs_decision": "The question asks for a decision on the claim.",
    "over_budget": "The day's budget for automatic answers was spent.",
    "guard_rejected": "The model's reply did not pass the checks.",
    "unavailable": "The policy wording could not be read.",
    "no_schedule": "No schedule was found for the policy number.",
    "not_found": "No clause answers the question.",
}


def pending(stage: str | None, *, is_late: bool) -> str:
    """What the page says of a message that has no answer yet."""
    return LATE if is_late else f"{STAGES[Stage(stage) if stage else None]} {LOADS_AGAIN}"


def code_label(code: str) -> str:
    """The customer's words for a schedule code; an unlabelled code is shown with its underscores as spaces."""
    return CODE_LABELS.get(code, code.replace("_", " "))


def listed(code: str) -> str:
    """R11: the strongest sentence that the portal says about a benefit."""
    return (
        f"Your schedule lists {code_label(code)}, so your policy includes this benefit, "
        "subject to the claim being accepted."
    )


def listed_option(code: str) -> str:
    """For a code that is no clause's benefit, such as the basis of settlement."""
    return f"Your schedule lists {code_label(code)}."


def not_listed(code: str) -> str:
    return f"Your schedule does not list {code_label(code)}, and the clause applies only when the schedule lists it."


def not_listed_option(code: str) -> str:
    return f"Your schedule does not list {code_label(code)}."


def detail(label: str, value: str) -> str:
    return f"Your schedule shows {label}: {value}."


def schedule_list(labels: list[str]) -> str:
    return f"{SCHEDULE_STILL_READ} It lists: {', '.join(labels)}."


def noted(field: Field, value: str, words: str) -> str:
    """`value` is what is stored; `words` are the customer's own, shown in quotation marks."""
    if not words:
        shown = value
    elif value == words:
        shown = f"“{words}”"
    else:
        shown = f"{shown_value(field, value)}, from your words “{words}”"
    return f"I've noted this from your message, for you to confirm. {FIELD_LABELS[field]}: {shown}."


def shown_value(field: Field, value: str) -> str:
    """A stored value for people: a date in words, a family by its name, anything else as it is."""
    if field is Field.LOSS_DATE:
        try:
            return day(date.fromisoformat(value))
        except ValueError:
            return value
    return value


def waiting(reference: str, position: int, due_at: datetime) -> str:
    """Only for a row that is committed with the reply (M9)."""
    return (
        f"I've put your question on the waiting list for our staff. Reference {reference}, number {position} in line; "
        f"a person is due to reply by {day(due_at.astimezone(NEW_ZEALAND).date())}."
    )


def already_waiting(reference: str, position: int, due_at: datetime) -> str:
    return (
        f"Your question is already on the waiting list. Reference {reference}, number {position} in line; "
        f"a person is due to reply by {day(due_at.astimezone(NEW_ZEALAND).date())}."
    )


def recorded_decision(text: str, decided_at: datetime, by: str) -> str:
    """What staff recorded, with the day and the name; the portal adds nothing to it."""
    return f"{by} recorded this on {day(decided_at.astimezone(NEW_ZEALAND).date())}: “{text}”"


def day(value: date) -> str:
    return f"{value.day} {value:%B %Y}"


def outcome_in_words(outcome: str) -> str:
    """For staff's lists."""
    return Outcome(outcome).value.replace("_", " ")
