"""Printing an error: what, where, what was looked for, what mends it, and the exit code."""

from __future__ import annotations

import os
import re
import shlex
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rubric_engine.cli.output import note, print_json, printable
from rubric_engine.errors import EXIT_INCOMPLETE as EXIT_INCOMPLETE
from rubric_engine.errors import Place, Problem, RubricEngineError

EXIT_GATE = 1
EXIT_BUG = 70
EXIT_INTERRUPTED = 130

SHOWN = 20
"""How many problems of one file are printed; `--json` holds them all."""

_RESUME = re.compile(r"\brubric-engine resume (?:latest|RUN)\b")


def report_error(error: RubricEngineError, *, as_json: bool) -> int:
    """Print an error, as text to stderr or as one JSON document to stdout.

    Returns:
        Its exit code.
    """
    if as_json:
        print_json({"ok": False, "error": error_dict(error), "exit_code": error.exit_code})
    else:
        note("\n".join(error_lines(error)))
    return error.exit_code


def error_lines(error: RubricEngineError) -> Iterator[str]:
    """The error for a person, line by line."""
    where = f"{printable(str(error.place))} " if error.place else ""
    yield f"error[{error.code}] {where}{printable(error.message)}"
    if len(error.problems) > 1:  # the error itself speaks of the first only
        for problem in error.problems[:SHOWN]:
            yield from _problem_lines(problem)
        if len(error.problems) > SHOWN:
            yield f"  and {len(error.problems) - SHOWN} more (--json lists them)"
    else:
        yield from (f"  {printable(line)}" for line in error.looked)
        yield from (f"  fix: {printable(line)}" for line in error.fix)
    yield f"  exit {error.exit_code}"


def going_on_by(error: RubricEngineError, arguments: Sequence[str]) -> RubricEngineError:
    """An error that names what goes on with the work: `resume` with a grading, else the command.

    Args:
        error: What ended the command; whoever raised it may have thought of a grading alone.
        arguments: Words of the command line, the program's name left out.
    """
    if tuple(arguments[:1]) not in (("grade",), ("resume",)):
        again = shlex.join(["rubric-engine", *arguments])
        error.fix = tuple(_RESUME.sub(lambda _: again, line) for line in error.fix)
    return error


def _problem_lines(problem: Problem) -> Iterator[str]:
    place = f"{printable(str(problem.place))} " if problem.place else ""
    yield f"  {place}{problem.code} {printable(problem.message)}"
    if problem.path:
        yield "      in " + " > ".join(printable(part, 60) for part in problem.path)
    for line in (problem.hint or "").splitlines():
        yield f"      {printable(line)}"


def error_dict(error: RubricEngineError) -> dict[str, Any]:
    """The error as plain JSON values."""
    return {
        "code": error.code,
        "kind": error.kind,
        "message": error.message,
        "where": _place_dict(error.place, error.key),
        "looked": list(error.looked),
        "fix": list(error.fix),
        "problems": [
            {
                "code": problem.code,
                "message": problem.message,
                "where": _place_dict(problem.place, problem.key),
                "path": list(problem.path),
                "hint": problem.hint,
            }
            for problem in error.problems
        ],
    }


def _place_dict(place: Place | None, key: str | None) -> dict[str, Any] | None:
    if place is None and key is None:
        return None
    file, line, column = (place.file, place.line, place.column) if place else (None, None, None)
    return {"file": file, "line": line, "column": column, "key": key}


_AFTER_INTERRUPT = {
    ("grade",): ": nothing was run or graded yet",
    ("resume",): ": the run is as it was",
    ("reproduce",): "; the script was ended, nothing of it is left, and nothing was written",
    ("bench", "run"): "; the same command goes on, and nothing is paid for twice",
    ("expbench", "grade"): "; the same command goes on, and nothing is paid for twice",
    ("judgeeval", "run"): "; the same command goes on, and nothing is paid for twice",
    ("label", "serve"): ": every label that was given is kept",
    ("view",): ": it has changed nothing",
    ("sandbox", "build"): "; nothing is left of the image that was being built",
}


def report_interrupt(arguments: Sequence[str], *, as_json: bool) -> None:
    """Say that a command was told to stop, and what of its work is there."""
    words = tuple(arguments)
    told = (more for command, more in _AFTER_INTERRUPT.items() if words[: len(command)] == command)
    message = f"interrupted{next(told, '')}"
    if as_json:
        error = {"code": "E130", "kind": "interrupted", "message": message}
        print_json({"ok": False, "error": error, "exit_code": EXIT_INTERRUPTED})
    else:
        note(message)


class Interrupted(Exception):  # noqa: N818  # what became of a command, and no error of it
    """A grading was told to stop.

    Args:
        run: Folder of its run, which may not be there yet.
    """

    def __init__(self, run: Path) -> None:
        super().__init__(run)
        self.run = run


@contextmanager
def interrupting(run: Path) -> Iterator[None]:
    """Let an interrupt of the body tell which run it stopped.

    Raises:
        Interrupted: The body was interrupted.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(run) from None


def report_interrupted_run(run: Path, *, as_json: bool) -> None:
    """Say how far a grading came that was told to stop, and how it goes on."""
    from rubric_engine.cli.so_far import interrupted_document, interrupted_lines

    lines = list(interrupted_lines(run))
    if as_json:
        error = {"code": "E130", "kind": "interrupted", "message": lines[0]}
        document = {"ok": False, "error": error, **interrupted_document(run)}
        print_json(document | {"exit_code": EXIT_INTERRUPTED})
    else:
        note("\n".join(lines))


def report_bug(error: Exception, *, as_json: bool) -> None:
    """Say that the fault is ours; the traceback only where RUBRIC_ENGINE_DEBUG is set."""
    bug = RubricEngineError(
        f"internal error: {type(error).__name__}: {error}   (this is our bug)",
        fix=["RUBRIC_ENGINE_DEBUG=1 prints the traceback; please report it"],
    )
    report_error(bug, as_json=as_json)
    if os.environ.get("RUBRIC_ENGINE_DEBUG"):
        traceback.print_exception(error)
