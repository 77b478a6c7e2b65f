from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rubric_engine.isolation import Omitted
from tests.judges.desk import RESULT, grade_of, ran, result_of, written

FILES: dict[str, str | bytes] = {
    "reproduce.sh": "python src/run.py\n",
    "src/run.py": "print(1)\n",
    "src/deep/more.py": "x = 1\n",
    "results/old.csv": "v\n1\n",
}

THERE = [
    ({"file_exists": {"file": "reproduce.sh"}}, 1.0, "1 file: reproduce.sh"),
    ({"file_exists": {"file": "src"}}, 1.0, "2 files: src/deep/more.py, src/run.py"),
    ({"file_exists": {"file": "src/*.py", "min": 2}}, 0.0, "1 file: src/run.py"),
    ({"file_exists": {"file": "**/*.py", "min": 2}}, 1.0, "2 files"),
    ({"file_exists": {"file": "none.py"}}, 0.0, "no file matches none.py"),
    ({"file_absent": {"file": "**/*.ckpt"}}, 1.0, "none"),
    ({"file_absent": {"file": "results/*"}}, 0.0, "1 file: results/old.csv"),
]


@pytest.mark.parametrize(("check", "score", "found"), THERE)
def test_files_are_there_or_not(
    tmp_path: Path, check: dict[str, Any], score: float, found: str
) -> None:
    result = result_of(check, written(tmp_path / "s", FILES))
    assert result.score == score
    assert found in result.found


def test_a_file_that_no_judge_sees_is_said_to_be_skipped(tmp_path: Path) -> None:
    submission = written(tmp_path / "s", {**FILES, "node_modules/a.js": "1"})
    (tmp_path / "s" / "link.py").symlink_to("src/run.py")
    submission = written(tmp_path / "s", {})
    for name in ("link.py", "node_modules"):
        result = result_of({"file_exists": {"file": name}}, submission)
        assert result.score == 0.0
        assert result.found.startswith(f"{name}: "), result.found


def produced(glob: str, **more: Any) -> dict[str, Any]:
    return {"produced": {"file": glob, **more}}


@pytest.mark.parametrize(
    ("check", "score", "found"),
    [
        (produced("results/new.csv"), 1.0, "1 file: results/new.csv"),
        (produced("src/run.py"), 1.0, "1 file: src/run.py"),
        (produced("results/old.csv"), 0.0, "handed in, but not made by the run"),
        (produced("results", min=2), 0.0, "1 file: results/new.csv"),
        (produced("results/none.csv"), 0.0, "the run made no file results/none.csv"),
    ],
)
def test_only_what_the_run_made_or_changed_is_produced(
    tmp_path: Path, check: dict[str, Any], score: float, found: str
) -> None:
    before = written(tmp_path / "before", FILES)
    after = written(
        tmp_path / "after", {**FILES, "src/run.py": "print(2)\n", "results/new.csv": "v\n2\n"}
    )
    result = result_of(check, before, ran(before, after))
    assert result.score == score
    assert found in result.found


def test_of_all_files_those_that_were_handed_in_do_not_explain_that_none_was_made(
    tmp_path: Path,
) -> None:
    before, after = (written(tmp_path / name, FILES) for name in ("before", "after"))
    result = result_of(produced("**"), before, ran(before, after))
    assert (result.score, result.found) == (0.0, "the run made no file **")


def test_what_was_not_taken_out_of_the_sandbox_is_not_said_to_be_missing(tmp_path: Path) -> None:
    submission = written(tmp_path / "s", FILES)
    left = Omitted(path="results/big.bin", size=9, why="it is larger than 5 bytes", kind="binary")
    result = result_of(produced("results/*.bin"), submission, ran(submission, omitted=(left,)))
    assert result.score == 0.0
    assert "left in the sandbox: it is larger than 5 bytes" in result.found


