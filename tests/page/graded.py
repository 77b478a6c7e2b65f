"""Runs that were really graded: one by rules, one by a model that costs, fails and wavers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rubric_engine.cli.app import run as command
from rubric_engine.testing import Fault, Request, ScriptedServer
from tests.cli.paying import write_card
from tests.conftest import ROOT

CASE = ROOT / "judgeeval" / "heavy-ball-partial"

RUBRIC = """\
rubric: 1
root:
  id: root
  requirements: All of the paper
  sub_tasks:
    - id: code
      requirements: The code
      weight: 3
      sub_tasks:
        - {id: met, requirements: Thing surely-met, weight: 7, task_category: Code Development}
        - {id: split, requirements: Thing now-and-then, weight: 2, task_category: Code Development}
        - {id: not, requirements: Thing never-met, task_category: Code Development}
    - id: either
      requirements: One of them
      aggregate: any
      sub_tasks:
        - {id: one, requirements: Thing never-met one, task_category: Code Execution}
        - {id: two, requirements: Thing refuse-it two, task_category: Code Execution}
    - {id: cut, requirements: Thing cut-it-off, weight: 2, task_category: Result Analysis}
    - {id: small, requirements: never-met, weight: 0.0001, task_category: Result Analysis}
"""

CITED = [
    {"path": "a.py", "start_line": 1, "end_line": 2, "quote": "def solve():"},
    {"path": "a.py", "start_line": 1, "end_line": 1, "quote": "not there"},
]


def wavering() -> Callable[[Request], Fault | dict[str, Any]]:
    """Says of a leaf what its text says: met, not, now and then met, refused, or cut off."""
    turns = Counter[str]()

    def answer(request: Request) -> Fault | dict[str, Any]:
        asked = request.question.rpartition("CRITERION (")[2]
        if "refuse-it" in asked or "cut-it-off" in asked:
            return Fault("refusal" if "refuse-it" in asked else "length")
        turns[asked] += 1
        met = "surely-met" in asked or ("now-and-then" in asked and turns[asked] % 3 != 0)
        said = {"expectations": "e", "findings": "f", "searched": ["a.py"]}
        return {**said, "citations": CITED[: 2 - met], "met": met}

    return answer


def graded_by_rules(folder: Path) -> Path:
    """The run of a shipped submission, by rules.

    Args:
        folder: Where runs lie.
    """
    return _graded(["grade", str(CASE / "submission"), "--task", "heavy-ball"], folder)


def graded_by_a_model(folder: Path) -> Path:
    """The run of a small submission, by a model that costs, fails and wavers.

    Args:
        folder: Where all of it lies.
    """
    submission = folder / "team" / "submission"
    submission.mkdir(parents=True)
    (submission / "a.py").write_text("def solve():\n    return 1\n")
    (folder / "paid.yaml").write_text(RUBRIC)
    with ScriptedServer(answer=wavering()) as server:
        member = write_card(folder / "member", server.base_url)
        card = folder / "again" / "judge.yaml"
        card.parent.mkdir()
        card.write_text(f"judge: 1\nkind: repeat\nof: {member.parent}\nn: 3\nvote: mean\n")
        words = ["grade", str(submission), "--rubric", str(folder / "paid.yaml"), "--yes"]
        return _graded([*words, "--judge", str(card)], folder / "runs")


def _graded(arguments: list[str], runs: Path) -> Path:
    before = set(runs.glob("*/report.json"))
    command([*arguments, "--executed", "--runs", str(runs), "-q"])
    (made,) = set(runs.glob("*/report.json")) - before
    return made.parent
