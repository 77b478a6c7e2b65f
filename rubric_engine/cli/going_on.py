"""What to do next with a run: the commands that can help, by how it ended."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.errors import CredentialsError
from rubric_engine.grading import MAY_DIFFER, MISSING_WORK

if TYPE_CHECKING:
    from rubric_engine.result import Report

_RESUME = "rubric-engine resume RUN"


def going_on(report: Report, *, stopped: bool) -> Iterator[str]:
    """The commands that go on with a run, and what each does; none where nothing would help.

    Args:
        report: Its report.
        stopped: Whether it was stopped, or died.
    """
    run = run_name(report)
    if stopped and report.stopped is not None and report.stopped.fix:
        yield from (_named(line, run) for line in report.stopped.fix)
        resumes = any(line.startswith(_RESUME) for line in report.stopped.fix)
        if report.stopped.exit_code == CredentialsError.exit_code and not resumes:
            yield _resuming(run)
    elif stopped:
        yield _resuming(run)
    else:
        yield from _asking_again(report, run)


def _asking_again(report: Report, run: str) -> Iterator[str]:
    """The commands that ask about leaves which failed, where another answer may come."""
    reasons = report.reasons.keys()
    if str((report.provenance.get("execution") or {}).get("status")).startswith("infra"):
        yield f"rubric-engine resume {run}   runs reproduce.sh anew, and what installs for it"
    elif reasons & MISSING_WORK:
        yield f"rubric-engine resume {run}   asks again where there was no answer"
    if reasons & MAY_DIFFER:
        yield f"rubric-engine resume {run} --retry-failed   asks again where an answer was no grade"
    elif any(any(grade.unheard()) for grade in report.grades.values()):
        yield f"rubric-engine resume {run} --retry-failed   asks the judges that were not heard"
    if "split" in reasons:
        yield f"rubric-engine show {run} --open   lists the leaves on which the judges are split"
    if "context_overflow" in reasons:
        yield (
            "rubric-engine grade SUBMISSION ... --context-window N   N tokens, for the model takes"
            " fewer than it was thought to; in a card `model.context_tokens`"
        )


def _resuming(run: str) -> str:
    return f"rubric-engine resume {run}   pays only for what is missing"


def _named(fix: str, run: str) -> str:
    command, _, remark = fix.replace("resume RUN", f"resume {run}").partition("   # ")
    return f"{command}   {remark}".rstrip()


def run_name(report: Report) -> str:
    """What a command takes to find the run of a report again."""
    return "latest" if report.run is None else name_of(Path(report.run))


def name_of(run: Path) -> str:
    """What a command takes to find the run in a folder, and no other."""
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.runs import short_name

    if run.parent != Path("runs"):
        return shlex.quote(str(run))
    kept = (path for base in run_bases(None) for path in base.glob("*/") if path != run)
    return shlex.quote(short_name(run.name, [path.name for path in kept]) or str(run))
