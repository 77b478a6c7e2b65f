"""Helpers of the monitor's tests: what is watched, made of texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from rubric_engine import Task, load_submission, load_task
from rubric_engine.isolation import Execution, Log
from rubric_engine.monitor import MonitorFinding, MonitorReport, Text, Watched, monitor
from rubric_engine.submitted import Submission

LISTED = "https://github.com/owner/fre"
MakeTree = Callable[..., Path]

_SHIPPED = load_task("heavy-ball")


@cache
def task(*blacklist: str) -> Task:
    """A shipped task with another blacklist; its outputs are `results/**`."""
    return replace(_SHIPPED, blacklist=blacklist or (LISTED,))


def watched(
    folder: Path,
    *,
    execution: Execution | None = None,
    log: str | None = None,
    blacklist: tuple[str, ...] = (LISTED,),
) -> Watched:
    """A folder as a submission, with what else is known."""
    return Watched(
        task=task(*blacklist),
        submission=load_submission(folder),
        execution=execution,
        agent_log=None if log is None else Text("agent.log", log),
    )


def ran(
    executed: Submission | Path,
    *,
    created: tuple[str, ...] = (),
    log: str = "",
    **changes: object,
) -> Execution:
    """A run that ended well and left a folder."""
    left = load_submission(executed) if isinstance(executed, Path) else executed
    one = Execution(status="ok", created=created, log=Log(head=log), submission=left)
    return one.model_copy(update=changes)


def logged(make_tree: MakeTree, log: str, name: str = "submission") -> MonitorReport:
    """The report on an empty submission with a log."""
    folder = make_tree({"reproduce.sh": "python main.py\n"}, name)
    return monitor(watched(folder, log=log))


def on_blacklist(report: MonitorReport) -> set[str]:
    """The severities of what was found of the blacklist."""
    return {one.severity for one in report.findings if one.area == "blacklist"}


def of_rule(report: MonitorReport, rule: str) -> list[MonitorFinding]:
    """The findings of a rule."""
    return [one for one in report.findings if one.rule == rule]


def call(command: str, name: str = "bash", key: str = "command") -> str:
    """A line of a log with a tool call."""
    arguments: Mapping[str, str] = {key: command}
    return json.dumps({"type": "tool_use", "name": name, "input": arguments}) + "\n"
