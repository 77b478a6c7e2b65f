"""The list of runs while a page is open: what begins, goes on, ends, is removed or is broken."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

from rubric_engine.rubric import Rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.state import seal
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.app import view_app
from rubric_engine.web.viewing.shelf import Shelf
from tests.web.runs import FACTS, MET, SCORE, base, browser, done
from tests.web.serving import Browser, served
from tests.web.test_view import rubric

__all__ = ["base", "browser", "rubric"]


def _heads(browser: Browser) -> dict[str, dict[str, Any]]:
    return {head["id"]: head for head in browser.ask("/api/page").json["runs"]}


def test_the_list_says_which_judge_and_models(browser: Browser, base: Path, rubric: Rubric) -> None:
    card = {"model": {"name": "gpt-5.6"}}
    done(base / "one", rubric, judge={"name": "simple", "card": card})
    done(base / "two", rubric, judge={"name": "rules", "card": None})
    done(base / "odd", rubric, judge=["of no form"])
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
    done(base / "one", rubric)
    stamp = browser.ask("/api/page").json["stamp"]
    assert browser.ask(f"/api/page?known={stamp}").json == {"stamp": stamp}
    done(base / "two", rubric)
    assert len(browser.ask(f"/api/page?known={stamp}").json["runs"]) == 2


def test_a_list_reads_run_json_and_nothing_else_of_a_run_that_is_over(
    browser: Browser, base: Path, rubric: Rubric
) -> None:
    run = done(base / "one", rubric)
    for name in ("rubric.json", "grades.jsonl"):
        (run / name).unlink()
    assert _heads(browser)["one"]["score"] == SCORE
    refused = browser.ask("/api/runs/one")
    assert refused.status == 422
    assert "rubric not found" in refused.json["error"]


def test_runs_of_judgeeval_stand_apart_after_all_others(
    browser: Browser, base: Path, rubric: Rubric
) -> None:
    done(base / "one", rubric)
    done(base / "two", rubric, case="heavy-ball-partial")
    heads = browser.ask("/api/page").json["runs"]
    assert [(head["id"], head["case"]) for head in heads] == [
        ("one", None), ("two", "heavy-ball-partial"),
    ]  # fmt: skip
    assert browser.ask("/api/runs/two").json["case"] == "heavy-ball-partial"


def test_runs_of_others_are_counted(browser: Browser, base: Path, rubric: Rubric) -> None:
    shutil.copytree(done(base / "one", rubric), base / "copied")
    page = browser.ask("/api/page").json
    assert ([head["id"] for head in page["runs"]], page["strangers"]) == (["one"], 1)


def test_clocks_that_were_set_back_hide_nothing(
    browser: Browser, base: Path, rubric: Rubric
) -> None:
    ahead = done(base / "ahead", rubric)
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
