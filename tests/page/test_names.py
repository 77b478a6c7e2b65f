"""Keys, categories, files and runs that are called what every object of a browser has."""

from __future__ import annotations

import copy

import pytest

from rubric_engine.cli.compare_page import comparison_page
from rubric_engine.comparing import compare
from rubric_engine.grading import Grade
from rubric_engine.page import assemble
from rubric_engine.result import Report
from tests.page.conftest import Open
from tests.page.made import made_page, made_run
from tests.page.test_evaluation import DATA
from tests.strategies import flat, leaf

NAMES = ("constructor", "__proto__", "toString", "hasOwnProperty", "valueOf")


def test_a_report_shows_them_like_any_other(open_page: Open) -> None:
    runs = []
    for name in NAMES:
        run, chunks = made_run(20, name=name)
        nodes = run["nodes"]
        for at, odd in enumerate(NAMES):
            nodes["key"][-1 - at] = odd
            nodes["category"][-1 - at] = odd
            nodes["files"][-1 - at] = [odd]
        runs.append((run, chunks))
    text = assemble(made_page(*(run for run, _ in runs)), [each for _, each in runs], title="x")
    for name in NAMES:
        page = open_page(text, f"run={name}&n={name}&q=cat:{name.lower()}").page
        assert page.input_value(".chooser select") == name
        assert page.locator(".chips .toggle", has_text=name).count() <= 1
        assert page.locator("#shown").inner_text().startswith("1 ")
        assert page.locator(".panel .message.bad").count() == 0
    page = open_page(text, "run=isPrototypeOf&n=propertyIsEnumerable").page
    page.wait_for_selector("text=No such run:")
    page = open_page(text, "n=propertyIsEnumerable&sort=constructor&view=__proto__").page
    page.wait_for_selector("text=No such criterion:")


def test_a_comparison_shows_them_like_any_other(open_page: Open) -> None:
    tree = flat(*(leaf(name) for name in NAMES), leaf("plain"))
    a = Report(tree, {key: Grade.graded(1, "yes") for key in tree.leaves()}, run="runs/toString")
    b = Report(tree, {key: Grade.graded(0, "no") for key in tree.leaves()}, run="runs/__proto__")
    text = comparison_page(compare(a, b))
    for name in NAMES:
        page = open_page(text, f"n={name}").page
        assert page.locator(".panel .mono.dim").inner_text() == name
        page = open_page(text, f"kind={name}").page
        assert page.locator("#list [role=option]").count() == 0
        assert page.locator(".tools").get_by_role("button").inner_text().startswith("unknown kind")


@pytest.mark.parametrize("name", NAMES)
def test_an_evaluation_shows_them_like_any_other(open_page: Open, name: str) -> None:
    data = copy.deepcopy(DATA)
    found = data["evaluation"]
    for leaves in (judge["leaves"] for judge in found["judges"]):
        leaves["key"][0], leaves["category"][0] = name, name
    for words in found["words"]:
        words["categories"] = {**words.get("categories", {}), name: name}
    for row in found["table"]["leaf_sets"][0]["rows"]:
        row["agreement"]["submissions"].pop(next(iter(row["agreement"]["submissions"])), None)
    text = assemble(data, entry="evaluation", title="x")
    page = open_page(text, f"judge=good&n={name}&category={name}").page
    assert page.locator("#shown").inner_text().startswith("1 of")
    assert page.locator("dl.pairs").inner_text().count(name) == 2
    assert "native code" not in page.inner_text("body")
    odd = f"judge={name}&cell={name}&submission={name}&chart={name}&sort={name}"
    open_page(text, odd).page.wait_for_selector("text=No such judge:")
