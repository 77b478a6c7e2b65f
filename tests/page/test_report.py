"""The report in a real browser: what it shows."""

from __future__ import annotations

from typing import Any

import pytest

from rubric_engine.cli.output import percent
from rubric_engine.page import assemble
from rubric_engine.spending.dollars import show_most
from tests.page.conftest import PHONE, WIDE, Open
from tests.page.expected import WORDS, points
from tests.page.made import made_page, made_run
from tests.page.shown import CHUNKS, LEAVES, NODES, PAGE, RUN, active, lone


def test_the_answer_comes_first_and_is_that_of_the_data(open_page: Open) -> None:
    page = open_page(PAGE).page
    low, high = (f"{100 * RUN['score'][name]:.1f}%" for name in ("low", "high"))
    assert page.inner_text("#score") == f"between {low} and {high}"
    assert f"coverage {100 * RUN['score']['coverage']:.1f}%" in page.inner_text(".score-lines")
    assert "$1.24" in page.inner_text(".facts")
    lost = page.locator("section[aria-label='Criteria that lost most'] li").all_inner_texts()
    most = sorted((NODES["lost"][at] for at in LEAVES), reverse=True)[:5]
    assert [text.split("\n")[0] for text in lost] == [points(value) for value in most]


NUMBERS = [0.0, 1.0, 0.5, 0.1225, 0.1275, 0.83449, 0.8345, 1 / 3, 0.0001, 0.99999]


@pytest.mark.slow
def test_numbers_are_written_as_the_terminal_writes_them(open_page: Open) -> None:
    page = open_page(PAGE).page
    shares = page.evaluate("values => values.map(RE.text.percent)", NUMBERS)
    assert shares == [percent(value) for value in NUMBERS]
    sums = [*NUMBERS, 0.1001, 0.000512, 0.0999, 12.341, 1234.5, 7.0]
    dollars = page.evaluate("values => values.map(RE.text.dollars)", sums)
    assert dollars == [show_most(value) for value in sums]
    assert page.evaluate("RE.text.dollars(null)") == "unpriced"
    spans = page.evaluate("[RE.text.span(0.5, 0.5), RE.text.span(0.5, 0.75)]")
    assert spans == ["50.0%", "50.0-75.0%"]


def test_each_row_has_the_figures_of_its_criterion(open_page: Open) -> None:
    page = open_page(PAGE).page
    rows = page.locator(".rows [role=row]").all()
    assert len(rows) > 10
    for row in rows:
        at = int((row.get_attribute("id") or "").removeprefix("row-"))
        assert row.locator(".worth").inner_text() == points(NODES["worth"][at])
        assert row.locator(".lost").inner_text() == points(NODES["lost"][at])
        score = row.locator(".verdict").inner_text()
        if verdict := NODES["verdict"][at]:
            assert WORDS.get(verdict, verdict) in score
        else:
            assert f"{100 * NODES['high'][at]:.1f}%" in score


@pytest.mark.slow
def test_several_runs_stand_in_one_page(open_page: Open) -> None:
    other, chunks = made_run(20, seed=5, name="2026-01-03T03-04-05-cd34")
    page = open_page(assemble(made_page(RUN, other), [CHUNKS, chunks], title="Runs")).page
    options = page.locator(".chooser option").all_inner_texts()
    assert [text.split()[-4:] for text in options] == [
        ["heavy-ball-partial", "simple", "gpt-5.6", run["id"]] for run in (RUN, other)
    ]
    page.select_option(".chooser select", other["id"])
    count = sum(each is not None for each in other["nodes"]["verdict"])
    page.wait_for_selector(f"#shown:text-is('{count} leaves')")


@pytest.mark.slow
def test_without_scripts_there_is_a_table(open_page: Open) -> None:
    page = open_page(PAGE, scripts=False).page
    rows = page.locator("noscript tbody tr").count()
    depth = {0: 0}
    for at, parent in enumerate(NODES["parent"][1:], 1):
        depth[at] = depth[parent] + 1
    assert rows == sum(level <= 2 for level in depth.values())


@pytest.mark.slow
def test_paper_has_the_lost_points_and_what_is_not_met(open_page: Open) -> None:
    page = open_page(PAGE).page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    said = page.locator(".paper section").all()
    names = [each.get_attribute("aria-label") for each in said]
    assert names == [
        "Warnings", "1 place speaks to the judge", "Canaries", "By category", "Lost points",
        "To the third level",
    ]  # fmt: skip
    assert RUN["warnings"][0]["message"] in said[0].inner_text()
    assert said[3].locator("tbody tr").count() == len(RUN["categories"])
    lost = said[4].locator("tbody tr")
    assert lost.count() == sum(NODES["lost"][at] > 0 for at in LEAVES)
    scores = lost.locator("td:nth-child(2)").all_inner_texts()
    assert scores.count("not met") == NODES["verdict"].count("not met")
    assert scores.count("part 0.5") == NODES["verdict"].count("part")
    opens = said[5].locator("tbody tr:first-child td:last-child").inner_text()
    assert opens == points(NODES["open"][0])
    page.emulate_media(media="print")
    assert page.inner_text(".icicle p").split() == ["earned", "open", "lost"]
    assert page.is_visible(".legend i.open")
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".paper").count() == 0


