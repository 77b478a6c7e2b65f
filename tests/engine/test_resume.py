"""Resuming a run: nothing kept is done again, and only what is missing is asked for."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import Criterion, Grade, Report, Rubric, Task, grade, resume
from rubric_engine.errors import ProviderError, RunError, StorageError
from rubric_engine.isolation import Execution, Limits, RunSpec
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.judges import ConstantJudge, LabelJudge
from rubric_engine.kept import load_kept_task, read_inputs, task_values
from rubric_engine.model import ModelFault, Refused, Unavailable
from rubric_engine.runs import load_report, newest_unfinished
from rubric_engine.testing import ScriptedModel
from rubric_engine.testing.scripted_model import ModelCall

Make = Callable[[dict[str, str | bytes]], Path]

NAMES = [f"part-{number:02}" for number in range(12)]


def leaf(name: str, **more: Any) -> Criterion:
    fields = {"key": name, "id": name, "requirements": f"the {name} is there"}
    return Criterion.model_validate(fields | {"task_category": "Code Development"} | more)


def task(*more: Criterion) -> Task:
    root = Criterion(key="root", id="root", requirements="all of it")
    leaves = [("root", leaf(name)) for name in NAMES] + [("root", each) for each in more]
    return Task(name="t", rubric=Rubric.build([(None, root), *leaves]), paper="A paper: 1e3, no.")


@pytest.fixture
def folder(make_tree: Make) -> Path:
    return make_tree({"a.py": "x = 1\n", "reproduce.sh": "echo 1 > out.csv\n"})


def model_failing(at: int, fault: Exception | None = None) -> ScriptedModel:
    """A model whose call of a number fails; without a fault, as if Ctrl-C came then."""

    def answer(call: ModelCall) -> Any:
        if call.number != at:
            return None
        if fault is None:
            raise KeyboardInterrupt
        return fault

    return ScriptedModel(answer)


def plain(report: Report) -> dict[str, Grade]:
    return dict(report.grades)


def contents(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.iterdir() if path.is_file()}


@pytest.fixture
def whole(folder: Path, tmp_path: Path) -> dict[str, Grade]:
    """The grades of a run that nothing disturbed."""
    run = tmp_path / "undisturbed" / "run"
    return plain(grade(task(), folder, judge="simple", model=ScriptedModel(), run_dir=run))


def test_a_finished_run_is_asked_nothing_and_stays_as_it_is(folder: Path, tmp_path: Path) -> None:
    run = tmp_path / "runs" / "r"
    first = grade(task(), folder, judge="simple", model=ScriptedModel(), run_dir=run)
    before, model = contents(run), ScriptedModel()
    again = resume(run, model=model)
    assert model.calls == []
    assert again.grades == first.grades
    assert again.cost == first.cost
    assert contents(run) == before


@pytest.mark.parametrize("at", [1, 2, 7, 12])
def test_after_an_interrupt_the_rest_is_asked(
    folder: Path, tmp_path: Path, whole: dict[str, Grade], at: int
) -> None:
    run = tmp_path / "runs" / "r"
    with pytest.raises(KeyboardInterrupt):
        grade(task(), folder, judge="simple", model=model_failing(at), run_dir=run)
    assert newest_unfinished([run.parent]) == run
    model = ScriptedModel()
    assert plain(resume(run, model=model)) == whole
    assert len(model.calls) <= len(NAMES)
    assert plain(load_report(run)) == whole
    assert json.loads((run / "run.json").read_text())["status"] == "done"


def test_missing_work_is_asked_again_and_the_last_line_counts(
    folder: Path, tmp_path: Path, whole: dict[str, Grade]
) -> None:
    run = tmp_path / "runs" / "r"
    stopped = grade(
        task(), folder, judge="simple", run_dir=run,
        model=model_failing(3, ProviderError("the provider is down")),
    )  # fmt: skip
    assert stopped.stopped is not None
    assert json.loads((run / "run.json").read_text())["status"] == "stopped"
    assert stopped.reasons["provider_error"] > 0
    done = resume(run, model=ScriptedModel())
    assert (plain(done), done.stopped) == (whole, None)
    lines = [json.loads(line) for line in (run / "grades.jsonl").read_text().splitlines()]
    assert {line["key"] for line in lines} == set(NAMES)
    (run / "report.json").unlink()
    assert plain(load_report(run)) == whole


@pytest.mark.parametrize(
    ("fault", "retry", "asked"),
    [(Unavailable("down"), False, 1), (Refused("no"), False, 0), (Refused("no"), True, 1)],
)
def test_a_final_answer_is_asked_again_only_on_demand(
    folder: Path, tmp_path: Path, fault: ModelFault, retry: bool, asked: int
) -> None:
    run = tmp_path / "runs" / "r"
    grade(task(), folder, judge="simple", model=model_failing(5, fault), run_dir=run)
    model = ScriptedModel()
    again = resume(run, model=model, retry_failed=retry)
    assert len(model.calls) == asked
    assert again.failed == (not asked)


@pytest.mark.parametrize("tail", [b'{"key": "part-0', b"\0" * 64, b"\0" * 64 + b"\n", b"{}"])
def test_a_torn_end_of_the_grades_is_cut_off(
    folder: Path, tmp_path: Path, whole: dict[str, Grade], tail: bytes
) -> None:
    run = tmp_path / "runs" / "r"
    with pytest.raises(KeyboardInterrupt):
        grade(task(), folder, judge="simple", model=model_failing(9), run_dir=run)
    lines = (run / "grades.jsonl").read_bytes().splitlines(keepends=True)
    (run / "grades.jsonl").write_bytes(b"".join(lines[:-1]) + tail)
    assert len(load_report(run).grades) == len(NAMES)
    assert plain(resume(run, model=ScriptedModel())) == whole
    (run / "report.json").unlink()
    assert plain(load_report(run)) == whole


def test_reproduce_sh_does_not_run_again(make_tree: Make, tmp_path: Path) -> None:
    count = tmp_path / "count"
    folder = make_tree({"reproduce.sh": f"echo 1 >> {count}\necho 1 > out.csv\n"})
    checks = [{"produced": {"file": "out.csv"}}]
    more = leaf("run", task_category="Code Execution", checks=checks)
    run = tmp_path / "runs" / "r"
    with pytest.raises(KeyboardInterrupt):
        grade(
            task(more), folder, judge="auto", sandbox="local", model=model_failing(2), run_dir=run
        )
    shutil.rmtree(folder)
    done = resume(run, model=ScriptedModel())
    assert done.grades["run"].score == 1.0
    assert done.provenance["execution"]["status"] == "ok"
    assert count.read_text() == "1\n"


def test_a_sandbox_that_never_ended_runs(make_tree: Make, tmp_path: Path) -> None:
    class Broken:
        name, isolates = "local", False

        async def run(self, submission: object, spec: object) -> Execution:
            raise KeyboardInterrupt

    folder = make_tree({"reproduce.sh": "echo 1 > out.csv\n"})
    checks = [{"produced": {"file": "out.csv"}}]
    more = leaf("run", task_category="Code Execution", checks=checks)
    run = tmp_path / "runs" / "r"
    with pytest.raises(KeyboardInterrupt):
        grade(task(more), folder, sandbox=Broken(), run_dir=run)
    assert resume(run).grades["run"].score == 1.0


LABELS = LabelJudge({"part-01": Grade.graded(0.5)})


NESTED = JudgeCard.model_validate(
    {"kind": "cascade", "name": "n", "judges": ["rules", "panel"], "unsure": [0.2, 0.8]}
)
AGAIN = JudgeCard.model_validate(
    {"kind": "repeat", "name": "r", "of": "panel", "n": 3, "vote": "lead_by"}
)


@pytest.mark.parametrize(
    "judge", ["rules", "auto", "thorough", "random", "all-met", "panel", LABELS, NESTED, AGAIN]
)
def test_each_judge_is_made_again(
    folder: Path, tmp_path: Path, judge: str | JudgeCard | Judge
) -> None:
    run = tmp_path / "runs" / "r"
    first = grade(task(), folder, judge=judge, model=ScriptedModel(), run_dir=run)
    facts = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(facts | {"status": "running"}))  # died at the end
    lines = (run / "grades.jsonl").read_bytes().splitlines(keepends=True)
    (run / "grades.jsonl").write_bytes(b"".join(lines[:5]))
    again = resume(run, model=ScriptedModel([]))
    assert again.grades == first.grades
    assert again.provenance["judge"] == first.provenance["judge"]


def test_a_judge_of_ones_own_is_to_be_given(folder: Path, tmp_path: Path) -> None:
    class Mine(ConstantJudge):
        """A judge that no card makes."""

    judge = Mine(0.5)
    judge.card = judge.card.model_copy(update={"kind": "mine"})
    run = tmp_path / "runs" / "r"
    first = grade(task(), folder, judge=judge, run_dir=run)
    facts = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(facts | {"status": "running"}))
    with pytest.raises(RunError, match="cannot be made again"):
        resume(run)
    with pytest.raises(RunError, match="another judge"):
        resume(run, judge=ConstantJudge(1.0))
    assert resume(run, judge=judge).grades == first.grades


@pytest.mark.parametrize(
    "name", ["task.json", "rubric.json", "judge/judge.yaml", "judge/leaf.jinja2", "resume.json"]
)
def test_what_was_changed_is_not_taken_for_ours(folder: Path, tmp_path: Path, name: str) -> None:
    run = tmp_path / "runs" / "r"
    with pytest.raises(KeyboardInterrupt):
        grade(task(), folder, judge="simple", model=model_failing(2), run_dir=run)
    text = (run / name).read_text()
    (run / name).write_text(text.replace('"sandbox": null', '"sandbox": "local"') + " ")
    if name == "resume.json":
        assert "local" in (run / name).read_text()
    with pytest.raises(RunError, match="cannot be resumed"):
        resume(run, model=ScriptedModel())


def test_a_run_that_ended_too_early_or_moved_says_so(folder: Path, tmp_path: Path) -> None:
    run = tmp_path / "runs" / "r"
    with pytest.raises(KeyboardInterrupt):
        grade(task(), folder, judge="simple", model=model_failing(2), run_dir=run)
    run.rename(run.with_name("other"))
    with pytest.raises(RunError, match="renamed"):
        resume(run.with_name("other"))
    (run.with_name("other") / "resume.json").unlink()
    with pytest.raises(RunError, match="before its inputs were kept"):
        resume(run.with_name("other"))


def test_a_task_comes_back_whole(tmp_path: Path) -> None:
    given = Task(
        name="t", rubric=task().rubric, title="T", paper="p\r\n\u2028", addendum="a",
        judge_addendum="j", attachments={"x.md": "yes"}, blacklist=("b",), mode="lite",
        skip=("*.bin",), network="open", outputs=("out/**",), limits=Limits(time=5), category="C",
    )  # fmt: skip
    (tmp_path / "task.json").write_text(json.dumps(task_values(given)))
    assert load_kept_task(tmp_path / "task.json", given.rubric) == given


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 4 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    made = mount and subprocess.run([mount, "-t", "tmpfs", "-o", "size=4m", "none", place])
    if not made or made.returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_stops_the_run_and_loses_nothing(
    folder: Path, small_disk: Path, whole: dict[str, Grade]
) -> None:
    run, ballast = small_disk / "runs" / "r", small_disk / "ballast"

    def filling(call: ModelCall) -> None:
        if call.number == 4:
            with ballast.open("wb", buffering=0) as file:
                try:
                    while file.write(b"0" * 4096):
                        pass
                except OSError:
                    pass

    with pytest.raises(StorageError) as stopped:
        grade(task(), folder, judge="simple", model=ScriptedModel(filling), run_dir=run)
    assert stopped.value.exit_code == 9
    with pytest.raises(StorageError):
        resume(run, model=ScriptedModel())
    ballast.unlink()
    assert plain(resume(run, model=ScriptedModel())) == whole


def test_a_read_only_folder_is_read_and_never_graded_into(folder: Path, small_disk: Path) -> None:
    done, stopped = small_disk / "done", small_disk / "stopped"
    grade(task(), folder, judge="simple", model=ScriptedModel(), run_dir=done)
    with pytest.raises(KeyboardInterrupt):
        grade(task(leaf("new")), folder, judge="simple", model=model_failing(1), run_dir=stopped)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert resume(done, model=ScriptedModel([])).score.coverage == 1
    with pytest.raises(StorageError):
        resume(stopped, model=ScriptedModel())
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    assert resume(stopped, model=ScriptedModel()).score.coverage == 1


def test_how_a_run_is_made_is_kept_and_its_variables_are_not(
    make_tree: Make, tmp_path: Path
) -> None:
    class Broken:
        name, isolates = "local", False

        async def run(self, submission: object, spec: object) -> Execution:
            raise KeyboardInterrupt

    folder = make_tree({"reproduce.sh": 'test "$TOKEN" = hush-hush && echo 1 > out.csv\n'})
    checks = [{"produced": {"file": "out.csv"}}]
    more = leaf("run", task_category="Code Execution", checks=checks)
    run = tmp_path / "runs" / "r"
    spec = RunSpec(limits=Limits(time=77), network="open", secrets={"TOKEN": "hush-hush"})
    with pytest.raises(KeyboardInterrupt):
        grade(task(more), folder, sandbox=Broken(), spec=spec, run_dir=run)
    files = [path for path in run.rglob("*") if path.is_file()]
    assert sum(b"hush-hush" in path.read_bytes() for path in files) == 1  # the script itself
    assert read_inputs(run).settings == spec.model_copy(update={"secrets": {}})
    for wrong in (None, {"TOKEN": "other"}):
        with pytest.raises(RunError, match="E526") as caught:
            resume(run, secrets=wrong)
        assert "--env-file" in caught.value.fix[0]
    assert resume(run, secrets={"TOKEN": "hush-hush"}).grades["run"].score == 1.0
