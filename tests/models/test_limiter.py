"""The limiter: how many at once, how it falls and recovers, and how it paces."""

from __future__ import annotations

import asyncio

import pytest

from rubric_engine.models import Limiter


async def _hold(limiter: Limiter, seen: list[int], release: asyncio.Event) -> None:
    async with limiter.slot():
        seen.append(limiter.in_flight)
        await release.wait()


def test_no_more_than_the_limit_are_in_flight() -> None:
    async def run() -> None:
        limiter, release = Limiter(3), asyncio.Event()
        seen: list[int] = []
        tasks = [asyncio.create_task(_hold(limiter, seen, release)) for _ in range(10)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert limiter.in_flight == 3
        release.set()
        await asyncio.gather(*tasks)
        assert max(seen) == 3
        assert len(seen) == 10
        assert limiter.in_flight == 0

    asyncio.run(run())


def test_a_burst_of_refusals_counts_once_and_answers_bring_the_limit_back() -> None:
    async def run() -> None:
        limiter = Limiter(16)
        async with limiter.slot() as first, limiter.slot() as second:
            limiter.crowded(first)
            limiter.crowded(second)
        assert limiter.limit == 8
        for _ in range(200):
            limiter.succeeded()
        assert limiter.limit == 16

    asyncio.run(run())


def test_the_limit_never_falls_below_one() -> None:
    async def run() -> None:
        limiter = Limiter(2)
        for _ in range(5):
            async with limiter.slot() as entered:
                limiter.crowded(entered)
        assert limiter.limit == 1

    asyncio.run(run())


@pytest.mark.parametrize(
    ("settings", "tokens"),
    [({"requests_per_minute": 1200}, 0), ({"tokens_per_minute": 120_000}, 100)],
)
def test_calls_start_no_faster_than_asked_for(settings: dict[str, int], tokens: int) -> None:
    async def run() -> list[float]:
        limiter = Limiter(10, **settings)
        starts: list[float] = []

        async def one() -> None:
            async with limiter.slot(tokens) as entered:
                starts.append(entered)

        await asyncio.gather(*(one() for _ in range(4)))
        return starts

    starts = asyncio.run(run())
    assert starts[-1] - starts[0] >= 3 * 0.05 - 0.005


def test_new_calls_wait_as_long_as_the_server_asks() -> None:
    async def run() -> float:
        limiter = Limiter(4)
        async with limiter.slot() as entered:
            limiter.crowded(entered, wait=0.05)
        async with limiter.slot() as again:
            return again - entered

    assert asyncio.run(run()) >= 0.045


def test_whoever_is_cancelled_while_waiting_takes_nothing() -> None:
    async def run() -> None:
        limiter, release = Limiter(1), asyncio.Event()
        seen: list[int] = []
        first, second, third = (
            asyncio.create_task(_hold(limiter, seen, release)) for _ in range(3)
        )
        await asyncio.sleep(0)
        second.cancel()
        release.set()
        await asyncio.gather(first, third)
        assert second.cancelled()
        assert limiter.in_flight == 0

    asyncio.run(run())


def test_whoever_is_cancelled_just_when_let_in_gives_the_slot_back() -> None:
    async def run() -> None:
        limiter, release = Limiter(1), asyncio.Event()
        seen: list[int] = []
        release.set()
        async with limiter.slot():
            late = asyncio.create_task(_hold(limiter, seen, release))
            await asyncio.sleep(0)
        late.cancel()  # it was let in by the line before, and has not run yet
        with pytest.raises(asyncio.CancelledError):
            await late
        assert limiter.in_flight == 0
        await _hold(limiter, seen, release)
        assert seen == [1]

    asyncio.run(run())
