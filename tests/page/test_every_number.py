"""Every number that a page shows is that of `report.json`, of runs that were really graded."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rubric_engine.cli.app import run as command
from rubric_engine.figures import span_of
from rubric_engine.labels import load_labels
from rubric_engine.rubric_file import load_rubric
from rubric_engine.testing import Fault, Request, ScriptedServer
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.app import view_app
from rubric_engine.web.viewing.shelf import Shelf
from tests.cli.paying import write_card
from tests.conftest import ROOT
from tests.page.expected import Shown, points, short
from tests.web.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CASE = ROOT / "judgeeval" / "heavy-ball-partial"
TALL = {"width": 1400, "height": 4000}
"""So high that all rows are drawn."""

RUBRIC = """\
rubric: 1
root:
  id: root
  requirements: All of the paper
  sub_tasks:
    - id: code
      requirements: The code
      weight: 3
      sub_tasks:
        - {id: met, requirements: Thing surely-met, weight: 7, task_category: Code Development}
        - {id: split, requirements: Thing now-and-then, weight: 2, task_category: Code Development}
        - {id: not, requirements: Thing never-met, task_category: Code Development}
    - id: either
      requirements: One of them
      aggregate: any
      sub_tasks:
        - {id: one, requirements: Thing never-met one, task_category: Code Execution}
        - {id: two, requirements: Thing refuse-it two, task_category: Code Execution}
    - {id: cut, requirements: Thing cut-it-off, weight: 2, task_category: Result Analysis}
    - {id: small, requirements: never-met, weight: 0.0001, task_category: Result Analysis}
"""

CITED = [
    {"path": "a.py", "start_line": 1, "end_line": 2, "quote": "def solve():"},
    {"path": "a.py", "start_line": 1, "end_line": 1, "quote": "not there"},
]


def wavering() -> Callable[[Request], Fault | dict[str, Any]]:
    """Says of a leaf what its text says: met, not, now and then met, refused, or cut off."""
    turns = Counter[str]()

    def answer(request: Request) -> Fault | dict[str, Any]:
        asked = request.question.rpartition("CRITERION (")[2]
        if "refuse-it" in asked or "cut-it-off" in asked:
            return Fault("refusal" if "refuse-it" in asked else "length")
        turns[asked] += 1
        met = "surely-met" in asked or ("now-and-then" in asked and turns[asked] % 3 != 0)
        said = {"expectations": "e", "findings": "f", "searched": ["a.py"]}
        return {**said, "citations": CITED[: 2 - met], "met": met}

    return answer


def _graded(arguments: list[str], runs: Path) -> Path:
    before = set(runs.glob("*/report.json"))
    command([*arguments, "--executed", "--runs", str(runs), "-q"])
    (made,) = set(runs.glob("*/report.json")) - before
    return made.parent


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a shipped submission, by rules."""
    words = ["grade", str(CASE / "submission"), "--task", "heavy-ball"]
    return _graded(words, tmp_path_factory.mktemp("shipped"))


