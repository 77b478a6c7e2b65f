"""Leaves that come to wait for a decision while the adjudicator's page is open."""

from __future__ import annotations

from rubric_engine.case import Case
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.web.labelling.disputes import Disputes
from rubric_engine.web.labelling.opening import blind_desk, deciding_desk
from tests.web.conftest import Sit, sent


def test_a_dispute_is_there_when_it_arises_and_goes_when_it_is_settled(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    one, other = (sit(blind_desk(folder, name, case)) for name in ("a1", "a2"))
    third = sit(deciding_desk(folder, "a3", case))
    assert third.ask("/api/news").json == {"edition": 0}
    assert third.ask("/api/desk").json["leaves"] == []
    for version, key in enumerate(("leaf-3-0", "leaf-0-1")):
        one.post("/api/labels", sent(key, "met", version=version, reason="I see it"))
        other.post("/api/labels", sent(key, "not_met", version=version, reason="I do not"))
        assert third.ask("/api/news").json == {"edition": version + 1}
    desk = third.ask("/api/desk").json
    keys = [desk["nodes"][leaf["node"]]["key"] for leaf in desk["leaves"]]
    assert (keys, desk["edition"]) == (["leaf-0-1", "leaf-3-0"], 2)
    said = {each["reason"] for each in desk["leaves"][0]["said"].values()}
    assert said == {"I see it", "I do not"}
    assert third.post("/api/labels", sent("leaf-3-0", "met")).status == 200
    other.post("/api/labels", sent("leaf-0-1", "met", version=2, reason="now I do"))
    assert third.ask("/api/news").json == {"edition": 3}
    desk = third.ask("/api/desk").json
    assert [desk["nodes"][leaf["node"]]["key"] for leaf in desk["leaves"]] == ["leaf-3-0"]
    assert third.post("/api/labels", sent("leaf-0-1", version=1)).status == 422
    assert all(b'"a1"' not in body and b'"a2"' not in body for body in third.said)


def test_records_are_read_again_only_where_one_has_changed(folder: LabelFolder, case: Case) -> None:
    changing = Disputes(folder, "a3")
    assert changing.news() == {}
    assert changing.news() is None
    (folder.path / "a1.jsonl").write_text("\n")
    assert changing.news() == {}


def test_a_blind_desk_has_no_news_of_others(folder: LabelFolder, case: Case, sit: Sit) -> None:
    one, other = (sit(blind_desk(folder, name, case)) for name in ("a1", "a2"))
    other.post("/api/labels", sent("leaf-0-0"))
    assert one.ask("/api/news").json == {"edition": 0}


def test_a_record_that_is_damaged_meanwhile_is_told_until_it_is_mended(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    third = sit(deciding_desk(folder, "a3", case))
    (folder.path / "a1.jsonl").write_text('{"key": "leaf-0-0", "verdict": "?"}\n')
    assert [third.ask("/api/news").status for _ in range(2)] == [422, 422]
    (folder.path / "a1.jsonl").unlink()
    assert third.ask("/api/news").json == {"edition": 0}
