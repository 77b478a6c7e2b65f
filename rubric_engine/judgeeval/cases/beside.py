"""Labels that lie beside a submission, as a labelled case keeps them."""

from __future__ import annotations

from pathlib import Path

from rubric_engine.errors import CaseError
from rubric_engine.judgeeval.cases.own import CASE, TRUTH, CaseFile
from rubric_engine.judgeeval.cases.paperbench import EXPECTED
from rubric_engine.lookup import is_file, is_folder
from rubric_engine.rubric_file import load_model


def labels_beside(submission: Path) -> Path | None:
    """The labels of the case that a submission belongs to; None where it belongs to none."""
    return labels_in(submission.resolve().parent)


def labels_in(case: Path) -> Path | None:
    """The labels that judges are held against in a folder of a case; None where it holds none."""
    if not is_folder(case):
        return None
    names = TRUTH if is_file(case / CASE) else (EXPECTED,)
    return next((case / name for name in names if is_file(case / name)), None)


def submission_hash(labels: Path) -> str | None:
    """Hash of the submission that a case's labels are of, by its `case.yaml`; None if it says none.

    Args:
        labels: A file of labels, in the folder of a case or one below.

    Raises:
        CaseError: `case.yaml` does not parse.
    """
    cases = (folder / CASE for folder in labels.resolve().parents[:2])
    case = next(filter(is_file, cases), None)
    return None if case is None else load_model(case, CaseFile, error=CaseError, code="E544").sha256
