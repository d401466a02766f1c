"""The portal's own share of a lookup turn: its time without the model's, and its database queries.

    uv run python -m benchmarks.lookup_turn              SQLite, and PostgreSQL where it is installed
    uv run python -m benchmarks.lookup_turn --turns 50

A message is posted through the whole handler, as a web server would, to a model that answers at once: plan, a clause to
fetch, one of its lines. Each database is measured in a process of its own, with DEBUG off and an empty folder. Aim:
40 ms and 25 queries. The PostgreSQL of the bench writes nothing to disk (fsync off), so a real one is slower.
"""

import argparse
import contextlib
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
AIM_MS, AIM_QUERIES = 40, 25
TURNS_A_CLAIM = 10
WARM_UP = 5
CONTROL = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
SCRIPT = {
    "plan": {"kind": "question", "wants_decision": False, "facts": []},
    "context_resolve": {"clause_ids": ["MTR-BEN-03"]},
    "answer": {"segments": [{"kind": "plain", "clause_id": "MTR-BEN-03", "line": 1}]},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--statements", action="store_true", help="also the statements of the last turn")
    options = parser.parse_args()
    if "BENCHMARK_CHILD" in os.environ:
        json.dump(measure(options.turns), sys.stdout)
        return
    for name, result in results(options.turns):
        print(name)
        print(f"  time     median {result['median']:.1f} ms, p95 {result['p95']:.1f} ms (aim: {AIM_MS} ms)")
        print(f"  of that  {result['processor']:.1f} ms of this process's processor, which a busy machine changes less")
        print(f"  queries  {result['queries']} (aim: {AIM_QUERIES}), beside {result['control']} of transactions")
        print(f"  turns    {result['turns']}, all answered with a citation")
        if options.statements:
            print(*(f"    {count} x {statement}" for statement, count in result["statements"]), sep="\n")


def results(turns: int) -> Iterator[tuple[str, dict[str, Any]]]:
    from tests.bench import postgresql
    from tests.bench.processes import NotHere

    yield "SQLite", in_own_process(turns, "")
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(postgresql.running())
        except NotHere as missing:
            print(f"PostgreSQL\n  not measured: {missing}")
            return
        yield "PostgreSQL", in_own_process(turns, postgresql.fresh_database(server))


def in_own_process(turns: int, database_url: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("PORTAL_", "S3_"))},
            "BENCHMARK_CHILD": "1",
            "PORTAL_VAR_DIR": folder,
            "DATABASE_URL": database_url or f"sqlite:///{folder}/db.sqlite3",
            "DJANGO_SETTINGS_MODULE": "portal.settings",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "DEBUG": "off",
            "ALLOWED_HOSTS": "localhost",
            "LOG_LEVEL": "ERROR",
            "PYTHONWARNINGS": "ignore",
            "PORTAL_MESSAGES_A_MINUTE": "0",
            "PORTAL_CLAIMS_AN_HOUR": "0",
        }
        command = [sys.executable, "-m", "benchmarks.lookup_turn", "--turns", str(turns)]
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        result: dict[str, Any] = json.loads(done.stdout)
        return result


def measure(turns: int) -> dict[str, Any]:
    import django

    django.setup()
    prepare()
    from django.db import connection

    from evals.driver import in_process

    call, model, statements = in_process(), StubModel(), []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append(sql)
        return execute(sql, params, many, context)

    times: list[float] = []
    processor: list[float] = []
    claim: dict[str, Any] = {}
    with model.answering(), connection.execute_wrapper(note):
        for number in range(turns + WARM_UP):
            if number % TURNS_A_CLAIM == 0:
                opening = {"policy_number": "NW-MTR-204518", "postcode": "6011"}
                claim = call("POST", "/api/claims/", "", opening).body
            statements.clear()
            model.seconds = 0.0
            started, spent = time.perf_counter(), time.process_time()
            path = f"/api/claims/{claim['reference']}/messages/"
            answer = call("POST", path, f"Bearer {claim['token']}", {"text": f"Is a rental car included ({number})?"})
            times.append((time.perf_counter() - started - model.seconds) * 1000)
            processor.append((time.process_time() - spent) * 1000)
            if answer.status != 201 or [c["clause_id"] for c in answer.body["citations"]] != ["MTR-BEN-03"]:
                sys.exit(f"turn {number} was not answered as it should be: {answer}")
    measured = sorted(times[WARM_UP:])
    control = sum(sql.startswith(CONTROL) for sql in statements)
    return {
        "median": statistics.median(measured),
        "p95": measured[round(0.95 * (len(measured) - 1))],
        "processor": statistics.median(processor[WARM_UP:]),
        "queries": len(statements) - control,
        "control": control,
        "turns": len(measured),
        "statements": Counter(sql[:150] for sql in statements).most_common(),
    }


def prepare() -> None:
    """Tables, wording and policies, as the demo's content gives them."""
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from claims.demo_policies import seed_policies
    from knowledge.seeding import seed_knowledge

    call_command("migrate", verbosity=0)
    editor, approver = (User.objects.create(username=name) for name in ("editor", "approver"))
    seed_knowledge(editor=editor, approver=approver)
    seed_policies()


class StubModel:
    """Stands where the conversation asks its model; `seconds` is what it spent since it was set to 0."""

    seconds = 0.0

    def ask(self, config: Any, messages: Any, tool: dict[str, Any], seconds: float) -> Any:
        from claims.agent.model import ModelReply, ToolCall

        started = time.perf_counter()
        name = tool["function"]["name"]
        reply = ModelReply((ToolCall("call", name, json.dumps(SCRIPT[name])),), None, "tool_calls", "stub")
        self.seconds += time.perf_counter() - started
        return reply

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        from claims import conversation

        real = conversation.ask_model
        conversation.ask_model = self.ask
        try:
            yield
        finally:
            conversation.ask_model = real


if __name__ == "__main__":
    main()
