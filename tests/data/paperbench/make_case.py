"""Make the synthetic case in PaperBench's JudgeEval layout, from a shipped submission.

As in PaperBench's own cases, the tar holds a submission that was run elsewhere, with its log and
its results, and the rubric inside `expected_result.json` is not quite the task's: one weight is
another, and two leaves are missing, among them one that a tar with results in it cannot meet.

    python tests/data/paperbench/make_case.py
"""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
import tempfile
from math import fsum
from pathlib import Path
from shutil import copytree
from typing import Any

from rubric_engine import Rubric, load_labels, load_task
from rubric_engine.labels import Label

HERE = Path(__file__).parent
SOURCE = HERE.parents[2] / "judgeeval" / "variance-reduction-partial"
CASE = HERE / "judge_eval" / "variance-reduction" / "0"
LEFT_OUT = {"readme-numbers", "no-results-handed-in"}
WEIGHTS = {"tail": 5}


def pack(source: Path, target: Path) -> None:
    """Run the submission, and put it with what it made into a tar that depends on content only."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(target, "w") as tar:
        executed = copytree(source, Path(folder) / "submission")
        log = subprocess.run(
            ["bash", "reproduce.sh"], cwd=executed, check=True, stdout=subprocess.PIPE
        ).stdout
        (executed / "reproduce.log").write_bytes(log)
        for path in sorted(path for path in executed.rglob("*") if path.is_file()):
            content = path.read_bytes()
            member = tarfile.TarInfo(path.relative_to(folder).as_posix())
            member.size, member.mode = len(content), path.stat().st_mode & 0o777
            tar.addfile(member, io.BytesIO(content))


def graded_tree(rubric: Rubric, labels: dict[str, Label], key: str) -> dict[str, Any]:
    """A criterion as a node of `expected_result.json`, with exactly its nine keys."""
    below = [
        graded_tree(rubric, labels, child)
        for child in rubric.children(key)
        if child not in LEFT_OUT
    ]
    criterion = rubric[key]
    return {
        "id": criterion.id,
        "requirements": criterion.requirements,
        "weight": WEIGHTS.get(key, int(criterion.weight)),
        "score": float(labels[key].verdict == "met") if not below else mean(below),
        "valid_score": True,
        "task_category": criterion.task_category,
        "explanation": labels[key].reason if not below else "Aggregated score from sub-tasks.",
        "judge_metadata": None,
        "sub_tasks": below,
    }


def mean(nodes: list[dict[str, Any]]) -> float:
    """Weighted mean of the nodes' scores."""
    total = fsum(node["weight"] for node in nodes)
    return fsum(node["weight"] * node["score"] for node in nodes) / total


def main() -> None:
    """Write the case."""
    rubric = load_task("variance-reduction").rubric
    labels = load_labels(SOURCE / "labels.yaml", rubric).labels
    (CASE / "grading").mkdir(parents=True, exist_ok=True)
    pack(SOURCE / "submission", CASE / "submission.tar")
    tree = graded_tree(rubric, labels, rubric.root)
    (CASE / "grading" / "expected_result.json").write_text(json.dumps(tree, indent=4) + "\n")


if __name__ == "__main__":
    main()
