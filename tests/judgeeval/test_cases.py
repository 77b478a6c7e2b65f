"""Loading labelled cases of both layouts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubric_engine.cli.app import run
from rubric_engine.errors import InputError, LabelsError, RubricEngineError
from rubric_engine.judgeeval import load_cases
from rubric_engine.task import load_task
from tests.judgeeval.making import keys, write_case, write_task

ROOT = Path(__file__).parent.parent.parent
PAPERBENCH = ROOT / "tests" / "data" / "paperbench"


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return write_task(tmp_path / "task")


def test_the_shipped_cases_are_the_default() -> None:
    cases = load_cases()
    assert [case.name for case in cases] == sorted(case.name for case in cases)
    assert len(cases) == 12
    assert all(case.absence is None and len(case.labelled) >= 40 for case in cases)


def test_one_case_a_folder_of_cases_and_several_folders(tmp_path: Path, task: Path) -> None:
    for name in ("b", "a"):
        write_case(tmp_path / "cases" / name, task)
    write_case(tmp_path / "more" / "deep" / "c", task)
    assert [case.name for case in load_cases(tmp_path / "cases" / "b")] == ["b"]
    found = load_cases(tmp_path / "cases", tmp_path / "more")
    assert [case.name for case in found] == ["a", "b", "c"]
    with pytest.raises(InputError, match="two cases are called 'a'"):
        load_cases(tmp_path / "cases", tmp_path / "cases" / "a")


def test_a_case_inside_a_submission_is_its_authors(tmp_path: Path, task: Path) -> None:
    write_case(tmp_path / "cases" / "a", task)
    write_case(tmp_path / "other" / "submission" / "planted", task)
    assert [case.name for case in load_cases(tmp_path / "cases")] == ["a"]
    with pytest.raises(InputError, match="holds no labelled case"):
        load_cases(tmp_path / "other")
    with pytest.raises(InputError, match="is no folder of labelled cases"):
        load_cases(tmp_path / "nowhere")


def test_a_case_as_it_stands_in_its_file(tmp_path: Path, task: Path) -> None:
    verdicts = {"one-0": "met", "one-1": "cannot_judge", "two-0": "not_met"}
    folder = write_case(tmp_path / "a", Path("../task"), verdicts, case_more="source: here\n")
    (case,) = load_cases(folder)
    assert (case.task.name, case.annotator, case.source) == ("task", "ada", "here")
    assert case.labelled == ("one-0", "two-0")
    submission, execution = case.load()
    assert [file.path for file in submission.files] == ["a.py"]
    assert execution is None


def test_a_run_made_elsewhere_by_its_log_or_its_record(tmp_path: Path, task: Path) -> None:
    for name, content in (
        ("run.log", "it ran\n"),
        ("execution.json", json.dumps({"status": "failed", "exit_code": 3})),
        ("sealed.json", json.dumps({"execution": 1, "run": {"status": "timeout"}})),
    ):
        folder = write_case(tmp_path / name, task, case_more=f"execution: {name}\n")
        (folder / name).write_text(content)
    by_log, failed, timeout = (
        load_cases(tmp_path / name)[0].load()[1]
        for name in ("run.log", "execution.json", "sealed.json")
    )
    assert by_log is not None
    assert by_log.log is not None
    assert (by_log.status, by_log.log.head) == ("declared", "it ran\n")
    assert failed is not None
    assert (failed.status, failed.exit_code, failed.sandbox) == ("failed", 3, "declared")
    assert failed.submission is not None
    assert timeout is not None
    assert timeout.status == "timeout"


@pytest.mark.parametrize(
    ("more", "code"),
    [("colour: red\n", "E544"), ("execution: nothing.log\n", "E544"),
     ("execution: broken.json\n", "E524"), (f"sha256: {'0' * 64}\n", "E543"),
     ("submission: .\n", "E545"), ("submission: ../b\n", "E545"), ("submission: /etc\n", "E545"),
     ("submission: labels.yaml\n", "E545"), ('submission: "a\\0b"\n', "E544"),
     (f"submission: {'x' * 2000}\n", "E544"), ("submission: loop\n", "E545")],
)  # fmt: skip
def test_what_is_wrong_with_a_case(tmp_path: Path, task: Path, more: str, code: str) -> None:
    folder = write_case(tmp_path / "a", task, case_more=more)
    (folder / "broken.json").write_text("{")
    (folder / "loop").symlink_to("loop")
    with pytest.raises(RubricEngineError) as caught:
        load_cases(folder)[0].load()
    assert caught.value.code == code


def test_a_case_without_labels_and_one_whose_task_is_unknown(tmp_path: Path, task: Path) -> None:
    folder = write_case(tmp_path / "a", task)
    (folder / "labels.yaml").unlink()
    with pytest.raises(LabelsError, match="has no labels"):
        load_cases(folder)
    unknown = write_case(tmp_path / "b", Path("no-such-task"))
    with pytest.raises(RubricEngineError, match="no task 'no-such-task'"):
        load_cases(unknown)


def test_further_annotators_lie_in_a_folder(tmp_path: Path, task: Path) -> None:
    folder = write_case(tmp_path / "a", task)
    (folder / "labels").mkdir()
    (folder / "labels" / "bo.yaml").write_text(
        "annotator: bo\nlabels: {one-0: {verdict: met}, one-1: {verdict: cannot_judge}}\n"
    )
    (case,) = load_cases(folder)
    assert {key: grade.score for key, grade in case.others["bo"].items()} == {
        "one-0": 1.0,
        "one-1": None,
    }


@pytest.mark.parametrize("kind", ["nothing", "pointer"])
def test_an_absent_submission(tmp_path: Path, task: Path, kind: str) -> None:
    folder = write_case(tmp_path / "a", task, submission=False, case_more="submission: s.tar\n")
    if kind == "pointer":
        text = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 9\n"
        (folder / "s.tar").write_text(text)
    (case,) = load_cases(folder)
    assert case.absence is not None
    assert ("git lfs pull" in case.absence) == (kind == "pointer")
    assert not case.load()[0].files


def test_paperbench_s_layout_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERBENCH_DATA_DIR", str(ROOT / "nowhere"))
    (case,) = load_cases(PAPERBENCH / "judge_eval")
    assert (case.name, case.annotator, case.elsewhere) == ("variance-reduction/0", "expert", True)
    assert "no paper of variance-reduction is at hand" in case.notes[0]
    # The rubric is the one that was labelled, not the task's own.
    assert len(case.task.rubric.leaves()) != len(load_task("variance-reduction").rubric.leaves())
    submission, execution = case.load()
    assert execution is not None
    assert execution.status == "declared"
    assert "reproduce.log" in submission.files


def test_paperbench_s_paper_is_found_beside_judge_eval(tmp_path: Path, task: Path) -> None:
    case = tmp_path / "judge_eval" / "tiny" / "0"
    (case / "grading").mkdir(parents=True)
    leaf = {"id": "leaf", "requirements": "It is there", "weight": 1, "sub_tasks": [],
            "task_category": "Code Development", "score": 1.0, "valid_score": True,
            "explanation": "", "judge_metadata": None}  # fmt: skip
    root = {**leaf, "id": "root", "task_category": None, "sub_tasks": [leaf]}
    (case / "grading" / "expected_result.json").write_text(json.dumps(root))
    paper = tmp_path / "papers" / "tiny"
    paper.mkdir(parents=True)
    (paper / "rubric.json").write_text((case / "grading" / "expected_result.json").read_text())
    (paper / "paper.md").write_text("# The paper\n")
    (found,) = load_cases(tmp_path)
    assert (found.task.paper, found.notes) == ("# The paper\n", ())
    assert found.absence is not None
    assert keys()  # the small task stays out of it
    (paper / "paper.md").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    (left_out,) = load_cases(tmp_path)
    assert left_out.task.paper is None
    assert "Git LFS pointer" in left_out.notes[0]


def test_a_folder_of_labels_as_the_command_leaves_it(tmp_path: Path, task: Path) -> None:
    folder = write_case(tmp_path / "a", task)
    (folder / "labels.yaml").unlink()
    labels = folder / "labels"

    def label(*words: str | Path) -> None:
        assert run(["label", *map(str, words)]) == 0

    label("assign", folder / "submission", "--task", task, "--annotators", "ada,bo",
          "--overlap", "100", "-o", labels)  # fmt: skip
    for name, verdicts in (("ada", "mmmnnn"), ("bo", "mmmnnm")):
        sheet = labels / f"todo-{name}.jsonl"
        rows = [json.loads(line) for line in sheet.read_text().splitlines()]
        for row, verdict in zip(rows, verdicts, strict=True):
            row |= {"verdict": "met" if verdict == "m" else "not_met", "reason": "seen"}
        sheet.write_text("".join(json.dumps(row) + "\n" for row in rows))
        label("import", sheet, labels, "--as", name)
    label("adjudicate", labels, "--as", "cy")
    (case,) = load_cases(folder)
    assert sorted(case.others) == ["ada", "bo"]
    assert len(case.labelled) == 5


@pytest.mark.parametrize("target", ["grading", ".", "../../..", "grading/expected_result.json"])
@pytest.mark.parametrize("name", ["submission", "submission.tar"])
def test_a_submission_that_links_to_labels_or_out_of_its_case(
    tmp_path: Path, target: str, name: str
) -> None:
    case = tmp_path / "judge_eval" / "p" / "0"
    (case / "grading").mkdir(parents=True)
    source = PAPERBENCH / "judge_eval" / "variance-reduction" / "0" / "grading"
    (case / "grading" / "expected_result.json").write_text(
        (source / "expected_result.json").read_text()
    )
    (case / name).symlink_to(target)
    with pytest.raises(RubricEngineError) as caught:
        load_cases(tmp_path)
    assert caught.value.code == "E545"


def test_a_case_whose_name_no_encoding_takes(tmp_path: Path, task: Path) -> None:
    plain = write_case(tmp_path / "cases" / "plain", task)
    (case,) = load_cases(plain.rename(plain.with_name("bad\udcff")))
    assert case.name == "bad\ufffd"
