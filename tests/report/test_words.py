"""A score and a cost are said in the same words by the terminal, the page and Markdown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rubric_engine import Grade
from rubric_engine.cli.costs import cost_lines
from rubric_engine.cli.report_page import page_text
from rubric_engine.cli.summary import score_lines
from rubric_engine.report import RunMaterial, page_run, read_run
from rubric_engine.report.formats import to_markdown
from rubric_engine.score_words import score_words
from rubric_engine.web.viewing.live import Live
from tests.report.made import GRADES, LEAVES, made

COST = {
    "attempts": 9, "calls": 6, "replayed": 0, "input_tokens": 900, "cached_tokens": 0,
    "output_tokens": 90, "usd": 1.5, "unpriced_attempts": 2, "uncounted_attempts": 3,
    "uncounted_tokens": 400, "uncounted_usd": 0.4, "excess_tokens": 70, "excess_usd": 0.07,
}  # fmt: skip
KINDS = {
    "some": GRADES,
    "all": {},
    "none": dict.fromkeys(LEAVES, Grade.ungradeable("not_run")),
    "out": dict.fromkeys(LEAVES, Grade.not_applicable()),
}


@pytest.fixture(scope="module", params=KINDS)
def material(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> RunMaterial:
    found = read_run(made(tmp_path_factory.mktemp("words"), KINDS[request.param])[0])
    return replace(found, report=replace(found.report, cost=COST))


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("policy", ["zero", "renormalise"])
@pytest.mark.parametrize("reason", [None, "it copies"])
def test_one_wording(material: RunMaterial, policy: str, reason: str | None) -> None:
    report = replace(material.report, missing=policy, disqualified=reason)  # type: ignore[arg-type]
    told = replace(material, report=report)
    page = page_run(told)
    score, cost = page.run["said"]["score"], page.run["said"]["cost"]
    terminal = flat(" ".join(score_lines(report)))
    assert terminal == flat(" ".join(["score", score["headline"], *score["lines"]]))
    text = page_text([page])
    plain = text[text.index("<noscript>") : text.index("</noscript>")]
    markdown = to_markdown([page]).replace("`it copies`", "it copies")
    assert f"**Score {score['headline']}**, {'; '.join(score['lines'])}\n" in markdown
    assert f"Score {score['headline']}</p><p>{'; '.join(score['lines'])}</p>" in plain
    paid = " ".join(cost_lines(report.cost))
    for note in (cost["sum"], *cost["notes"]):
        assert note in paid
        assert note in markdown
        assert note in plain
    assert Live.read(told).head["said"] == page.run["said"]
    assert len(cost["notes"]) == 2


def test_no_pattern_hides_words_of_ours(material: RunMaterial) -> None:
    hidden = replace(material, report=replace(material.report, disqualified="it copies 7 files"))
    bare = page_run(material, redact=["[0-9]+", "score|ungraded|coverage"]).run
    assert bare["said"] == page_run(material).run["said"]
    lines = page_run(hidden, redact=["[0-9]+"]).run["said"]["score"]["lines"]
    assert lines[0] == "disqualified: it copies *** files"


def test_a_range_comes_first_then_the_value_with_its_policy_then_the_coverage() -> None:
    score = {"value": 0.4, "low": 0.25, "high": 0.75, "coverage": 0.5, "sd": 0.031}
    said = score_words(score, missing="renormalise", whole=False)
    assert said.headline == "between 25.0% and 75.0%"
    assert said.lines == (
        "40.0% if ungraded leaves are left out (missing=renormalise)",
        "coverage 50.0% of the weight is graded",
        "expected; sd 3.1 points, taking leaves as independent",
    )
