"""What comes next in a labelling, as commands; the terminal and the page say the same. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rubric_engine.judgeeval.labelling.gold import Gold
from rubric_engine.judgeeval.labelling.planning import LabelPlan
from rubric_engine.judgeeval.labelling.standing import standings
from rubric_engine.labels import Labels


@dataclass(frozen=True)
class NextStep:
    """A command, and what it is for."""

    command: str
    why: str


def next_steps(
    plan: LabelPlan, labels: Mapping[str, Labels], path: str, gold: Gold | None = None
) -> tuple[NextStep, ...]:
    """What is to be done next, the first thing first.

    Args:
        plan: The plan.
        labels: Labels by annotator.
        path: Where the labelling lies.
        gold: Where it stands; None for who must not know whether others said the same.
    """
    return tuple(_steps(plan, labels, shlex.quote(path), gold))


def _steps(
    plan: LabelPlan, labels: Mapping[str, Labels], path: str, gold: Gold | None
) -> Iterator[NextStep]:
    behind = [row.annotator for row in standings(plan, labels) if row.done < row.assigned]
    if behind:
        who = f"{', '.join(behind)} {'has' if len(behind) == 1 else 'have'} leaves left"
        name = shlex.quote(behind[0])
        yield NextStep(f"rubric-engine label serve SUBMISSION --task TASK --as {name}", who)
    is_shared = any(len(leaf.annotators) > 1 for leaf in plan.leaves)
    if is_shared:
        once = " once all are done" if behind else ""
        yield NextStep(f"rubric-engine label agreement {path}", f"how far they agree{once}")
    if behind:
        return
    if gold.disputed if gold is not None else is_shared:
        decide = f"rubric-engine label adjudicate {path} --as NAME"
        yield NextStep(decide, "a third person decides what they disagree on")
    else:
        yield NextStep(f"rubric-engine label export {path} -o FILE", "gold, as a file")
