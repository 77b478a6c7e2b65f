"""Holds every number of a page that is open against the report of its run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.labels import load_labels
from rubric_engine.rubric_file import load_rubric
from tests.page.expected import Shown, points, short

if TYPE_CHECKING:
    from playwright.sync_api import Page


def shown_of(run: Path) -> tuple[Shown, dict[str, float]]:
    """What has to be shown of a run, and the weights of its criteria."""
    report = json.loads((run / "report.json").read_text())
    rubric, labels = load_rubric(run / "rubric.json"), {}
    if (run / "labels.jsonl").is_file():
        found = load_labels(run / "labels.jsonl", rubric).labels
        labels = {key: label.verdict for key, label in found.items()}
    return Shown(report, labels), {key: rubric[key].weight for key in rubric}


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
