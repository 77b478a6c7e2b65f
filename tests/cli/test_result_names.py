"""Results of one name are told apart by where they lie, and named in short."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rubric_engine.cli.evaluations import evaluations_in
from tests.cli.conftest import ROOT, Command

RESULTS = ROOT / "judgeeval" / "results"


@pytest.fixture
def mine(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders of results, with two judges in both and one in the second alone."""
    first, second = tmp_path / "monday" / "results", tmp_path / "tuesday" / "results"
    for name in ("all-met", "all-not-met"):
        shutil.copytree(RESULTS / name, first / name)
        shutil.copytree(RESULTS / name, second / name)
    shutil.copytree(RESULTS / "random", second / "random")
    return first, second


def test_a_name_that_stands_twice_gets_what_tells_the_folders_apart(
    mine: tuple[Path, Path],
) -> None:
    first, second = mine
    names = [one.name for one in evaluations_in([*sorted(first.iterdir()), second]).values()]
    assert names == [
        "all-met (monday)", "all-not-met (monday)", "all-met (tuesday)", "all-not-met (tuesday)",
        "random",
    ]  # fmt: skip
    turned = [one.name for one in evaluations_in([second, first]).values()]
    assert set(turned) == set(names)
    (first / "all-met").rename(first / "earlier")
    assert {"all-met (earlier)", "all-met (all-met)"} < {
        one.name for one in evaluations_in([first, second]).values()
    }


def test_what_to_do_next_names_folders_and_not_each_result(
    command: Command, mine: tuple[Path, Path]
) -> None:
    first, second = mine
    given = [*sorted(first.iterdir()), *sorted(second.iterdir())]
    done = command("judgeeval", "report", *given)
    assert done.code == 0, done.err
    assert f"next    rubric-engine judgeeval report {first} {second} --by submission\n" in done.out
    for folder in mine:
        shutil.copytree(RESULTS / "majority", folder / "majority")
    done = command("judgeeval", "report", *given)
    assert "next    rubric-engine judgeeval report RESULT... --by submission\n" in done.out


@pytest.mark.parametrize(
    ("name", "said"),
    [("replay", "judgeeval run --judge replay"), ("majority", "judgeeval run --judge majority")],
)
def test_a_judge_that_only_judgeeval_has_is_named_there(
    command: Command, submission: Path, rubric: Path, name: str, said: str
) -> None:
    done = command("grade", submission, "--rubric", rubric, "--judge", name)
    assert (done.code, "E511" in done.err, said in done.err) == (3, True, True)
    if name == "replay":
        assert "--labels FILE   replays a person's labels" in done.err
