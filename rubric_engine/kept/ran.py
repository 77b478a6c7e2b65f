"""The run of `reproduce.sh` that a run folder kept, and the texts that its grades cite."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from rubric_engine.errors import RubricEngineError
from rubric_engine.isolation import Execution
from rubric_engine.kept.reading import read_as
from rubric_engine.submission import load_snapshot
from rubric_engine.texts import Texts


def load_kept_execution(run: Path) -> Execution | None:
    """The run of `reproduce.sh` with what it left; None where none was kept.

    Args:
        run: The run folder.

    Raises:
        RunError: It is damaged.
    """
    if not (run / "execution.json").exists():
        return None
    kept = read_as(run / "execution.json", Execution)
    if not (run / "executed.json").exists():
        return kept
    return kept.model_copy(update={"submission": load_snapshot(run, "executed")})


def kept_texts(run: Path) -> Texts:
    """The texts that a run kept; none of what is missing or damaged, which others report.

    Args:
        run: The run folder.
    """
    handed_in = execution = None
    with suppress(RubricEngineError):
        handed_in = load_snapshot(run, "handed_in")
    with suppress(RubricEngineError):
        execution = read_as(run / "execution.json", Execution)  # its log, if nothing else
        execution = load_kept_execution(run)
    return Texts(handed_in, execution)
