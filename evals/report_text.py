"""A report as text for a terminal: tables first, words plain, no line without its n."""

from collections.abc import Iterable, Sequence

from evals.figures import in_words, zero_in_words
from evals.measures import MEASURES
from evals.report_values import FamilyFigures, MissCard, Report, SafetyCounter, ScenarioLine

MAIN = ("fetched", "cited", "cited_of_fetched", "precision", "shown")
STAFF = ("refused", "handed_over", "refusal_precision", "decisions", "ended")


def as_text(report: Report) -> str:
    """In the order of `evals.md`: verdict, safety, families, scenarios, misses, guard, cost, limits, provenance."""
    facts = report.facts
    sections = [
        [f"{report.title}: {facts.model_configured or 'nothing answered'}", f"Run {facts.id}, {facts.state}"],
        list(report.verdict),
        ["Must be zero", *_table([_safety_row(counter) for counter in report.safety])],
        *(_family(figures) for figures in report.families),
        _legend() if report.families else [],
        _scenarios(report.scenarios),
        _misses(report.misses),
        [f"Unknown ({len(report.unknown)}): neither right nor wrong"]
        + [f"  {line.name} ({line.repetition})  {line.reason}" for line in report.unknown],
        _guard(report),
        ["Cost and time", *_table(cost_rows(report))],
        ["What this run cannot tell you", *(f"  {line}" for line in report.cannot_tell)],
        ["The seven statements of acceptance", *_table([(str(s.number), s.text, s.figure) for s in report.statements])],
        _provenance(report),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in section) for section in sections if section)


