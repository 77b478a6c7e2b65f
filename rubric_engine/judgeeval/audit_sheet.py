"""The sheet of an audit: a line a leaf for a human to fill in.

A line is ``{"key", "leaf", "submission", "path", "requirement", "category", "question", "verdict":
null, "reason": ""}``, with ``"run"`` in front where leaves of several runs are drawn, and
``"score": null`` and the scale behind where the rubric asks for scores between 0 and 1. It is
blind: no grade of the judge, no worth. `load_label_rows` reads it, as any file of labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rubric_engine.labels import leaf_hashes
from rubric_engine.rubric import Rubric


def sheet_rows(
    rubric: Rubric, leaves: Iterable[str], run: str | None = None, submission: str | None = None
) -> Iterator[dict[str, Any]]:
    """Lines to fill in for some leaves of a rubric, in the order given.

    Args:
        rubric: The tree.
        leaves: Their keys.
        run: Name of the run, where a sheet holds several.
        submission: How labels name the submission, where it is known.
    """
    hashes = leaf_hashes(rubric)
    for key in leaves:
        row = {
            "key": key,
            "leaf": hashes[key],
            "submission": submission,
            "path": [rubric[above].requirements for above in rubric.path(key)[:-1]],
            "requirement": rubric[key].requirements,
            "category": rubric[key].task_category,
            "question": rubric.category_of(key).question,
            "verdict": None,
            "reason": "",
        }
        yield ({} if run is None else {"run": run}) | row | _scale(rubric, key)


def _scale(rubric: Rubric, key: str) -> dict[str, Any]:
    """Room for a finer score, where the rubric asks for one."""
    if not rubric[key].partial_credit:
        return {}
    return {"score": None, "scale": [step.model_dump() for step in rubric[key].scale or ()]}
