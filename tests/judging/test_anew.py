"""Grading again pays for what changed, and for nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rubric_engine import Criterion, Report, grade
from rubric_engine.testing import Request, ScriptedServer
from tests.judging.desk import asked_about, leaf, task

Asked = Counter[str]

A = [leaf(f"a{at}") for at in range(9)]
B = [leaf("b0"), leaf("b1", depends_on=["a2"]), leaf("b2")]


def names(*keys: str) -> set[str]:
    return {f"leaf {key} is there" for key in keys}


class Gradings:
    """Gradings with one ledger; each call grades once for each rubric, of two groups.

    Attributes:
        reports: What came out, in turn.
    """

    def __init__(self, submission: Path, runs: Path) -> None:
        self.reports: list[Report] = []
        self._submission = submission
        self._runs = runs

    def __call__(self, *rounds: tuple[Sequence[Criterion], Sequence[Criterion]]) -> list[Asked]:
        """What each grading asked the server about."""
        asked: list[Asked] = []

        def answer(request: Request) -> None:
            asked[-1][asked_about(request)] += 1

        with ScriptedServer(answer=answer) as server:
            for number, (a, b) in enumerate(rounds):
                asked.append(Counter())
                report = grade(
                    task({"a": a, "b": b}), self._submission, judge="simple",
                    model={"base_url": server.base_url}, run_dir=self._runs / str(number),
                )  # fmt: skip
                assert report.statuses["graded"] == len(a) + len(b)
                self.reports.append(report)
        return asked


@pytest.fixture
def paid(make_tree: Callable[[dict[str, str | bytes]], Path], tmp_path: Path) -> Gradings:
    return Gradings(make_tree({"a.py": "def step(x):\n    return x\n"}), tmp_path / "runs")


def test_a_changed_leaf_is_paid_for_and_those_that_show_it(paid: Gradings) -> None:
    changed = [*A[:2], leaf("a2", "leaf a2 is there, and tested"), *A[3:]]
    first, again = paid((A, B), (changed, B))
    assert set(first) == names(*(each.key for each in (*A, *B)))
    # Five siblings behind it show it as context, and so does what depends on it.
    shown = names("a3", "a4", "a5", "a6", "a7", "b1")
    assert set(again) == {"leaf a2 is there, and tested"} | shown
    assert set(again.values()) == {1}


def test_a_report_names_what_was_paid_for_beside_what_was_replayed(paid: Gradings) -> None:
    changed = [leaf("a0", "leaf a0 is there, and tested"), *A[1:]]
    paid((A, B), (A, B), (changed, B))
    said = [[w.message for w in report.warnings if w.code == "W213"] for report in paid.reports]
    named = (
        "6 calls on record from earlier runs, and new calls for 6 leaves: a0, a1, a2, a3, a4 and"
        " 1 more"
    )
    assert said == [[], [], [named]]
    assert [report.cost["replayed"] for report in paid.reports] == [0, 12, 6]


def test_weights_and_order_of_groups_cost_nothing(paid: Gradings) -> None:
    heavier = [each.model_copy(update={"weight": 7.0}) for each in B]
    _, again = paid((A, B), (A, heavier))
    assert not again


def test_a_leaf_that_comes_last_is_paid_for_alone(paid: Gradings) -> None:
    _, again = paid((A, B), ([*A, leaf("a9")], B))
    assert set(again) == names("a9")
