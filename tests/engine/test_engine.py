"""`grade`: the five steps, the run folder, and the promise that no grade is not a zero."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest

from rubric_engine import Case, Criterion, Grade, JudgeCard, Rubric, Task, agrade, grade
from rubric_engine.errors import StorageError, UsageError
from rubric_engine.isolation import Execution
from rubric_engine.rundir import RunFolder, find_run, load_report
from rubric_engine.testing import FakeSandbox

Make = Callable[[dict[str, str | bytes]], Path]

CHECKED = {"file_exists": {"file": "a.py"}}


def rubric() -> Rubric:
    """A root over one checked code leaf, one unchecked, and one that needs a run."""
    leaves = [
        {"id": "code", "weight": 2, "task_category": "Code Development", "checks": [CHECKED]},
        {"id": "prose", "weight": 1, "task_category": "Code Development"},
        {
            "id": "run",
            "weight": 1,
            "task_category": "Code Execution",
            "checks": [{"exit_code": {"equals": 0}}],
        },
    ]
    criteria = [Criterion(key="root", id="root", requirements="all of it")]
    criteria += [
        Criterion.model_validate(
            {"key": leaf["id"], "requirements": f"{leaf['id']} is there"} | leaf
        )
        for leaf in leaves
    ]
    return Rubric.build([(None, criteria[0]), *(("root", c) for c in criteria[1:])])


class QuietJudge:
    """Says nothing about any leaf."""

    card = JudgeCard(kind="tests:QuietJudge", name="quiet")

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        for key in ("stranger", *()):
            yield key, Grade.graded(1.0)


class BrokenJudge(QuietJudge):
    """Grades one leaf, then breaks."""

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        yield leaves[0].key, Grade.graded(1.0)
        raise OSError("the judge broke")


def test_open_leaves_are_a_range_and_not_a_zero(make_tree: Make) -> None:
    report = grade(rubric(), make_tree({"a.py": "x = 1\n"}))
    assert report.score.model_dump(exclude={"sd"}) == {
        "value": 0.5,
        "low": 0.5,
        "high": 1.0,
        "coverage": 0.5,
    }
    assert report.reasons == {"needs_model": 1, "not_run": 1}
    assert not report.failed
    assert {notice.code for notice in report.notices} == {"W201", "W202"}


@pytest.mark.parametrize(
    ("execution", "expected"),
    [
        (Execution(status="ok", exit_code=0), Grade.graded(1.0)),
        (Execution(status="failed", exit_code=3), Grade.graded(0.0)),
        (Execution(status="no_script"), Grade.graded(0.0)),
        (Execution(status="infra.engine"), Grade.ungradeable("infra")),
        (Execution(status="cancelled"), Grade.ungradeable("cancelled")),
    ],
    ids=lambda value: value.status if isinstance(value, Execution) else "",
)
def test_only_the_submissions_own_ending_touches_a_grade(
    make_tree: Make, execution: Execution, expected: Grade
) -> None:
    report = grade(rubric(), make_tree({"a.py": ""}), sandbox=FakeSandbox(execution))
    found = report.grades["run"]
    assert (found.status, found.score, found.reason) == (
        expected.status,
        expected.score,
        expected.reason,
    )


def test_a_leaf_that_the_judge_forgets_is_a_failure_with_a_reason(make_tree: Make) -> None:
    report = grade(rubric(), make_tree({"a.py": ""}), judge=QuietJudge())
    assert report.grades["code"].reason == "infra"
    assert report.failed
    assert set(report.grades) == {"code", "prose", "run"}


def test_grades_before_a_crash_are_kept(make_tree: Make, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="the judge broke"):
        grade(rubric(), make_tree({"a.py": ""}), judge=BrokenJudge(), run_dir=tmp_path / "run")
    lines = (tmp_path / "run" / "grades.jsonl").read_text().splitlines()
    assert [json.loads(line)["key"] for line in lines] == ["run", "code"]
    assert json.loads((tmp_path / "run" / "run.json").read_text())["status"] == "stopped"


def test_grade_works_inside_a_running_loop(make_tree: Make) -> None:
    folder = make_tree({"a.py": ""})

    async def notebook() -> float | None:
        assert (await agrade(rubric(), folder)).score.value == 0.5
        return grade(rubric(), folder).score.value

    assert asyncio.run(notebook()) == 0.5


def test_a_run_folder_holds_the_run_and_reads_back(make_tree: Make, tmp_path: Path) -> None:
    run = tmp_path / "runs" / "2026-01-01-x-abc123"
    report = grade(rubric(), make_tree({"a.py": "x"}), run_dir=run)
    names = {path.name for path in run.iterdir()}
    assert names >= {"run.json", "rubric.json", "grades.jsonl", "report.json", "log.txt"}
    again = load_report(find_run("abc123", [tmp_path / "runs"]))
    assert again.grades == report.grades
    assert again.scores == report.scores
    assert again.rubric == report.rubric
    facts = json.loads((run / "run.json").read_text())
    assert facts["status"] == "done"
    assert facts["rubric_sha256"] == rubric().sha256
    assert facts["judge"]["fingerprint"]


def test_nothing_is_written_without_a_run_dir(
    make_tree: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_tree({"a.py": ""})
    monkeypatch.chdir(tmp_path)
    grade(rubric(), folder)
    assert [path.name for path in tmp_path.iterdir()] == ["submission"]


def test_a_run_folder_is_written_once_and_by_one_process(tmp_path: Path, make_tree: Make) -> None:
    folder = make_tree({"a.py": ""})
    with RunFolder(tmp_path / "busy"), pytest.raises(StorageError, match="another process"):
        grade(rubric(), folder, run_dir=tmp_path / "busy")
    grade(rubric(), folder, run_dir=tmp_path / "done")
    with pytest.raises(StorageError, match="already holds a run"):
        grade(rubric(), folder, run_dir=tmp_path / "done")


@pytest.mark.parametrize(
    "arguments",
    [{"model": "gpt"}, {"sandbox": "local", "execution": Execution(status="ok")}],
)
def test_calls_that_do_not_fit_are_refused(make_tree: Make, arguments: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        grade(rubric(), make_tree({"a.py": ""}), **arguments)  # type: ignore[arg-type]


def test_a_task_stamps_its_mode(make_tree: Make) -> None:
    report = grade(Task(name="t", rubric=rubric(), mode="lite"), make_tree({"a.py": ""}))
    assert report.provenance["mode"] == "lite"


def test_grades_come_one_by_one(make_tree: Make) -> None:
    seen: list[str] = []
    grade(rubric(), make_tree({"a.py": ""}), on_grade=lambda key, _: seen.append(key))
    assert sorted(seen) == ["code", "prose", "run"]