@pytest.fixture(scope="module")
def paid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The run of another, by a model that costs, fails and wavers."""
    folder = tmp_path_factory.mktemp("paid")
    submission = folder / "team" / "submission"
    submission.mkdir(parents=True)
    (submission / "a.py").write_text("def solve():\n    return 1\n")
    (folder / "paid.yaml").write_text(RUBRIC)
    with ScriptedServer(answer=wavering()) as server:
        member = write_card(folder / "member", server.base_url)
        card = folder / "again" / "judge.yaml"
        card.parent.mkdir()
        card.write_text(f"judge: 1\nkind: repeat\nof: {member.parent}\nn: 3\nvote: mean\n")
        words = ["grade", str(submission), "--rubric", str(folder / "paid.yaml"), "--yes"]
        yield _graded([*words, "--judge", str(card)], folder / "runs")


@pytest.fixture(scope="module")
def runs(shipped: Path, paid: Path) -> tuple[Path, Path]:
    """Both."""
    return shipped, paid


def shown_of(run: Path) -> tuple[Shown, dict[str, float]]:
    """What has to be shown of a run, and the weights of its criteria."""
    report = json.loads((run / "report.json").read_text())
    rubric, labels = load_rubric(run / "rubric.json"), {}
    if (run / "labels.jsonl").is_file():
        found = load_labels(run / "labels.jsonl", rubric).labels
        labels = {key: label.verdict for key, label in found.items()}
    return Shown(report, labels), {key: rubric[key].weight for key in rubric}


Show = Callable[[str], "Page"]


@pytest.fixture(scope="module")
def show(browser: Browser) -> Iterator[Show]:
    """Open an address."""
    context = browser.new_context(viewport=TALL)  # type: ignore[arg-type]
    page = context.new_page()

    def show_(address: str) -> Page:
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        return page

    yield show_
    context.close()


def flat(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


def check_head(page: Page, shown: Shown) -> None:
    """Score, range, coverage, cost, size, categories, lost points, filters."""
    assert page.inner_text("#score") == shown.headline()
    assert page.locator(".score-lines p").all_inner_texts() == shown.score_lines()
    facts = {
        flat(fact.locator("dt").inner_text()): flat(fact.locator("dd").inner_text())
        for fact in page.locator(".facts .fact").all()
    }
    assert facts["cost"] == shown.cost()
    assert facts["size"] == shown.size()
    table = [
        row.locator("th, td").all_inner_texts()
        for row in page.locator(".categories tbody tr").all()
    ]
    assert table == shown.categories()
    lost = page.locator(
        "section[aria-label='Criteria that lost most'] li .number"
    ).all_inner_texts()
    assert list(zip(lost[::2], lost[1::2], strict=True)) == shown.lost_first()
    chips = [flat(text).rsplit(" ", 1) for text in page.locator(".chips button").all_inner_texts()]
    counts = {words: int(count.replace(",", "")) for words, count in chips}
    by_category = {name: counts.pop(name) for name in ("DEV", "EXE", "RES") if name in counts}
    assert counts == shown.chips()
    assert list(by_category.values()) == [row["leaves"] for row in shown.report["categories"]]
    assert page.inner_text("#shown") == f"{len(shown.leaves)} leaves"
    warnings = len(shown.report["warnings"])
    if warnings:
        title = f"{warnings} warning{'s' * (warnings != 1)}"
        assert title in page.locator(".notes summary").all_inner_texts()


def check_rows(page: Page, shown: Shown) -> None:
    """Score, worth and lost of every criterion in the tree."""
    page.click("button:has-text('Expand all')")
    keys = [row["key"] for row in shown.rows]
    page.wait_for_selector(f"#row-{len(keys) - 1}")
    found = page.evaluate(
        "[...document.querySelectorAll('.rows [role=row]')].map(row => [row.id, "
        "...['.verdict', '.worth', '.lost'].map(at => row.querySelector(at).innerText.trim())])"
    )
    rows = {keys[int(name.removeprefix("row-"))]: cells for name, *cells in found}
    assert rows == {key: shown.row(key) for key in keys}


OPENED = """async ([run, keys]) => {
  const texts = (node, at) => [...node.querySelectorAll(at)].map(each => each.innerText.trim());
  const found = {};
  for (const key of keys) {
    location.hash = new URLSearchParams({run, n: key});
    const title = () => document.querySelector("#panel .panel-title .mono")?.innerText.trim();
    const isThere = () => title() === key && document.querySelector("#panel h3");
    for (let frame = 0; frame < 1000 && !isThere(); frame += 1)
      await new Promise(requestAnimationFrame);
    const panel = document.querySelector("#panel");
    const parts = Object.fromEntries([...panel.querySelectorAll("section.part")].map(
      each => [each.querySelector("h3").innerText, each.innerText]));
    found[key] = {
      title: panel.querySelector(".panel-title").innerText, parts, text: panel.innerText,
      names: texts(panel, ".figures dt"), figures: texts(panel, ".figures dd"),
      children: [...panel.querySelectorAll(".child")].map(
        each => [texts(each, ".chip, .score")[0], texts(each, ".number")[0]]),
    };
  }
  return found;
}"""


def check_panels(page: Page, name: str, shown: Shown, weights: dict[str, float]) -> list[float]:
    """The figures, counts, votes and costs beside each criterion; gives what the leaves cost."""
    costs = []
    keys = [row["key"] for row in shown.rows]
    for key, panel in page.evaluate(OPENED, [name, keys]).items():
        figures = dict(zip(panel["names"], panel["figures"], strict=True))
        assert figures == shown.panel(key, weights[key])
        assert panel["title"].split("\n")[0].strip() == shown.verdict(key)
        if key in shown.report["grades"]:
            check_grade(shown, key, flat(panel["text"]))
            cost = flat(panel["parts"].get("cost", "")).removeprefix("cost ")
            assert cost.endswith(shown.tokens(key))
            costs += [float(cost.partition(",")[0].removeprefix("$"))] if "$" in cost else []
        else:
            check_group(shown, key, panel)
    return costs


def check_grade(shown: Shown, key: str, text: str) -> None:
    """What stands beside a leaf."""
    grade = shown.report["grades"][key]
    assert (shown.samples(key) or "") in text
    if count := len(grade.get("citations", ())):
        assert f"{count} citation{'s' * (count != 1)}" in text
    for one in grade.get("checks", ()):
        if one.get("score") not in (None, 0, 1):
            assert short(one["score"]) in text


def check_group(shown: Shown, key: str, panel: Any) -> None:
    """What stands beside a group."""
    counts = panel["parts"]["leaves below"].split("\n")
    told = next(line for line in counts[1:] if line)
    assert ", ".join(sorted(told.split(", "))) == shown.below(key)
    below = [row for row in shown.rows if row["parent"] == key][:10]
    expected = [[shown.verdict(row["key"]), points(row["lost"])] for row in below]
    assert panel["children"] == expected


def check(page: Page, run: Path) -> None:
    """All of it."""
    shown, weights = shown_of(run)
    check_head(page, shown)
    check_rows(page, shown)
    costs = check_panels(page, run.name, shown, weights)
    paid = shown.report["cost"].get("usd", 0.0)
    # Each is rounded up, so that together they are no less, and hardly more.
    assert paid <= sum(costs) <= 1.1 * paid, (costs, paid)


def test_the_page_of_a_run_by_a_model(paid: Path, show: Show) -> None:
    chips = {"failed", "split votes", "unverified citation", "unsure", "◐ part"}
    assert chips <= set(shown_of(paid)[0].chips())
    check(show((paid / "report.html").as_uri()), paid)


@pytest.mark.slow
def test_the_page_of_a_shipped_submission(shipped: Path, show: Show) -> None:
    assert {"human differs", "✗ not met", "○ open"} <= set(shown_of(shipped)[0].chips())
    check(show((shipped / "report.html").as_uri()), shipped)


@pytest.mark.slow
def test_the_page_of_several_runs(runs: tuple[Path, Path], show: Show, tmp_path: Path) -> None:
    both = tmp_path / "both.html"
    assert command(["report", *map(str, runs), "-o", str(both)]) == 0
    scores = [shown_of(run)[0].report["score"] for run in runs]
    for run in runs:
        page = show(f"{both.as_uri()}#run={run.name}")
        check(page, run)
        options = page.locator(".chooser option").all_inner_texts()
        assert [text.split()[0] for text in options] == [span_of(score) for score in scores]


@pytest.mark.slow
def test_the_page_that_view_serves(runs: tuple[Path, Path], show: Show) -> None:
    ending = Ending()
    with served(view_app(Shelf([], list(runs)), ending), ending) as inside:
        show(f"{inside.origin}/?token={inside.token}")
        for run in runs:
            check(show(f"{inside.origin}/#run={run.name}"), run)


def test_the_table_without_scripts_and_the_one_for_paper(paid: Path, show: Show) -> None:
    shown, _ = shown_of(paid)
    text = (paid / "report.html").read_text()
    plain = text[text.index("<noscript>") : text.index("</noscript>")]
    rows = [re.findall("<td[^>]*>([^<]*)</td>", row) for row in plain.split("<tr>")[2:]]
    high = [row for row in shown.rows if _level(shown, row["key"]) < 3]
    assert [[html.unescape(cell) for cell in cells[2:]] for cells in rows] == [
        [points(row[name]) for name in ("worth", "lost", "open")] for row in high
    ]
    page = show((paid / "report.html").as_uri())
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    paper = page.locator(".paper [aria-label='To the third level'] tbody tr").all()
    cells = [row.locator(".number").all_inner_texts() for row in paper]
    assert [row[1:] for row in cells] == [
        [points(row[name]) for name in ("worth", "lost", "open")] for row in high
    ]


def _level(shown: Shown, key: str) -> int:
    parents = {row["key"]: row["parent"] for row in shown.rows}
    level = 0
    while (above := parents[key]) is not None:
        level, key = level + 1, above
    return level
