"""Every figure of a run beside a table computed by hand, over all tasks and by each key."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.benchmarks.tasksets import AgentReply, AgentTask, run_task_set, summarise
from rubric_engine.benchmarks.tasksets.comparing import compare_results
from rubric_engine.benchmarks.tasksets.results import Results, dump_results
from rubric_engine.benchmarks.tasksets.summary import figures, summarise_by
from tests.benchmarks.tasksets.by_hand import answer, claims, leaf, results, row, score
from tests.benchmarks.tasksets.example import task
from tests.benchmarks.tasksets.test_running import small
from tests.cli.conftest import Command

RUN = results(
    row(
        "t1", "writing physics easy L1",
        answer("answered", score(1), 1, interventions=0, claims=claims(4, 1)),
        answer("answered", score(0.5), 2, interventions=1, claims=claims(0, 0)),
        answer("answered", score(0), 3, interventions=2, leaves=[leaf(0.1), leaf(0.3)]),
    ),
    row(
        "t2", "writing biology hard L2",
        answer("answered", score(0.5), 4), answer("answered", score(0.5), 5),
        answer("answered", score(0.5), 6),
    ),
    row(
        "t3", "analysis physics hard L2",
        answer("answered", score(0.8), 7, claims=claims(6, 4)),
        answer("failed", None, 10, interventions=3),
        answer("missing"),
    ),
    row(
        "t4", "analysis biology easy -",
        answer("malformed", score(0.2), 8),
        answer("answered", score(0.25, 0.75), 9),  # one judgement is missing
        answer("failed"),
    ),
)  # fmt: skip

NAMES = (
    "success", "malformed", "failed", "score", "seconds", "seconds_95", "between_tasks",
    "within_tasks", "judge_sd", "hallucination", "interventions",
)  # fmt: skip

# Key, group: each figure and its n. Seconds at 0.95 (n - 1) in ascending order, linear between two.
TABLE: dict[tuple[str, str], list[tuple[float | None, int]]] = {
    ("", ""): [
        (8 / 11, 11), (1 / 11, 11), (2 / 11, 11), (4 / 8, 8), (5.5, 10), (9 + 0.55, 10),
        ((0.09 + 0.09) / 3, 4), ((0.25 + 0) / 2, 2), (0.2, 2), (5 / 10, 10), (6 / 4, 4),
    ],
    ("phase", "writing"): [
        (1, 6), (0, 6), (0, 6), (3 / 6, 6), (3.5, 6), (5 + 0.75, 6),
        (0, 2), (0.125, 2), (0.2, 2), (1 / 4, 4), (1, 3),
    ],
    ("phase", "analysis"): [
        (2 / 5, 5), (1 / 5, 5), (2 / 5, 5), (1 / 2, 2), (8.5, 4), (9 + 0.85, 4),
        (0.09 + 0.09, 2), (None, 0), (None, 0), (4 / 6, 6), (3, 1),
    ],
    ("domain", "physics"): [
        (4 / 5, 5), (0, 5), (1 / 5, 5), (2.3 / 4, 4), (23 / 5, 5), (7 + 0.8 * 3, 5),
        (0.15**2 * 2, 2), (0.25, 1), (0.2, 2), (5 / 10, 10), (6 / 4, 4),
    ],
    ("domain", "biology"): [
        (4 / 6, 6), (1 / 6, 6), (1 / 6, 6), (1.7 / 4, 4), (32 / 5, 5), (8 + 0.8, 5),
        (0.15**2 * 2, 2), (0, 1), (None, 0), (None, 0), (None, 0),
    ],
    ("difficulty", "easy"): [
        (4 / 6, 6), (1 / 6, 6), (1 / 6, 6), (1.7 / 4, 4), (23 / 5, 5), (8 + 0.8, 5),
        (0.15**2 * 2, 2), (0.25, 1), (0.2, 2), (1 / 4, 4), (1, 3),
    ],
    ("difficulty", "hard"): [
        (4 / 5, 5), (0, 5), (1 / 5, 5), (2.3 / 4, 4), (32 / 5, 5), (7 + 0.8 * 3, 5),
        (0.15**2 * 2, 2), (0, 1), (None, 0), (4 / 6, 6), (3, 1),
    ],
    ("autonomy", "L1"): [
        (1, 3), (0, 3), (0, 3), (1.5 / 3, 3), (2, 3), (2 + 0.9, 3),
        (None, 1), (0.25, 1), (0.2, 2), (1 / 4, 4), (1, 3),
    ],
    ("autonomy", "L2"): [
        (4 / 5, 5), (0, 5), (1 / 5, 5), (2.3 / 4, 4), (32 / 5, 5), (7 + 0.8 * 3, 5),
        (0.15**2 * 2, 2), (0, 1), (None, 0), (4 / 6, 6), (3, 1),
    ],
    ("autonomy", "none"): [
        (1 / 3, 3), (1 / 3, 3), (1 / 3, 3), (0.2, 1), (8.5, 2), (8 + 0.95, 2),
        (None, 1), (None, 0), (None, 0), (None, 0), (None, 0),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("key", "group"), TABLE)
def test_figures_are_those_of_the_table_each_with_its_n(key: str, group: str) -> None:
    summaries = summarise_by(RUN, key) if key else (summarise(RUN),)
    found = figures(next(one for one in summaries if one.name == group))
    assert tuple(found) == NAMES
    for (name, figure), (value, n) in zip(found.items(), TABLE[key, group], strict=True):
        assert figure.value == (None if value is None else pytest.approx(value)), name
        assert figure.n == n, name
        assert (figure.why is None) == (value is not None), name


def test_unknown_scores_make_a_range_and_missing_answers_are_in_no_figure() -> None:
    found = summarise(RUN)
    assert (found.tasks, found.asked, found.missing) == (4, 11, 1)
    # 4.0 of the whole ones; 0.25 to 0.75 of one, 0 to 1 of each of two that failed
    assert found.score_range.low == pytest.approx(4.25 / 11)
    assert found.score_range.high == pytest.approx(6.75 / 11)


def test_the_command_and_its_csv_have_the_figures_of_the_table(
    command: Command, tmp_path: Path
) -> None:
    dump_results(RUN, tmp_path)
    flags = [
        word for key in ("phase", "domain", "difficulty", "autonomy") for word in ("--by", key)
    ]
    done = command("bench", "report", tmp_path, *flags, "--csv", tmp_path / "f.csv")
    assert done.code == 0
    assert max(len(line) for line in done.out.splitlines() if not line.startswith("csv ")) <= 80
    told = [" ".join(line.split()) for line in done.out.splitlines()]
    for line in (
        "failure rate 18.2% 11 answers", "variance over tasks 0.0600 4 tasks",
        "variance over samples 0.1250 2 tasks", "hallucination share 50.0% 10 claims",
        "human interventions, an answer 1.5000 4 answers", "missing, in no figure 1 1 answer",
    ):  # fmt: skip
        assert line in told
    with (tmp_path / "f.csv").open(newline="", encoding="utf-8") as file:
        rows = {(r["by"], r["group"], r["figure"]): r for r in csv.DictReader(file)}
    for (key, group), figures_ in TABLE.items():
        for name, (value, n) in zip(NAMES, figures_, strict=True):
            found = rows[key or "all", group, name]
            assert int(found["n"]) == n
            assert (float(found["value"]) if found["value"] else None) == (
                None if value is None else pytest.approx(value)
            )


def scored(agent: str, scores: Sequence[float]) -> Results:
    rows = [
        row(f"t{at}", "p d e L1", answer("answered", score(each))) for at, each in enumerate(scores)
    ]
    return results(*rows, agent=agent)


def test_two_agents_are_compared_task_by_task(command: Command, tmp_path: Path) -> None:
    # Differences 0.1, 0.2, 0.3 twice: mean 0.2, sd sqrt(0.04 / 5), Student's t of 5 is 2.570582.
    first = scored("m1", [0.6, 0.7, 0.8, 0.6, 0.7, 0.8])
    second = scored("m2", [0.5] * 6)
    found = compare_results(first, second)
    half = 2.570582 * (0.04 / 5 / 6) ** 0.5
    assert found.better == "m1"
    assert found.difference == pytest.approx(0.2)
    assert found.interval.low == pytest.approx(0.2 - half)
    assert found.interval.high == pytest.approx(0.2 + half)
    assert found.test.p == pytest.approx(2 / 2**6)
    assert compare_results(second, first).better == "m1"
    for name, one in (("a", first), ("b", second)):
        (tmp_path / name).mkdir()
        dump_results(one, tmp_path / name)
    done = command("bench", "report", tmp_path / "a", tmp_path / "b")
    assert "m1 scores higher than m2 on 6 tasks" in done.out
    assert "difference  +20.0 points of 100, m1 less m2" in done.out
    assert "interval    +10.6 to +29.4" in done.out
    assert "p 0.0312 (exact)" in done.out


def test_differences_either_way_show_none() -> None:
    differences = [0.3, -0.1, 0.2, -0.2, 0.1, 0.0]
    found = compare_results(
        scored("m1", [0.5 + each for each in differences]), scored("m2", [0.5] * 6)
    )
    sums = [
        abs(sum(sign * each for sign, each in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=6)
    ]
    assert found.test.p == pytest.approx(sum(each >= 0.3 - 1e-9 for each in sums) / 2**6)
    assert found.difference == pytest.approx(0.05)
    assert found.better is None


async def uneven(given: AgentTask) -> AgentReply:
    """Right but for the second answer to `a`; breaks on the second of `b`."""
    if (given.task_id, given.sample) == ("b", 1):
        raise ValueError("no answer")
    text = "y" if (given.task_id, given.sample) == ("a", 1) else "x"
    return AgentReply(text=text, interventions=given.sample)


def test_samples_that_differ_and_humans_who_step_in_are_counted(tmp_path: Path) -> None:
    tasks = small(tmp_path, task(), task(task_id="b"))
    places: dict[str, Any] = {"runs": tmp_path / "runs", "out": tmp_path / "out"}
    found = figures(summarise(run_task_set(tasks, uneven, samples=3, **places)))
    # Scores 1, 0, 1 and 1, none, 1.
    by_hand = {
        "success": (5 / 6, 6),
        "failed": (1 / 6, 6),
        "score": (4 / 5, 5),
        "within_tasks": ((1 / 3 + 0) / 2, 2),
        "between_tasks": ((1 / 3) ** 2 / 2, 2),
        "interventions": ((0 + 1 + 2 + 0 + 2) / 5, 5),
    }
    for name, (value, n) in by_hand.items():
        assert found[name].value == pytest.approx(value), name
        assert found[name].n == n, name
