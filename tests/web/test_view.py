"""`view`: runs over HTTP, live while they go on."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as over
from hypothesis import strategies as st

from rubric_engine.grading import Citation, Grade
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.app import view_app
from rubric_engine.web.viewing.folders import ids_of
from rubric_engine.web.viewing.shelf import Shelf
from tests.web.serving import Browser, served

RUBRIC = {
    "id": "root",
    "requirements": "all",
    "weight": 1,
    "sub_tasks": [
        {"id": key, "requirements": f"the {key} one", "weight": 1, "sub_tasks": [],
         "task_category": "Code Development"}
        for key in ("first", "second", "third", "fourth")
    ],
}  # fmt: skip

MET = Grade.graded(1.0, "it is there", [Citation(path="a.py", start_line=1)])


@pytest.fixture
def rubric(tmp_path: Path) -> Rubric:
    """Four leaves of the same worth."""
    path = tmp_path / "rubric.json"
    path.write_text(json.dumps(RUBRIC))
    return load_rubric(path)


@pytest.fixture
def run(tmp_path: Path, rubric: Rubric) -> Iterator[RunFolder]:
    """A run that goes on, with one grade."""
    with RunFolder(tmp_path / "runs" / "2026-05-01-small-aaaaaa") as folder:
        folder.write_rubric(rubric)
        folder.state("running", {"task": "small", "submission": "team-a"})
        folder.append("first", MET)
        yield folder


@pytest.fixture
def browser(run: RunFolder) -> Iterator[Browser]:
    """A browser that was let in."""
    ending = Ending()
    with served(view_app(Shelf([run.path.parent]), ending), ending) as inside:
        inside.enter()
        yield inside


def _events(browser: Browser, name: str, found: list[Any], until: threading.Event) -> None:
    """Read a stream to its end; `until` is set once it tells the first grade."""
    import http.client

    opened = http.client.HTTPConnection("127.0.0.1", browser.port, timeout=30)
    with closing(opened) as connection:
        connection.request("GET", f"/api/runs/{name}/events", headers=browser.credentials)
        response = connection.getresponse()
        assert response.getheader("content-type", "").startswith("text/event-stream")
        kind = ""
        for line in response:
            word, _, value = line.decode().strip().partition(": ")
            if word == "event":
                kind = value
            elif word == "data":
                found.append((kind, json.loads(value)))
                until.set()
            elif line.startswith(b":"):
                until.set()


def test_the_page_lists_runs_without_their_criteria(browser: Browser, run: RunFolder) -> None:
    page = browser.ask("/api/page").json
    [head] = page["runs"]
    assert (page["page"], page["kind"], head["id"]) == (1, "runs", run.path.name)
    assert (head["status"], head["score"]["low"]) == ("running", 0.25)
    assert not {"nodes", "details"} & head.keys()
    whole = browser.ask(f"/api/runs/{run.path.name}").json
    assert {name: whole[name] for name in head if name != "judge"} == {
        name: value for name, value in head.items() if name != "judge"
    }
    assert whole["nodes"]["verdict"] == [None, "met", "open", "open", "open"]
    detail = browser.ask(f"/api/runs/{run.path.name}/chunks/0").json
    assert detail["1"]["grade"]["explanation"] == "it is there"
    policy = browser.ask("/").headers["content-security-policy"]
    assert "connect-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy


def test_two_watchers_see_each_grade_and_the_end(browser: Browser, run: RunFolder) -> None:
    name = run.path.name
    browser.ask(f"/api/runs/{name}")
    found: list[list[Any]] = [[], []]
    ready = [threading.Event(), threading.Event()]
    watchers = [
        threading.Thread(target=_events, args=(browser, name, told, begun))
        for told, begun in zip(found, ready, strict=True)
    ]
    for watcher in watchers:
        watcher.start()
    assert all(begun.wait(20) for begun in ready)
    run.append("second", MET)
    grades = run.path / "grades.jsonl"
    with grades.open("a") as file:
        file.write('{"key": "third", "grade": {"status": "gra')
    while not all(found):
        threading.Event().wait(0.05)
    # What a crash tore is cut off and the file replaced, as a resume may do.
    whole = grades.read_text().rpartition("\n")[0] + "\n"
    third = json.dumps({"key": "third", "grade": MET.model_dump(mode="json")})
    (run.path / "new").write_text(f"{whole}{third}\n")
    (run.path / "new").replace(grades)
    while not all(any(event[1].get("node") == 3 for event in told) for told in found):
        threading.Event().wait(0.05)
    run.state("stopped", {"task": "small", "submission": "team-a"})
    for watcher, told in zip(watchers, found, strict=True):
        watcher.join(20)
        assert told[-1][0] == "done"
        grade = {event["node"]: event for kind, event in told if kind == "grade"}
        assert grade.keys() >= {0, 2, 3}
        assert (grade[2]["verdict"], grade[2]["value"], grade[2]["files"]) == ("met", 1, ["a.py"])
        head = {
            name: said for kind, event in told if kind == "head" for name, said in event.items()
        }
        assert (head["score"]["low"], head["categories"][0]["lost"]) == (0.75, 0.0)
        assert "verdict" not in grade[0]


def test_who_comes_late_is_told_what_was_graded_since(browser: Browser, run: RunFolder) -> None:
    browser.ask(f"/api/runs/{run.path.name}")
    run.append("second", MET)
    run.state("stopped", {})
    found: list[Any] = []
    _events(browser, run.path.name, found, threading.Event())
    assert {0, 2} <= {event["node"] for kind, event in found if kind == "grade"}
    assert found[-1][0] == "done"


def test_a_stream_ends_with_the_server(run: RunFolder) -> None:
    ending, found, begun = Ending(), list[Any](), threading.Event()
    with served(view_app(Shelf([run.path.parent]), ending), ending) as inside:
        inside.enter()
        watcher = threading.Thread(target=_events, args=(inside, run.path.name, found, begun))
        watcher.start()
        assert begun.wait(20)
    watcher.join(20)
    assert not watcher.is_alive()


OUTSIDE = (
    "none", "..", "../secret", "%2e%2e", "..%2fsecret", "%2fetc", "{run}%00", "{run}/chunks/9",
    "{run}/prompt/0", "{run}/prompt/99", "none/events", "{run}/../../secret",
)  # fmt: skip


def test_what_is_not_in_the_list_is_not_there(browser: Browser, run: RunFolder) -> None:
    secret = run.path.parent.parent / "secret"
    shutil.copytree(run.path, secret)
    paths = [f"/api/runs/{path.format(run=run.path.name)}" for path in OUTSIDE]
    assert {path: browser.ask(path).status for path in paths} == dict.fromkeys(paths, 404)


def test_nothing_here_writes(browser: Browser, run: RunFolder) -> None:
    before = {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    for path in ("/api/page", f"/api/runs/{run.path.name}", "/"):
        assert browser.post(path, {}).status == 405
        browser.ask(path)
    assert {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()} == before


def test_runs_of_one_name_in_two_folders_have_ids_of_their_own(
    run: RunFolder, tmp_path: Path, rubric: Rubric
) -> None:
    with RunFolder(tmp_path / "others" / run.path.name) as twin:
        twin.write_rubric(rubric)
        twin.state("running", {})
        shelf = Shelf([run.path.parent, twin.path.parent])
        ids = [head["id"] for head in shelf.page()["runs"]]
        assert ids == [f"{run.path.name}~2", run.path.name]
        page = shelf.run(ids[0])
        assert page is not None
        assert page.run["task"] == ""


@over(st.lists(st.sampled_from(["x", "x~2", "x~3", "x~2~2", "y"]), max_size=8))
def test_each_folder_has_an_id_of_its_own(names: list[str]) -> None:
    ids = [*ids_of(names)]
    assert len(set(ids)) == len(ids) == len(names)
    assert all(given.startswith(name) for given, name in zip(ids, names, strict=True))
    assert {*names} <= {*ids}


def test_no_run_hides_another_whatever_their_folders_are_called(
    run: RunFolder, tmp_path: Path, rubric: Rubric
) -> None:
    base, name = tmp_path / "others", run.path.name
    for folder in (base / name, run.path.parent / f"{name}~2"):
        with RunFolder(folder) as made:
            made.write_rubric(rubric)
            made.state("done", {})
    for place in (base, run.path.parent):
        (place / "torn").mkdir()
        (place / "torn" / "run.json").write_text("{")
    page = Shelf([run.path.parent, base]).page()
    assert {head["id"] for head in page["runs"]} == {name, f"{name}~2", f"{name}~3"}
    assert {each["id"] for each in page["broken"]} == {"torn", "torn~2"}


def test_a_damaged_run_is_told_and_others_are_shown(run: RunFolder, tmp_path: Path) -> None:
    with RunFolder(run.path.parent / "2026-05-02-broken-bbbbbb") as broken:
        broken.state("done", {})
        page = Shelf([run.path.parent]).page()
    assert [head["id"] for head in page["runs"]] == [run.path.name]
    assert [each["id"] for each in page["broken"]] == [broken.path.name]


def test_a_run_that_somebody_else_made_is_shown_by_its_path_only(
    run: RunFolder, tmp_path: Path
) -> None:
    moved = tmp_path / "runs" / "2026-05-03-moved-cccccc"
    shutil.copytree(run.path, moved)
    assert list(Shelf([run.path.parent]).found.runs) == [run.path.name]
    assert list(Shelf([run.path.parent], [moved]).found.runs) == [moved.name]
