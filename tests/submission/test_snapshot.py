from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.errors import RunError, SubmissionError
from rubric_engine.submission import load_snapshot, load_submission, save_snapshot
from rubric_engine.submitted import Submission

BAD_NAME = "bad\udcff\n.py"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "handed-in"
    (root / "src").mkdir(parents=True)
    (root / "empty").mkdir()
    (root / "src/main.py").write_text("print(1)\n")
    (root / "src/copy.py").write_text("print(1)\n")
    (root / BAD_NAME).write_text("hé")
    (root / "reproduce.sh").write_text("echo")
    (root / "reproduce.sh").chmod(0o755)
    (root / "link").symlink_to("src")
    (root / ".git").mkdir()
    (root / ".git/config").write_text("1")
    (root / "data").mkdir()
    (root / "data/raw.csv").write_text("1,2")
    return root


@pytest.fixture
def handed_in(root: Path) -> Submission:
    return load_submission(root, skip=[".git/", "data/"])


def test_it_gives_back_the_same_submission(handed_in: Submission, tmp_path: Path) -> None:
    save_snapshot(handed_in, tmp_path / "run", "submission")
    found = load_snapshot(tmp_path / "run", "submission")
    assert isinstance(found, Submission)
    assert found.name == "handed-in"
    assert found.files == handed_in.files
    assert found.read(BAD_NAME) == "hé"
    assert found.read(BAD_NAME, max_bytes=2) == "h"


def contents(folder: Path) -> dict[str, tuple[int, str | None]]:
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.read_text() if path.is_file() else None,
        )
        for path in folder.rglob("*")
    }


def test_it_exports_what_the_submission_exports(handed_in: Submission, tmp_path: Path) -> None:
    save_snapshot(handed_in, tmp_path / "run", "submission")
    found = load_snapshot(tmp_path / "run", "submission")
    for name, submission in {"one": handed_in, "other": found}.items():
        (tmp_path / name).mkdir()
        submission.export(tmp_path / name)
    exported = contents(tmp_path / "other")
    assert exported == contents(tmp_path / "one")
    assert {"data/raw.csv", "empty", "link"} <= exported.keys()
    assert ".git" not in exported