@pytest.mark.parametrize(
    ("fields", "score", "found"),
    [
        ({"exit_code": 0}, 1.0, "exit code 0"),
        ({"exit_code": 1, "status": "failed"}, 0.0, "exit code 1"),
        ({"exit_code": None, "status": "timeout", "signal": 9}, 0.0, "the time limit ended"),
        ({"exit_code": None, "status": "no_script"}, 0.0, "there is no reproduce.sh"),
        ({"exit_code": None, "status": "declared"}, None, "not known"),
        ({"exit_code": 0, "status": "declared"}, 1.0, "exit code 0"),
    ],
)
def test_how_the_run_ended(
    tmp_path: Path, fields: dict[str, Any], score: float | None, found: str
) -> None:
    submission = written(tmp_path / "s", FILES)
    result = result_of({"exit_code": {}}, submission, ran(submission, **fields))
    assert result.score == score
    assert found in result.found
    assert (result.reason == "not_run") == (score is None)


@pytest.mark.parametrize(
    "check",
    [
        {"exit_code": {}},
        produced("results"),
        {"log_contains": {"text": "done"}},
        {"number": {"log": True, "regex": "([0-9])", "equals": 1}},
    ],
)
@pytest.mark.parametrize("status", [None, "infra.engine", "cancelled"])
def test_without_a_usable_run_nothing_is_said_of_it(
    tmp_path: Path, check: dict[str, Any], status: str | None
) -> None:
    submission = written(tmp_path / "s", FILES)
    run = ran(submission, status=status, exit_code=None) if status else None
    assert grade_of([check], submission, run).reason == "not_run"


def test_a_leaf_that_needs_a_run_sees_code_and_what_the_run_made_but_no_removed_outputs(
    tmp_path: Path,
) -> None:
    before = written(tmp_path / "before", {**FILES, "results/gone.csv": "v\n1\n"})
    after = written(tmp_path / "after", {**FILES, "results/new.csv": "v\n2\n"})
    run = ran(before, after, removed_before=("results/gone.csv", "results/new.csv"))
    sees = {"src/run.py": 1.0, "results/new.csv": 1.0, "results/gone.csv": 0.0}
    for path, score in sees.items():
        result = result_of({"file_exists": {"file": path}}, before, run, task_category=RESULT)
        assert result.score == score, path
    handed_in = result_of({"file_exists": {"file": "results/gone.csv"}}, before, run)
    assert handed_in.score == 1.0


ALIKE = "the run left results/new.csv with the same content as a file that was handed in"
UNKNOWN = f"{ALIKE}; whether it made or copied it is not known"
NEW = "results/new.csv"


@pytest.mark.parametrize(
    ("check", "score", "found"),
    [
        (produced(NEW), None, UNKNOWN),
        (produced("results/*.csv", min=2), None, UNKNOWN),
        (produced("results/*.csv", min=3), 0.0, "1 file: results/made.csv"),
        (produced(NEW, min=2), 0.0, ALIKE),
        (produced("results/made.csv"), 1.0, "1 file"),
        (produced("results/none.csv"), 0.0, "the run made no file"),
        ({"not": produced(NEW)}, None, UNKNOWN),
        ({"number": {"file": NEW, "regex": "([0-9]+)", "equals": 1}}, None, UNKNOWN),
        ({"sql": {"query": f"select max(v) = 1 from '{NEW}'"}}, None, UNKNOWN),
        ({"sql": {"query": f"select nosuch(v) from '{NEW}'"}}, None, "no such function"),
        ({"file_exists": {"file": NEW}}, None, UNKNOWN),
        ({"contains": {"file": NEW, "text": "v"}}, None, UNKNOWN),
    ],
    ids=str,
)
def test_an_equal_content_alone_does_not_tell_a_copy(
    tmp_path: Path, check: dict[str, Any], score: float | None, found: str
) -> None:
    before = written(tmp_path / "before", FILES)
    new = {"results/new.csv": FILES["results/old.csv"], "results/made.csv": "v\n2\n"}
    after = written(tmp_path / "after", {**FILES, **new})
    run = ran(before, after, copied=("results/new.csv",))
    result = result_of(check, before, run, task_category=RESULT)
    assert result.score == score, result.found
    assert found in result.found
    if found == UNKNOWN:
        assert result.reason == "not_run"
