"""`file_exists`, `file_absent`, `produced`, `exit_code`: what is there, and how the run ended."""

from __future__ import annotations

from collections.abc import Sequence

from rubric_engine.checks import ExitCode, FileAbsent, FileExists, Produced
from rubric_engine.files import File
from rubric_engine.globs import matches, reaches
from rubric_engine.isolation import SCRIPT, Execution
from rubric_engine.judges.rules.outcome import (
    MAX_CITATIONS,
    Evaluation,
    Undecided,
    cite,
    count,
    some,
)
from rubric_engine.judges.rules.view import Sight


def file_exists(check: FileExists, sight: Sight) -> Evaluation:
    """Holds where enough files match."""
    files = sight.texts.glob(check.file)
    enough = len(files) >= check.min
    lacking = check.min - len(files)
    nothing = "" if enough else why_absent(check.file, sight, produced=False, lacking=lacking)
    unseen = hidden(check.file, sight)
    return _files(enough, files, nothing, best=1.0 if unseen else None)


def file_absent(check: FileAbsent, sight: Sight) -> Evaluation:
    """Holds where no file matches; one that is there but skipped is not absent."""
    files = sight.texts.glob(check.file)
    unseen = () if files else hidden(check.file, sight)
    best = None if files else 1.0
    return _files(not files and not unseen, files, some(unseen) or "none", best=best)


def produced(check: Produced, sight: Sight) -> Evaluation:
    """Holds where the run made or changed enough files that match."""
    run = sight.require_run()
    made = [
        file
        for file in (run.submission.files.glob(check.file) if run.submission else ())
        if file.path in run.produced
    ]
    enough = len(made) >= check.min
    lacking = check.min - len(made)
    nothing = "" if enough else why_absent(check.file, sight, produced=True, lacking=lacking)
    unseen = hidden(check.file, sight)
    return _files(enough, made, nothing, best=1.0 if unseen else None)


def hidden(glob: str, sight: Sight) -> tuple[str, ...]:
    """What a glob may name and nobody can look into, each with the reason.

    Not what the task's own patterns skip: it is no part of the submission.
    """
    return tuple(
        f"{file.path}: {file.skipped}"
        for file in sight.skipped
        if not _is_left_out(file) and (matches(glob, file.path) or _may_hide(file, glob))
    )


def _is_left_out(file: File) -> bool:
    return (file.skipped or "").startswith("skipped by pattern")


def _may_hide(file: File, glob: str) -> bool:
    if _is_left_out(file):
        return False
    if file.kind == "folder" and "**" in glob:
        return True  # a folder that cannot be read, wherever it is
    return file.kind in ("folder", "link") and reaches(glob, file.path)


def why_absent(glob: str, sight: Sight, *, produced: bool, lacking: int = 1) -> str:
    """Say why no file matches: none is there, none may be read, or none was made by the run.

    Args:
        glob: The files looked for.
        sight: What the leaf may read.
        produced: Whether only what the run made was looked at.
        lacking: How many more files were due.

    Raises:
        Undecided: It is there, and whether the run made it is not known.
    """
    left = _left_alike(glob, sight, produced=produced)
    if left:
        alike = f"{some(left)} with the same content as a file that was handed in"
        if len(left) < lacking:
            return f"the run left {alike}"
        unknown = f"whether it made or copied {'it' if len(left) == 1 else 'them'} is not known"
        raise Undecided("not_run", f"the run left {alike}; {unknown}")
    handed_in = sight.handed_in.glob(glob) if produced else ()
    if handed_in and sight.run is not None and sight.run.guessed:
        paths = some(file.path for file in handed_in)
        raise Undecided("not_run", f"nobody said whether the run made {paths}; --outputs")
    if handed_in and glob != "**":  # of all files, those that were handed in explain nothing
        return f"{some(file.path for file in handed_in)}: handed in, but not made by the run"
    skipped = [file for file in sight.skipped if matches(glob, file.path) or _may_hide(file, glob)]
    if skipped:
        return some(f"{file.path}: {file.skipped}" for file in skipped)
    return f"the run made no file {glob}" if produced else f"no file matches {glob}"


def _left_alike(glob: str, sight: Sight, *, produced: bool) -> list[str]:
    """What the run left, and a hash alone cannot tell from a copy of what was handed in."""
    run = sight.run
    if run is None or run.submission is None or not (produced or sight.needs_run):
        return []
    return [file.path for file in run.submission.files.glob(glob) if file.path in run.copied]


def exit_code(check: ExitCode, sight: Sight) -> Evaluation:
    """Holds where `reproduce.sh` ended with the code expected."""
    run = sight.require_run()
    if run.exit_code is None and run.status == "declared":
        raise Undecided("not_run", "the exit code is not known: the run was made elsewhere")
    return Evaluation(float(run.exit_code == check.equals), _ending(run))


def _ending(run: Execution) -> str:
    if run.status == "no_script":
        return f"there is no {SCRIPT}"
    code = "no exit code" if run.exit_code is None else f"exit code {run.exit_code}"
    more = "; the time limit ended the run" if run.status == "timeout" else ""
    by = f"; signal {run.signal}" if run.signal is not None else ""
    return code + by + more


def _files(
    holds: bool, files: Sequence[File], nothing: str, *, best: float | None = None
) -> Evaluation:
    found = f"{count(len(files), 'file')}: {some(f.path for f in files)}" if files else nothing
    citations = tuple(cite(file.path) for file in files[:MAX_CITATIONS])
    return Evaluation(float(holds), found, citations, best)
