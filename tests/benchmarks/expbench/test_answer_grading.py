"""What is whose failure: the answer's, the sandbox's, the base's."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.benchmarks.expbench.grading import load_exp_results
from rubric_engine.errors import SandboxError
from rubric_engine.isolation import Execution, RunSpec
from rubric_engine.submitted import Submission
from rubric_engine.testing import FakeSandbox, ScriptedModel
from tests.benchmarks.expbench.twenty import ONE, graded, judge_model, question, write_twenty


class Gone:
    """A sandbox that cannot do its work."""

    name = "fake"
    isolates = True

    async def run(self, submission: Submission, spec: RunSpec) -> Execution:
        """Fail."""
        raise SandboxError("the engine is gone")


@pytest.mark.parametrize(
    ("broken", "code", "why"),
    [
        (FakeSandbox(Execution(status="infra.engine", fault="gone")), 5, "gone"),
        (Gone(), 8, "E801 the engine is gone"),
    ],
)
def test_a_sandbox_that_fails_leaves_e_undefined_and_the_same_command_goes_on(
    tmp_path: Path, broken: Any, code: int, why: str
) -> None:
    write_twenty(tmp_path, ONE)
    found = graded(tmp_path, sandbox=broken)
    (one,) = found.answers
    assert (found.exit_code, one.execution.value) == (code, None)
    assert why in one.execution.why
    assert one.monitor.value is None
    model = judge_model(ONE)
    again = graded(tmp_path, model=model)
    assert again.exit_code == 0
    assert set(again.answers[0].marks(1.0).values()) == {True}
    # What the judge said the first time is on record.
    assert len(model.calls) == (0 if code == 5 else 5)


def test_a_finished_answer_is_asked_nothing_and_a_changed_one_is_graded_anew(
    tmp_path: Path,
) -> None:
    write_twenty(tmp_path, ONE)
    first = graded(tmp_path)
    silent = ScriptedModel([])
    assert graded(tmp_path, model=silent) == first.model_copy(update={"made_at": first.made_at})
    folder = tmp_path / "answers" / question(0, ONE[0]).folder
    (folder / "agent.log").unlink()
    changed = graded(tmp_path, model=silent)  # its prompts are the same
    assert changed.answers[0].monitor.why == "no agent.log"
    assert changed.answers[0].execution.value is True


def test_hostile_names_and_texts_are_kept_and_read_back(tmp_path: Path) -> None:
    write_twenty(tmp_path, ONE)
    folder = tmp_path / "answers" / question(0, ONE[0]).folder
    (tmp_path / "answers" / os.fsdecode(b"\xff\x1b[31m")).mkdir()
    (folder / "answer.json").write_text(
        '{"design": {"\\ud800": "\\u0000"}, "conclusion": "\\udfff"}'
    )
    (folder / "changes.patch").write_bytes(
        b"--- a/\xff\n+++ b/../\xff\n@@ -1 +1 @@\n-\xfe\n+\xff\n"
    )
    (folder / "agent.log").write_bytes(b"\xff\x00\x1b[31m\n")
    found = graded(tmp_path)
    assert found.answers[0].execution.why.startswith("the patch is refused: it leaves the tree")
    assert load_exp_results(tmp_path / "out") == found
    assert len(found.strangers) == 1
