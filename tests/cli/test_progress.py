"""What is shown while a grading goes on."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from rich.console import Console

from rubric_engine import Criterion, Grade, Rubric
from rubric_engine.cli.live import block
from rubric_engine.cli.pace import clock
from rubric_engine.cli.progress import plain_line
from rubric_engine.cli.watched import Watched
from rubric_engine.connection import Traffic
from rubric_engine.grading import Reason
from rubric_engine.models.retry import Waiting

TRAFFIC = Traffic(
    in_flight=3, limit=4, most=8, asked=1, replayed=2, tokens=12_345, dollars=0.5
)  # fmt: skip


def watched(leaves: int = 4, traffic: Traffic = TRAFFIC) -> Watched:
    root = Criterion(key="root", id="root", requirements="all")
    rows = [
        Criterion.model_validate(
            {"key": f"k{n}", "id": f"k{n}", "requirements": "x", "task_category": "Code Execution"}
        )
        for n in range(leaves)
    ]
    rubric = Rubric.build([(None, root), *(("root", row) for row in rows)])
    found = Watched("a task", rubric, max_cost=2.0)
    found.connected(lambda: traffic)
    return found


def drawn(found: Watched, width: int = 100) -> list[str]:
    console = Console(width=width, record=True, file=None, force_terminal=False, quiet=False)
    with console.capture() as text:
        console.print(block(found))
    return text.get().splitlines()


def test_the_block_has_four_lines_with_all_that_matters() -> None:
    found = watched()
    found.on_grade("k0", Grade.graded(1.0))
    found.on_grade("k1", Grade.ungradeable("refused"))
    found.on_grade("k2", Grade.ungradeable("needs_model"))
    lines = drawn(found)
    assert len(lines) == 4
    assert re.search(r"^a task .*67%  2/3  0:00  ~0:0\d left", lines[0])
    assert lines[1].rstrip() == "score 25.0-100.0%, 25.0% graded   open 1   failed 1"
    assert lines[2].rstrip() == "spent $0.50 of $2.00   12,345 tokens   asked 1   replayed 2"
    assert lines[3].startswith("in flight 3/4, slowed from 8 ")


@pytest.mark.parametrize("reason", ["budget", "cancelled"])
def test_what_a_cap_or_a_person_stopped_did_not_fail(reason: Reason) -> None:
    found = watched()
    found.on_grade("k0", Grade.ungradeable(reason))
    found.on_grade("k1", Grade.ungradeable("refused"))
    assert drawn(found)[1].rstrip().endswith("open 0   failed 1   stopped 1")
    assert " failed=1 stopped=1 " in plain_line(found)


@pytest.mark.parametrize("width", [20, 40, 80])
def test_the_block_keeps_its_lines_on_a_narrow_terminal(width: int) -> None:
    lines = drawn(watched(), width)
    assert len(lines) == 4
    assert all(len(line) <= width for line in lines)


def test_the_plain_line_is_for_programs() -> None:
    found = watched()
    found.on_grade("k0", Grade.graded(0.0))
    line = plain_line(found)
    assert re.fullmatch(
        r"\d\d:\d\d:\d\d grade a task 1/4 25% score=0.0-75.0% graded=25% failed=0 in_flight=3"
        r" replayed=2 cost=0.50 cap=2.00 eta=0:0\d",
        line,
    )


def waiting(seconds: float, waiters: int = 1) -> Traffic:
    until = time.monotonic() + seconds
    wait = Waiting("http://localhost:8000/v1", "HTTP 500", 4, seconds, until)
    return replace(TRAFFIC, waiting=wait, waiters=waiters)


@pytest.mark.parametrize(
    ("waiters", "words"), [(1, "waiting 8 s: "), (30, "30 calls wait, one for 8 s: ")]
)
def test_it_says_what_is_waited_for(waiters: int, words: str) -> None:
    found = watched(traffic=waiting(8.0, waiters))
    told = f"{words}HTTP 500 from http://localhost:8000/v1, attempt 4"
    lines = drawn(found, 80)
    assert len(lines) == 5
    assert lines[4].rstrip() == told
    assert plain_line(found).endswith(f" {told}")
    assert "waiting 0 s" in plain_line(watched(traffic=waiting(-1.0)))


def test_a_request_that_is_long_out_is_told() -> None:
    found = watched(traffic=replace(TRAFFIC, oldest=83.0, limit=8))
    assert drawn(found)[3].startswith("in flight 3/8, oldest 1:23 ")
    assert " oldest=1:23 " in plain_line(found)


def test_no_price_is_a_word() -> None:
    found = watched(traffic=replace(TRAFFIC, dollars=None))
    assert "cost=unpriced" in plain_line(found)
    assert "spent unpriced of" in drawn(found)[2]


def test_before_anything_is_known_it_can_be_shown() -> None:
    found = watched()
    found.connected(Traffic)
    assert "0/4" in plain_line(found)
    assert "eta" not in plain_line(found)
    assert len(drawn(found)) == 4


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0:00"), (7.4, "0:07"), (760, "12:40"), (3723, "1:02:03")]
)
def test_a_clock(seconds: float, shown: str) -> None:
    assert clock(seconds) == shown


def test_what_nobody_is_to_grade_is_no_work_that_is_done() -> None:
    found = watched(8, replace(TRAFFIC, asked=0))
    for n in range(6):
        found.on_grade(f"k{n}", Grade.ungradeable("not_run"))
    assert re.search(r" 0/2 0% .* graded=0% ", plain_line(found))
    found.on_grade("k6", Grade.graded(1.0))
    assert re.search(r" 1/2 50% ", plain_line(found))
    assert drawn(found)[0].split()[-2:] == ["1/2", "0:00"]


@pytest.mark.parametrize("asked", [True, False])
def test_a_run_of_the_script_is_shown_until_something_is_judged(asked: bool) -> None:
    found = watched(traffic=Traffic())
    found.running = lambda: "running 0:42  812 MB  epoch 3"
    lines = drawn(found)
    assert len(lines) == 5
    assert lines[1].rstrip() == "running 0:42  812 MB  epoch 3"
    if asked:
        found.connected(lambda: TRAFFIC)
    else:
        found.on_grade("k0", Grade.ungradeable("not_run"))
    assert len(drawn(found)) == 4


def test_the_time_that_the_script_took_is_no_pace_of_answers() -> None:
    found = watched(100, replace(TRAFFIC, asked=50))
    found.started -= 3600
    found.running = lambda: "running"
    for n in range(50):
        found.on_grade(f"k{n}", Grade.graded(1.0))
    drawn(found)  # the first look while calls are out
    left = found.left(found.traffic())
    assert left is not None
    assert left < 60
