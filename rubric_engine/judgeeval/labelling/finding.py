"""Finding the labelling that is meant."""

from __future__ import annotations

import shlex
from pathlib import Path

from rubric_engine.errors import LabelsError
from rubric_engine.judgeeval.labelling.folder import ASSIGN, LabelFolder
from rubric_engine.judgeeval.labelling.layout import PLAN

BASE = Path("labels")
"""Where labellings lie, beside what they are of."""


def find_folder(given: Path | None, file: Path | None = None) -> LabelFolder:
    """The labelling that is meant: the one that is given, or the only one there is.

    Args:
        given: Its folder.
        file: A file; where it lies in the folder of a labelling, that one is meant.

    Raises:
        LabelsError: There is none, or there are several.
    """
    if given is not None:
        return LabelFolder(given)
    if file is not None and (file.parent / PLAN).is_file():
        return LabelFolder(file.parent)
    found = sorted(path.parent for path in BASE.glob(f"*/{PLAN}"))
    if len(found) == 1:
        return LabelFolder(found[0])
    if found:
        raise LabelsError(
            f"{len(found)} labellings lie in {BASE}/; name one",
            code="E553",
            looked=[str(path) for path in found],
            fix=[f"rubric-engine label status {shlex.quote(str(found[0]))}"],
        )
    raise LabelsError(
        "no labels here", code="E505", looked=[f"looked for {BASE}/*/{PLAN}"], fix=[ASSIGN]
    )