def test_contents_are_kept_once(handed_in: Submission, root: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    save_snapshot(handed_in, run, "submission")
    (root / "results.csv").write_text("new")
    save_snapshot(load_submission(root), run, "executed")
    objects = [path for path in (run / "objects").rglob("*") if path.is_file()]
    assert len(objects) == 5
    assert sorted(path.name for path in run.iterdir()) == [
        "executed.json", "objects", "submission.json",
    ]  # fmt: skip
    assert load_snapshot(run, "executed").read("results.csv") == "new"
    assert "results.csv" not in load_snapshot(run, "submission").files


def test_a_snapshot_is_kept_again_without_its_contents_being_read(
    handed_in: Submission, tmp_path: Path
) -> None:
    save_snapshot(handed_in, tmp_path, "handed_in")
    kept = load_snapshot(tmp_path, "handed_in")
    for path in (tmp_path / "objects").rglob("*"):
        if path.is_file():
            path.unlink()
    save_snapshot(kept, tmp_path, "executed")
    assert load_snapshot(tmp_path, "executed").files == kept.files


def test_the_submission_can_go_and_change(
    handed_in: Submission, root: Path, tmp_path: Path
) -> None:
    save_snapshot(handed_in, tmp_path / "run", "submission")
    with (root / "src/main.py").open("a") as file:
        file.write("more")
    assert load_snapshot(tmp_path / "run", "submission").read("src/main.py") == "print(1)\n"


def test_a_submission_that_changed_is_not_saved(
    handed_in: Submission, root: Path, tmp_path: Path
) -> None:
    (root / "src/main.py").write_text("changed")
    with pytest.raises(SubmissionError, match="changed since it was indexed") as caught:
        save_snapshot(handed_in, tmp_path / "run", "submission")
    assert caught.value.code == "E306"
    assert not (tmp_path / "run/submission.json").exists()


@pytest.mark.parametrize("content", ["print(2)\n", "longer than before", None])
def test_a_damaged_content_is_noticed(
    handed_in: Submission, tmp_path: Path, content: str | None
) -> None:
    save_snapshot(handed_in, tmp_path / "run", "submission")
    sha256 = handed_in.files["src/main.py"].sha256 or ""
    place = tmp_path / "run/objects" / sha256[:2] / sha256
    place.unlink()
    if content is not None:
        place.write_text(content)
    found = load_snapshot(tmp_path / "run", "submission")
    (tmp_path / "copy").mkdir()
    for use in (lambda: found.read("src/main.py"), lambda: found.export(tmp_path / "copy")):
        with pytest.raises(SubmissionError) as caught:
            use()
        assert caught.value.code == "E306"


def test_a_snapshot_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot be read: No such file"):
        load_snapshot(tmp_path, "submission")


SHA = "ab" * 32
FILE = {"path": "a", "size": 1, "sha256": SHA, "kind": "text", "skipped": None}


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        {"snapshot": 2},
        {"snapshot": 1, "name": "x", "files": [{"path": "a"}], "parts": []},
        {"snapshot": 1, "name": "x", "files": [FILE | {"sha256": "../../x"}], "parts": []},
        {"snapshot": 1, "name": "x", "files": [], "parts": [{"path": "../a", "kind": "folder"}]},
        {
            "snapshot": 1,
            "name": "x",
            "files": [],
            "parts": [{"path": "a", "kind": "link", "target": "/etc"}],
        },
    ],
)
def test_a_damaged_snapshot_is_refused(tmp_path: Path, document: object) -> None:
    (tmp_path / "submission.json").write_text(json.dumps(document))
    with pytest.raises(RunError, match="is damaged") as caught:
        load_snapshot(tmp_path, "submission")
    assert caught.value.code == "E522"


ODD: tuple[object, ...] = (
    None,
    True,
    -1,
    1.5,
    10**400,
    "",
    "NaN",
    "\ud800",
    [],
    [[]],
    {},
    {"a": {}},
    [None],
)
PART = {"path": "a", "kind": "file", "sha256": SHA, "executable": False, "target": None}


@pytest.mark.parametrize("where", ["", "files", "parts"])
@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_no_odd_value_is_taken_for_what_it_is_not(tmp_path: Path, where: str, odd: object) -> None:
    names = {"": ("snapshot", "name", "called", "files", "parts"), "files": FILE, "parts": PART}
    for name in names[where]:
        whole: dict[str, Any] = {"snapshot": 1, "name": "x", "called": "y"}
        whole |= {"files": [dict(FILE)], "parts": [dict(PART)]}
        (whole[where][0] if where else whole)[name] = odd
        (tmp_path / "submission.json").write_text(json.dumps(whole))
        try:
            found = load_snapshot(tmp_path, "submission")
        except RunError as error:
            said = (error.code, str(tmp_path) in error.message)
        else:
            said = ("E522", all(isinstance(file.path, str) for file in found.files))
        assert said == ("E522", True)


def test_what_is_wrong_in_a_damaged_snapshot_is_named(tmp_path: Path) -> None:
    whole = {"snapshot": 1, "name": "x", "files": [FILE | {"kind": [[]]}], "parts": []}
    (tmp_path / "submission.json").write_text(json.dumps(whole))
    with pytest.raises(RunError, match=r"submission\.json is damaged: files\.0\.kind: "):
        load_snapshot(tmp_path, "submission")


def test_objects_are_no_links_to_the_submission(
    handed_in: Submission, root: Path, tmp_path: Path
) -> None:
    save_snapshot(handed_in, tmp_path / "run", "submission")
    ours = {path.stat().st_ino for path in (tmp_path / "run").rglob("*")}
    theirs = {os.stat(path).st_ino for path in root.rglob("*")}  # noqa: PTH116
    assert not ours & theirs
