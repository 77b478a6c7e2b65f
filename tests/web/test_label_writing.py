"""`label serve` over HTTP: how far undo reaches, and what is told when the disk or a file goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubric_engine.case import Case
from rubric_engine.errors import StorageError
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.labels import load_labels
from rubric_engine.web.labelling.opening import blind_desk
from tests.web.conftest import Sit, sent


def test_undo_reaches_back_over_the_whole_record_and_says_where_it_begins(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    first = sit(blind_desk(folder, "a1", case))
    first.post("/api/labels", sent("leaf-1-0", "met", seconds=1.0))
    first.post("/api/labels", sent("leaf-1-0", version=1, reason="rather not", seconds=1.0))
    marks = {"version": 2, "key": "group-1", "reason": "no file", "count": 9}
    assert first.post("/api/marks", marks).status == 200
    later = sit(blind_desk(folder, "a1", case))
    assert later.ask("/api/desk").json["undo"] == 3
    back = [later.post("/api/undo", {"version": version}).json for version in range(3)]
    assert [len(each["labels"]) for each in back] == [9, 1, 1]
    assert back[1]["labels"]["leaf-1-0"]["verdict"] == "met"
    assert folder.labels_of("a1").labels == {}
    nothing = later.post("/api/undo", {"version": 3})
    assert (nothing.status, nothing.json["error"]) == (
        422, "nothing to undo: your record has no earlier change",
    )  # fmt: skip
    assert sit(blind_desk(folder, "a1", case)).ask("/api/desk").json["undo"] == 0


def test_a_record_that_went_is_told_with_what_to_do(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    desk, record = blind_desk(folder, "a1", case), folder.path / "a1.jsonl"
    with desk.book.held():
        browser = sit(desk)
        browser.post("/api/labels", sent("leaf-0-0"))
        aside = record.rename(record.with_name("aside"))
        answer = browser.post("/api/labels", sent("leaf-0-1", version=1))
        assert (answer.status, answer.json["error"].splitlines()[0]) == (
            409, f"{record} was moved, deleted or replaced while its labels were written",
        )  # fmt: skip
        saved = Path(f"{record}.saved")
        assert f"cat {saved} >> {record}" in answer.json["error"]
        assert list(load_labels(saved).labels) == ["leaf-0-0", "leaf-0-1"]
        aside.rename(record)
        assert browser.post("/api/labels", sent("leaf-0-2", version=1)).status == 200
    assert list(folder.labels_of("a1").labels) == ["leaf-0-0", "leaf-0-1", "leaf-0-2"]


def test_a_label_that_was_kept_is_told_although_gold_cannot_be_written(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    (folder.path / "gold.jsonl").mkdir()
    browser = sit(blind_desk(folder, "a1", case))
    answer = browser.post("/api/labels", sent("leaf-0-0"))
    assert (answer.status, answer.json["error"].startswith("this is kept, but gold")) == (507, True)
    state = browser.ask("/api/desk").json
    assert (state["version"], list(state["labels"]), state["undo"]) == (1, ["leaf-0-0"], 1)


def test_what_comes_twice_or_too_late_is_no_harm(folder: LabelFolder, case: Case, sit: Sit) -> None:
    desk = blind_desk(folder, "a1", case)
    one, other = sit(desk), sit(desk)  # two windows of one annotator
    assert one.post("/api/labels", sent("leaf-0-0", "met")).status == 200
    assert other.post("/api/labels", sent("leaf-0-0")).status == 409
    assert other.post("/api/undo", {"version": 0}).status == 409
    assert folder.labels_of("a1").labels["leaf-0-0"].verdict == "met"
    state = other.ask("/api/desk").json
    assert other.post("/api/labels", sent("leaf-0-1", version=state["version"])).status == 200


def test_undo_appends_and_brings_back_what_was_said_before(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    browser = sit(blind_desk(folder, "a1", case))
    for version, reason in enumerate(("once", "twice")):
        browser.post("/api/labels", sent("leaf-0-0", version=version, reason=reason))
    assert browser.post("/api/undo", {"version": 2}).json["labels"]["leaf-0-0"]["reason"] == "once"
    assert browser.post("/api/undo", {"version": 3}).json["labels"] == {"leaf-0-0": None}
    assert browser.post("/api/undo", {"version": 4}).status == 422
    lines = (folder.path / "a1.jsonl").read_text().splitlines()
    assert [json.loads(line).get("reason") for line in lines] == ["once", "twice", "once", None]
    assert folder.labels_of("a1").labels == {}


def test_a_second_writer_is_told(folder: LabelFolder, case: Case) -> None:
    first, second = blind_desk(folder, "a1", case), blind_desk(folder, "a1", case)
    with first.book.held():
        with pytest.raises(StorageError, match="another process") as caught, second.book.held():
            pass
        assert caught.value.code == "E902"
        with blind_desk(folder, "a2", case).book.held():
            pass
    with second.book.held():
        pass
    assert not (folder.path / "a1.jsonl").exists()


def test_a_label_that_was_kept_is_known_although_gold_could_not_be_renewed(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    browser = sit(blind_desk(folder, "a1", case))
    (folder.path / "a2.jsonl").write_text('{"key": "leaf-0-0", "verdict": "?"}\n')
    refused = browser.post("/api/labels", sent("leaf-0-3", "met"))
    assert refused.status == 422
    assert "this is kept" in refused.json["error"]
    assert "a2" not in refused.json["error"]
    assert folder.labels_of("a1").labels["leaf-0-3"].verdict == "met"
    (folder.path / "a2.jsonl").unlink()
    state = browser.ask("/api/desk").json
    assert (state["version"], list(state["labels"])) == (1, ["leaf-0-3"])
    marks = {"key": "group-0", "reason": "nothing is there"}
    assert browser.post("/api/marks", marks | {"version": 0, "count": 10}).status == 409
    assert browser.post("/api/marks", marks | {"version": 1, "count": 9}).status == 200
    assert folder.labels_of("a1").labels["leaf-0-3"].verdict == "met"
    assert browser.post("/api/undo", {"version": 2}).status == 200
    assert browser.post("/api/undo", {"version": 3}).json["labels"] == {"leaf-0-3": None}
