"""A coroutine run from code that is not one: what it returns and raises, in a loop or not."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from rubric_engine.errors import CredentialsError
from rubric_engine.threads import blocking, run_anywhere

ERRORS = (
    CredentialsError("no key"),
    ValueError("wrong"),
    TimeoutError("late"),
    OSError(28, "No space left on device"),
    RuntimeError("Event loop is closed"),
    asyncio.CancelledError("stopped"),
    KeyboardInterrupt(),
    SystemExit(3),
    ExceptionGroup("many", [ValueError("one")]),
)

Run = Callable[[Coroutine[Any, Any, Any]], Any]


def in_a_loop(work: Coroutine[Any, Any, Any]) -> Any:
    """Run it as a notebook's cell does; what it raises passes by the outer loop as a value."""

    async def cell() -> tuple[Any, BaseException | None]:
        try:
            return run_anywhere(work), None
        except BaseException as error:  # noqa: BLE001  # handed on as a value
            return None, error

    returned, raised = asyncio.run(cell())
    if raised is not None:
        raise raised
    return returned


@pytest.fixture(params=[run_anywhere, in_a_loop])
def run(request: pytest.FixtureRequest) -> Run:
    """Both ways of running a coroutine."""
    way: Run = request.param
    return way


async def returns(value: object) -> object:
    """Come back with a value, after a turn of the loop."""
    await asyncio.sleep(0)
    return value


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_what_it_raises_is_raised(run: Run, error: BaseException, *, later: bool) -> None:
    async def raises() -> None:
        if later:
            await asyncio.sleep(0)
        raise error

    with pytest.raises(type(error)) as caught:
        run(raises())
    assert str(caught.value) == str(error)


def test_what_it_returns_is_returned(run: Run) -> None:
    assert run(returns("done")) == "done"
    assert run(returns(None)) is None


def test_tasks_that_it_leaves_behind_are_cancelled(run: Run) -> None:
    ended: list[str] = []

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    async def leaves_one() -> None:
        ended.append("left")
        task = asyncio.create_task(forever())
        await asyncio.sleep(0)
        raise ValueError(task.get_name())

    with pytest.raises(ValueError, match="Task"):
        run(leaves_one())
    assert ended == ["left", "cancelled"]


async def aadd(first: int, *, second: int = 2) -> int:
    """Add two numbers."""
    return first + second


def test_what_waits_has_the_name_the_words_and_the_parameters_of_what_it_waits_for() -> None:
    add = blocking(aadd)
    assert (add(1), add(1, second=4)) == (3, 5)
    assert (add.__name__, add.__doc__) == ("add", aadd.__doc__)
    assert inspect.signature(add) == inspect.signature(aadd)
