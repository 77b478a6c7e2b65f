"""What a doctor looked at, one thing after the other, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Item(NamedTuple):
    """One thing that was looked at."""

    state: str
    what: str
    fix: str = ""


def report(found: Iterable[Item], *, as_json: bool) -> int:
    """Print what was looked at.

    Returns:
        1 where something fails, else 0.
    """
    from rubric_engine.cli.output import print_json, printable, say

    items = list(found)
    code = int(any(item.state == "fail" for item in items))
    if as_json:
        checks = [item._asdict() for item in items]
        print_json({"ok": code == 0, "checks": checks, "exit_code": code})
        return code
    for state, what, fix in items:
        say(printable(f"{state:5} {what}" + (f"   fix: {fix}" if fix else "")))
    return code
