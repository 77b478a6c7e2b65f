"""A run of `reproduce.sh` that was made elsewhere, as an execution taken at its word."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rubric_engine.case import Submission
from rubric_engine.errors import RunError
from rubric_engine.files import File
from rubric_engine.globs import matches
from rubric_engine.isolation import Execution, Log

LOG_NAME = "reproduce.log"
"""Where PaperBench keeps the log of a run: in the root of the executed submission."""

LOG_BYTES = 10_000_000

_DATA_SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".npy", ".npz", ".log")


def declared_execution(
    submission: Submission, *, outputs: Sequence[str] = (), log: Path | None = None
) -> Execution:
    """Describe a submission that was executed elsewhere.

    Args:
        submission: The executed submission.
        outputs: Globs of what the run should have produced; where there are none, data files and
            images count as produced.
        log: The log of the run; `reproduce.log` of the submission by default.

    Raises:
        RunError: The log that was given cannot be read.
    """
    produced = [file.path for file in submission.files if _is_output(file, outputs)]
    return Execution(
        status="declared",
        created=tuple(produced),
        log=_log(submission, log),
        sandbox="declared",
        submission=submission,
    )


def _is_output(file: File, outputs: Sequence[str]) -> bool:
    if outputs:
        return any(matches(glob, file.path) for glob in outputs)
    return file.kind in ("image", "parquet") or file.path.lower().endswith(_DATA_SUFFIXES)


def _log(submission: Submission, log: Path | None) -> Log:
    if log is None:
        if LOG_NAME not in submission.files:
            return Log()
        size = submission.files[LOG_NAME].size
        content = submission.read_bytes(LOG_NAME)
    else:
        try:
            content = log.read_bytes()
        except OSError as error:
            raise RunError(f"log {log} cannot be read: {error.strerror}", code="E524") from None
        size = len(content)
    if size <= LOG_BYTES:
        return Log(head=content.decode("utf-8", "replace"))
    half = LOG_BYTES // 2
    return Log(
        head=content[:half].decode("utf-8", "ignore"),
        tail=content[-half:].decode("utf-8", "ignore"),
        omitted_bytes=size - 2 * half,
    )
