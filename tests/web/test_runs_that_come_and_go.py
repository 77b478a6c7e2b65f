"""The list of runs while a page is open: what begins, goes on, ends, is removed or is broken."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.grading import Grade
from rubric_engine.rubric import Rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.state import seal
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.app import view_app
from rubric_engine.web.viewing.known import Known
from rubric_engine.web.viewing.shelf import Shelf
from tests.web.serving import Browser, served
from tests.web.test_view import rubric

__all__ = ["rubric"]

MET = Grade.graded(1.0, "it is there")
SCORE = {"value": 0.5, "low": 0.25, "high": 0.75, "coverage": 0.5}
FACTS = {"task": "small", "submission": "submission", "submission_called": "team-a"}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder for runs, which is empty."""
    made = tmp_path / "runs"
    made.mkdir()
    return made


@pytest.fixture
def browser(base: Path) -> Iterator[Browser]:
    """A browser that was let in."""
    ending = Ending()
    with served(view_app(Shelf([base]), ending, "rubric-engine view --runs x"), ending) as inside:
        inside.enter()
        yield inside


def _done(place: Path, rubric: Rubric, **more: Any) -> Path:
    """A run that is over; its score stands in run.json."""
    with RunFolder(place) as run:
        run.write_rubric(rubric)
        run.append("first", MET)
        run.state("done", {**FACTS, "score": SCORE, **more})
    return place


def _heads(browser: Browser) -> dict[str, dict[str, Any]]:
    return {head["id"]: head for head in browser.ask("/api/page").json["runs"]}


def test_the_list_says_which_judge_and_models(browser: Browser, base: Path, rubric: Rubric) -> None:
    card = {"model": {"name": "gpt-5.6"}}
    _done(base / "one", rubric, judge={"name": "simple", "card": card})
    _done(base / "two", rubric, judge={"name": "rules", "card": None})
    _done(base / "odd", rubric, judge=["of no form"])
    members = base / "two" / "judge" / "member"
    members.mkdir(parents=True)
    (members / "judge.yaml").write_text(json.dumps({"model": {"name": "a-model"}}))
    assert {name: head["judge"] for name, head in _heads(browser).items()} == {
        "one": {"name": "simple", "models": ["gpt-5.6"]},
        "two": {"name": "rules", "models": ["a-model"]},
        "odd": {"name": None, "models": []},
    }


def test_runs_begin_go_on_end_and_are_removed_while_a_page_is_open(
    browser: Browser, base: Path, rubric: Rubric
) -> None:
    none = browser.ask("/api/page").json
    assert (none["runs"], none["looked"]) == ([], [str(base)])
    assert none["command"] == "rubric-engine view --runs x"
    with RunFolder(base / "one") as run:
        run.write_rubric(rubric)
        run.state("running", FACTS)
        begun = _heads(browser)["one"]
        assert (begun["status"], begun["score"]["low"], begun["submission"]) == (
            "running", 0.0, "team-a",
        )  # fmt: skip
        run.append("first", MET)
        assert _heads(browser)["one"]["score"]["low"] == 0.25
        run.state("done", {**FACTS, "score": SCORE})
        ended = _heads(browser)["one"]
    assert (ended["status"], ended["score"]) == ("done", SCORE)
    assert ended["mark"] != begun["mark"]
    shutil.rmtree(base / "one")
    assert _heads(browser) == {}
    assert browser.ask("/api/runs/one").status == 404


def test_who_knows_the_list_is_told_only_that_it_is_the_same(
    browser: Browser, base: Path, rubric: Rubric
) -> None:
    _done(base / "one", rubric)
    stamp = browser.ask("/api/page").json["stamp"]
    assert browser.ask(f"/api/page?known={stamp}").json == {"stamp": stamp}
    _done(base / "two", rubric)
    assert len(browser.ask(f"/api/page?known={stamp}").json["runs"]) == 2


def test_a_list_reads_run_json_and_nothing_else_of_a_run_that_is_over(
    browser: Browser, base: Path, rubric: Rubric
) -> None:
    run = _done(base / "one", rubric)
    for name in ("rubric.json", "grades.jsonl"):
        (run / name).unlink()
    assert _heads(browser)["one"]["score"] == SCORE
    refused = browser.ask("/api/runs/one")
    assert refused.status == 422
    assert "rubric not found" in refused.json["error"]


def test_a_value_is_made_once_for_each_stamp_and_can_be_forgotten() -> None:
    made: list[str] = []
    known: Known[str] = Known(10)

    def get(name: str, stamp: int) -> str:
        def make() -> str:
            made.append(name)
            return name

        return known.get(name, (stamp,), make)

    assert [get("a", 1), get("a", 1), get("b", 1), get("a", 2)] == ["a", "a", "b", "a"]
    assert made == ["a", "b", "a"]
    known.keep(["a"])
    assert known.held("a", (2,)) == "a"
    assert known.held("a", (1,)) is known.held("b", (1,)) is None


def test_runs_of_judgeeval_stand_apart_after_all_others(
    browser: Browser, base: Path, rubric: Rubric
) -> None:
    _done(base / "one", rubric)
    _done(base / "two", rubric, case="heavy-ball-partial")
    heads = browser.ask("/api/page").json["runs"]
    assert [(head["id"], head["case"]) for head in heads] == [
        ("one", None), ("two", "heavy-ball-partial"),
    ]  # fmt: skip
    assert browser.ask("/api/runs/two").json["case"] == "heavy-ball-partial"


