"""What an audit draws from: the parts of a score that add up, each with its share.

Where every group is a weighted mean these are the leaves. A group that is none, such as one that
counts only as a whole, cannot say what a single leaf is worth: it is drawn as one, and all leaves
under it are labelled. A leaf that a judge says does not apply stays in, without a grade: whether
it applies is a verdict like any other, and no judge escapes an audit by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rubric_engine.grading import Grade
from rubric_engine.losses import is_mean, points_lost
from rubric_engine.rubric import Rubric
from rubric_engine.scoring import propagate

_MET = Grade.graded(1.0)
_OPEN = Grade.ungradeable("not_run")


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of a rubric's score.

    Attributes:
        worth: Share of the root's score by key of the part, in document order; sums to 1.
        leaves: The leaves of each part, in document order; a leaf that is a part holds itself.
    """

    worth: Mapping[str, float]
    leaves: Mapping[str, tuple[str, ...]]


def frame_of(rubric: Rubric) -> Frame:
    """Split a rubric, or a view of one, into the parts that its score is a weighted sum of."""
    full = propagate(rubric, dict.fromkeys(rubric.leaves(), _MET))
    points = points_lost(rubric, full)
    worth = {key: loss.worth / 100 for key, loss in points.items() if not is_mean(rubric, key)}
    leaves: dict[str, list[str]] = {key: [] for key in worth}
    for leaf in rubric.leaves():
        part = next((key for key in rubric.path(leaf) if key in worth), None)
        if part is not None:
            leaves[part].append(leaf)
    return Frame(worth, {key: tuple(held) for key, held in leaves.items()})


def part_scores(
    rubric: Rubric, frame: Frame, grades: Mapping[str, Grade]
) -> dict[str, float | None]:
    """Score of each part; None where leaves without a grade leave it open.

    Args:
        rubric: The tree.
        frame: Its parts.
        grades: Grade by key of a leaf, a judge's or made of labels.
    """
    scores = propagate(rubric, open_without_score(rubric, grades))
    return {
        key: scores[key].low if scores[key].low == scores[key].high else None for key in frame.worth
    }


def open_without_score(rubric: Rubric, grades: Mapping[str, Grade]) -> dict[str, Grade]:
    """The grades of all leaves; what has no score, "does not apply" included, is open."""
    known = {key: grades.get(key, _OPEN) for key in rubric.leaves()}
    return {key: _OPEN if grade.score is None else grade for key, grade in known.items()}
