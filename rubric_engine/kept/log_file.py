"""Keeping the log of a run of `reproduce.sh` as a file beside what else is kept of it."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from rubric_engine.isolation import Execution

LOG = "reproduce.log"
"""Its name in the folder of a run, and in one that `reproduce` wrote."""


def keep_log(execution: Execution, path: Path) -> None:
    """Write the longest log that there is of a run; a reader sees it whole or not at all.

    Args:
        execution: The run; where it has no log, nothing is written.
        path: Of the file.

    Raises:
        OSError: The disk refuses.
    """
    half = path.with_name(f".{path.name}.half")
    try:
        if not _copied(execution, half):
            if execution.log is None:
                return
            text = execution.log.text
            half.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def _copied(execution: Execution, half: Path) -> bool:
    """Copy the file; False where there is none, or something else in its place."""
    if execution.log_file is None:
        return False
    try:
        source = os.open(execution.log_file.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:  # gone, or a link in its place
        return False
    with open(source, "rb") as log:  # noqa: PTH123 (a descriptor)
        if not stat.S_ISREG(os.fstat(source).st_mode):
            return False
        with half.open("wb") as file:
            shutil.copyfileobj(log, file)
    return True
