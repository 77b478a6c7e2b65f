"""Labels that lie beside a submission, as a labelled case keeps them."""

from __future__ import annotations

from pathlib import Path

from rubric_engine.judgeeval.cases.own import CASE, TRUTH
from rubric_engine.judgeeval.cases.paperbench import EXPECTED
from rubric_engine.lookup import is_file, is_folder


def labels_beside(submission: Path) -> Path | None:
    """The labels of the case that a submission belongs to; None where it belongs to none."""
    return labels_in(submission.resolve().parent)


def labels_in(case: Path) -> Path | None:
    """The labels that judges are held against in a folder of a case; None where it holds none."""
    if not is_folder(case):
        return None
    names = TRUTH if is_file(case / CASE) else (EXPECTED,)
    return next((case / name for name in names if is_file(case / name)), None)
