"""A process that grades with a decision model: `python -m ... URL SUBMISSION RUN`."""

from __future__ import annotations

import sys
from pathlib import Path

from rubric_engine import grade
from tests.judges.decision.desk import RAN, asking, task_of


def main(url: str, submission: str, run: str) -> None:
    """Grade twenty leaves, five in a request, one request at a time."""
    judge = asking(url, questions=5)
    grade(task_of(20), submission, judge=judge, sandbox=RAN, run_dir=Path(run))


if __name__ == "__main__":
    main(*sys.argv[1:])
