"""The closed vocabularies of a turn. They are stored: a changed value needs a migration of rows."""

from enum import StrEnum


class Kind(StrEnum):
    """What the customer's message is, as the model plans it."""

    QUESTION = "question"
    REPORT = "report"
    PERSON = "person"
    STATUS = "status"
    OTHER = "other"


class Field(StrEnum):
    """What is noted about a claim, in the order in which it is asked for."""

    FAMILY = "family"
    LOSS_DATE = "loss_date"
    PLACE = "place"
    WHAT_HAPPENED = "what_happened"
    DRIVER = "driver"
    POLICE_TOLD = "police_told"
    OTHERS_INVOLVED = "others_involved"


class Outcome(StrEnum):
    """How a turn ended. The order of the members is the order of precedence: the first that applies is the outcome."""

    FAILED = "failed"
    OVER_BUDGET = "over_budget"
    UNAVAILABLE = "unavailable"
    FAMILY_NEEDED = "family_needed"
    PERSON = "person"
    NEEDS_DECISION = "needs_decision"
    NOT_FOUND = "not_found"
    NO_SCHEDULE = "no_schedule"
    NOT_LISTED = "not_listed"
    ANSWERED = "answered"
    TOLD = "told"
    CLARIFY = "clarify"
    NOTED = "noted"
    OTHER = "other"


class Reason(StrEnum):
    """Why something waits for staff. The order of the members is the order of precedence."""

    PERSON = "person"
    NEEDS_DECISION = "needs_decision"
    OVER_BUDGET = "over_budget"
    GUARD_REJECTED = "guard_rejected"
    UNAVAILABLE = "unavailable"
    NO_SCHEDULE = "no_schedule"
    NOT_FOUND = "not_found"


class Guidance(StrEnum):
    """What the lookup of a turn gave; None when no lookup was due."""

    OK = "ok"
    NO_CLAUSE_SELECTED = "no_clause_selected"
    NOT_FOUND = "not_found"
    UNAVAILABLE = "unavailable"


class Status(StrEnum):
    RECEIVED = "received"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Stage(StrEnum):
    PLANNING = "planning"
    LOOKING_UP = "looking_up"
    ANSWERING = "answering"
    CHECKING = "checking"


class Code(StrEnum):
    """What was wrong with a model's output (`guards.md` 2.7)."""

    NO_TOOL_CALL = "V1"
    MALFORMED = "V2"
    NOT_FETCHED = "V3"
    BAD_SPAN = "V4"
    STATE_DISAGREES = "V5"
    FREE_TEXT = "V6"
    UNKNOWN_KIND = "V7"
    OVER_LIMIT = "V8"
    PROVIDER = "V9"


class Form(StrEnum):
    """The server's fixed sentences that a reply may contain; the model may send the first four."""

    NOT_FOUND = "not_found"
    SORRY = "sorry"
    THANKS = "thanks"
    WHAT_I_CAN_DO = "what_i_can_do"
    CANNOT_DECIDE = "cannot_decide"
    UNAVAILABLE = "unavailable"
    FAMILY_NEEDED = "family_needed"
    NO_SCHEDULE = "no_schedule"
    ENGLISH_ONLY = "english_only"
    ASK_A_PERSON = "ask_a_person"


MODEL_FORMS = (Form.NOT_FOUND, Form.SORRY, Form.THANKS, Form.WHAT_I_CAN_DO)
MODEL_REASONS = (Reason.NEEDS_DECISION, Reason.PERSON)