STATES: list[tuple[dict[str, Any], str, str]] = [
    (lone("met", 1.0), "100.0%", "every leaf that applies is graded"),
    (lone("n/a", None), "not applicable", "no leaf is left to score"),
    (lone("open", None), "between 0.0% and 100.0%", "no leaf is graded, so there is no value"),
    (
        lone("met", 1.0, "blacklisted"),
        "0.0%",
        "the grades alone would give 100.0%",
    ),
]


@pytest.mark.parametrize(("run", "headline", "said"), STATES, ids=lambda value: str(value)[:12])
def test_no_grade_is_not_a_zero(
    open_page: Open, run: dict[str, Any], headline: str, said: str
) -> None:
    page = open_page(assemble(made_page(run), [[{}]], title="One")).page
    assert page.inner_text("#score") == headline
    assert said in page.inner_text(".score-lines")
    verdict = run["nodes"]["verdict"][0]
    assert WORDS.get(verdict, verdict) in page.inner_text("#row-0 .verdict")


def test_a_rubric_of_one_leaf_has_no_parts(open_page: Open) -> None:
    run = lone("not met", 0.0)
    run["nodes"]["lost"], run["nodes"]["category"] = [100.0], [None]
    page = open_page(assemble(made_page(run), [[{}]], title="One")).page
    assert "1 leaf, 1 criterion" in page.inner_text(".facts")
    lists = page.locator(".points .losses h2").all_inner_texts()
    assert lists == ["Criteria that lost most", "By category"]


def test_what_does_not_apply_has_a_filter_as_well(open_page: Open) -> None:
    window = open_page(assemble(made_page(lone("n/a", None)), [[{}]], title="None"))
    window.page.click(".chips button:has-text('n/a')")
    assert window.page.input_value("#query") == "verdict:na"
    assert window.status() == "1 of 1 leaf shown"


def test_metrics_are_told_with_why_they_are_undefined(open_page: Open) -> None:
    found = {"D": {"value": True, "why": "Design: 2 of 2 leaves met"},
             "C.D": {"value": None, "why": "</dd><b>Conclusion</b>: 1 of 1 leaves open"},
             "All": {"value": False, "why": "x"}}  # fmt: skip
    for size in (WIDE, PHONE):
        page = open_page(
            assemble(made_page(RUN | {"metrics": found}), [CHUNKS], title="One"), size=size
        ).page
        told = [text.split("\n") for text in page.locator(".metric").all_inner_texts()]
        words = [" ".join(filter(None, (part.strip() for part in text))) for text in told]
        assert words == [
            "D true", "C.D undefined </dd><b>Conclusion</b>: 1 of 1 leaves open", "All false",
        ]  # fmt: skip
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert open_page(PAGE).page.locator(".metric").count() == 0


@pytest.mark.slow
def test_a_run_that_was_stopped_says_why_and_how_to_go_on(open_page: Open) -> None:
    stop = {"code": "E601", "exit_code": 6, "message": "the budget is spent",
            "fix": []}  # fmt: skip
    run = RUN | {"stopped": stop, "go_on": [f"rubric-engine resume {RUN['id']}"]}
    page = open_page(assemble(made_page(run), [CHUNKS], title="Stopped")).page
    assert "stopped: the budget is spent" in page.inner_text(".facts")
    assert f"rubric-engine resume {RUN['id']}" in page.inner_text(".notes")


@pytest.mark.slow
def test_a_very_deep_tree_is_a_tree_like_others(open_page: Open) -> None:
    deep = 2_000
    one = lone("not met", 0.0)
    nodes = {name: column * deep for name, column in one["nodes"].items()}
    nodes["parent"] = list(range(-1, deep - 1))
    nodes["key"] = [f"n{at}" for at in range(deep)]
    nodes["verdict"] = [None] * (deep - 1) + ["not met"]
    window = open_page(assemble(made_page(one | {"nodes": nodes}), [[{}]], title="Deep"))
    window.page.keyboard.press("n")
    assert active(window.page) == deep - 1
    assert window.page.get_attribute(f"#row-{deep - 1}", "aria-level") == str(deep)
    assert window.elements() < 800
