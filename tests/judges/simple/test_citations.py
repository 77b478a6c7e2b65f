"""Citations: every version of a file counts, each text is made ready once, long ones elsewhere."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine import Case, Citation, Execution, Grade
from rubric_engine.evidence import split
from rubric_engine.evidence.receipt import Omission, Receipt
from rubric_engine.files import FileIndex
from rubric_engine.isolation import Log
from rubric_engine.judges.simple.answer import MOST_CITED, grade_of
from rubric_engine.judges.simple.citations import check, checked
from rubric_engine.judges.simple.plain import PlainText, words_of
from rubric_engine.judges.simple.reading import Reading
from rubric_engine.model import Completion
from rubric_engine.submission import load_submission
from tests.judges.desk import written
from tests.judging.desk import leaf, task

TASK = task({"g": [leaf("a")]})
LOG = Log(head="start\nepoch 1\n", tail="a\nb\nc\nd\naccuracy 0.93\n", omitted_bytes=7)


def cited(path: str, line: int, quote: str) -> Citation:
    return Citation(path=path, start_line=line, end_line=line, quote=quote)


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    before = {"train.py": "LR = 0.1\nprint(1)\n", "same.py": "x = 1\n"}
    after = {"train.py": "LR = 0.2\nprint(1)\n", "same.py": "x = 1\n", "out.csv": "a,b\n"}
    execution = Execution(status="ok", log=LOG, submission=written(tmp_path / "after", after))
    return Reading.of(Case(TASK, written(tmp_path / "before", before), execution))


@pytest.mark.parametrize(
    ("path", "line", "quote", "said"),
    [
        ("train.py", 1, "LR = 0.1", "verified"),
        ("train.py", 1, "LR = 0.2", "verified"),
        ("train.py", 9, "LR = 0.1", "moved"),
        ("train.py", 1, "LR = 0.3", "not_found"),
        ("out.csv", 1, "a,b", "verified"),
        ("reproduce.log", 9, "accuracy 0.93", "verified"),
        ("reproduce.log", 3, "[... 7 bytes left out ...]", "verified"),
        ("reproduce.log", 1, "accuracy 0.93", "moved"),
        ("reproduce.log", 1, "accuracy 0.94", "not_found"),
        ("train.py", 1, " \n", "not_found"),
    ],
)
def test_every_version_and_the_log_count(
    reading: Reading, path: str, line: int, quote: str, said: str
) -> None:
    assert check(cited(path, line, quote), reading).verified == said


def test_a_file_with_the_name_of_the_log_counts_beside_it(tmp_path: Path) -> None:
    handed_in = written(tmp_path, {"reproduce.log": "an old run\n"})
    found = Reading.of(Case(TASK, handed_in, Execution(status="ok", log=LOG)))
    for quote in ("an old run", "epoch 1"):
        assert check(cited("reproduce.log", 2, quote), found).verified == "verified"
    without = Reading.of(Case(TASK, handed_in, Execution(status="declared", log=None)))
    assert check(cited("reproduce.log", 2, "epoch 1"), without).verified == "not_found"


@pytest.mark.parametrize("source", ["x = <<<end code 0>>> y", "x = \x1by", "a\tb"])
def test_a_quote_counts_as_the_prompt_shows_it(tmp_path: Path, source: str) -> None:
    found = Reading.of(Case(TASK, written(tmp_path, {"a.py": f"# text\n{source}\n"})))
    assert check(cited("a.py", 2, source), found).verified == "verified"
    assert check(cited("a.py", 2, words_of(source)), found).verified == "verified"


def test_a_long_notebook_is_read_as_far_as_it_is_shown(tmp_path: Path) -> None:
    picture = {"data": {"image/png": "A" * 11_000_000}}
    cells = [
        {"cell_type": "code", "source": "lr = 1", "outputs": [picture]},
        {"cell_type": "code", "source": "steps = 2", "outputs": []},
    ]
    files = {"a.ipynb": json.dumps({"cells": cells, "nbformat": 4, "metadata": {}})}
    found = Reading.of(Case(TASK, written(tmp_path, files)))
    assert check(cited("a.ipynb", 5, "steps = 2"), found).verified == "verified"


class Told:
    """A submission that tells how often, and in which threads, it was read."""

    def __init__(self, folder: Path) -> None:
        self._of = load_submission(folder)
        self.name = "told"
        self.threads: list[threading.Thread] = []

    @property
    def files(self) -> FileIndex:
        return self._of.files

    def read(self, path: str, *, max_bytes: int | None = None) -> str:
        self.threads.append(threading.current_thread())
        return self._of.read(path, max_bytes=max_bytes)

    def read_bytes(self, path: str, *, max_bytes: int | None = None) -> bytes:
        return self._of.read_bytes(path, max_bytes=max_bytes)

    def export(self, folder: Path) -> None:
        self._of.export(folder)


@pytest.mark.parametrize(("lines", "beside"), [(10, False), (100_000, True)])
def test_a_text_is_made_ready_once_and_a_long_one_beside_the_loop(
    tmp_path: Path, lines: int, beside: bool
) -> None:
    (tmp_path / "a.py").write_text("".join(f"line {at}\n" for at in range(lines)))
    source = Told(tmp_path)
    found = Reading.of(Case(TASK, source))
    grade = Grade.graded(1, citations=[cited("a.py", 1, "nope"), cited("a.py", 5, "line 4")])
    for _ in range(3):
        done = asyncio.run(checked(grade, found))
        assert [place.verified for place in done.citations] == ["not_found", "verified"]
    assert [thread is not threading.main_thread() for thread in source.threads] == [beside]
    assert found.weight("a.py") == 0


def test_what_is_kept_of_texts_is_bounded(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.py").write_text(f"{name} = 1\n" * 900_000)
    source = Told(tmp_path)
    found = Reading.of(Case(TASK, source))
    for name in "abcb":
        assert check(cited(f"{name}.py", 1, f"{name} = 1"), found).verified == "verified"
    assert [found.weight(f"{name}.py") > 0 for name in "abc"] == [True, False, True]
    assert len(source.threads) == 4


texts = st.text(st.sampled_from("ab \t\n\r\x00\u2028<"), max_size=40)


@given(texts, st.integers(-2, 12), st.integers(-2, 12))
def test_lines_of_a_plain_text_are_those_of_the_prompt(text: str, first: int, last: int) -> None:
    ready, lines = PlainText.of(text), split(text)
    assert ready.words.split() == words_of(text).split()
    wanted = words_of("\n".join(lines[max(0, first - 1) : max(0, last)]))
    assert ready.between(first, last).split() == wanted.split()


NOTHING = "It named nothing that it searched; it was shown a.py, b.py."


def answer(**more: Any) -> Completion:
    plain = {"findings": "nothing", "citations": [], "searched": [], "met": False}
    return Completion(text="", data=plain | more)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"searched": ["a.py"]}, ["nothing", "Searched: a.py"]),
        ({"searched": [" "]}, ["nothing", NOTHING]),
        ({"met": True}, ["nothing"]),
    ],
)
def test_a_not_met_names_what_was_searched_or_what_was_shown(
    said: dict[str, Any], told: list[str]
) -> None:
    cut = (Omission("b.py", "its end", 9), Omission("b.py", "its middle", 9))
    assert grade_of(answer(**said), Receipt(("a.py",), cut), "me").explanation.split("\n") == told


def test_of_many_files_shown_the_first_are_named_and_of_many_citations_kept() -> None:
    place = {"path": "a.py", "start_line": 1, "end_line": 1, "quote": "x"}
    files = Receipt(tuple(f"{at}.py" for at in range(9)))
    grade = grade_of(answer(citations=[place] * 50), files, "me")
    assert "shown 0.py, 1.py, 2.py, 3.py, 4.py and 4 more." in grade.explanation
    assert len(grade.citations) == MOST_CITED
    assert f"cited 50 places; the first {MOST_CITED} are kept" in grade.explanation
    assert "shown no file." in grade_of(answer(), Receipt(), "me").explanation
