"""`rubric-engine doctor`: is everything at hand?"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from rubric_engine.cli.looked_at import Item, report


def doctor(
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", help="Ask the endpoint whether it lists this model; costs nothing."
        ),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Ask this endpoint, in place of the card's.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Check this machine: what works, what is missing, and the command that mends it."""
    from rubric_engine.cli.inputs import model_settings

    return report(_items(model_settings(model, base_url)), as_json=as_json)


def _items(model: dict[str, str]) -> Iterator[Item]:
    from importlib.metadata import version

    from rubric_engine.cli.doctor_models import model_items

    yield Item("ok", f"rubric-engine {version('rubric-engine')}, {platform.python_version()}")
    yield from map(_module, ("duckdb", "re2", "yaml"))
    yield _content()
    yield _bash()
    yield _docker()
    yield _numpy()
    yield _runs(Path("runs"))
    yield from model_items(model)


def _module(name: str) -> Item:
    if importlib.util.find_spec(name) is None:
        return Item("fail", f"{name} is missing", "pip install --force-reinstall rubric-engine")
    return Item("ok", f"{name} is installed")


def _content() -> Item:
    from rubric_engine.lookup import shipped

    tasks = shipped("rubrics")
    if not tasks:
        fix = "pip install --force-reinstall rubric-engine"
        return Item("fail", "no shipped task is found", fix)
    return Item("ok", f"shipped tasks: {', '.join(tasks)}")


def _bash() -> Item:
    found = shutil.which("bash")
    if found is None:
        return Item("fail", "bash is missing; --sandbox local needs it", "install bash")
    return Item("ok", f"--sandbox local can run ({found}); it does not isolate")


def _docker() -> Item:
    from rubric_engine.sandbox.checkup import summary

    return Item(*summary())


def _numpy() -> Item:
    if importlib.util.find_spec("numpy") is None:
        fix = "pip install 'rubric-engine[demo]'"
        return Item("warn", "numpy is missing; the shipped submissions need it to run", fix)
    return Item("ok", "numpy is there for the shipped submissions")


def _runs(folder: Path) -> Item:
    place = folder if folder.exists() else folder.absolute().parent
    if not os.access(place, os.W_OK):
        return Item("fail", f"{place} is not writable", "--runs DIR names another place")
    free = shutil.disk_usage(place).free / 1e9
    state = "ok" if free >= 1 else "warn"
    return Item(state, f"runs go to {folder}/, {free:.0f} GB free")