def _no_run_json(run: Path) -> None:
    (run / "run.json").unlink()


def _no_file(run: Path) -> None:
    (run / "run.json").unlink()
    (run / "run.json").mkdir()


def _pipe(run: Path) -> None:
    (run / "run.json").unlink()
    os.mkfifo(run / "run.json")


def _no_way_in(run: Path) -> None:
    (run / "run.json").unlink()
    (run / "run.json").symlink_to("run.json")


def _cut(run: Path) -> None:
    (run / "run.json").write_text((run / "run.json").read_text()[:40])


def _died_early(run: Path) -> None:
    facts = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(facts | {"status": "running"}))
    (run / "rubric.json").unlink()


BROKEN: list[tuple[Callable[[Path], None], str]] = [
    (_no_run_json, "it ended before anything of it was kept"),
    (_no_file, "its run.json is no file"),
    (_pipe, "its run.json is no file"),
    (_no_way_in, "it cannot be read: Too many levels of symbolic links"),
    (_cut, "is not valid JSON"),
    (_died_early, "it ended before its rubric was kept, so nothing was graded"),
]


@pytest.mark.parametrize(("broken", "why"), BROKEN, ids=lambda each: getattr(each, "__name__", ""))
def test_what_is_wrong_with_a_folder_is_said_and_hides_no_other(
    browser: Browser, base: Path, rubric: Rubric, broken: Callable[[Path], None], why: str
) -> None:
    _done(base / "one", rubric)
    broken(_done(base / "two", rubric))
    page = browser.ask("/api/page").json
    assert [head["id"] for head in page["runs"]] == ["one"]
    [told] = page["broken"]
    assert told["id"] == "two"
    assert why in told["why"]
    assert browser.ask("/api/runs/two").status in (404, 422)


def test_a_folder_of_runs_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    page = Shelf([loop, tmp_path / "absent"]).page()
    assert page["broken"] == [
        {"id": str(loop), "why": "it cannot be read: Too many levels of symbolic links"}
    ]


def test_runs_of_others_are_counted(browser: Browser, base: Path, rubric: Rubric) -> None:
    shutil.copytree(_done(base / "one", rubric), base / "copied")
    page = browser.ask("/api/page").json
    assert ([head["id"] for head in page["runs"]], page["strangers"]) == (["one"], 1)


DAMAGE = (
    "",
    "[]",
    "{}",
    "[" * 100_000,
    '{"report": 1}',
    '{"report": 2}',
    "\0",
    '{"key": "first"}\n',
)


@pytest.mark.parametrize("name", ["report.json", "rubric.json", "grades.jsonl", "labels.jsonl"])
def test_no_damage_of_a_run_is_an_error_of_the_server(
    browser: Browser, base: Path, rubric: Rubric, name: str
) -> None:
    run = _done(base / "one", rubric)
    for text in DAMAGE:
        (run / name).write_text(text)
        for below in ("", "/chunks/0", "/prompt/1"):
            answer = browser.ask(f"/api/runs/one{below}")
            assert answer.status in (200, 404, 422)
            assert answer.status == 200 or answer.json["error"]
        assert browser.ask("/api/page").status == 200


def test_a_run_of_another_version_that_cannot_be_read_says_so(
    browser: Browser, base: Path, rubric: Rubric
) -> None:
    run = _done(base / "one", rubric, versions={"rubric-engine": "0.0.3"})
    (run / "report.json").write_text('{"report": 0}')
    said = browser.ask("/api/runs/one").json["error"]
    assert "report.json is no report" in said
    assert "made by rubric-engine 0.0.3, and this is" in said


def test_clocks_that_were_set_back_hide_nothing(
    browser: Browser, base: Path, rubric: Rubric
) -> None:
    ahead = _done(base / "ahead", rubric)
    started = "2199-01-01T00:00:00+00:00"
    facts = json.loads((ahead / "run.json").read_text())
    mark = seal("ahead", started)
    (ahead / "run.json").write_text(json.dumps(facts | {"started": started, "seal": mark}))
    os.utime(ahead / "run.json", (7e9, 7e9))
    with RunFolder(base / "now") as run:
        run.write_rubric(rubric)
        run.state("running", FACTS)
        os.utime(run.path / "grades.jsonl", (7e9, 7e9))
        assert list(_heads(browser)) == ["ahead", "now"]
        run.append("first", MET)
        assert _heads(browser)["now"]["score"]["low"] == 0.25
        assert browser.ask("/api/runs/now").json["score"]["low"] == 0.25


def test_the_cookie_of_another_server_lets_nobody_in_and_puts_nobody_out(
    browser: Browser, base: Path
) -> None:
    ending = Ending()
    with served(view_app(Shelf([base]), ending), ending) as other:
        other.enter()
        own = browser.cookie
        assert browser.ask("/api/page", headers={"Cookie": f"{other.cookie}; {own}"}).status == 200
        refused = browser.ask("/", headers={"Cookie": other.cookie})
        assert refused.status == 403
        assert b"open the address that the command printed" in refused.body
