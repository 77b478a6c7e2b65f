"""How grading answers goes on, on stderr."""

from __future__ import annotations

from contextlib import closing

import pytest

from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome, LeafOutcome
from rubric_engine.cli.expbench_watch import Watching
from rubric_engine.cli.progress import plain_line
from rubric_engine.connection import Traffic


def answer(task: str, *scores: float | None, trouble: str | None = None) -> AnswerOutcome:
    leaves = tuple(
        LeafOutcome(key=str(at), category="Design", requirements="", worth=0.5, score=score)
        for at, score in enumerate(scores)
    )
    return AnswerOutcome(task=task, paper="a/b", kind=1, leaves=leaves, trouble=trouble)


def test_an_answer_is_shown_as_a_leaf_is() -> None:
    with closing(Watching(max_cost=2.0, silent=False)) as watching:
        watching.begin(["a", "b", "c", "d"])
        watching.connected(lambda: Traffic(asked=9, tokens=100))
        watched = watching.shown.watched
        assert watched is not None
        watching.graded(answer("a", 1.0, 0.0, None))
        assert watched.score().value == 0.125
        watching.graded(answer("b", trouble="E801 the engine is gone"))
        watching.graded(answer("c"))  # nothing was handed in
        line = plain_line(watched)
        assert " expbench answers 3/4 75% score=16.7-83.3% graded=33% failed=1 " in line
        assert " cap=2.00" in line
    assert watching.shown.watched is None


def test_nothing_is_shown_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with closing(Watching(max_cost=None, silent=True)) as watching:
        watching.begin(["a"])
        watching.graded(answer("a", 1.0))
    assert capsys.readouterr().err == ""
