"""What a submission is called where people read of it."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.submission_names import CALLED, called, called_in


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("/cases/heavy-ball-partial/submission", "heavy-ball-partial"),
        ("/cases/heavy-ball-partial", "heavy-ball-partial"),
        ("/cases/team-a/submission.tar.gz", "team-a"),
        ("/cases/team-a.tar.xz", "team-a"),
        ("/cases/team-a.tgz", "team-a"),
        ("/cases/team-a.targets", "team-a.targets"),
        ("/cases/team-a/code/Submission", "team-a"),
        ("/cases/team-a/src", "team-a"),
        ("/home/submission", "submission"),
        ("/submission", "submission"),
        ("/cases/方法/submission", "方法"),
    ],
)
def test_a_name_that_says_only_what_it_is_gives_way_to_its_folders(place: str, name: str) -> None:
    assert called(PurePosixPath(place)) == name


NAMES = st.text(st.characters(exclude_characters="/.\0"), min_size=1)


@given(st.lists(NAMES, min_size=1))
def test_every_submission_is_called_as_it_or_a_folder_above_it(names: list[str]) -> None:
    assert called(PurePosixPath("/", *names)) in names


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({"submission": "submission", CALLED: "team-a"}, "team-a"),
        ({"submission": "team-a"}, "team-a"),
        ({"submission": None}, ""),
        ({}, ""),
        ({CALLED: 7}, "7"),
    ],
)
def test_a_run_says_what_its_submission_is_called(facts: dict[str, object], name: str) -> None:
    assert called_in(facts) == name
