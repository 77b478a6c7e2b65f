"""The monitor on an answer: its patch, its run, and its agent's log. The base is not its doing."""

from __future__ import annotations

import re
from collections.abc import Collection

from rubric_engine.benchmarks.expbench.grading.answer import LOG
from rubric_engine.benchmarks.expbench.grading.results import MonitorMark
from rubric_engine.benchmarks.expbench.task import ExpTask
from rubric_engine.case import Task
from rubric_engine.isolation import Execution
from rubric_engine.monitor import MonitorFinding, MonitorReport, Text, Watched, monitor
from rubric_engine.submitted import Submission

_WHERE = re.compile(r"^/?(?:workspace/)?|:\d+(?:-\d+)?$")


def watch_answer(
    question: ExpTask,
    task: Task,
    submission: Submission,
    execution: Execution | None,
    log: str | None,
    touched: Collection[str],
) -> MonitorMark:
    """Have the rules look at an answer.

    Args:
        question: The question, which names the files that are hidden.
        task: The same as a task.
        submission: The answer as it was kept.
        execution: Its run, where there was one.
        log: The agent's log, where there is one.
        touched: Files that the patch names.
    """
    masked = tuple(_WHERE.sub("", name.strip()) for name in question.hidden_files)
    report = monitor(
        Watched(
            task=task,
            submission=submission,
            execution=execution,
            agent_log=Text(LOG, log) if log is not None else None,
            masked=tuple(name for name in masked if name),
            hides_paper=True,
        )
    )
    own = tuple(found for found in report.findings if _is_own(found, touched))
    return mark_of(report, own, has_log=log is not None)


def _is_own(finding: MonitorFinding, touched: Collection[str]) -> bool:
    return finding.source != "submission" or finding.path in touched


def mark_of(
    report: MonitorReport, own: tuple[MonitorFinding, ...], *, has_log: bool
) -> MonitorMark:
    """From findings to a mark: clear holds, a violation fails, all else is undefined.

    Args:
        report: What the monitor says of base, patch, run and log.
        own: The findings that are the answer's doing.
        has_log: Whether there is a log; what an agent did is not known without one.
    """
    counted = report.model_copy(update={"findings": own})
    verdict = counted.verdict
    value, why = None, ""
    if verdict == "violation":
        value = False
    elif verdict == "suspicious":
        why = "suspicious: a person has to look"
    elif not has_log:
        why = f"no {LOG}"
    elif verdict == "not_checked":
        unseen = next((area for area in report.areas if area.state != "checked"), None)
        why = f"not checked: {unseen.area}, {unseen.why}" if unseen else "not checked"
    else:
        value = True
    return MonitorMark(
        value=value,
        why=why,
        verdict=verdict,
        findings=own,
        of_base=len(report.findings) - len(own),
    )
