"""`rubric-engine doctor`: is everything at hand?"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer


class Finding(NamedTuple):
    """One thing that was looked at."""

    state: str
    what: str
    fix: str = ""


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Check this machine: what works, what is missing, and the command that mends it."""
    from rubric_engine.cli.output import print_json

    findings = list(_findings())
    code = int(any(finding.state == "fail" for finding in findings))
    if as_json:
        checks = [finding._asdict() for finding in findings]
        print_json({"ok": code == 0, "checks": checks, "exit_code": code})
        return code
    for state, what, fix in findings:
        typer.echo(f"{state:5} {what}" + (f"   fix: {fix}" if fix else ""))
    return code


def _findings() -> Iterator[Finding]:
    from importlib.metadata import version

    yield Finding("ok", f"rubric-engine {version('rubric-engine')}, {platform.python_version()}")
    yield from map(_module, ("duckdb", "re2", "yaml"))
    yield _content()
    yield _bash()
    yield _numpy()
    yield _runs(Path("runs"))


def _module(name: str) -> Finding:
    if importlib.util.find_spec(name) is None:
        return Finding("fail", f"{name} is missing", "pip install --force-reinstall rubric-engine")
    return Finding("ok", f"{name} is installed")


def _content() -> Finding:
    from rubric_engine.lookup import shipped

    tasks = shipped("rubrics")
    if not tasks:
        fix = "pip install --force-reinstall rubric-engine"
        return Finding("fail", "no shipped task is found", fix)
    return Finding("ok", f"shipped tasks: {', '.join(tasks)}")


def _bash() -> Finding:
    found = shutil.which("bash")
    if found is None:
        return Finding("fail", "bash is missing; --sandbox local needs it", "install bash")
    return Finding("ok", f"--sandbox local can run ({found}); it does not isolate")


def _numpy() -> Finding:
    if importlib.util.find_spec("numpy") is None:
        fix = "pip install 'rubric-engine[demo]'"
        return Finding("warn", "numpy is missing; the shipped submissions need it to run", fix)
    return Finding("ok", "numpy is there for the shipped submissions")


def _runs(folder: Path) -> Finding:
    place = folder if folder.exists() else folder.absolute().parent
    if not os.access(place, os.W_OK):
        return Finding("fail", f"{place} is not writable", "--runs DIR names another place")
    free = shutil.disk_usage(place).free / 1e9
    state = "ok" if free >= 1 else "warn"
    return Finding(state, f"runs go to {folder}/, {free:.0f} GB free")
