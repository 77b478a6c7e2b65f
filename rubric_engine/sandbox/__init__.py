"""Sandboxes: where `reproduce.sh` is run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.errors import UsageError
from rubric_engine.isolation import Sandbox
from rubric_engine.near import near
from rubric_engine.sandbox.local import LocalSandbox

if TYPE_CHECKING:
    from rubric_engine.sandbox.docker import OnProgress

SANDBOXES = ("docker", "local")

RECIPE = "cpu"
"""The recipe that is used where none is named."""


def load_sandbox(
    name: str,
    *,
    engine: str | None = None,
    recipe: str | None = None,
    untrusted: Path | None = None,
    tell: OnProgress | None = None,
) -> Sandbox:
    """The sandbox of that name; nothing is connected yet.

    Args:
        name: `docker` or `local`.
        engine: Address of the Docker engine; None is DOCKER_HOST, else the local socket.
        recipe: Name or path of the recipe, which says which image; None is `cpu`.
        untrusted: A submission's root; no recipe that lies in it is found by name.
        tell: Called about once a second while a script runs in Docker.

    Raises:
        UsageError: There is none, or it has no engine and no recipe.
    """
    if name == "docker":
        from rubric_engine.sandbox.docker import DockerSandbox

        return DockerSandbox(engine, recipe or RECIPE, untrusted=untrusted, tell=tell)
    if name == "local":
        if engine is not None or recipe is not None:
            raise UsageError("the local sandbox has no engine and no recipe; --sandbox docker has")
        return LocalSandbox()
    hint = near(name, SANDBOXES)
    raise UsageError(
        f"unknown sandbox {name!r}" + (f"; {hint}" if hint else ""),
        fix=[f"use one of: {', '.join(SANDBOXES)}"],
    )


__all__ = ["RECIPE", "SANDBOXES", "LocalSandbox", "load_sandbox"]
