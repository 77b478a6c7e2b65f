"""What each judge of a composite said of a leaf, for a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rubric_engine.cli.output import printable

if TYPE_CHECKING:
    from rubric_engine.grading import Grade

_DEEPEST = 8


def member_lines(grade: Grade, level: int = 1) -> Iterator[str]:
    """A line for each member's grade, in the order of asking, and its own members below it.

    Args:
        grade: The grade of the whole.
        level: How far in the lines stand.
    """
    indent = "  " * min(level, _DEEPEST)
    if level == 1 and grade.members:
        yield "judges"
    for member in grade.members:
        who = (member.judge or "?").rpartition(" ")[0] or member.judge or "?"
        said = f"{member.score:.3g}" if member.score is not None else member.reason or "n/a"
        sure = "" if member.probability is None else f" (probability {member.probability:.3g})"
        why = member.explanation.splitlines()
        first = f"   {printable(why[0], 200)}" if why else ""
        yield f"{indent}{printable(who, 40)}: {said}{sure}{first}"
        yield from member_lines(member, level + 1)
