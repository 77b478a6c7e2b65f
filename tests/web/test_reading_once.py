"""What is asked of a run is answered from one reading of its files, and of no more than that."""

from __future__ import annotations

import os
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from rubric_engine.case import Case
from rubric_engine.connection import LEDGER
from rubric_engine.files import File, FileIndex
from rubric_engine.grading import Grade
from rubric_engine.rubric import Rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.submission import load_submission
from rubric_engine.web.labelling.reader import MAX_HITS, MAX_SEARCHED, Reader
from rubric_engine.web.viewing.shelf import Shelf
from tests.web.test_view import rubric, run

__all__ = ["rubric", "run"]

MET = Grade.graded(1.0, "it is there")


def _spoil(file: Path) -> None:
    """Make a file useless to who reads it again, and leave it the same to who only looks."""
    before = file.stat()
    with file.open("r+b") as bytes_of:
        bytes_of.write(b"!" * before.st_size)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_prompts_and_chunks_are_given_without_reading_the_run_again(run: RunFolder) -> None:
    (run.path.parent / LEDGER).touch()
    shelf, name = Shelf([run.path.parent]), run.path.name
    assert shelf.live(name) is not None
    for file in ("rubric.json", "grades.jsonl"):
        _spoil(run.path / file)
    assert [shelf.asked(name, node) for node in (1, 2)] == [{"prompt": "", "answer": ""}] * 2
    assert shelf.asked(name, 9) is None
    chunk = shelf.chunk(name, 0)
    assert chunk is not None
    assert chunk["1"]["grade"]["explanation"] == "it is there"
    page = shelf.run(name)
    assert page is not None
    assert page.run["nodes"]["verdict"][1] == "met"


def test_a_chunk_that_is_made_alone_is_the_pages(run: RunFolder, rubric: Rubric) -> None:
    shelf, name = Shelf([run.path.parent]), run.path.name
    shelf.run(name)
    run.append("second", MET)
    alone, page = shelf.chunk(name, 0), shelf.run(name)
    assert page is not None
    assert alone == page.chunks[0]
    assert alone["2"]["grade"]["explanation"] == "it is there"
    assert shelf.chunk(name, 0) is page.chunks[0]
    assert shelf.chunk(name, 1) is shelf.chunk("none", 0) is None


@pytest.mark.parametrize(("lines", "more"), [(MAX_HITS, False), (MAX_HITS + 1, True)])
def test_a_search_says_whether_there_is_more(
    case: Case, tmp_path: Path, lines: int, more: bool
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("1,2\n" * lines)
    found = Reader(replace(case, submission=load_submission(tmp_path / "in"))).search("1,")
    assert (len(found["hits"]), found["more"]) == (MAX_HITS, more)


def test_a_search_ends_with_the_last_place_that_is_shown(case: Case, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("1,2\n" * 100_000)
    reads = Reader(replace(case, submission=load_submission(tmp_path / "in")))
    tracemalloc.start()
    reads.search("1")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 15_000_000  # the lines; places would take three times as much


class _Large:
    """A submission of files that say that they are large."""

    def __init__(self, count: int) -> None:
        self.name = "sub"
        self.files = FileIndex.of(
            File(f"{number:03}.txt", 1_000_000, "0" * 64, "text") for number in range(count)
        )

    def read(self, path: str, max_bytes: int) -> str:
        return "found"


def test_a_search_that_does_not_read_all_says_so(case: Case) -> None:
    fits = MAX_SEARCHED // 1_000_000
    for count, more in ((fits, False), (fits + 1, True)):
        found = Reader(replace(case, submission=_Large(count), execution=None)).search("FOUND")  # type: ignore[arg-type]
        assert (len(found["hits"]), found["more"]) == (fits, more)