def _table(rows: Sequence[Sequence[str]], indent: str = "  ") -> list[str]:
    if not rows:
        return []
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [indent + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def counted(counter: SafetyCounter) -> str:
    if counter.looked_at is None:
        return "not measured in a run"
    if counter.looked_at == 0:
        return "nothing to look at"
    if counter.wrong == 0:
        return zero_in_words(counter.looked_at)
    return f"{counter.wrong} of {counter.looked_at}"


def _safety_row(counter: SafetyCounter) -> tuple[str, str, str]:
    return counter.name, counted(counter), counter.what


def _family(figures: FamilyFigures) -> list[str]:
    release = f", wording {figures.release}" if figures.release else ""
    lines = [
        f"{figures.family.capitalize()}: {figures.whole.questions} questions, {figures.whole.known} known{release}"
    ]
    for measures in (MAIN, STAFF):
        rows = [("", *(name.replace("_", " ") for name in measures))]
        for group in (*figures.groups, *figures.classes):
            if group.questions:
                rows.append((group.name, *(in_words(group.shares[name]) for name in measures)))
        lines += ["", *_table(rows)]
    repeats = [f"  {n.replace('_', ' ')} {hits} of {of}" for n, (hits, of) in figures.whole.turns.items() if of]
    if any(len(question_turns) for question_turns in repeats) and _is_repeated(figures):
        lines += ["", "Over every repetition, as a mean beside the questions' verdicts:", *repeats]
    return lines


def _is_repeated(figures: FamilyFigures) -> bool:
    return any(figures.whole.turns[name][1] > figures.whole.shares[name].n for name in ("fetched", "ended"))


def _legend() -> list[str]:
    rows = [(name.replace("_", " "), what) for name, what in MEASURES.items()]
    return [
        "Hits of n questions, and in brackets Wilson's interval at 95 %; zero says what it still allows",
        *_table(rows),
    ]


def _scenarios(lines: Sequence[ScenarioLine]) -> list[str]:
    if not lines:
        return []
    rows = [(line.title, in_words(line.share), " ".join(cell.verdict for cell in line.cells)) for line in lines]
    reasons = [
        f"  {line.name} ({cell.repetition})  {cell.reason}" for line in lines for cell in line.cells if cell.reason
    ]
    return ["Scenarios", *_table(rows), *dict.fromkeys(reasons)]


def _misses(cards: Sequence[MissCard]) -> list[str]:
    """Each list of titles stands once, before the cards that it belongs to: most turns of a family saw the same."""
    lists = tuple(dict.fromkeys(card.directory for card in cards if card.directory))
    lines = [f"Misses ({len(cards)}), those that failed first"]
    for number, directory in enumerate(lists, start=1):
        lines += ["", f"  List {number}, {len(directory)} titles"]
        lines += [f"    {clause_id} {title}" for clause_id, title in directory]
    for card in cards:
        saw = (
            f"the {len(card.directory)} titles of list {lists.index(card.directory) + 1}" if card.directory else "none"
        )
        lines += ["", *_miss(card, saw)]
    return lines


def _miss(card: MissCard, saw: str) -> Iterable[str]:
    def named(clause_ids: Iterable[str]) -> str:
        return "; ".join(f"{i} {card.title(i)}".rstrip() for i in clause_ids) or "none"

    case = card.question.case
    kinds = "; ".join(f"{kind} {words}" for kind, words in zip(card.kinds, card.words, strict=True))
    times = f" ({card.missed} of {card.known} times)" if card.known > 1 else ""
    return [
        f"  {case.id}  {case.text}",
        f"      {'failed' if card.failed else 'passed, but'}{times}: {kinds}",
        f"      expected   {named(case.expected)}",
        f"      requested  {named(card.requested)}",
        f"      returned   {named(card.returned)}",
        f"      cited      {named(card.cited)}",
        f"      titles     the model saw {saw}",
        f"      outcome    {card.outcome}; turn {card.turn}",
    ]


def _guard(report: Report) -> list[str]:
    guard = report.guard
    lines = [f"Guard: {guard.turns} turns, {guard.repaired} repaired, {guard.safe_replies} safe replies"]
    lines += _table([(code, f"{n} turns", ", ".join(names)) for code, n, names in guard.trips])
    lines += [f"  ignored what it was given: {name} {what}; turn {turn}" for name, what, turn in guard.ignored]
    return lines


def cost_rows(report: Report) -> list[tuple[str, str]]:
    """Cost and time for people: a name and a value each."""
    cost = report.cost
    return [
        ("time of a turn, p50 and p95", f"{_ms(cost.total_p50)}, {_ms(cost.total_p95)}"),
        ("of that the model", f"{_ms(cost.model_p50)}, {_ms(cost.model_p95)}"),
        ("of that the portal", f"{_ms(cost.server_p50)}, {_ms(cost.server_p95)}"),
        ("calls a turn", "not known" if cost.calls_a_turn is None else f"{cost.calls_a_turn:.2f}"),
        ("tokens in, out", f"{_number(cost.tokens_in)}, {_number(cost.tokens_out)}"),
        ("of the tokens in, cached", "not known" if cost.cached_share is None else f"{100 * cost.cached_share:.0f} %"),
        ("cost", "not known" if cost.cost is None else f"USD {cost.cost:.4f} for {cost.priced} of {cost.turns} turns"),
    ]


def _ms(value: float | None) -> str:
    return "not known" if value is None else f"{value:,.0f} ms"


def _number(value: int | None) -> str:
    return "not known" if value is None else f"{value:,}"


def provenance_rows(report: Report) -> list[tuple[str, str]]:
    """What the run was made with, for people: a name and a value each."""
    facts = report.facts
    changed = {True: ", with changes", False: "", None: ""}[facts.git_dirty]
    asked = f"{facts.repeat} times each, {facts.concurrency} at once, shuffled with seed {facts.seed}"
    rows = [
        ("model", f"{facts.model_configured}, answered as {facts.model_returned or 'unknown'}"),
        ("LiteLLM", facts.litellm_version),
        ("code", f"{facts.git_commit}{changed}"),
        ("asked", f"{', '.join(facts.families)}; {asked}" + (f"; only {', '.join(facts.only)}" if facts.only else "")),
        ("through", f"HTTP, {facts.address}" if facts.address else "the portal's own process"),
        ("by", f"{facts.by}, {facts.trigger}, on {facts.host}"),
        ("began, ended", f"{facts.started_at:%Y-%m-%d %H:%M:%S %Z}, " + _end(report)),
    ]
    rows += [
        (f"{r.family} wording", f"{r.version}, document {r.document_sha256}, manifest {r.manifest}")
        for r in facts.releases
    ]
    return rows + [(f"{name}, SHA-256", value) for name, value in facts.hashes]


def _end(report: Report) -> str:
    ended = report.facts.ended_at
    return "not ended" if ended is None else f"{ended:%Y-%m-%d %H:%M:%S %Z}"


def _provenance(report: Report) -> list[str]:
    return ["What it was made with", *_table(provenance_rows(report))]
