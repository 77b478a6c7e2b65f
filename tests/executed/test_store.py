"""Executed submissions that are kept, and taken again where nothing could have come otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.executed import Store, run_or_reuse
from rubric_engine.executed.running import Run
from rubric_engine.isolation import Limits, RunSpec
from rubric_engine.submission import load_snapshot, load_submission, save_snapshot
from tests.executed.desk import Alike

Go = Callable[..., Run]
SCRIPT = "echo 1 > out.csv; date +%N"


@pytest.fixture
def go(tmp_path: Path) -> Go:
    """Run a submission of these files, kept as a run keeps it."""

    def run(box: Alike, files: dict[str, str] | None = None, **how: Any) -> Run:
        folder = tmp_path / f"submission-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        for name, text in (files or {"reproduce.sh": SCRIPT}).items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        save_snapshot(load_submission(folder), tmp_path / "kept", folder.name)
        spec = RunSpec.model_validate({key: value for key, value in how.items() if key != "rerun"})
        return asyncio.run(
            run_or_reuse(
                box,
                load_snapshot(tmp_path / "kept", folder.name),
                spec,
                tmp_path / "store",
                rerun=how.get("rerun", False),
            )
        )

    return run


def test_the_same_is_run_once(go: Go) -> None:
    box = Alike()
    first, second = go(box), go(box)
    assert (first.reused, second.reused, box.runs) == (False, True, 1)
    assert second.execution.submission is not None
    assert second.execution.submission.read("out.csv") == "1\n"
    fields = {"submission"}
    assert second.execution.model_dump(exclude=fields) == first.execution.model_dump(exclude=fields)


@pytest.mark.parametrize(
    "other",
    [
        {"files": {"reproduce.sh": SCRIPT + " "}},
        {"files": {"reproduce.sh": SCRIPT, "data.bin": "1"}},
        {"files": {"reproduce.sh": SCRIPT, ".git/HEAD": "ref: refs/heads/main"}},
        {"limits": Limits(time=7)},
        {"outputs": ("out.csv",)},
        {"secrets": {"TOKEN": "2"}},
        {"box": "sha256:2"},
        {"rerun": True},
    ],
)
def test_what_may_come_out_otherwise_is_run_again(go: Go, other: dict[str, Any]) -> None:
    go(Alike())
    box = Alike(other.pop("box", "sha256:1"))
    assert not go(box, **other).reused
    assert box.runs == 1


@pytest.mark.parametrize(
    ("how", "fields"),
    [
        ({"network": "open"}, {}),
        ({"network": "install"}, {}),
        ({"gpus": ("0",)}, {}),
        ({}, {"status": "timeout"}),
        ({}, {"status": "oom"}),
        ({}, {"network": None}),
        ({}, {"gpus": ("0",)}),
        ({}, {"image": "sha256:2"}),
    ],
)
def test_what_is_not_bound_to_come_out_the_same_is_not_kept(
    go: Go, how: dict[str, Any], fields: dict[str, Any]
) -> None:
    box = Alike(fields=fields)
    assert not go(box, **how).reused
    assert not go(box, **how).reused


def test_a_script_that_fails_is_kept_too(go: Go) -> None:
    box = Alike()
    assert go(box, {"reproduce.sh": "exit 3"}).execution.exit_code == 3
    assert go(box, {"reproduce.sh": "exit 3"}).reused


@pytest.mark.parametrize("pattern", ["*.run.json", "*[0-9a-f].json"])
def test_a_run_that_somebody_changed_is_not_taken(go: Go, tmp_path: Path, pattern: str) -> None:
    go(Alike())
    (path,) = (tmp_path / "store").glob(pattern)
    path.write_text(path.read_text().replace("out.csv", "cut.csv"))
    assert not go(Alike()).reused


def test_a_run_under_the_key_of_another_is_not_taken(go: Go, tmp_path: Path) -> None:
    go(Alike(), limits=Limits(time=7))
    theirs = {path.suffix: path for path in (tmp_path / "store").iterdir() if path.is_file()}
    key = theirs[".json"].name.partition(".")[0]
    go(Alike())
    other = {path for path in (tmp_path / "store").iterdir() if path.is_file()}
    (mine,) = {path.name.partition(".")[0] for path in other} - {key}
    for end in (".run.json", ".json", ".log"):
        (tmp_path / "store" / f"{mine}{end}").write_bytes(
            (tmp_path / "store" / f"{key}{end}").read_bytes()
        )
    assert not go(Alike()).reused


def test_limits_count_as_the_sandbox_holds_them(go: Go) -> None:
    go(Alike(), limits=Limits(cpus=8))
    assert go(Alike(), limits=Limits(cpus=16)).reused
    assert not go(Alike(), limits=Limits(cpus=1)).reused


def test_a_damaged_content_is_a_miss_and_then_mended(go: Go, tmp_path: Path) -> None:
    go(Alike())
    for path in (tmp_path / "store" / "objects").glob("??/*"):
        path.write_bytes(b"?" * path.stat().st_size)
    assert not go(Alike()).reused
    again = go(Alike())
    assert again.reused
    assert again.execution.submission is not None
    assert again.execution.submission.read("out.csv") == "1\n"


def test_a_run_whose_files_are_gone_is_not_taken(go: Go, tmp_path: Path) -> None:
    go(Alike())
    for path in (tmp_path / "store" / "objects").glob("??/*"):
        path.unlink()
    assert not go(Alike()).reused


def test_pruning_removes_runs_and_what_no_other_needs(go: Go, tmp_path: Path) -> None:
    go(Alike())
    store = Store(tmp_path / "store")
    assert store.prune(timedelta(days=1)).runs == 0
    assert go(Alike()).reused
    gone = store.prune(None)
    assert gone.runs == 1
    assert gone.bytes > 0
    assert not [path for path in (tmp_path / "store").rglob("*") if path.is_file()]
    assert store.prune(None).runs == 0


def test_no_variable_for_the_script_is_written_down(go: Go, tmp_path: Path) -> None:
    go(Alike(), {"reproduce.sh": "true"}, secrets={"TOKEN": "hush-hush"})
    files = [path for path in (tmp_path / "store").rglob("*") if path.is_file()]
    assert files
    assert not any(b"hush-hush" in path.read_bytes() for path in files)


def test_an_earlier_run_brings_its_log_s_file(go: Go, tmp_path: Path) -> None:
    first, second = go(Alike()), go(Alike())
    assert second.reused
    files = [run.execution.log_file for run in (first, second)]
    texts = [file.path.read_text() for file in files if file is not None]
    assert len(texts) == 2
    assert texts[0] == texts[1] != ""
    Store(tmp_path / "store").prune(None)
    assert not list((tmp_path / "store").glob("*.log"))


def test_a_log_s_file_that_somebody_changed_is_not_passed_on(go: Go, tmp_path: Path) -> None:
    first = go(Alike())
    (log,) = (tmp_path / "store").glob("*.log")
    log.write_text("all is well")
    second = go(Alike())
    assert second.reused
    assert second.execution.log_file is None
    assert second.execution.log == first.execution.log, "the record's own is under the hash"
