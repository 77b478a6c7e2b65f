"""What is said of a run that cannot be read: what is wrong, where, and of which version it is."""

from __future__ import annotations

from importlib.metadata import version

from rubric_engine.errors import RubricEngineError, RunError
from rubric_engine.runs import KeptRun


def unread(run: KeptRun, error: RubricEngineError | RecursionError) -> RunError:
    """The error that a page shows.

    Args:
        run: The run.
        error: What was found when it was read.
    """
    if isinstance(error, RecursionError):
        return RunError(f"a file of {run.path} is nested too deeply", code="E522")
    where = f"{error.place}: " if error.place else ""
    return RunError(f"{where}{error.message}{_other_version(run)}", code=error.code)


def _other_version(run: KeptRun) -> str:
    versions = run.facts.get("versions")
    made = versions.get("rubric-engine") if isinstance(versions, dict) else None
    ours = version("rubric-engine")
    if made == ours:
        return ""
    return f" (made by rubric-engine {made or 'of an unknown version'}, and this is {ours})"
