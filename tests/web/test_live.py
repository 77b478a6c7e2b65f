"""What a stream tells of a run makes a page that is open the same as one that is opened anew."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.grading import Citation, Grade
from rubric_engine.rubric import Rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.web.viewing.live import Live
from rubric_engine.web.viewing.shelf import Shelf
from tests.web.test_view import rubric

__all__ = ["rubric"]

NAME = "one"
GRADES = {
    "first": Grade.graded(1.0, "there", [Citation(path="a.py", start_line=1)], probability=0.5),
    "second": Grade.ungradeable("refused", "no"),
    "third": Grade.graded(0.0, "token=sk-ant-api03-" + "a" * 40),
    "fourth": Grade.graded(0.5, "half"),
}


@pytest.fixture
def run(tmp_path: Path, rubric: Rubric) -> Iterator[RunFolder]:
    """A run that has just begun."""
    with RunFolder(tmp_path / "runs" / NAME) as folder:
        folder.write_rubric(rubric)
        folder.state("running", {"task": "small", "submission": "team-a"})
        yield folder


def _page(run: RunFolder) -> dict[str, Any]:
    """A run's page as it is opened now."""
    found = Shelf([run.path.parent]).run(NAME)
    assert found is not None
    return copy.deepcopy(found.run)


def _put(page: dict[str, Any], now: Live, before: Live) -> None:
    """Take in what a stream tells, as the page's script does."""
    for change in now.since(before):
        for name, value in change.items():
            if name != "node":
                page["nodes"][name][change["node"]] = value
    page.update(now.head_since(before))


@pytest.mark.parametrize("ends", [True, False], ids=["to its end", "going on"])
def test_after_any_number_of_events_a_page_is_as_a_fresh_one(run: RunFolder, *, ends: bool) -> None:
    shelf, page = Shelf([run.path.parent]), _page(run)
    before = Live.of(page)
    assert not page["judge"]["unsure"]
    for at, (key, grade) in enumerate(GRADES.items()):
        run.append(key, grade)
        if ends and at == len(GRADES) - 1:
            run.state("stopped", {"task": "small", "submission": "team-b"})
        now, fresh = shelf.live(NAME), _page(run)
        assert now is not None
        _put(page, now, before)
        before = now
        # How much was hidden and which edition it is are counts for the reader, not figures.
        assert {name: page[name] for name in page.keys() - {"masked", "mark"}} == {
            name: fresh[name] for name in fresh.keys() - {"masked", "mark"}
        }
    assert page["categories"][0]["lost"] == 37.5
    assert page["judge"]["unsure"] == [0.2, 0.8]
    assert before.goes_on is not ends


def test_nothing_new_is_nothing_told(run: RunFolder) -> None:
    shelf = Shelf([run.path.parent])
    now = shelf.live(NAME)
    assert now is not None
    assert (list(now.since(now)), now.head_since(now)) == ([], {})
    assert now.head_since(None) == now.head
