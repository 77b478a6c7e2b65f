"""Short names of runs name one run, and the latest is one that stands for itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine import grade, load_rubric
from rubric_engine.cli.going_on import name_of
from rubric_engine.errors import RunError
from rubric_engine.rundir import is_part, new_run_name
from rubric_engine.runs import find_run, newest_unfinished, short_name
from rubric_engine.state import seal

DAY = "2026-05-01"
NAMES = st.lists(st.sampled_from(["0", "12", "abcdef", "7f3a2c", "rice", "baseline"]), min_size=1)


@given(st.sets(NAMES.map("-".join), min_size=1, max_size=8), st.data())
def test_a_short_name_fits_one_run_alone(names: set[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(names)))
    short = short_name(name, names - {name})
    if short is None:
        assert any(other.endswith(name) for other in names - {name})
    else:
        assert [each for each in names if each.endswith(short)] == [name]


@pytest.mark.parametrize(
    ("name", "others", "short"),
    [
        (f"{DAY}-rice-7f3a2c", [f"{DAY}-rice-aaaaaa"], "7f3a2c"),
        (f"{DAY}-tasks-a8885c-4-0", [f"{DAY}-tasks-a8885c-14-0"], "a8885c-4-0"),
        (f"{DAY}-exp-a8885c-x-1-0123abcd", [], "0123abcd"),
        (
            f"{DAY}-exp-a8885c-longer-1-0123abcd",
            [f"{DAY}-exp-b8885c-longer-1-0123abcd"],
            "a8885c-longer-1-0123abcd",
        ),
        ("mine", [], "mine"),
        ("mine", ["not-mine"], None),
    ],
)
def test_a_short_name_begins_with_an_id(name: str, others: list[str], short: str | None) -> None:
    assert short_name(name, others) == short


@pytest.mark.parametrize("task", ["rice", "a 1b2c3d 4", "2026-01-02-x-1b2c3d-y", "\u7b54\u6848"])
def test_a_run_that_was_begun_is_told_from_those_it_makes(task: str) -> None:
    name = new_run_name(task)
    assert not is_part(name)
    assert is_part(f"{name}-4-0")
    assert is_part(f"{name}-iclr2024-19008-0-0123abcd")
    assert not is_part("mine")


def test_the_latest_run_is_the_last_that_stands_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "rubric.yaml").write_text(
        "id: a\nrequirements: a\ntask_category: Code Development\n"
        "checks: [{file_exists: {file: a}}]\n"
    )
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "a").touch()
    bases = [Path("runs")]

    def run(name: str) -> None:
        grade(load_rubric("rubric.yaml"), "submission", run_dir=Path("runs") / name)

    run(f"{DAY}-set-a8885c-1-0")
    with pytest.raises(RunError, match="no run 'latest'") as none:
        find_run("latest", bases)
    assert any("benchmark" in line for line in none.value.looked)
    assert "show a8885c-1-0 " in none.value.fix[0]
    run(f"{DAY}-rice-7f3a2c")
    run(f"{DAY}-set-a8885c-2-0")
    assert find_run("latest", bases).name.endswith("7f3a2c")
    assert name_of(Path("runs") / f"{DAY}-rice-7f3a2c") == "7f3a2c"
    with pytest.raises(RunError, match="2 runs end in '0'") as several:
        find_run("0", bases)
    named = several.value.fix[0].split()[2]
    assert find_run(named, bases).name == f"{DAY}-set-a8885c-2-0"


def test_only_runs_that_stand_for_themselves_are_gone_on_with_unnamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    runs = tmp_path / "runs"

    def stopped(name: str, at: int, **facts: str) -> Path:
        started = f"{DAY}T0{at}:00:00"
        (runs / name).mkdir(parents=True)
        own = {"status": "stopped", "started": started, "seal": seal(name, started)}
        (runs / name / "run.json").write_text(json.dumps({**own, **facts}))
        return runs / name

    stopped(f"{DAY}-set-a8885c-1-0", 2)
    stopped(f"{DAY}-rice-aaaaaa", 3, case="rice")
    with pytest.raises(RunError) as none:
        newest_unfinished([runs])
    assert "passed over 2 runs that belong to" in none.value.looked[-1]
    with pytest.raises(RunError, match="no run 'latest'"):
        find_run("latest", [runs])
    mine = stopped(f"{DAY}-rice-7f3a2c", 1)
    assert newest_unfinished([runs]) == find_run("latest", [runs]) == mine
