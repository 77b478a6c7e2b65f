"""Work beside a loop: when it begins, and what comes of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from functools import partial
from typing import Any

import pytest

from rubric_engine.beside import Aside, Beside

STEP_S = 0.1
TURNS = 50


class SlowLoop(asyncio.SelectorEventLoop):
    """A loop whose steps can be made to seem long."""

    skipped = 0.0

    def time(self) -> float:
        """Seconds, with those that were skipped."""
        return super().time() + self.skipped


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run in such a loop."""
    with asyncio.Runner(loop_factory=SlowLoop) as runner:
        runner.run(work)


async def be_busy() -> None:
    """Many turns of the loop, each of which took long."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SlowLoop)
    for _ in range(TURNS):
        await asyncio.sleep(0)
        loop.skipped += STEP_S


def test_it_begins_once_the_loop_waits() -> None:
    async def work() -> None:
        found, ready = list[int](), asyncio.Event()

        def enter(number: int) -> None:
            found.append(number)
            ready.set()

        beside = Beside(Aside(lambda: 1, enter))
        await be_busy()
        assert found == []
        await ready.wait()
        assert found == [1]
        await beside.end()

    run(work())


def test_where_the_loop_never_waits_it_begins_at_the_end() -> None:
    async def work() -> None:
        found = list[tuple[str, bool]]()
        main = threading.get_ident()

        def enter(name: str) -> None:
            found.append((name, threading.get_ident() == main))

        beside = Beside(*(Aside(partial(str, name), enter) for name in "abc"))
        await be_busy()
        await beside.end()
        assert found == [("a", True), ("b", True), ("c", True)]

    run(work())


def test_what_breaks_is_raised_at_the_end() -> None:
    async def work() -> None:
        beside = Beside(Aside(lambda: 1 // 0, print))
        with pytest.raises(ZeroDivisionError):
            await beside.end()

    run(work())


def test_nothing_begins_after_it_was_given_up() -> None:
    async def work() -> None:
        found = list[int]()
        beside = Beside(Aside(lambda: 1, found.append))
        beside.give_up()
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert found == []

    run(work())


def test_what_is_under_way_when_it_is_given_up_is_not_entered() -> None:
    async def work() -> None:
        begun, go_on, found = asyncio.Event(), threading.Event(), list[bool]()
        loop = asyncio.get_running_loop()

        def find() -> bool:
            loop.call_soon_threadsafe(begun.set)
            return go_on.wait()

        beside = Beside(Aside(find, found.append))
        await begun.wait()
        beside.give_up()
        go_on.set()
        await loop.shutdown_default_executor()
        assert found == []

    run(work())
