"""Runs of a small rubric with given scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from tests.comparing.editions import graded
from tests.strategies import flat, leaf

FACTS = {"task": "t", "mode": "full", "judge": {"name": "j", "fingerprint": "f" * 64}}


def run(rubric: Rubric, scores: Mapping[str, float | None], **more: Any) -> Report:
    """A run with these scores."""
    facts = FACTS | {"submission_sha256": "5" * 64} | more.pop("facts", {})
    return Report(rubric, graded(scores), provenance=facts, **more)


TREE = flat(*(leaf(f"k{at}") for at in range(8)))
MET: dict[str, float | None] = dict.fromkeys(TREE.leaves(), 1.0)
