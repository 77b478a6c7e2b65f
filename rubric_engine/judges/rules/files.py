"""`file_exists`, `file_absent`, `produced`, `exit_code`: what is there, and how the run ended."""

from __future__ import annotations

from collections.abc import Sequence

from rubric_engine.checks import ExitCode, FileAbsent, FileExists, Produced
from rubric_engine.files import File
from rubric_engine.globs import matches
from rubric_engine.isolation import SCRIPT, Execution
from rubric_engine.judges.rules.outcome import (
    MAX_CITATIONS,
    Finding,
    Undecided,
    cite,
    count,
    some,
)
from rubric_engine.judges.rules.view import Sight


def file_exists(check: FileExists, sight: Sight) -> Finding:
    """Holds where enough files match."""
    files = sight.texts.glob(check.file)
    nothing = why_absent(check.file, sight, produced=False)
    return _files(len(files) >= check.min, files, nothing)


def file_absent(check: FileAbsent, sight: Sight) -> Finding:
    """Holds where no file matches."""
    files = sight.texts.glob(check.file)
    return _files(not files, files, "none")


def produced(check: Produced, sight: Sight) -> Finding:
    """Holds where the run made or changed enough files that match."""
    run = sight.require_run()
    made = [
        file
        for file in (run.submission.files.glob(check.file) if run.submission else ())
        if file.path in run.produced
    ]
    nothing = why_absent(check.file, sight, produced=True)
    return _files(len(made) >= check.min, made, nothing)


def why_absent(glob: str, sight: Sight, *, produced: bool) -> str:
    """Say why no file matches: none is there, none may be read, or none was made by the run.

    Args:
        glob: The files looked for.
        sight: What the leaf may read.
        produced: Whether only what the run made was looked at.
    """
    handed_in = sight.handed_in.glob(glob) if produced else ()
    if handed_in:
        return f"{some(file.path for file in handed_in)}: handed in, but not made by the run"
    skipped = [file for file in sight.skipped if matches(glob, file.path)]
    if skipped:
        return some(f"{file.path}: {file.skipped}" for file in skipped)
    return f"the run made no file {glob}" if produced else f"no file matches {glob}"


def exit_code(check: ExitCode, sight: Sight) -> Finding:
    """Holds where `reproduce.sh` ended with the code expected."""
    run = sight.require_run()
    if run.exit_code is None and run.status == "declared":
        raise Undecided("not_run", "the exit code is not known: the run was made elsewhere")
    return Finding(float(run.exit_code == check.equals), _ending(run))


def _ending(run: Execution) -> str:
    if run.status == "no_script":
        return f"there is no {SCRIPT}"
    code = "no exit code" if run.exit_code is None else f"exit code {run.exit_code}"
    more = "; the time limit ended the run" if run.status == "timeout" else ""
    by = f"; signal {run.signal}" if run.signal is not None else ""
    return code + by + more


def _files(holds: bool, files: Sequence[File], nothing: str) -> Finding:
    found = f"{count(len(files), 'file')}: {some(f.path for f in files)}" if files else nothing
    return Finding(float(holds), found, tuple(cite(file.path) for file in files[:MAX_CITATIONS]))
