"""How the run of `reproduce.sh` ended, for a person: one line, and the end of its log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.output import printable

if TYPE_CHECKING:
    from rubric_engine.result import Report

_LINES = 5
"""Lines of the log that are shown."""

_LAST_BYTES = 20_000
_WIDEST = 160


def ran_lines(report: Report) -> Iterator[str]:
    """How `reproduce.sh` ended and, where it did not end well, what its log ends with.

    A run that was made elsewhere, that there was not or that has no outcome is told by the report's
    warnings.
    """
    ran = ran_word(report.provenance.get("execution"))
    if ran and not str(_status(report)).startswith("infra"):
        yield f"ran     reproduce.sh: {ran}"
    yield from log_lines(report)


def ran_word(facts: object) -> str:
    """Such as `failed, exit code 3, 2.1 s, in the sandbox docker`; empty where nothing was run.

    Args:
        facts: What a report says of the execution.
    """
    if not isinstance(facts, Mapping) or facts.get("status") in ("no_script", "declared"):
        return ""
    code, took, status = (facts.get(name) for name in ("exit_code", "duration_s", "status"))
    if str(status).startswith("infra"):
        return printable(": ".join(str(part) for part in (status, facts.get("fault")) if part))
    parts = [
        str(status),
        f"exit code {code}" if code is not None else "",
        f"{took:.1f} s" if isinstance(took, int | float) else "",
        f"in the sandbox {facts['sandbox']}" if facts.get("sandbox") else "",
    ]
    return printable(", ".join(filter(None, parts)))


def log_lines(report: Report) -> Iterator[str]:
    """Where the whole log of a run is that did not end well, and its last lines."""
    log = _log_of(report)
    if log is None or _status(report) in ("ok", "no_script", "declared"):
        return
    yield f"log     {printable(str(log))}"
    yield from (f"        | {printable(line, _WIDEST)}" for line in _end_of(log))


def log_file(report: Report) -> dict[str, str]:
    """The log's file by its name, where the run kept one."""
    log = _log_of(report)
    return {} if log is None else {log.name: str(log)}


def _status(report: Report) -> Any:
    facts = report.provenance.get("execution")
    return facts.get("status") if isinstance(facts, Mapping) else None


def _log_of(report: Report) -> Path | None:
    from rubric_engine.kept.log_file import LOG
    from rubric_engine.lookup import is_file

    if report.run is None or _status(report) is None:
        return None
    log = Path(report.run) / LOG
    return log if is_file(log) and not log.is_symlink() else None


def _end_of(log: Path) -> list[str]:
    """The last lines that hold anything; a script may have printed what is no text."""
    with suppress(OSError), log.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _LAST_BYTES))
        text = file.read(_LAST_BYTES).decode("utf-8", "replace")
        lines = text.replace("\r", "\n").split("\n")
        return [line for line in lines if line.strip()][-_LINES:]
    return []
