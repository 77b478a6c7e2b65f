"""A run of `reproduce.sh` that was made elsewhere, as an execution taken at its word."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rubric_engine.bounded_log import BoundedLog
from rubric_engine.errors import RunError
from rubric_engine.files import File
from rubric_engine.globs import matches
from rubric_engine.isolation import Execution, Log
from rubric_engine.submitted import Submission

LOG_NAME = "reproduce.log"
"""Where PaperBench keeps the log of a run: in the root of the executed submission."""

LOG_BYTES = 10_000_000
"""Bytes of the log that are kept."""

MOST_READ = 100_000_000
"""Bytes of a submission's own log up to which its end is kept, too."""

_CHUNK = 1 << 20

_DATA_SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".npy", ".npz", ".log")


def declared_execution(
    submission: Submission, *, outputs: Sequence[str] = (), log: Path | None = None
) -> Execution:
    """Describe a submission that was executed elsewhere.

    Args:
        submission: The executed submission.
        outputs: Globs of what the run should have produced; where there are none, data files and
            images count as produced.
        log: The log of the run; `reproduce.log` of the submission by default, else it is unknown.

    Raises:
        RunError: The log that was given cannot be read.
    """
    produced = [file.path for file in submission.files if _is_output(file, outputs)]
    return Execution(
        status="declared",
        created=tuple(produced),
        log=_log(submission, log),
        sandbox="declared",
        guessed=not outputs,
        submission=submission,
    )


def _is_output(file: File, outputs: Sequence[str]) -> bool:
    if outputs:
        return any(matches(glob, file.path) for glob in outputs)
    return file.kind in ("image", "parquet") or file.path.lower().endswith(_DATA_SUFFIXES)


def _log(submission: Submission, log: Path | None) -> Log | None:
    if log is not None:
        return _log_of_file(log)
    if LOG_NAME not in submission.files:
        return None
    size = submission.files[LOG_NAME].size
    if size > MOST_READ:
        # A submission gives the beginning of a file or all of it, and this is too much to hold.
        head = submission.read(LOG_NAME, max_bytes=LOG_BYTES)
        return Log(head=head, omitted_bytes=size - LOG_BYTES)
    bounded = BoundedLog(LOG_BYTES)
    bounded.feed(submission.read_bytes(LOG_NAME))
    return bounded.log()


def _log_of_file(path: Path) -> Log:
    bounded = BoundedLog(LOG_BYTES)
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                bounded.feed(chunk)
    except OSError as error:
        raise RunError(f"log {path} cannot be read: {error.strerror}", code="E524") from None
    return bounded.log()
