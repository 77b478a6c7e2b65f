"""Tasks: both layouts, and look-ups that a submission cannot steer."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine import load_task
from rubric_engine.errors import PaperError, RubricEngineError, TaskError

RUBRIC = '{"id": "r", "requirements": "x", "weight": 1, "task_category": "Code Development"}'


def task_folder(base: Path, **files: str | bytes) -> Path:
    folder = base / "mine"
    folder.mkdir(parents=True)
    for name, content in {"rubric_json": RUBRIC, **files}.items():
        path = folder / name.replace("_", ".")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def test_our_layout(tmp_path: Path) -> None:
    settings = (
        "title: T\nmode: lite\noutputs: [results/**]\nlimits: {time: 60}\nattachments: [extra.md]\n"
    )
    folder = task_folder(
        tmp_path, task_yaml=settings, paper_md="# P", addendum_md="A", extra_md="E",
        blacklist_txt="# none here\nhttps://example.org/x/y  # theirs\nnone\n",
    )  # fmt: skip
    task = load_task(folder)
    assert (task.name, task.title, task.mode, task.outputs) == (
        "mine",
        "T",
        "lite",
        ("results/**",),
    )
    assert task.limits is not None
    assert task.limits.time == 60
    assert (task.paper, task.addendum, task.attachments) == ("# P", "A", {"extra.md": "E"})
    assert task.blacklist == ("https://example.org/x/y",)


def test_paperbench_layout(tmp_path: Path) -> None:
    folder = task_folder(tmp_path, config_yaml="id: mine\ntitle: A paper\n", blacklist_txt="none")
    (folder / "judge" / "ref").mkdir(parents=True)
    (folder / "judge" / "ref" / "paper.md").write_text("another paper")
    task = load_task(folder)
    assert (task.title, task.paper, task.blacklist) == ("A paper", None, ())
    assert task.attachments == {"judge/ref/paper.md": "another paper"}


def test_real_paper_folders_load(paperbench_papers: Path) -> None:
    for folder in sorted(paperbench_papers.iterdir()):
        assert load_task(folder).title


@pytest.mark.parametrize(
    ("content", "code", "says"),
    [
        (b"%PDF-1.7 ...", "E403", "PDF"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "E402", "Git LFS pointer"),
        (b"caf\xe9", "E404", "not UTF-8"),
    ],
)
def test_a_paper_that_is_no_text_says_what_it_is(
    tmp_path: Path, content: bytes, code: str, says: str
) -> None:
    with pytest.raises(PaperError, match=says) as caught:
        load_task(task_folder(tmp_path, paper_md=content))
    assert caught.value.code == code
    assert caught.value.exit_code == 3
    assert caught.value.fix


def test_a_name_is_looked_up_and_the_error_lists_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PAPERBENCH_DATA_DIR", raising=False)
    assert load_task("heavy-ball").name == "heavy-ball"
    with pytest.raises(TaskError, match="did you mean 'heavy-ball'") as caught:
        load_task("heavy-bal")
    assert "tried rubrics/heavy-bal" in caught.value.looked
    assert any("shipped: count-min, heavy-ball" in line for line in caught.value.looked)
    assert any("export PAPERBENCH_DATA_DIR=FOLDER" in line for line in caught.value.fix)
    monkeypatch.setenv("PAPERBENCH_DATA_DIR", str(tmp_path))
    with pytest.raises(TaskError) as caught:
        load_task("heavy-bal")
    assert not any("PAPERBENCH" in line for line in caught.value.fix)


def test_nothing_inside_the_submission_is_found_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task_folder(tmp_path / "submission" / "rubrics")
    task_folder(tmp_path / "submission")
    monkeypatch.chdir(tmp_path / "submission")
    with pytest.raises(TaskError) as caught:
        load_task("mine", untrusted=tmp_path / "submission")
    assert sum("lies inside the submission" in line for line in caught.value.looked) == 2
    assert load_task("./mine", untrusted=tmp_path / "submission").name == "mine"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("titel: x\n", "title"),
        ("limits: {time: -1}\n", "time"),
        ("limits: {pids: 99999999999999999999}\n", "pids"),
        ("limits: {disk: 9999999t}\n", "disk"),
        ("limits: {time: 1.0e+300}\n", "time"),
        ("attachments: [../../etc/passwd]\n", "outside"),
        ("network: all\n", "network"),
        ("outputs: ['*']\n", "reproduce.sh"),
        ('attachments: ["a\\0b"]\n', "outside"),
    ],
)
def test_wrong_settings_say_what_is_wrong(tmp_path: Path, settings: str, says: str) -> None:
    with pytest.raises(RubricEngineError) as caught:
        load_task(task_folder(tmp_path, task_yaml=settings))
    assert isinstance(caught.value, TaskError)
    problems = [problem.message + str(problem.hint) for problem in caught.value.problems]
    assert says in " ".join([caught.value.message, *problems])


def test_a_folder_without_a_rubric(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="holds no rubric"):
        load_task(tmp_path)
