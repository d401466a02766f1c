"""The decision lint: section 2.9 of the guards as data, and sentences that were written without looking at the lint."""

import pytest

from knowledge.language import decision_problem

BLOCK = [
    "You're covered for this.",
    "We will reimburse you for the taxi.",
    "Your claim has been approved.",
    "Unfortunately your claim will be declined.",
    "This damage is not covered under your policy, so there is nothing to pay.",
    "Northwind will pay up to NZD 60 a day for your hire car.",
    "Go ahead and book the rental; we'll sort out the bill afterwards.",
    "You don't need to worry about the cost of the hire car.",
    "You should be fine to claim for the laptop.",
    "I'd expect this one to go through without any trouble.",
    "You are entitled to 21 days of alternative transport.",
    "Once we've accepted your claim, you'll get NZD 60 a day.",
    "The excess won't apply to you here.",
    "Since the other driver was at fault, you won't have to pay anything.",
    "That brings your payout to NZD 1,260.",
    "Which bank account should the payment go into?",
    "I've checked and everything is in order, so the repairs can start.",
    "As your schedule lists alternative transport, the rental is covered.",
    "Your policy covers the rental while the car is in the workshop.",
    "It looks like this is an accepted loss under MTR-COV-01.",
    "Flood is excluded, so you can't claim for the carpet.",
    "There's no way this gets turned down.",
    "Consider it sorted.",
    "You qualify for the replacement phone.",
    "We accept liability for the damage to your fence.",
    "Your claim is valid.",
    "The assessor will sign this off tomorrow.",
    "I can confirm cover is in place for last night's theft.",
    "Good news: the burglary falls within your policy.",
    "You won't be out of pocket.",
    "Northwind is going to replace the windscreen for you.",
    "That's something we pay for.",
    "In my view you have a strong claim.",
    "You can expect the money within five working days.",
    "Sadly, because the car was left unlocked, nothing will be paid.",
    "Yes, you are.",
    "Clause MTR-BEN-03 means you get a hire car.",
    "The clause says you are covered for this.",
]

ALLOW = [
    "Your policy includes this benefit, subject to the claim being accepted.",
    "The clause says Northwind pays reasonable costs when a claim has been accepted.",
    "I can't tell you whether you're covered; our claims team decides that.",
    "Whether this is paid is decided by a claims assessor.",
    "Your schedule does not list alternative transport, and the clause applies only when it does.",
    "Under MTR-BEN-03, fuel, tolls and parking are not included.",
    "If Northwind accepts a claim for the loss, the clause allows up to NZD 60 a day for up to 21 days.",
    "The clause sets a limit of NZD 60 a day.",
    "Please keep your taxi receipts in case they are needed.",
    "I could not find a clause that answers this.",
    "Nothing has been decided about your claim yet.",
    "No decision has been made, and I am not able to make one.",
    "Did the water come in through the roof or from a pipe?",
    "Were you driving when the accident happened?",
    "The exclusion for wear is in HOM-EXC-01.",
    "The clause says no excess applies to this benefit.",
    "MTR-BEN-03 says that what the customer paid is repaid up to the daily limit.",
    "I can't see your schedule, so I can't say whether this benefit is on your policy.",
    "I can't look up clauses right now, because the knowledge base is unavailable.",
    "The clause says to agree the hire with Northwind first.",
    "The benefit starts when a claim is accepted.",
    "An assessor may ask you for photos.",
    "You asked whether you are covered; that is a decision for our claims team.",
    "I'm sorry about the crash; I hope you are all right.",
    "Your schedule lists these sections: vehicle damage, theft, alternative transport.",
    "The clause does not say anything about pets.",
    "The policy wording treats theft as loss to the insured vehicle.",
    "Please wait for the claims team to confirm before a hire car is booked.",
    "The clause only applies once a claim has been accepted, and yours has not been assessed.",
    "This benefit is included in some motor policies and not in others.",
    "Claims of this kind are assessed by a person, not by me.",
    "According to CNT-CLM-02, new-for-old replacement applies to items under five years old when a claim is accepted.",
    "I don't want to guess about cover.",
    "Which date did the burglary happen?",
    "The clause excludes damage from gradual leaks.",
    "Thank you, that helps.",
]

MORE_BLOCK = [
    "You’re covered, no worries.",
    "YOU ARE COVERED.",
    "Your repairs have been approved.",
    "We'll pay for the hire car.",
    "Northwind covers this kind of damage.",
    "Your phone will not be replaced, because the loss is not covered.",
    "I have passed your question to the claims team.",
    "Your question has been escalated to a manager.",
    "Someone will call you tomorrow.",
    "I'm forwarding this to an assessor.",
    "If the claim is accepted, you'll be reimbursed in full.",
    "Whether or not it was locked, you are covered.",
    "Whether or not it was locked you are covered.",
    "If the claim is accepted you are covered.",
    "Once we accept a claim for the loss you will be reimbursed.",
    "That is payable.",
    "No, you aren't.",
    "You can claim for this.",
]

MORE_ALLOW = [
    "Once a claim is accepted, this benefit can pay up to NZD 1,000 for new keys and locks, and no excess applies.",
    "This benefit does not include fuel, tolls, parking or fines.",
    "Once a claim is accepted, Northwind pays up to NZD 500 for a trailer.",
    "This clause applies only when the schedule lists alternative transport.",
    "The clause asks the policyholder to tell the Police before the vehicle is moved.",
    "The policyholder may need to pay an excess for each event.",
    "Your excess is shown on the schedule.",
    "A complaint is answered within 10 business days of having everything.",
    "The clause lets a person with a licence that is valid here drive the vehicle.",
    "A vehicle that was paid for in part is not treated differently.",
    "The waiting time starts when the theft has been reported to the Police.",
    "The schedule decides which of the two values applies.",
]


@pytest.mark.parametrize("text", BLOCK + MORE_BLOCK)
def test_a_decision_or_a_false_action_is_named(text: str) -> None:
    problem = decision_problem(text)
    assert problem is not None
    assert "“" in problem and "reads as" in problem


@pytest.mark.parametrize("text", ALLOW + MORE_ALLOW)
def test_what_a_clause_a_schedule_or_a_process_says_passes(text: str) -> None:
    assert decision_problem(text) is None


@pytest.mark.parametrize("good", ["Thank you, that helps.", "The clause sets a limit of NZD 60 a day."])
def test_one_bad_sentence_among_good_ones_is_enough(good: str) -> None:
    assert decision_problem(f"{good} You are covered.") is not None
    assert decision_problem(f"{good}\nYour claim is valid\n{good}") is not None
    assert decision_problem("") is None


def test_the_corpus_is_whole() -> None:
    assert (len(BLOCK), len(ALLOW)) == (38, 36)
