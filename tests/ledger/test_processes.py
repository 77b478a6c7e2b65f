from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rubric_engine.ledger import Claim, Entry, Ledger, RecordedModel
from rubric_engine.model import Usage
from tests.ledger.conftest import Asked, prompt


def _start(root: Path, path: Path, keys: int, tasks: int, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.ledger.child", str(path), str(keys), str(tasks), *more],
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
    )


def _killed(process: subprocess.Popen[str], after: int) -> list[str]:
    """Kill a process after some lines; return all that it still said."""
    assert process.stdout is not None
    with process:
        lines = [process.stdout.readline() for _ in range(after)]
        process.kill()
        lines += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return [line.strip() for line in lines if line.endswith("\n")]


@pytest.mark.slow
def test_whatever_was_committed_outlives_a_kill_at_any_instant(root: Path, path: Path) -> None:
    keys, tasks, kills = 100_000, 20, 20
    draw = random.Random(7)
    done: dict[str, str] = {}
    for _ in range(kills):
        said = _killed(_start(root, path, keys, tasks), draw.randrange(1, 400) + len(done))
        asked = {line.split()[1] for line in said if line.startswith("ask")}
        assert not asked & done.keys()
        done |= dict(line.split()[1:] for line in said if line.startswith("done"))
        with Ledger.open(path) as ledger:
            for number, key in done.items():
                entry = ledger.find(key)
                assert entry is not None
                assert entry.text == f"{number} " * 200
                assert ledger.prompt(key)[-1].content == number
            assert ledger.info().entries <= len(done) + tasks
    assert len(done) > kills


def test_a_request_that_died_with_its_process_is_billed_at_its_bound(
    root: Path, path: Path
) -> None:
    _killed(_start(root, path, 3, 3, "hold"), 3)
    with Ledger.open(path) as ledger:
        spent = ledger.spent("r")
    assert (spent.calls, spent.attempts, spent.uncounted) == (3, 3, 3)
    assert (spent.usage, spent.dollars) == (Usage(input_tokens=3000), 0.75)
    with Ledger.open(path) as ledger:
        assert ledger.spent("r") == spent


def test_an_attempt_that_was_billed_is_not_billed_again_when_its_process_dies(
    root: Path, path: Path
) -> None:
    _killed(_start(root, path, 3, 3, "hold", "billed"), 3)
    with Ledger.open(path) as ledger:
        spent = ledger.spent("r")
    assert (spent.calls, spent.attempts, spent.uncounted) == (3, 3, 0)
    assert spent.usage == Usage(input_tokens=21)


def test_processes_that_race_for_the_same_keys_ask_once_for_each(root: Path, path: Path) -> None:
    processes = [_start(root, path, 200, 50) for _ in range(3)]
    said = [process.communicate()[0].splitlines() for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    asked = sorted(int(line.split()[1]) for lines in said for line in lines if "ask" in line)
    assert asked == list(range(200))
    for lines in said:
        assert sum("done" in line for line in lines) == 200


def test_a_claim_ends_with_the_process_that_holds_it(root: Path, path: Path) -> None:
    holder = _start(root, path, 1, 1, "hold")
    assert holder.stdout is not None
    assert holder.stdout.readline() == "ask 0\n"
    waiter = _start(root, path, 1, 1)
    holder.kill()
    said = waiter.communicate()[0]
    holder.communicate()
    assert [line.split()[:2] for line in said.splitlines()] == [["ask", "0"], ["done", "0"]]


def test_a_claim_of_a_living_process_is_waited_for(path: Path) -> None:
    async def scene() -> tuple[Entry | Claim, Entry]:
        with Ledger.open(path) as one, Ledger.open(path) as other:
            claim = await one.claim("k")
            assert isinstance(claim, Claim)
            waiting = asyncio.create_task(other.claim("k"))
            done, _ = await asyncio.wait([waiting], timeout=0.1)
            assert not done
            entry = Entry(key="k", text="paid")
            await one.commit(claim, entry)
            return await waiting, entry

    found, entry = asyncio.run(scene())
    assert found == entry


def test_closing_gives_claims_up(path: Path) -> None:
    async def scene() -> None:
        with Ledger.open(path) as other:
            with Ledger.open(path) as one:
                assert isinstance(await one.claim("k"), Claim)
            assert isinstance(await other.claim("k"), Claim)

    asyncio.run(scene())


def test_a_claim_that_ended_cannot_end_the_next_one(ledger: Ledger) -> None:
    async def scene() -> None:
        first = await ledger.claim("k")
        assert isinstance(first, Claim)
        ledger.release(first)
        second = await ledger.claim("k")
        assert isinstance(second, Claim)
        ledger.release(first)
        third = asyncio.create_task(ledger.claim("k"))
        done, _ = await asyncio.wait([third], timeout=0.05)
        assert not done
        ledger.release(second)
        assert isinstance(await third, Claim)

    asyncio.run(scene())


def test_a_loop_that_closed_with_a_call_under_way_leaves_the_ledger_usable(
    ledger: Ledger,
) -> None:
    async def abandoned() -> None:
        stuck = RecordedModel(Asked(gate=asyncio.Event()), ledger, run="r")
        task = asyncio.create_task(stuck.complete(prompt("q"), schema=None))
        await asyncio.wait([task], timeout=0.05)

    asyncio.run(abandoned())
    answer = asyncio.run(RecordedModel(Asked(), ledger, run="r").complete(prompt("q"), schema=None))
    assert not answer.replayed
