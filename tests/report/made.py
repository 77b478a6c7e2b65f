"""Runs made by a judge that says what a test wants of each leaf."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rubric_engine import Case, Criterion, Grade, Report, grade, load_rubric, load_submission
from rubric_engine.declared import declared_execution
from rubric_engine.grading import Citation
from rubric_engine.judge import JudgeCard

RUBRIC = """\
rubric: 1
title: A small one
root:
  id: root
  requirements: 全部的结果都能复现, and $M_C$ as well
  sub_tasks:
    - id: code
      requirements: The code is there
      weight: 3
      sub_tasks:
        - {id: solve, requirements: "It solves", weight: 2, task_category: Code Development}
        - {id: prose, requirements: "It is explained", task_category: Code Development}
        - {id: any, requirements: "One of two", aggregate: any, sub_tasks: [
            {id: one, requirements: "One", task_category: Code Development},
            {id: two, requirements: "Two", task_category: Code Development}]}
    - {id: run, requirements: "It writes out.csv", weight: 2, task_category: Code Execution}
    - {id: table, requirements: "The table fits", task_category: Result Analysis}
"""

LEAVES = ("solve", "prose", "one", "two", "run", "table")

SOURCE = "".join(f"line {number} of the source\n" for number in range(1, 41))

GRADES = {
    "solve": Grade.graded(
        0.5,
        "half of it",
        [Citation(path="a.py", start_line=20, end_line=21, quote="line 20", verified="verified")],
        probability=0.5,
    ),
    "prose": Grade.ungradeable("needs_model"),
    "one": Grade.graded(0.0, "no"),
    "two": Grade.ungradeable("infra", "it broke"),
    "table": Grade.not_applicable("none is asked for"),
}
"""A grade of every kind."""


class Says:
    """Gives each leaf its grade; the rest is met.

    Args:
        grades: Grade by key.
        more: Further settings of its card.
    """

    def __init__(self, grades: Mapping[str, Grade], **more: Any) -> None:
        self.grades = grades
        self.card = JudgeCard(name="says", kind="tests.report.made:Says", **more)

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Give the grades."""
        for leaf in leaves:
            yield leaf.key, self.grades.get(leaf.key, Grade.graded(1.0, "it is there"))


def made(folder: Path, grades: Mapping[str, Grade], **more: Any) -> tuple[Path, Report]:
    """Grade a submission of two files and a log into a run; gives its folder and report.

    Args:
        folder: Where the submission and the run lie.
        grades: Grades by key; every other leaf is met.
        **more: Further settings of the judge's card, and `files`: more files by name.
    """
    submission = folder / "made-submission"
    submission.mkdir()
    files = {"a.py": SOURCE, "out.csv": "x,y\n1,2\n", **more.pop("files", {})}
    for name, text in files.items():
        (submission / name).write_text(text, encoding="utf-8", errors="surrogatepass")
    log = folder / "made.log"
    log.write_text("".join(f"step {number}\n" for number in range(1, 31)))
    rubric = folder / "made.yaml"
    rubric.write_text(RUBRIC)
    given = load_submission(submission)
    run = folder / "runs" / "2026-05-01-made-abcdef"
    report = grade(
        load_rubric(rubric),
        given,
        judge=Says(grades, **more),
        execution=declared_execution(given, log=log, outputs=("out.csv",)),
        run_dir=run,
    )
    return run, report


def column(page: dict[str, Any], name: str) -> dict[str, Any]:
    """A column by key."""
    return dict(zip(page["nodes"]["key"], page["nodes"][name], strict=True))
