"""Small labelled cases in a folder, and judges to measure on them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.grading import Grade
from rubric_engine.judge import JudgeCard

LEAVES = 6


def rubric_text(leaves: int = LEAVES) -> str:
    """Two groups of leaves of the same weight; those of the first are code; none needs a run."""
    lines = ["rubric: 1\nroot:\n  id: root\n  requirements: All of it\n  sub_tasks:"]
    for group, category in (("one", "Code Development"), ("two", "Writing")):
        lines.append(f"  - id: {group}\n    requirements: Part {group}\n    sub_tasks:")
        lines += [
            f"    - id: {group}-{number}\n      requirements: Thing {number} of {group}\n"
            f"      task_category: {category}"
            for number in range(leaves // 2)
        ]
    return "\n".join(lines) + "\n"


def keys(leaves: int = LEAVES) -> list[str]:
    """Keys of the leaves, in order."""
    return [f"{group}-{number}" for group in ("one", "two") for number in range(leaves // 2)]


def write_task(folder: Path, leaves: int = LEAVES) -> Path:
    """A task's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rubric.yaml").write_text(rubric_text(leaves))
    return folder


def write_case(
    folder: Path,
    task: Path,
    verdicts: Mapping[str, str] | None = None,
    *,
    case_more: str = "",
    submission: bool = True,
) -> Path:
    """A case of our layout; every second leaf is met unless verdicts say otherwise."""
    said = verdicts or {
        key: "met" if number % 2 else "not_met" for number, key in enumerate(keys())
    }
    folder.mkdir(parents=True)
    (folder / "case.yaml").write_text(f"task: {task}\n{case_more}")
    labels = "".join(
        f"  {key}: {{verdict: {verdict}, reason: seen}}\n" for key, verdict in said.items()
    )
    (folder / "labels.yaml").write_text(f"annotator: ada\nlabels:\n{labels}")
    if submission:
        (folder / "submission").mkdir()
        (folder / "submission" / "a.py").write_text(f"# {folder.name}\n")
    return folder


class Says:
    """A judge that reads submissions and says what it was told, by key; None raises."""

    def __init__(self, said: Mapping[str, Grade | None], default: float = 1.0) -> None:
        self.said, self.default = said, default
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self.card = JudgeCard.model_validate({"name": "says", "kind": "test:Says"})

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        self.asked.append((case.submission.name, tuple(leaf.key for leaf in leaves)))
        for leaf in leaves:
            grade = self.said.get(leaf.key, Grade.graded(self.default))
            if grade is None:
                raise RuntimeError("it broke")
            yield leaf.key, grade
