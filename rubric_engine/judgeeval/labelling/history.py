"""What somebody said, as steps that can be taken back one by one. Pure.

A record is only ever added to: taking a step back adds lines, too, which say again what was said
before, or that nothing is. So a record tells which of its steps still stand.
"""

from __future__ import annotations

from collections.abc import Iterable

from rubric_engine.labels import Label, LabelRow

Step = dict[str, Label | None]
"""What leaves had before a change: a label, or none."""


def steps_of(rows: Iterable[LabelRow]) -> list[Step]:
    """The steps that still stand, the last one last.

    A line that says again what its leaf had before the last step takes that back. Lines that call
    leaves not met at one time, in the same words, came together and are one step.

    Args:
        rows: All lines of a record.
    """
    steps: list[Step] = []
    now: dict[str, Label | None] = {}
    last: Label | None = None
    for row in rows:
        before, top = now.get(row.key), steps[-1] if steps else {}
        if row.key in top and top[row.key] == row.label:
            del top[row.key]
            if not top:
                steps.pop()
            last = None
        elif row.key not in top and _came_together(last, row.label):
            top[row.key] = before
        else:
            steps.append({row.key: before})
            last = row.label
        now[row.key] = row.label
    return steps


def _came_together(last: Label | None, label: Label | None) -> bool:
    """Whether two lines are of one change; a label that was given alone says how long it took."""
    if last is None or label is None or label.verdict != "not_met" or label.seconds is not None:
        return False
    return all(getattr(last, name) == getattr(label, name) for name in _SAME)


_SAME = ("verdict", "reason", "time", "seconds", "citations", "flag", "score", "blind")
