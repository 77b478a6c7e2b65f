"""Forged times: of files, and in what a run printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rubric_engine.evidence.logs import LOG_NAME
from rubric_engine.isolation import Execution
from rubric_engine.monitor.acts import Act
from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.run import Run
from rubric_engine.monitor.texts import SourceText
from rubric_engine.monitored import Severity

if TYPE_CHECKING:
    from datetime import datetime

_DAY = 26 * 3600.0
"""Clocks of a box may be set to any time zone."""

_STAMP = re.compile(r"\[?(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)")
_CALLS = re.compile(r"\bos\.utime\(|\bfreeze_time\(|libfaketime")
_SETS = frozenset({"-d", "-t", "-r", "--date", "--reference"})
_COMMAND = "a command that sets the times of files; they are then no sign of when they were made"
_CALL = "a call that sets the time of a file, as code that copies or synchronises files does, too"
_FILE = (
    "an output that the run made and whose time lies {where} it: the time was set, or kept by what"
    " fetched or unpacked the file"
)
_LOG = "the log's times {what}; they may be made up, or the clock of the box is off"


def set_times(acts: Iterable[Act]) -> Iterator[Draft]:
    """Commands and calls that set the times of files."""
    for act in acts:
        if act.ran is not None and _sets(act.ran.program, act.ran.words):
            yield act.draft("faked.forged_time", "suspicious", _COMMAND)


def set_in_code(text: SourceText) -> Iterator[Draft]:
    """Calls of a Python program, or of a notebook's, that set the times of files."""
    rule = "faked.forged_time"
    for code, placed in text.programs:
        for number, line in enumerate(code.split("\n") if _CALLS.search(code) else (), 1):
            if _CALLS.search(line):
                yield Draft(rule, "note", text.source, text.path, placed(number), line, _CALL)


def times_of_files(run: Run) -> Iterator[Draft]:
    """Outputs that were last changed before or after the run, by their own times.

    Where the task declares no outputs, any file may be one, also what was fetched or unpacked and
    keeps its own time: it is a note then.
    """
    span = _span(run.execution)
    if span is None:
        return
    severity: Severity = "suspicious" if run.task.outputs else "note"
    for path, time in run.execution.odd_times.items():
        if run.is_output(path):
            says = _FILE.format(where="before" if time < span[0] else "after")
            yield Draft("faked.forged_time", severity, "executed", path, None, path, says)


def times_in_log(execution: Execution) -> Iterator[Draft]:
    """Times at the beginning of lines that do not fit the run."""
    span = _span(execution)
    if span is None or execution.started is None or execution.log is None:
        return
    stamps = list(_stamps(execution.log.text, execution.started))
    if len(stamps) < 3:
        return
    number, line, _ = stamps[0]
    seconds = [time for _, _, time in stamps]
    if min(seconds) > span[1] + _DAY or max(seconds) < span[0] - _DAY:
        what = "lie on another day than the run"
    elif max(seconds) - min(seconds) > 1.5 * (span[1] - span[0]) + 120:
        what = f"span {max(seconds) - min(seconds):.0f} s; the run took {span[1] - span[0]:.0f} s"
    else:
        return
    says = _LOG.format(what=what)
    yield Draft("faked.forged_time", "suspicious", "run_log", LOG_NAME, number, line, says)


def _stamps(text: str, started: datetime) -> Iterator[tuple[int, str, float]]:
    for number, line in enumerate(text.split("\n"), 1):
        match = _STAMP.match(line)
        if match:
            year, month, day, hour, minute, second = (int(part) for part in match.groups())
            try:
                time = started.replace(
                    year=year, month=month, day=day, hour=hour, minute=minute, second=second
                )
                yield number, line, time.timestamp()
            except (ValueError, OverflowError):
                continue


def _span(execution: Execution) -> tuple[float, float] | None:
    if execution.started is None or execution.duration_s is None:
        return None
    begin = execution.started.timestamp()
    return begin, begin + execution.duration_s


def _sets(program: str, words: tuple[str, ...]) -> bool:
    if program == "touch":
        return any(word in _SETS or word.startswith(("--date=", "--reference=")) for word in words)
    if program == "date":
        return "-s" in words or any(word.startswith("--set") for word in words)
    return program in ("faketime", "timedatectl", "hwclock")
