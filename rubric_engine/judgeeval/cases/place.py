"""Where a case's submission may lie: inside the case's folder, apart from the labels."""

from __future__ import annotations

import os
from pathlib import Path

from rubric_engine.errors import CaseError
from rubric_engine.lookup import inside

_FIX = "put the submission (a folder or a tar) into the case's folder, beside the labels"


def submission_in(folder: Path, name: str) -> Path:
    """Path of a submission that a case names.

    Whatever a judge is given goes to a model's provider, so a case may not name, nor link to,
    anything else of the machine.

    Args:
        folder: The case's folder.
        name: Path relative to it.

    Raises:
        CaseError: It is not inside the folder, links resolved, or is the folder itself.
    """
    path = folder / name
    try:
        within = inside(path, folder) and path.resolve() != folder.resolve()
    except (OSError, RuntimeError) as error:  # a cycle of links, for one
        raise _refused(path, f"cannot be followed: {error}") from None
    if not within:
        raise _refused(path, "is not inside the folder of its case")
    return path


def require_apart(labels: Path, submission: Path) -> None:
    """Make sure that labels cannot be read by a judge.

    Raises:
        CaseError: They lie in the submission, or the submission among them.
    """
    if inside(labels, submission) or (labels.is_dir() and inside(submission, labels)):
        raise CaseError(
            f"{labels} lies inside the submission {submission}, where a judge can read it",
            code="E545",
            fix=["move the labels beside the submission"],
        )


def case_name(*folders: Path) -> str:
    """Name of a case by its folders, in characters that every encoding takes."""
    names = "/".join(folder.name for folder in folders)
    return os.fsencode(names).decode("utf-8", "replace")


def _refused(path: Path, why: str) -> CaseError:
    return CaseError(f"the submission {path} {why}", code="E545", fix=[_FIX])
