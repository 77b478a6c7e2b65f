"""`grade`: the five steps, the run folder, and the promise that no grade is not a zero."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from rubric_engine import (
    Case,
    Criterion,
    Grade,
    JudgeCard,
    Rubric,
    Submission,
    Task,
    agrade,
    grade,
    load_submission,
    load_task,
)
from rubric_engine.errors import RunError, StorageError, TaskError, UsageError
from rubric_engine.isolation import Execution
from rubric_engine.rundir import RunFolder
from rubric_engine.runs import find_run, load_report, runs_in
from rubric_engine.testing import FakeSandbox
from rubric_engine.threads import run_anywhere

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


class OddJudge:
    """Speaks of a stranger and of a group, gives a number for a grade, and forgets the rest."""

    card = JudgeCard(kind="tests:OddJudge", name="odd")

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        yield "stranger", Grade.graded(1.0)
        yield "root", Grade.graded(1.0)
        yield "code", 1.0  # type: ignore[misc]  # what a judge must not do


class BrokenJudge(OddJudge):
    """Grades one leaf, then breaks."""

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        yield leaves[0].key, Grade.graded(1.0)
        raise OSError("no more")


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
    assert {warning.code for warning in report.warnings} == {"W201", "W202"}


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
    report = grade(rubric(), make_tree({"a.py": ""}), judge=OddJudge())
    assert report.grades["code"].reason == "infra"
    assert report.failed
    assert set(report.grades) == {"code", "prose", "run"}
    assert [warning.code for warning in report.noted] == ["W208"] * 3


def test_a_judge_that_breaks_leaves_the_rest_open_and_the_run_whole(
    make_tree: Make, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    report = grade(rubric(), make_tree({"a.py": ""}), judge=BrokenJudge(), run_dir=run)
    assert report.grades["code"].score == 1.0
    assert report.grades["prose"].reason == "infra"
    assert "the judge broke: OSError: no more" in report.grades["prose"].explanation
    assert report.failed
    assert "Traceback" in (run / "log.txt").read_text()
    assert load_report(run).grades == report.grades


def test_a_run_that_was_stopped_shows_what_was_graded(make_tree: Make, tmp_path: Path) -> None:
    run = tmp_path / "runs" / "2026-01-01-x-abc123"

    def stop(key: str, _: Grade) -> None:
        if key == "code":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade(rubric(), make_tree({"a.py": ""}), run_dir=run, on_grade=stop)
    report = load_report(run)
    assert report.grades["code"].score == 1.0
    assert report.grades["prose"].reason == "cancelled"
    (kept,) = runs_in([tmp_path / "runs"])
    assert kept.status == "stopped"


def test_latest_is_the_newest_of_all_folders_and_only_ours(make_tree: Make, tmp_path: Path) -> None:
    folder = make_tree({"a.py": ""})
    bases = [tmp_path / "one", tmp_path / "two"]
    for run in (bases[1] / "old", bases[0] / "new"):
        grade(rubric(), folder, run_dir=run)
    assert find_run("latest", bases) == bases[0] / "new"
    forged = bases[0] / "forged"
    shutil.copytree(bases[0] / "new", forged)
    facts = json.loads((forged / "run.json").read_text()) | {"started": "2999-01-01"}
    (forged / "run.json").write_text(json.dumps(facts))
    assert find_run("latest", bases) == bases[0] / "new"
    assert find_run(str(forged), bases) == forged


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("report.json", {"report": 99}),
        ("report.json", {"missing": "x"}),
        ("report.json", {"disqualified": 5}),
        ("report.json", {"noted": [{"code": "W1", "message": 5}]}),
        ("report.json", {"grades": {"code": {"status": "graded"}}}),
        ("run.json", {"category": 5}),
        ("run.json", {"score": {"value": 5}}),
    ],
)
def test_a_damaged_run_is_an_error_or_harmless(
    make_tree: Make, tmp_path: Path, name: str, change: dict[str, object]
) -> None:
    run = tmp_path / "runs" / "x"
    grade(rubric(), make_tree({"a.py": ""}), run_dir=run)
    whole = json.loads((run / name).read_text())
    (run / name).write_text(json.dumps(whole | change))
    with suppress(RunError):
        assert load_report(run).grades
    assert runs_in([tmp_path / "runs"])[0].path == run


def test_a_view_is_kept_with_the_whole_rubric(make_tree: Make, tmp_path: Path) -> None:
    task = Task(name="t", rubric=rubric(), category="Code Execution")
    report = grade(task, make_tree({"a.py": ""}), run_dir=tmp_path / "run")
    assert set(report.grades) == {"run"}
    assert load_report(tmp_path / "run").scores == report.scores


EVIL = "raise SystemExit('code of the submission runs')"


@pytest.mark.parametrize("given", [str, load_submission], ids=["path", "submission"])
def test_the_judge_never_comes_from_the_submission(
    make_tree: Make, monkeypatch: pytest.MonkeyPatch, given: Callable[[str], str | Submission]
) -> None:
    planted: dict[str, str | bytes] = {
        "a.py": "", "judges/rules/judge.yaml": "judge: 1\nkind: evil:J\n", "evil.py": EVIL,
    }  # fmt: skip
    monkeypatch.chdir(make_tree(planted))
    monkeypatch.syspath_prepend(".")
    assert grade(rubric(), given(".")).grades["code"].score == 1.0


def test_a_task_that_a_name_found_in_the_submission_is_refused(
    make_tree: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaf = '{"id": "r", "requirements": "x", "weight": 1, "task_category": "Code Development"}'
    monkeypatch.chdir(make_tree({"rubrics/mine/rubric.json": leaf}))
    with pytest.raises(TaskError, match="inside the submission"):
        grade(load_task("mine"), ".")
    assert grade(load_task("./rubrics/mine"), ".").grades


def test_grade_works_inside_a_running_loop(make_tree: Make) -> None:
    folder = make_tree({"a.py": ""})

    async def notebook() -> float | None:
        assert (await agrade(rubric(), folder)).score.value == 0.5
        return grade(rubric(), folder).score.value

    assert asyncio.run(notebook()) == 0.5


class WaitingJudge(OddJudge):
    """Interrupts the caller, and waits until it is told to stop."""

    cleaned_up = False

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            self.cleaned_up = True
        yield leaves[0].key, Grade.graded(1.0)


def test_an_interrupt_inside_a_running_loop_cancels_the_judge(make_tree: Make) -> None:
    folder, judge = make_tree({"a.py": ""}), WaitingJudge()

    async def notebook() -> None:
        grade(rubric(), folder, judge=judge)

    loop = asyncio.new_event_loop()
    with pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(notebook())
    loop.close()
    assert judge.cleaned_up


def test_an_interrupt_at_any_instant_leaves_no_thread() -> None:
    async def endless() -> None:
        await asyncio.Event().wait()

    async def notebook(at: int) -> None:
        timer = threading.Timer(at * 0.0003, os.kill, [os.getpid(), signal.SIGINT])
        timer.start()
        run_anywhere(endless())

    before = threading.active_count()
    for at in range(20):
        loop = asyncio.new_event_loop()
        with pytest.raises(KeyboardInterrupt):
            loop.run_until_complete(notebook(at))
        loop.close()
    assert threading.active_count() <= before + 1


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
    assert facts["settings"]["limits"]["time"] > 0
    assert {"duckdb", "google-re2"} <= set(facts["versions"])


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
    [{"sandbox": "lokal"}, {"sandbox": "local", "execution": Execution(status="ok")}],
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


def test_a_run_whose_folder_is_removed_meanwhile_fails(make_tree: Make, tmp_path: Path) -> None:
    def removing(key: str, _: Grade) -> None:
        if key == "prose":
            shutil.rmtree(tmp_path / "run")

    folder = make_tree({"a.py": "x = 1\n"})
    report = grade(rubric(), folder, run_dir=tmp_path / "run", on_grade=removing)
    assert report.stopped is not None
    assert (report.stopped.code, report.stopped.exit_code) == ("E907", 9)
    assert report.grades["code"].score == 1
