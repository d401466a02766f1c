"""`stack`: the whole product in its own processes, shared by the tests of this folder; every claim is a test's own."""

import contextlib
from collections.abc import Callable, Iterator
from typing import NoReturn

import pytest

from tests.bench import stack as bench
from tests.bench.processes import NotHere


@pytest.fixture(scope="session")
def stack(
    pytestconfig: pytest.Config, missing: Callable[[NotHere], NoReturn], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[bench.Stack]:
    """With files as its store, and a model that takes a fifth of a second a call."""
    with contextlib.ExitStack() as run:
        try:
            found = run.enter_context(bench.running(tmp_path_factory.mktemp("stack"), model_seconds=0.2))
        except NotHere as reason:
            missing(reason)
        yield found


@pytest.fixture(autouse=True)
def closed_talks(stack: bench.Stack) -> Iterator[None]:
    yield
    stack.web.close()
