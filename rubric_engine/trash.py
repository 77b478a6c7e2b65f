"""Removing runs that are no longer wanted."""

from __future__ import annotations

import secrets
from pathlib import Path

from rubric_engine.connection import LEDGER
from rubric_engine.errors import RunError, StorageError
from rubric_engine.ledger import Ledger
from rubric_engine.rundir import exclusive, storing
from rubric_engine.runs import KeptRun, kept_run
from rubric_engine.submission.removing import remove_tree


def require_ours(path: Path) -> KeptRun:
    """The run in a folder, where this user's engine wrote it and no link leads there.

    Raises:
        RunError: It is no run, somebody else's, or a link.
    """
    run = kept_run(path)
    if path.is_symlink():
        raise RunError(f"{path} is a link; give the run itself", code="E528")
    if not run.ours:
        raise RunError(
            f"{path} is not a run that you made", code="E528", fix=["rubric-engine runs list"]
        )
    return run


def remove_run(path: Path) -> None:
    """Remove a run folder, and what the ledger notes of it beside what was paid.

    Args:
        path: A run that `require_ours` let pass; nothing that a link in it names is touched.

    Raises:
        StorageError: A process writes the run, or the disk refuses.
    """
    whole = path.resolve()
    gone = whole.with_name(f".removed-{secrets.token_hex(6)}")
    with exclusive(whole), storing(whole):
        whole.rename(gone)  # at once, so that nobody meets half a run
    remove_tree(gone)
    if (whole.parent / LEDGER).is_file():
        with Ledger.open(whole.parent / LEDGER) as ledger:
            ledger.forget_run(whole.name)
    if gone.exists():
        raise StorageError(f"{gone} cannot be removed", fix=[f"rm -r {gone}"])
