"""The line under which everything of the adjuster's aid stands (M71)."""

DRAFTING_AID = (
    "Drafting aid for a licensed adjuster: no coverage determination, not legal advice. The adjuster decides, reviews "
    "and signs."
)
