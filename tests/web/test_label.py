"""`label serve` over HTTP: what may be seen, what is kept, who is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.case import Case
from rubric_engine.errors import LabelsError
from rubric_engine.grading import Grade
from rubric_engine.judgeeval import load_cases
from rubric_engine.judgeeval.labelling.concord import concords
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.judgeeval.labelling.gold import gold_of
from rubric_engine.labels import load_labels
from rubric_engine.result import Report
from rubric_engine.task import load_task
from rubric_engine.web.labelling.opening import blind_desk, correcting_desk, deciding_desk
from tests.web.conftest import SECRET_WEIGHT, Sit, sent


def test_a_label_is_on_the_disk_before_the_answer(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    browser = sit(blind_desk(folder, "a1", case))
    given = sent("leaf-0-3", "met", reason="", citations=["a.py:4-5"], flag=" vague ", seconds=3.5)
    answer = browser.post("/api/labels", given).json
    assert (answer["version"], answer["undo"]) == (1, 1)
    [line] = (folder.path / "a1.jsonl").read_text().splitlines()
    row = json.loads(line)
    planned = next(leaf for leaf in folder.plan.leaves if leaf.key == "leaf-0-3")
    assert (row["leaf"], row["submission"]) == (planned.leaf, folder.plan.mark)
    assert (row["annotator"], row["flag"], row["seconds"]) == ("a1", "vague", 3.5)
    assert row["citations"] == [{"path": "a.py", "start_line": 4, "end_line": 5}]
    assert folder.labels_of("a1").labels["leaf-0-3"].blind
    assert browser.ask("/api/desk").json["labels"]["leaf-0-3"]["citations"] == ["a.py:4-5"]


def test_a_group_is_marked_at_once_and_what_has_a_label_keeps_it(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    browser = sit(blind_desk(folder, "a1", case))
    browser.post("/api/labels", sent("leaf-1-0", "met"))
    marks = {"version": 1, "key": "group-1", "reason": "no file", "count": 10}
    assert browser.post("/api/marks", marks).status == 409
    answer = browser.post("/api/marks", marks | {"count": 9}).json
    assert len(answer["labels"]) == 9
    labels = folder.labels_of("a1").labels
    assert labels.pop("leaf-1-0").verdict == "met"
    assert {(each.verdict, each.reason) for each in labels.values()} == {("not_met", "no file")}
    browser.post("/api/undo", {"version": 2})
    assert list(folder.labels_of("a1").labels) == ["leaf-1-0"]


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({"reason": " "}, 422, "wants a reason"),
    ({"verdict": "cannot_judge", "reason": ""}, 422, "wants a reason"),
    ({"verdict": "yes"}, 422, "did you mean 'met'"),
    ({"key": "group-0"}, 422, "not to be labelled"),
    ({"citations": ["../secret:1"]}, 422, "no such place"),
    ({"citations": ["a.py:9999"]}, 422, "no such place"),
    ({"citations": ["b.bin:7"]}, 422, "no such place"),
    ({"blind": False}, 422, "blind"),
    ({"seconds": -1}, 422, "seconds"),
    ({"version": 5}, 409, "another window"),
    ({"version": "0"}, 422, "version"),
    ({"reason": "\ud800"}, 422, ""),
]


def test_what_is_no_label_is_refused_and_not_kept(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    browser = sit(blind_desk(folder, "a1", case))
    for change, status, why in REFUSED:
        answer = browser.post("/api/labels", sent("leaf-0-0") | change)
        assert (answer.status, why in answer.json["error"]) == (status, True), change
    assert folder.labels_of("a1").labels == {}


def test_what_there_is_to_read(folder: LabelFolder, case: Case, sit: Sit) -> None:
    browser = sit(blind_desk(folder, "a1", case))
    desk = browser.ask("/api/desk").json
    assert [(file["path"], file["origin"]) for file in desk["files"]] == [
        ("a.py", "submission"), ("b.bin", "submission"), ("reproduce.log", "log"),
    ]  # fmt: skip
    part = browser.ask("/api/files/0?start=4").json
    assert (part["first"], part["lines"], part["total"]) == (
        4, ["def step():", "    return 'momentum'"], 5,
    )  # fmt: skip
    hits = browser.ask("/api/search?q=MOMENTUM").json["hits"]
    assert [(hit["file"], hit["line"]) for hit in hits] == [(0, 5), (2, 2)]
    assert desk["sections"] == ["A paper", "2 Method", "3 Results"]
    assert browser.ask("/api/near?key=leaf-0-1").json["sections"][0] == 2  # it names section 3
    assert browser.ask("/api/near?key=leaf-0-0").json["sections"][0] == 1  # it shares words with 2
    assert browser.ask("/api/paper?q=table 1".replace(" ", "%20")).json["sections"] == [2]
    assert browser.ask("/api/paper/1").json["blocks"] == [
        {"kind": "heading", "parts": ["2 Method"]},
        {"kind": "prose", "parts": ["The step of the heavy ball keeps momentum."]},
    ]


OUTSIDE = (
    "/api/files/1", "/api/files/3", "/api/files/99", "/api/files/a.py", "/api/files/../plan.json",
    "/api/files/-1", "/api/paper/9", "/api/near?key=leaf-9-9", "/api/near", "/api/none",
    "/plan.json",
)  # fmt: skip


def test_nothing_else_can_be_read(folder: LabelFolder, case: Case, sit: Sit) -> None:
    browser = sit(blind_desk(folder, "a1", case))
    assert {path: browser.ask(path).status for path in OUTSIDE} == dict.fromkeys(OUTSIDE, 404)


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from value
        for each in value.values():
            yield from _names(each)
    elif isinstance(value, list):
        for each in value:
            yield from _names(each)


def test_no_answer_holds_what_could_sway(folder: LabelFolder, case: Case, sit: Sit) -> None:
    other = sit(blind_desk(folder, "a2", case))
    other.post("/api/labels", sent("leaf-0-0", "met", reason="the-other-said-so"))
    browser = sit(blind_desk(folder, "a1", case))
    browser.post("/api/labels", sent("leaf-0-0"))
    browser.post("/api/marks", {"version": 1, "key": "group-0", "reason": "no", "count": 9})
    browser.post("/api/undo", {"version": 2})
    browser.post("/api/labels", sent("leaf-0-0", "maybe", version=3))
    leaves = [f"/api/near?key={each.key}" for each in folder.plan.leaves]
    files = [f"/api/files/{at}" for at in range(4)]
    for path in ("/", "/api/desk", "/api/search?q=e", "/api/paper/0", *leaves, *files):
        browser.ask(path)
    hidden = {"weight", "worth", "score", "scores", "judge", "probability", "inclusion", "votes"}
    for body in browser.said:
        for secret in (str(SECRET_WEIGHT), "7.3", "8.3", "the-other-said-so", "a2"):
            assert secret.encode() not in body or b"<!doctype" in body
        if body.startswith(b"{"):
            assert not hidden & set(_names(json.loads(body)))
    page = next(body for body in browser.said if b'id="app"' in body)
    assert b"the-other-said-so" not in page
    assert b"7.31337" not in page


def test_two_annotators_agree_as_the_library_says_and_a_third_decides(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    keys = [leaf.key for leaf in folder.plan.leaves]
    for name, odd in (("a1", 7), ("a2", 5)):
        browser = sit(blind_desk(folder, name, case))
        for at, key in enumerate(keys):
            verdict = "cannot_judge" if at == 3 else "not_met" if at % odd == 0 else "met"
            given = sent(key, verdict, version=at, reason=f"{name} saw it")
            assert browser.post("/api/labels", given).status == 200
    labels = folder.all_labels()
    gold = gold_of(folder.plan, labels, [])
    apart = {at for at in range(40) if (at % 7 == 0) != (at % 5 == 0)} | {3}
    assert [keys.index(key) for key in gold.disputed] == sorted(apart)
    assert load_labels(folder.path / "gold.jsonl").labels.keys() == gold.labels.labels.keys()
    assert concords(folder.plan, labels, replicates=10)[-1].agree == (40 - len(apart)) / 39

    third = sit(deciding_desk(folder, "a3", case))
    leaves = third.ask("/api/desk").json["leaves"]
    assert len(leaves) == len(apart)
    assert {letter for leaf in leaves for letter in leaf["said"]} == {"A", "B"}
    assert all(b'"a1"' not in body and b'"a2"' not in body for body in third.said)
    assert (folder.path / "adjudicate-a3.jsonl").is_file()
    for version, key in enumerate(gold.disputed):
        third.post("/api/labels", sent(key, "met", version=version))
    decided = load_labels(folder.path / "gold.jsonl").labels
    assert len(decided) == 40
    assert {decided[key].annotator for key in gold.disputed} == {"a3"}
    again = deciding_desk(folder, "a3", case)
    assert len(again.leaves) == len(apart)  # what was decided can be looked at again


def test_what_is_said_with_the_judge_in_sight_is_no_truth(
    case: Case, tmp_path: Path, sit: Sit
) -> None:
    rubric = case.task.rubric
    grades = {key: Grade.graded(1.0, "the judge saw it") for key in rubric.leaves()}
    facts = {"submission": "team-a", "submission_sha256": case.submission.files.sha256}
    report = Report(rubric, grades, provenance=facts)
    desk = correcting_desk(report, case, "a1", tmp_path / "corrections" / "a1.jsonl")
    with desk.book.held():
        browser = sit(desk)
        [leaf, *_] = browser.ask("/api/desk").json["leaves"]
        assert leaf["said"]["judge"]["reason"] == "the judge saw it"
        browser.post("/api/labels", sent("leaf-0-0"))
    labels = load_labels(tmp_path / "corrections" / "a1.jsonl", rubric)
    assert labels.seen == ("leaf-0-0",)
    assert labels.grades() == {}


def test_corrections_in_a_labelling_change_neither_gold_nor_agreement(
    folder: LabelFolder, case: Case
) -> None:
    for name in ("a1", "a2"):
        blind_desk(folder, name, case).book.put({})
    seen = load_labels(_seen(folder))
    folder.record("a1").append(seen.labels)
    gold = folder.renew_gold()
    assert (gold.seen, len(gold.labels.labels)) == (1, 0)


def _seen(folder: LabelFolder) -> Path:
    leaf = folder.plan.leaves[0]
    row = {"key": leaf.key, "verdict": "met", "reason": "as the judge", "leaf": leaf.leaf}
    file = folder.path.parent / "seen.jsonl"
    file.write_text(json.dumps(row | {"annotator": "a1", "blind": False}) + "\n")
    return file


def test_a_damaged_record_is_told_and_not_written_over(folder: LabelFolder, case: Case) -> None:
    (folder.path / "a1.jsonl").write_text('{"key": "leaf-0-0", "verdict": "maybe"}\n{}\n')
    with pytest.raises(LabelsError):
        blind_desk(folder, "a1", case)


def test_judgeeval_takes_no_correction_for_truth(tmp_path: Path) -> None:
    folder = tmp_path / "case"
    (folder / "submission").mkdir(parents=True)
    (folder / "submission" / "a.py").write_text("x = 1\n")
    (folder / "case.yaml").write_text("task: heavy-ball\n")
    [first, second, *_] = load_task("heavy-ball").rubric.leaves()
    rows = [
        {"key": first, "verdict": "met", "reason": "read it"},
        {"key": second, "verdict": "met", "reason": "as the judge", "blind": False},
    ]
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    [case] = load_cases(folder)
    assert list(case.labels) == [first]
