"""What failed is asked for again once a grading, also where a second round follows the first."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.benchmarks.expbench.grading import grade_answers
from rubric_engine.connection import Spending
from rubric_engine.model import OverBudget, Refused
from rubric_engine.testing import ScriptedModel
from rubric_engine.testing.scripted_model import ModelAnswer, ModelCall
from tests.benchmarks.expbench.twenty import Known, write_twenty

TWO = (Known("p1", script="works"), Known("p2", script="works"))


@pytest.mark.parametrize(
    ("leaf", "over"),
    [("@0.I1@", "@1."), ("@0.C0@", "@0.I1@")],
    ids=["another answer", "the same answer"],
)
def test_a_leaf_that_was_refused_is_asked_once_more_and_not_twice(
    tmp_path: Path, leaf: str, over: str
) -> None:
    refused: list[int] = []

    def say(call: ModelCall) -> ModelAnswer:
        asked = call.messages[-1].content.split("CRITERION (")[-1]
        if leaf in asked:
            refused.append(call.number)
            return Refused("it would rather not")
        return OverBudget("the cap is used up") if over in asked else True

    write_twenty(tmp_path, TWO)
    counts = []
    for spending in (Spending(), Spending(retry_failed=True)):
        found = grade_answers(
            tmp_path / "answers",
            tmp_path / "tasks",
            model=ScriptedModel(say),
            repos=tmp_path / "repos",
            runs=tmp_path / "runs",
            out=tmp_path / "out",
            spending=spending,
            concurrency=1,
        )
        assert (found.exit_code, found.status) == (6, "stopped")
        counts.append(len(refused))
    assert counts == [1, 2]
