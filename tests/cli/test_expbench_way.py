"""From `expbench import` over `mask` to `grade`, as each of them says."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.benchmarks.expbench.making import ENTRY, paper
from tests.cli.conftest import Command

PATCH = "--- a/keep.py\n+++ b/keep.py\n@@ -1 +1 @@\n-1\n+2\n"


def _prepare() -> None:
    paper(Path(), ENTRY)
    (Path("repo") / "lib").mkdir(parents=True)
    for name, text in (("train.py", "answer"), ("lib/optim.py", "step"), ("keep.py", "1")):
        (Path("repo") / name).write_text(f"{text}\n")


def _told(out: str) -> list[str]:
    """The lines of `next`."""
    lines = out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("next"))
    return [line[12:] for line in lines[start:]]


def _words(line: str) -> list[str]:
    return shlex.split(line.replace("REPO ", "repo "))[1:]


@pytest.mark.parametrize("tasks", ["tasks", "my tasks"])
def test_next_leads_from_import_to_grade(command: Command, tasks: str) -> None:
    _prepare()
    done = command("expbench", "import", "iclr2024/7", "-o", tasks)
    (line,) = _told(done.out)
    assert "-o repos/iclr2024-7-0" in line
    done = command(*_words(line))
    assert (done.code, done.err) == (0, "")
    *_, handed_in, _, last = _told(done.out)
    assert all(len(line) <= 80 for line in done.out.splitlines()[:-1])
    assert handed_in == "answers/iclr2024-7-0: answer.json, changes.patch, agent.log"
    answer = Path("answers/iclr2024-7-0")
    answer.mkdir(parents=True)
    (answer / "answer.json").write_text(json.dumps({"design": {}, "conclusion": "It helps."}))
    (answer / "changes.patch").write_text(PATCH)
    done = command(*_words(last), "--judge", "rules", "--sandbox", "none", "--json", "--yes")
    (graded,) = done.json["answers"]
    assert graded["execution"]["why"] == "no sandbox"


def test_a_copy_under_another_name_is_moved_first(command: Command) -> None:
    _prepare()
    command("expbench", "import", "iclr2024/7")
    done = command("expbench", "mask", "repo", "--task", "7/0", "-o", "masked")
    assert _told(done.out)[0] == "mkdir -p repos && mv masked repos/iclr2024-7-0"
    assert _told(done.out)[-2:] == [
        "and, where NAME is the chat model that judges (--base-url URL):",
        "rubric-engine expbench grade answers --repos repos --model NAME",
    ]


def test_what_is_close_to_a_copy_is_told_and_kept_by_name(command: Command) -> None:
    _prepare()
    answer = "".join(f"value_{number} = compute({number})\n" for number in range(9))
    Path("repo/train.py").write_text(answer)
    Path("repo/twin.py").write_text(answer + "more = 1\n")
    command("expbench", "import", "iclr2024/7")
    words = ["expbench", "mask", "repo", "--task", "7/0", "-o"]
    done = command(*words, "one")
    assert "copies      twin.py   close to a copy of train.py (9 lines, 100% of it)" in done.out
    done = command(*words, "two", "--keep", "twin.py", "--json")
    assert (done.json["copies"], [one["code"] for one in done.json["warnings"]]) == ({}, ["W245"])
    done = command(*words, "three", "--keep", "train.py")
    assert (done.code, done.out) == (2, "")
    assert "--keep train.py" in done.err
