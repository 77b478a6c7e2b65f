"""What is foreseen of a grading that goes on is what it then asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rubric_engine.benchmarks.expbench.grading import grade_answers
from rubric_engine.benchmarks.expbench.grading.asked import Grading
from rubric_engine.benchmarks.expbench.grading.foreseeing import foresee_grading
from rubric_engine.benchmarks.expbench.grading.questions import read_questions
from rubric_engine.benchmarks.expbench.grading.results_folder import read_outcomes
from rubric_engine.connection import Spending
from rubric_engine.testing import Reply, Request, ScriptedServer
from tests.benchmarks.expbench.twenty import ByScript, Known, write_twenty
from tests.benchmarks.tasksets.test_stopping import GOOD

TWO = (Known("p1"), Known("p2"))


def says(request: Request) -> Reply:
    """One leaf is refused."""
    asked = request.question.split("CRITERION (")[-1]
    return Reply(None, refusal="I would rather not.") if "@0.I1@" in asked else GOOD


@pytest.mark.parametrize(
    ("spending", "calls"),
    [(Spending(), 0), (Spending(retry_failed=True), 1), (Spending(fresh=True), 0)],
)
def test_of_kept_answers_exactly_what_is_asked_again_is_foreseen(
    tmp_path: Path, spending: Spending, calls: int
) -> None:
    write_twenty(tmp_path, TWO)
    answers, box, runs = tmp_path / "answers", ByScript(), tmp_path / "runs"
    places: dict[str, Any] = {"repos": tmp_path / "repos", "runs": runs, "out": tmp_path / "out"}
    with ScriptedServer(answer=says) as server:
        model = {"name": "m", "base_url": server.base_url}

        def graded(**more: Any) -> int:
            grade_answers(
                answers, tmp_path / "tasks", model=model, sandbox=box, **places, **more
            )  # fmt: skip
            return len(server.requests)

        before = graded()
        questions = read_questions(tmp_path / "tasks", tmp_path / "repos")
        how = Grading("simple", model, runs, spending, box)
        found = foresee_grading(questions, answers, how, read_outcomes(tmp_path / "out"))
        assert (found.calls, graded(spending=spending) - before) == (calls, calls)
        assert foresee_grading(questions, answers, how, {}).calls >= calls
