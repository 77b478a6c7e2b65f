"""The report in a real browser: what it shows, and what it does when it is used."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from rubric_engine.cli.output import percent
from rubric_engine.page import assemble
from rubric_engine.spending.dollars import show_most
from tests.page.conftest import PHONE, WIDE, Open
from tests.page.made import made_page, made_run

RUN, CHUNKS = made_run(150)
NODES = RUN["nodes"]
LEAVES = [at for at, verdict in enumerate(NODES["verdict"]) if verdict is not None]
PAGE = assemble(made_page(RUN), [CHUNKS], title="Report")


def points(value: float) -> str:
    return "<0.01" if 0 < value < 0.005 else f"{value:.2f}"


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
        if NODES["verdict"][at]:
            assert NODES["verdict"][at] in score
        else:
            assert f"{100 * NODES['high'][at]:.1f}%" in score


def some(holds: Callable[[int], bool]) -> int:
    return sum(holds(at) for at in LEAVES)


QUERIES: dict[str, Callable[[int], bool]] = {
    "verdict:not": lambda at: NODES["verdict"][at] == "not met",
    "invalid": lambda at: NODES["verdict"][at] == "open",
    "cat:exec score:0": lambda at: (
        NODES["category"][at] == "Code Execution" and NODES["verdict"][at] == "not met"
    ),
    "score:<0.3 invalid": lambda at: False,
    "worth:>0.5 unverified": lambda at: NODES["worth"][at] > 0.5 and NODES["flags"][at] & 4 > 0,
    "vote:split unsure": lambda at: NODES["flags"][at] & 24 == 24,
    "file:part_3.py": lambda at: any("part_3.py" in path for path in NODES["files"][at]),
    "cut": lambda at: NODES["flags"][at] & 2 > 0,
    "canary": lambda at: False,
    '"Table 3" verdict:met': lambda at: (
        "Table 3" in NODES["requirements"][at] and NODES["verdict"][at] == "met"
    ),
    "训练循环 verdict:met": lambda at: (
        "训练循环" in NODES["requirements"][at] and NODES["verdict"][at] == "met"
    ),
}


def test_a_query_leaves_what_it_says(open_page: Open) -> None:
    window = open_page(PAGE)
    for query, holds in QUERIES.items():
        window.page.fill("#query", query)
        assert window.status() == f"{some(holds)} of {len(LEAVES)} leaves shown", query
        assert window.elements() < 800


UNREADABLE = {
    "score:high": "score: takes a number",
    "colour:red": "there is no field colour:",
    "vote:": "vote: needs a value",
    "human:me": "human: takes differs, met",
}


@pytest.mark.slow
def test_a_query_that_cannot_be_read_is_said_and_hides_nothing(open_page: Open) -> None:
    window = open_page(PAGE)
    for query, said in UNREADABLE.items():
        window.page.fill("#query", query)
        assert said in window.status()
        assert window.page.locator(".rows [role=row]").count() > 10


def test_a_number_of_any_length_is_read_in_time_linear_in_it(open_page: Open) -> None:
    page = open_page(PAGE).page
    # Would take minutes if it were quadratic.
    page.evaluate("text => RE.query.parse(text)", f"score:{'1' * 1_000_000}x")
    for text in ("0.25", ".25", ">=.25", "1"):
        assert page.evaluate("text => RE.query.parse(text).error", f"score:{text}") is None
    for text in (".", "1.", "1.2.3", "-1"):
        assert page.evaluate("text => RE.query.parse(text).error", f"score:{text}")


@pytest.mark.slow
def test_chips_write_into_the_query_and_take_out_again(open_page: Open) -> None:
    page = open_page(PAGE, "q=file:part").page
    page.click(".chips button:has-text('not met')")
    assert page.input_value("#query") == "file:part verdict:not"
    assert page.get_attribute(".chips button:has-text('not met')", "aria-pressed") == "true"
    page.click(".chips button:has-text('not met')")
    assert page.input_value("#query") == "file:part"


def active(page: Any) -> int:
    name = page.get_attribute("#tree", "aria-activedescendant")
    assert page.locator(f"#{name}").count() == 1, "the active row is drawn"
    return int(name.removeprefix("row-"))


def test_the_keyboard_walks_the_tree(open_page: Open) -> None:
    window = open_page(PAGE)
    page = window.page
    for key in ("ArrowDown", "j", "ArrowDown", "k"):
        page.keyboard.press(key)
    assert active(page) == 2
    page.keyboard.press("h")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert page.get_attribute("#row-0", "aria-expanded") == "false"
    page.keyboard.press("*")
    page.keyboard.press("End")
    assert active(page) == len(NODES["key"]) - 1
    assert window.elements() < 800
    page.keyboard.press("Home")
    page.keyboard.press("n")
    unmet = [at for at in LEAVES if NODES["verdict"][at] == "not met"]
    assert active(page) == unmet[0]
    page.keyboard.press("i")
    assert NODES["verdict"][active(page)] == "open"
    page.keyboard.press("p")
    page.keyboard.press("o")
    page.wait_for_selector(".toast:has-text('file:///')")
    page.keyboard.press("c")
    place = CHUNKS[0][str(active(page))]["grade"]["citations"][0]
    page.wait_for_selector(f".toast:has-text('{place['path']}:{place['start_line']}-')")
    page.keyboard.press("/")
    page.keyboard.type("nnn")
    assert page.input_value("#query") == "nnn"
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert page.input_value("#query") == ""


@pytest.mark.slow
def test_shortcuts_can_be_switched_off(open_page: Open) -> None:
    page = open_page(PAGE).page
    page.keyboard.press("?")
    page.uncheck("#keys-on")
    page.keyboard.press("Escape")
    page.focus("#tree")
    page.keyboard.press("n")
    assert active(page) == 0
    page.keyboard.press("ArrowDown")
    assert active(page) == 1


def test_the_active_row_stays_when_the_mouse_scrolls_away(open_page: Open) -> None:
    window = open_page(PAGE)
    page = window.page
    page.keyboard.press("*")
    page.keyboard.press("ArrowDown")
    box = page.locator("#tree").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 50, box["y"] + 100)
    page.mouse.wheel(0, 100_000)
    page.wait_for_selector(f"#row-{len(NODES['key']) - 1}")
    assert active(page) == 1
    assert window.elements() < 800


def test_leaf_filter_sort_and_theme_survive_in_the_address(open_page: Open) -> None:
    leaf = next(at for at in LEAVES if NODES["verdict"][at] == "met")
    window = open_page(PAGE)
    page = window.page
    page.fill("#query", "verdict:met")
    page.select_option(".sorts select", "lost")
    page.keyboard.press("Escape")
    window.to(f"run={RUN['id']}&n={NODES['key'][leaf]}&q=verdict%3Amet&sort=lost")
    page.wait_for_selector(f".panel-title:has-text('{NODES['key'][leaf]}')")
    page.focus("#tree")
    page.keyboard.press("t")
    address = page.url
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.url == address
    assert page.input_value("#query") == "verdict:met"
    assert page.input_value(".sorts select") == "lost"
    assert active(page) == leaf
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.wait_for_selector("text=citation")
    said = CHUNKS[0][str(leaf)]["grade"]["explanation"]
    assert said[:80] in page.inner_text("#panel")


@pytest.mark.parametrize(
    ("address", "said"),
    [("n=nobody", "none with the key nobody"), ("run=gone", "No such run: gone")],
)
def test_an_unknown_name_is_said(open_page: Open, address: str, said: str) -> None:
    page = open_page(PAGE, address).page
    assert said in " ".join(page.inner_text("main").split())


@pytest.mark.slow
def test_several_runs_stand_in_one_page(open_page: Open) -> None:
    other, chunks = made_run(20, seed=5, name="2026-01-03T03-04-05-cd34")
    page = open_page(assemble(made_page(RUN, other), [CHUNKS, chunks], title="Runs")).page
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
    unmet = some(lambda at: NODES["verdict"][at] == "not met")
    assert page.locator(".paper table").count() == 3
    assert page.locator(".paper table").last.locator("tbody tr").count() == unmet
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".paper").count() == 0


@pytest.mark.parametrize(
    ("theme", "size"),
    [
        ("light", WIDE),
        pytest.param("dark", WIDE, marks=pytest.mark.slow),
        pytest.param("dark", PHONE, marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_serious(open_page: Open, theme: str, size: tuple[int, int]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    leaf = next(at for at in LEAVES if NODES["verdict"][at] == "not met")
    page = open_page(PAGE, f"n={NODES['key'][leaf]}", theme=theme, size=size).page
    page.wait_for_selector("#evidence")
    found = axe.Axe().run(page).response["violations"]
    bad = [(each["id"], [node["html"][:200] for node in each["nodes"][:3]])
           for each in found if each["impact"] in ("serious", "critical")]  # fmt: skip
    assert bad == []


def test_nothing_is_wider_than_a_phone(open_page: Open) -> None:
    page = open_page(PAGE, size=PHONE).page
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.click("#row-0 bdi")
    assert page.locator("#panel").is_visible()
    page.click("#panel .close")
    assert not page.locator("#panel").is_visible()


def lone(verdict: str, score: float | None) -> dict[str, Any]:
    """A run of one leaf."""
    run, _ = made_run(1)
    leaf = max(
        range(len(run["nodes"]["key"])), key=lambda at: run["nodes"]["verdict"][at] is not None
    )
    nodes = {name: [column[leaf]] for name, column in run["nodes"].items()}
    low = high = score
    if verdict == "open":
        low, high = 0.0, 1.0
    whole = {"value": score, "low": low, "high": high, "worth": 100.0, "lost": 0.0, "open": 0.0}
    nodes |= {name: [value] for name, value in whole.items()}
    nodes |= {"parent": [-1], "verdict": [verdict], "flags": [0]}
    coverage = 1.0 if verdict == "met" else 0.0
    return run | {
        "nodes": nodes, "complete": True,
        "score": {"value": score, "low": low, "high": high, "coverage": coverage},
    }  # fmt: skip


STATES: list[tuple[dict[str, Any], str, str]] = [
    (lone("met", 1.0), "100.0%", "every leaf that applies is graded"),
    (lone("n/a", None), "not applicable", "no leaf is left to score"),
    (lone("open", None), "between 0.0% and 100.0%", "no leaf is graded, so there is no value"),
    (
        lone("met", 1.0) | {"disqualified": "blacklisted"},
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
    assert run["nodes"]["verdict"][0] in page.inner_text("#row-0 .verdict")


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
            "fix": ["rubric-engine resume RUN"]}  # fmt: skip
    page = open_page(assemble(made_page(RUN | {"stopped": stop}), [CHUNKS], title="Stopped")).page
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


EVIL = "</script><script>window.evil=1</script><img src=x onerror='window.evil=1'><svg onload=evil>"
HOSTILE = f"{EVIL} \u202egnp.exe\u2066 \0 \ud800 \ufeff"


def hostile(value: Any) -> Any:
    """The same shape with hostile text for every text that people wrote."""
    if isinstance(value, str):
        return value + HOSTILE
    if isinstance(value, dict):
        return {key: hostile(each) for key, each in value.items()}
    return [hostile(each) for each in value] if isinstance(value, list) else value


def test_hostile_text_shows_as_text(open_page: Open) -> None:
    run, chunks = copy.deepcopy((RUN, CHUNKS))
    leaf = next(at for at in LEAVES if NODES["verdict"][at] == "not met")
    nodes = run["nodes"]
    for name in ("requirements", "key", "files"):
        nodes[name] = hostile(nodes[name])
    nodes["category"] = [each and each + EVIL for each in nodes["category"]]
    nodes["requirements"][leaf] = f"{HOSTILE} {'x' * 100_000} the end"
    for name in ("id", "title", "submission", "warnings", "injections", "judge", "provenance"):
        run[name] = hostile(run[name])
    grade = chunks[0][str(leaf)]["grade"]
    for name in ("explanation", "judge"):
        grade[name] = hostile(grade[name])
    grade["citations"][0] |= {"path": f"a{HOSTILE}", "quote": "q" * 100_000}
    grade["citations"][0]["excerpt"]["lines"] = ["y" * 1_000_000, HOSTILE]
    chunks[0][str(leaf)]["label"] = {"verdict": "met", "reason": HOSTILE, "annotator": HOSTILE}
    window = open_page(assemble(made_page(run), [chunks], title=HOSTILE))
    page = window.page
    page.keyboard.press("n")
    page.wait_for_selector("#evidence")
    for fold in page.locator(".notes summary").all():
        fold.click()
    shown = page.inner_text("main")
    assert page.evaluate("window.evil") is None
    assert shown.count("<img src=x onerror='window.evil=1'>") > 10
    assert r"\u{202e}gnp.exe\u{2066} \u{0} \u{d800} \u{feff}" in shown
    assert "\u202e" not in shown
    assert len(shown) < 200_000
    assert page.evaluate("document.documentElement.scrollWidth") <= 1400
    page.click("#panel >> text=show all")
    assert "the end" in page.inner_text("#panel h2")
