"""What annotators are given to fill in: the texts, and nothing that could sway them. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rubric_engine.judgeeval.labelling.planning import LabelPlan, PlannedLeaf
from rubric_engine.labels import Label
from rubric_engine.rubric import Rubric

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def todo(rubric: Rubric, leaves: Iterable[PlannedLeaf]) -> Iterator[dict[str, Any]]:
    """The lines of a work file, in the order of the tree.

    No weight, no verdict of a judge and no other label is in it.
    """
    for planned in leaves:
        yield _shown(rubric, planned) | _OPEN


def disputes(
    rubric: Rubric, plan: LabelPlan, disputed: Mapping[str, Mapping[str, Label]]
) -> Iterator[dict[str, Any]]:
    """The lines of an adjudicator's work file, each with what the annotators said.

    Who is A and who is B changes from leaf to leaf, by a hash of seed and key.

    Args:
        rubric: The rubric.
        plan: The plan.
        disputed: Labels by annotator, by leaf.
    """
    for planned in plan.leaves:
        labels = disputed.get(planned.key)
        if labels is None:
            continue
        order = sorted(labels, key=lambda name: _toss(plan.seed, planned.key, name))
        said = {LETTERS[place]: _opinion(labels[name]) for place, name in enumerate(order)}
        yield _shown(rubric, planned) | {"opinions": said} | _OPEN


_OPEN: dict[str, Any] = {
    "verdict": None,
    "reason": "",
    "citations": [],
    "flag": None,
    "seconds": None,
}
"""What is to be filled in."""


def _shown(rubric: Rubric, planned: PlannedLeaf) -> dict[str, Any]:
    *above, _ = rubric.path(planned.key)
    return {
        "key": planned.key,
        "path": [rubric[key].requirements for key in above],
        "requirement": rubric[planned.key].requirements,
        "category": planned.category,
        "question": rubric.category_of(planned.key).question,
        "leaf": planned.leaf,
    }


def _opinion(label: Label) -> dict[str, Any]:
    found = {"verdict": label.verdict, "reason": label.reason}
    cited = [str(citation) for citation in label.citations]
    return found | ({"citations": cited} if cited else {})


def _toss(seed: int, key: str, name: str) -> bytes:
    return hashlib.sha256(f"{seed}:{key}:{name}".encode("utf-8", "surrogatepass")).digest()
