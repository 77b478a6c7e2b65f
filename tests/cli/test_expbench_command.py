"""The commands `expbench import` and `expbench mask`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmarks.expbench.making import ENTRY, paper, without
from tests.cli.conftest import Command


def _repository() -> Path:
    repo = Path("repo")
    (repo / "lib").mkdir(parents=True)
    (repo / "train.py").write_text("answer = secret\n" * 9)
    (repo / "lib" / "optim.py").write_text("step = secret\n" * 9)
    (repo / "README.md").write_text("run it\n")
    (repo / "keep.py").write_text("1\n")
    return repo


def test_questions_become_tasks_and_repositories_lose_their_answers(command: Command) -> None:
    paper(Path(), ENTRY, without("masked_source", "requirements", mode="A"))
    done = command("expbench", "import", "iclr2024/7", "-o", "tasks/")
    assert done.code == 0
    assert "iclr2024-7-0     1          4             2  new" in done.out
    assert "2 new, in tasks" in done.out
    assert "W243  iclr2024/7/7_complete_final.json:3" in done.err
    assert command("rubric", "lint", "tasks/iclr2024-7-0").code == 0
    _repository()
    done = command("expbench", "mask", "repo/", "--task", "7/0", "-o", "masked/")
    assert (done.code, done.err) == (0, "")
    assert "hidden      lib/optim.py\n" in done.out.replace("train.py\n            ", "")
    assert "1 file, one commit" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())
    assert sorted(path.name for path in Path("masked").iterdir()) == [".git", "keep.py", "lib"]


def test_json_is_one_document(command: Command) -> None:
    paper(Path(), ENTRY)
    done = command("expbench", "import", "iclr2024", "--json")
    assert done.err == ""
    (task,) = done.json["tasks"]
    assert (task["id"], task["variables"], task["state"]) == ("iclr2024/7/0", 4, "new")
    assert command("expbench", "import", "iclr2024", "--json").json["tasks"][0]["state"] == (
        "unchanged"
    )
    _repository()
    done = command("expbench", "mask", "repo", "--task", "iclr2024/7/0", "-o", "m", "--json")
    assert done.err == ""
    assert set(done.json["hidden"]) == {"train.py", "lib/optim.py", "README.md"}
    assert len(done.json["commit"]) == 40


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["import", "iclr2042/7"], 3, "E610"),
        (["import", "iclr2042/7"], 3, "rubric-engine expbench import path/to/dataset/iclr2042/7"),
        (["import", "."], 3, "E612"),
        (["mask", ".", "--task", "7/0", "-o", "/nowhere/x"], 3, "E613"),
        (["mask", "."], 2, "--task"),
    ],
)
def test_mistakes_are_told_without_a_traceback(
    command: Command, words: list[str], code: int, says: str
) -> None:
    done = command("expbench", *words)
    assert (done.code, done.out) == (code, "")
    assert says in done.err
    assert "Traceback" not in done.err


def test_errors_and_what_is_missing_are_told_in_full(command: Command) -> None:
    file = paper(Path(), without("question", "method"))
    done = command("expbench", "import", file)
    assert done.code == 3
    assert "'question' is missing (and 1 more problem)" in done.err
    paper(Path(), ENTRY, without(questoin="\x1b[31m"))
    assert command("expbench", "import", file, "--strict").code == 3
    assert command("expbench", "import", file).code == 0
    repo = _repository()
    (repo / "train.py").rename(repo / "lib" / "train.py")
    done = command("expbench", "mask", "repo", "--task", "7/0", "-o", "m")
    assert done.code == 3
    assert "/workspace/train.py: did you mean lib/train.py?" in done.err
    assert "--allow-missing --also lib/train.py" in done.err
    assert not Path("m").exists()


def _of(conference: str, paper_id: str, question: str) -> str:
    """Write the file of a paper of a conference; its path."""
    file = Path("all") / conference / paper_id / f"{paper_id}_complete_final.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"questions": [ENTRY | {"question": question}]}))
    return str(file)


def test_two_questions_never_share_a_folder(command: Command) -> None:
    one, other = _of("a-b", "c", "One?"), _of("a", "b-c", "Another?")
    done = command("expbench", "import", "all", "--replace", "--json")
    error = done.json["error"]
    assert (done.code, error["code"]) == (3, "E613")
    assert error["message"] == "a/b-c/0 and a-b/c/0 would both be the task a-b-c-0"
    assert not Path("tasks").exists()

    assert command("expbench", "import", one).code == 0
    before = Path("tasks/a-b-c-0/expbench.json").read_text()
    done = command("expbench", "import", other, "--replace")
    assert done.code == 9
    assert "holds another question, a-b/c/0" in done.err
    assert "--replace" not in done.err
    assert Path("tasks/a-b-c-0/expbench.json").read_text() == before
    Path("tasks/a-b-c-0/expbench.json").write_text("{")  # damaged, it is written anew
    assert command("expbench", "import", one, "--replace").code == 0
    assert Path("tasks/a-b-c-0/expbench.json").read_text() == before
