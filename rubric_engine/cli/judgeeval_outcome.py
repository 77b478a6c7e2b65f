"""What measuring a judge gave, as `judgeeval run` prints it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.judgeeval.evaluation import Evaluation


def print_evaluation(evaluation: Evaluation, folder: Path, *, quiet: bool, as_json: bool) -> int:
    """Print an evaluation to stdout.

    Returns:
        The exit code.
    """
    from rubric_engine.cli.output import say
    from rubric_engine.judgeeval import agreement

    found = agreement(evaluation.pairs, roots=evaluation.roots)
    say(f"{evaluation.name} F1 {found.pooled.headline.f1} {found.pooled.coverage}")
    return evaluation.exit_code
