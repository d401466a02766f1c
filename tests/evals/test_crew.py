"""Several at once: one writer, a line before an act goes on, and an end when something breaks."""

import threading
from collections.abc import Mapping
from typing import Any

import pytest

from evals.asking import Task
from evals.crew import Crew


class Book:
    """A journal that keeps who wrote what, and may break."""

    def __init__(self, broken_at: int = 0) -> None:
        self.lines: list[tuple[str, str, str]] = []
        self._broken_at = broken_at

    def _write(self, what: str, task: Task) -> None:
        if len(self.lines) + 1 == self._broken_at:
            raise ValueError("the book is full")
        self.lines.append((what, task.name, threading.current_thread().name))

    def opened(self, task: Task, claim: str, token: str) -> None:
        self._write("opened", task)

    def measured(self, task: Task, seen: Mapping[str, Any]) -> None:
        self._write("measured", task)

    def unknown(self, task: Task, reason: str) -> None:
        self._write("unknown", task)


def task(number: int) -> Task:
    return Task(number, f"DM-{number:02}", 1, "NW", "6011", ("text",), f"key-{number}")


@pytest.mark.parametrize("concurrency", [1, 4])
def test_every_act_is_carried_out_and_its_lines_are_written_by_one_thread_in_its_order(concurrency: int):
    book = Book()
    crew = Crew(book, concurrency)
    stands: list[bool] = []

    def act(number: int) -> None:
        crew.journal.opened(task(number), "CL-1", "t")
        stands.append(("opened", f"DM-{number:02}", threading.main_thread().name) in book.lines)
        crew.journal.measured(task(number), {})

    crew.each([lambda number=number: act(number) for number in range(12)])
    assert stands == [True] * 12, "what is done next is done when the line stands"
    assert {line[2] for line in book.lines} == {threading.main_thread().name}
    assert sorted(line[:2] for line in book.lines) == sorted(
        (what, f"DM-{number:02}") for number in range(12) for what in ("opened", "measured")
    )


def test_as_many_at_once_as_were_asked_for():
    crew = Crew(Book(), 3)
    together = threading.Barrier(3)
    crew.each([lambda: together.wait(timeout=20) and None] * 6)


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_journal_that_breaks_ends_the_run(concurrency: int):
    crew = Crew(Book(broken_at=3), concurrency)
    with pytest.raises(ValueError, match="the book is full"):
        crew.each([lambda number=number: crew.journal.unknown(task(number), "x") for number in range(20)])


@pytest.mark.parametrize("concurrency", [1, 3])
def test_an_act_that_breaks_ends_the_run(concurrency: int):
    def breaks() -> None:
        raise KeyError("here")

    with pytest.raises(KeyError):
        Crew(Book(), concurrency).each([breaks, *[lambda: None] * 5])
