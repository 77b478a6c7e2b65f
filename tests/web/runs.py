"""Runs that are over, and a browser on the folder that holds them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.grading import Grade
from rubric_engine.rubric import Rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.app import view_app
from rubric_engine.web.viewing.shelf import Shelf
from tests.web.serving import Browser, served

MET = Grade.graded(1.0, "it is there")
SCORE = {"value": 0.5, "low": 0.25, "high": 0.75, "coverage": 0.5}
FACTS = {"task": "small", "submission": "submission", "submission_called": "team-a"}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder for runs, which is empty."""
    made = tmp_path / "runs"
    made.mkdir()
    return made


@pytest.fixture
def browser(base: Path) -> Iterator[Browser]:
    """A browser that was let in."""
    ending = Ending()
    with served(view_app(Shelf([base]), ending, "rubric-engine view --runs x"), ending) as inside:
        inside.enter()
        yield inside


def done(place: Path, rubric: Rubric, **more: Any) -> Path:
    """A run that is over; its score stands in run.json."""
    with RunFolder(place) as run:
        run.write_rubric(rubric)
        run.append("first", MET)
        run.state("done", {**FACTS, "score": SCORE, **more})
    return place
