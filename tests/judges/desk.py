"""What the tests of the rules judge share: one leaf, one submission, one grade."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rubric_engine.case import Case, Task
from rubric_engine.criterion import Criterion
from rubric_engine.grading import CheckResult, Grade
from rubric_engine.isolation import Execution, Log
from rubric_engine.judge import Judge
from rubric_engine.judges import RulesJudge
from rubric_engine.rubric import Rubric
from rubric_engine.submission import load_submission
from rubric_engine.submitted import Submission

Files = Mapping[str, str | bytes]
"""Content by relative path."""

CODE = "Code Development"
RESULT = "Result Analysis"


def written(folder: Path, files: Files) -> Submission:
    """Write files into a folder and load it as a submission."""
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    folder.mkdir(exist_ok=True)
    return load_submission(folder, allow_empty=True)


def ran(
    before: Submission, after: Submission | None = None, *, log: str | Log = "", **more: Any
) -> Execution:
    """A run that turned one submission into another."""
    old = {file.path: file.sha256 for file in before.files}
    new = {file.path: file.sha256 for file in (after or before).files}
    fields: dict[str, Any] = {
        "status": "ok",
        "exit_code": 0,
        "created": tuple(path for path in new if path not in old),
        "modified": tuple(path for path in new if path in old and old[path] != new[path]),
        "log": Log(head=log) if isinstance(log, str) else log,
        "submission": after or before,
    }
    return Execution(**(fields | more))


def leaf_of(checks: Sequence[Mapping[str, Any]], key: str = "leaf", **more: Any) -> Criterion:
    """A leaf with checks as a rubric file spells them."""
    fields = {"id": key, "key": key, "requirements": "It works", "task_category": CODE}
    return Criterion.model_validate(fields | more | {"checks": list(checks)})


def rubric_of(leaves: Sequence[Criterion]) -> Rubric:
    """A root over some leaves."""
    root = Criterion(id="root", key="root", requirements="All of it")
    return Rubric.build([(None, root), *(("root", leaf) for leaf in leaves)])


def grades_of(
    leaves: Sequence[Criterion],
    submission: Submission,
    run: Execution | None = None,
    judge: Judge | None = None,
    *,
    sample: int = 0,
) -> dict[str, Grade]:
    """Let a judge grade leaves; the rules judge if none is given."""
    case = Case(Task("task", rubric_of(leaves)), submission, run)

    async def collect() -> dict[str, Grade]:
        asked = (judge or RulesJudge()).grade(leaves, case, sample=sample)
        return {key: grade async for key, grade in asked}

    return asyncio.run(collect())


def grade_of(
    checks: Sequence[Mapping[str, Any]],
    submission: Submission,
    run: Execution | None = None,
    **leaf: Any,
) -> Grade:
    """Grade one leaf with these checks."""
    return grades_of([leaf_of(checks, **leaf)], submission, run)["leaf"]


def result_of(
    check: Mapping[str, Any], submission: Submission, run: Execution | None = None, **leaf: Any
) -> CheckResult:
    """The result of the only check of a leaf."""
    (result,) = grade_of([check], submission, run, **leaf).checks
    return result
