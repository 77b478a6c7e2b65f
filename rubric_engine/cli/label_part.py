"""Whether a name has a part in a labelling, and what gives it one."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.judgeeval.labelling.folder import LabelFolder


def require_part(folder: LabelFolder, name: str, *, serve: bool = False) -> None:
    """Refuse a name that has no part in a labelling.

    Args:
        folder: The labelling.
        name: The name.
        serve: Whether it is to label in the browser, where who decides says `--adjudicate`.

    Raises:
        UsageError: It has none, or is no name.
    """
    from rubric_engine.errors import UsageError
    from rubric_engine.judgeeval.labelling.layout import annotator_name

    plan = folder.plan
    if name in plan.annotators or (not serve and name in folder.adjudicators):
        return
    raise UsageError(
        f"{annotator_name(name)!r} has no part in {folder.path}",
        looked=[f"annotators: {', '.join(plan.annotators)}",
                f"adjudicators: {', '.join(folder.adjudicators) or 'none yet'}"],
        fix=list(_fixes(folder, name, serve=serve)),
    )  # fmt: skip


def _fixes(folder: LabelFolder, name: str, *, serve: bool) -> Iterator[str]:
    decides = f"rubric-engine label adjudicate {shlex.quote(str(folder.path))} --as {name}"
    if serve:
        decides = f"--adjudicate --as {name}"
    if name in folder.adjudicators:
        yield f"{decides}   {name} decides here"
        return
    same = [each for each in folder.plan.annotators if each.casefold() == name.casefold()]
    if same:  # another name must differ in more
        yield f"--as {same[0]}   did you mean {same[0]!r}?"
        return
    likeness = {each: _alike(each, name) for each in folder.plan.annotators}
    for each in sorted(likeness, key=lambda each: -likeness[each])[:_SHOWN]:
        is_near = likeness[each] >= _NEAR
        yield f"--as {each}   " + (f"did you mean {each!r}?" if is_near else "is in the plan")
    yield f"{_plan_with(folder, name)}   plans with {name}; `label import` takes in what is there"
    yield f"{decides}   makes {name} an adjudicator"


_SHOWN, _NEAR = 3, 0.6


def _alike(name: str, other: str) -> float:
    return SequenceMatcher(None, name.casefold(), other.casefold()).ratio()


def _plan_with(folder: LabelFolder, name: str) -> str:
    """The command that plans the same leaves for one person more, in another folder."""
    plan, path = folder.plan, folder.path
    drawn = [] if len(plan.leaves) == plan.of else ["--sample", str(len(plan.leaves))]
    words = [plan.submission, "--rubric", str(path / "rubric.json"),
             "--annotators", ",".join((*plan.annotators, name)), *drawn,
             "--overlap", str(plan.overlap), "--seed", str(plan.seed),
             "-o", f"{path}-{name}"]  # fmt: skip
    return "rubric-engine label assign " + shlex.join(words)
