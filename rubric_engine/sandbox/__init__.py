"""Sandboxes: where `reproduce.sh` is run."""

from __future__ import annotations

from rubric_engine.errors import UsageError
from rubric_engine.isolation import Sandbox
from rubric_engine.near import near
from rubric_engine.sandbox.local import LocalSandbox

_SANDBOXES = {"local": LocalSandbox}


def load_sandbox(name: str) -> Sandbox:
    """The sandbox of that name.

    Raises:
        UsageError: There is none.
    """
    if name in _SANDBOXES:
        return _SANDBOXES[name]()
    hint = near(name, _SANDBOXES)
    raise UsageError(
        f"unknown sandbox {name!r}" + (f"; {hint}" if hint else ""),
        fix=[f"use one of: {', '.join(_SANDBOXES)}"],
    )


__all__ = ["LocalSandbox", "load_sandbox"]
