"""What annotators are given to fill in: the texts, and nothing that could sway them. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rubric_engine.judgeeval.labelling.planning import LabelPlan, PlannedLeaf
from rubric_engine.labels import SHOWN, Label
from rubric_engine.rubric import Rubric

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


Row = dict[str, Any]


def todo(rubric: Rubric, plan: LabelPlan, annotator: str) -> Iterator[Row]:
    """The lines of a work file, in the order of the tree.

    No weight, no verdict of a judge and no other label is in it.

    Args:
        rubric: The rubric.
        plan: Who labels what.
        annotator: Whose lines they are; each says so.
    """
    for planned in plan.share(annotator):
        yield _shown(rubric, plan, planned) | {"annotator": annotator} | _OPEN


def disputes(
    rubric: Rubric,
    plan: LabelPlan,
    disputed: Mapping[str, Mapping[str, Label]],
    adjudicator: str,
) -> Iterator[Row]:
    """The lines of an adjudicator's work file, each with what the annotators said.

    Who is A and who is B changes from leaf to leaf, by a hash of seed and key.

    Args:
        rubric: The rubric.
        plan: The plan.
        disputed: Labels by annotator, by leaf.
        adjudicator: Whose lines they are; each says so.
    """
    for planned in plan.leaves:
        labels = disputed.get(planned.key)
        if labels is None:
            continue
        order = sorted(labels, key=lambda name: _toss(plan.seed, planned.key, name))
        said = {LETTERS[place]: _opinion(labels[name]) for place, name in enumerate(order)}
        yield _shown(rubric, plan, planned) | {"opinions": said, "annotator": adjudicator} | _OPEN


def refilled(fresh: Iterable[Row], before: Sequence[Row]) -> Iterator[Row]:
    """The lines of a work file that is written again: what somebody wrote stays as it is.

    Args:
        fresh: The lines to fill in now.
        before: The lines of the file as it is. Of those that are begun, each takes the place of
            the fresh one, and those of other leaves come last.
    """
    begun: dict[str, list[Row]] = {}
    for row in filter(_is_begun, before):
        begun.setdefault(str(row.get("key")), []).append(row)
    for row in fresh:
        yield from begun.pop(row["key"], [row])
    for rows in begun.values():
        yield from rows


def _is_begun(row: Row) -> bool:
    """Whether a line holds more than it was given with."""
    own = {name: value for name, value in row.items() if name not in _GIVEN}
    return any(value not in (None, _OPEN.get(name, "")) for name, value in own.items())


_GIVEN = SHOWN | {"key", "leaf", "submission", "annotator"}

_OPEN: Row = {
    "verdict": None,
    "reason": "",
    "citations": [],
    "flag": None,
    "seconds": None,
}
"""What is to be filled in."""


def _shown(rubric: Rubric, plan: LabelPlan, planned: PlannedLeaf) -> Row:
    *above, _ = rubric.path(planned.key)
    return {
        "key": planned.key,
        "path": [rubric[key].requirements for key in above],
        "requirement": rubric[planned.key].requirements,
        "category": planned.category,
        "question": rubric.category_of(planned.key).question,
        "leaf": planned.leaf,
        "submission": plan.mark,
    }


def _opinion(label: Label) -> Row:
    found = {"verdict": label.verdict, "reason": label.reason}
    cited = [str(citation) for citation in label.citations]
    return found | ({"citations": cited} if cited else {})


def _toss(seed: int, key: str, name: str) -> bytes:
    return hashlib.sha256(f"{seed}:{key}:{name}".encode("utf-8", "surrogatepass")).digest()
