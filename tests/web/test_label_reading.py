"""What a labeller sees first, what a citation means, and what is said to be missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.case import Case
from rubric_engine.files import File, FileIndex
from rubric_engine.grading import Citation
from rubric_engine.isolation import Execution, Log
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.submission import load_submission
from rubric_engine.submitted import Submission
from rubric_engine.texts import Texts
from rubric_engine.web.labelling.beginning import Beginning
from rubric_engine.web.labelling.lacking import lacking
from rubric_engine.web.labelling.opening import blind_desk
from rubric_engine.web.labelling.sent import MOST_CITATIONS
from tests.web.conftest import Sit, sent


class Counted:
    """A submission that remembers what was read of it."""

    def __init__(self, of: Submission, reads: list[str]) -> None:
        self.name, self.files, self.export = of.name, of.files, of.export
        self._of, self._reads = of, reads

    def read(self, path: str, *, max_bytes: int | None = None) -> str:
        self._reads.append(path)
        return self._of.read(path, max_bytes=max_bytes)

    def read_bytes(self, path: str, *, max_bytes: int | None = None) -> bytes:
        self._reads.append(path)
        return self._of.read_bytes(path, max_bytes=max_bytes)


def _folder(path: Path, **files: str) -> Any:
    for name, text in files.items():
        file = path / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return load_submission(path)


@pytest.fixture
def ran(case: Case, tmp_path: Path) -> Case:
    """A case whose run changed a source and results that were both handed in."""
    handed_in = _folder(tmp_path / "in", a_dot_py="x = 1\n", out_dot_csv="before\n")
    left = _folder(
        tmp_path / "out", a_dot_py="x = 2\ny = 3\n", out_dot_csv="after\nmore\n", new_dot_csv="n\n"
    )
    execution = Execution(
        status="ok", created=("new.csv",), modified=("a.py", "out.csv"), log=Log(head="went\n"),
        submission=left,
    )  # fmt: skip
    return Case(case.task, handed_in, execution)


def test_a_citation_means_the_results_of_the_run_and_sources_as_handed_in(ran: Case) -> None:
    texts = Texts(ran.submission, ran.execution)
    assert [(text.path, text.origin, texts.is_meant(text)) for text in texts.all] == [
        ("a.py", "submission", True), ("out.csv", "submission", False),
        ("a.py", "run", False), ("new.csv", "run", True), ("out.csv", "run", True),
        ("reproduce.log", "log", True),
    ]  # fmt: skip
    assert (texts.lines("out.csv"), texts.lines("a.py")) == (["after", "more"], ["x = 1"])
    assert texts.has(Citation(path="out.csv", start_line=2))
    assert not texts.has(Citation(path="a.py", start_line=2))


def test_a_log_that_was_handed_in_is_not_the_log_of_the_run(tmp_path: Path) -> None:
    submission = _folder(tmp_path / "in", reproduce_dot_log="old\n")
    texts = Texts(submission, Execution(status="ok", log=Log(head="new\n")))
    assert texts.lines("reproduce.log") == ["new"]


def test_a_place_of_the_other_version_is_not_cited(
    folder: LabelFolder, case: Case, ran: Case, sit: Sit
) -> None:
    browser = sit(blind_desk(folder, "a1", replace(ran, task=case.task)))
    assert browser.post("/api/labels", sent("leaf-0-0", citations=["a.py:2"])).status == 422
    assert browser.post("/api/labels", sent("leaf-0-0", citations=["out.csv:2"])).status == 200
    files = browser.ask("/api/desk").json["files"]
    assert [file["cited"] for file in files] == [True, False, False, True, True, True]


class _Named:
    """A submission of which only names count."""

    def __init__(self, *paths: str) -> None:
        self.name = "sub"
        self.files = FileIndex.of(
            File(path, 1, "0" * 64, "image" if path.endswith(".png") else "text") for path in paths
        )


def _beginning(*paths: str) -> Beginning:
    return Beginning(Texts(_Named(*paths), None))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("paths", "first"),
    [
        (("a.csv", "b.py", "docs/README.md", "README.rst"), "README.rst"),
        (("a.csv", "docs/readme.txt", "src/b.py"), "docs/readme.txt"),
        (("0.csv", "lib/deep/a.py", "src/b.py"), "src/b.py"),
        (("b.csv", "a.png"), "b.csv"),
        (("a.png",), None),
        ((), None),
    ],
)
def test_what_is_open_at_first(paths: tuple[str, ...], first: str | None) -> None:
    number = _beginning(*paths).first
    assert (None if number is None else sorted(paths)[number]) == first


def test_files_that_the_rubric_names_for_a_leaf_come_in_its_order() -> None:
    names = ("README.md", "a.py", "fig.png", "results/a.csv", "src/m.py")
    beginning = _beginning(*names)
    found = [names[at] for at in beginning.hinted(("results", "**/*.py", "*.png"))]
    assert found == ["results/a.csv", "a.py", "src/m.py"]
    assert beginning.hinted(()) == ()


def test_the_page_is_told_what_helps_with_a_leaf(folder: LabelFolder, case: Case, sit: Sit) -> None:
    browser = sit(blind_desk(folder, "a1", case))
    assert browser.ask("/api/desk").json["opens"] == 0
    files = [browser.ask(f"/api/near?key=leaf-0-{leaf}").json["files"] for leaf in (0, 2)]
    assert files == [[], [2]]


def test_what_is_missing_of_a_run_is_told_with_what_brings_it(case: Case) -> None:
    bare = replace(case, execution=None)
    [(what, how)] = lacking(bare)
    assert what.startswith("No results and no log")
    assert "--executed --log FILE" in how
    assert "reproduce SUBMISSION -o DIR" in how
    [(_, how)] = lacking(bare, of_a_run=True)
    assert "--sandbox docker" in how
    declared = replace(case, execution=Execution(status="declared", created=("a.csv",), log=None))
    assert lacking(declared) == (("No log of the run.", "`--log FILE` shows it."),)
    whole = Execution(status="ok", created=("a.csv",), log=Log(head="went"))
    assert lacking(replace(case, execution=whole)) == ()
    [(what, _)] = lacking(replace(case, execution=Execution(status="failed", log=Log(head="no"))))
    assert what == "No results: the run left none."


def test_a_label_cites_so_many_places_and_each_file_is_read_once(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    browser = sit(blind_desk(folder, "a1", case))
    many = ["a.py:1"] * (MOST_CITATIONS + 1)
    refused = browser.post("/api/labels", sent("leaf-0-0", "met", citations=many))
    assert (refused.status, "citations" in refused.json["error"]) == (422, True)
    assert browser.post("/api/labels", sent("leaf-0-0", "met", citations=many[1:])).status == 200
    reads: list[str] = []
    counted = Counted(case.submission, reads)
    places = [Citation(path="a.py", start_line=line) for line in (1, 2, 3)]
    assert Texts(counted, None).missing([*places, *places]) is None
    assert reads == ["a.py"]
    wrong = Citation(path="a.py", start_line=99)
    assert Texts(counted, None).missing([*places, wrong]) == wrong
