"""Charts show the public statistics, and what is missing shows as missing."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from rubric_engine.cli.footnotes import Footnotes
from rubric_engine.cli.judge_tables import headline_table
from rubric_engine.cli.row_names import full_names
from rubric_engine.judgeeval import (
    Chart,
    Evaluation,
    agreement,
    baselines,
    calibration,
    costs,
    draw_charts,
    estimates,
    front,
    table_of,
)
from rubric_engine.judgeeval.charts.colours import COLOURS, tint
from rubric_engine.judgeeval.charts.judges import ROW
from rubric_engine.judgeeval.charts.marks import Cell, Circle, Figure, Polyline, Text
from tests.judgeeval.conftest import Tree
from tests.judgeeval.evaluations import evaluation, planted


@pytest.fixture(scope="module")
def judges(trees: dict[str, Tree]) -> list[Evaluation]:
    """Three judges of the same trees; the last one crashed on one of them and has no price."""
    return [
        planted(trees, "dear", 0.1, usd=20.0, probabilities=True, second=True),
        planted(trees, "cheap", 0.3, usd=0.5),
        planted(trees, "holed", 0.1, crash="rice"),
    ]


@pytest.fixture(scope="module")
def charts(judges: list[Evaluation]) -> dict[str, Chart]:
    """Their charts by name."""
    return {chart.name: chart for chart in draw_charts(judges)}


def rows(chart: Chart) -> list[dict[str, Cell]]:
    """The numbers of a chart, each row by header."""
    assert chart.figure is not None
    table = chart.figure.table
    return [dict(zip(table.headers, row, strict=True)) for row in table.rows]


def texts(figure: Figure | None) -> list[str]:
    """What a drawing says."""
    assert figure is not None
    return [mark.text for mark in figure.marks if isinstance(mark, Text)]


def test_judges_stand_best_first_with_both_intervals(
    judges: list[Evaluation], charts: dict[str, Chart]
) -> None:
    found = {str(row["judge"]): row for row in rows(charts["judges"])}
    assert list(found)[:4] == ["dear", "cheap", "holed", "human b vs a1"]
    for judge in judges:
        row, known = found[judge.name], agreement(judge.pairs, roots=judge.roots)
        f1 = estimates(judge.pairs)["f1"]
        assert row["macro F1"] == known.pooled.headline.f1
        assert row["coverage"] == known.pooled.coverage.leaves
        assert row["kappa"] == known.pooled.headline.kappa
        assert row["mean F1 of submissions"] == known.means["f1"].value
        assert row["these submissions, low"] == f1.pooled.here.low
        assert row["new submissions, high"] == f1.mean.anew.high
        assert known.root.mae is not None
        assert row["score error, points"] == 100 * known.root.mae
        assert row["$ per submission"] == known.cost.per_submission
        for category, one in known.categories.items():
            assert row[f"F1, {category}"] == one.headline.f1
    always = baselines(judges[0].pairs, second=judges[0].second("b"))
    for name, base in always.items():
        name = "human b vs a1" if name.startswith("human") else f"({name})"
        assert found[name]["macro F1"] == base.pooled.f1
        assert found[name]["kappa"] == base.pooled.kappa


def test_the_judges_chart_says_what_the_table_says(
    judges: list[Evaluation], charts: dict[str, Chart]
) -> None:
    found = {str(row["judge"]): row for row in rows(charts["judges"])}
    (leaves,) = table_of(judges).leaf_sets
    names = full_names(leaves)
    assert set(found) == set(names.values())
    for row in leaves.rows:
        shown, mae, f1 = found[names[row.name]], row.agreement.root.mae, row.agreement.means["f1"]
        assert shown["score error, points"] == (None if mae is None else 100 * mae)
        assert shown["mean F1 of submissions"] == f1.value
        assert shown["$ per submission"] == row.agreement.cost.per_submission
        low = row.intervals["f1"].pooled.here.low if row.intervals else None
        assert shown["these submissions, low"] == low
    always = [row for row in leaves.baselines if row.name != "coin"]
    assert all(row.intervals and row.intervals["f1"].pooled.here.low for row in always)


def test_the_judges_chart_writes_figures_as_the_table_does(
    judges: list[Evaluation], charts: dict[str, Chart]
) -> None:
    (leaves,) = table_of(judges).leaf_sets
    grid = headline_table(leaves, full_names(leaves), Footnotes())
    figure = charts["judges"].figure
    assert figure is not None
    shown = [mark for mark in figure.marks if isinstance(mark, Text)]
    tips = {line for mark in figure.marks for line in mark.tip}
    for cells in zip(*(column.cells for column in grid.columns), strict=True):
        name, cover, f1, here, mean, anew, error, usd = (str(cell).rstrip("!*~") for cell in cells)
        (top,) = {mark.y for mark in shown if mark.text == name}
        row = {mark.text for mark in shown if abs(mark.y - top) < ROW / 2}
        money = usd if usd in ("", "unpriced") else f"${usd}"
        assert {name, cover, f1, mean, error} | ({money} - {""}) <= row
        for interval in filter(str.strip, (here, anew)):
            ends = interval.replace("-", " to ")
            assert interval == "-" or any(tip.startswith(ends) for tip in tips)


def test_confusion_counts_every_labelled_leaf_once(
    judges: list[Evaluation], charts: dict[str, Chart]
) -> None:
    counted = {
        tuple(row[name] for name in ("judge", "category", "human says", "judge says")): row[
            "leaves"
        ]
        for row in rows(charts["confusion"])
    }
    for judge in judges:
        for category, one in agreement(judge.pairs).categories.items():
            own = {key[2:]: n for key, n in counted.items() if key[:2] == (judge.name, category)}
            cells = one.graded.cells
            assert own["met", "met"] == cells.tp
            assert own["met", "not met"] == cells.fn
            assert own["not met", "met"] == cells.fp
            assert own["not met", "not met"] == cells.tn
            assert sum(n for n in own.values() if isinstance(n, int)) == one.coverage.labelled


def test_unpriced_judges_stand_beside_the_cost_chart(
    judges: list[Evaluation], charts: dict[str, Chart]
) -> None:
    found = {row["judge"]: row for row in rows(charts["cost"])}
    priced = [
        (judge.name, usd, agreement(judge.pairs).pooled.headline.f1 or 0.0)
        for judge in judges
        if (usd := costs(judge.pairs).per_submission) is not None
    ]
    best = {one.judge: one.per_hundredth for one in front(priced)}
    assert best == {
        name: row["$ for a further 0.01"]
        for name, row in found.items()
        if row["on the line"] == "yes"
    }
    assert found["holed"]["$ per submission"] is None
    figure = charts["cost"].figure
    assert any(text.startswith("unpriced") for text in texts(figure))
    assert figure is not None
    dots = [mark for mark in figure.marks if isinstance(mark, Circle) and mark.tip]
    assert len(dots) == 2


def test_reliability_shows_the_judge_that_gives_probabilities(
    judges: list[Evaluation], charts: dict[str, Chart]
) -> None:
    known = calibration(judges[0].pairs)
    found = rows(charts["reliability"])
    assert {row["judge"] for row in found} == {"dear"}
    assert [row["leaves"] for row in found] == [one.n for one in known.bins]
    assert [row["share met"] for row in found] == [one.was for one in known.bins]
    assert (found[0]["ECE"], found[0]["Brier"]) == (known.ece, known.brier)
    assert "No probabilities: 2 judges." in texts(charts["reliability"].figure)
    assert draw_charts(judges[1:])[3].why == "no judge gave a probability with its grades"


def test_scores_are_the_roots(judges: list[Evaluation], charts: dict[str, Chart]) -> None:
    found = [tuple(row.values()) for row in rows(charts["scores"])]
    assert found == [
        (judge.name, one.submission, one.human, one.low, one.high, one.error, one.leaf_error)
        for judge in judges
        for one in judge.roots or ()
    ]


def test_a_crash_is_a_hollow_mark_and_words(
    judges: list[Evaluation], charts: dict[str, Chart]
) -> None:
    found = {(row["submission"], row["judge"]): row for row in rows(charts["submissions"])}
    for judge in judges:
        parts = judge.pairs.by(lambda row: row.submission)
        for name, one in agreement(judge.pairs).submissions.items():
            interval = estimates(parts[name])
            row = found[name, judge.name]
            assert row["macro F1"] == one.headline.f1
            assert row["95% low"] == interval["f1"].pooled.here.low
    assert found["rice", "holed"]["remark"] == "no leaf has a grade"
    assert hollow(charts["submissions"].figure) == {("holed", "rice")}
    assert "no leaf has a grade" in texts(charts["submissions"].figure)


def hollow(figure: Figure | None) -> set[tuple[str, ...]]:
    """Judge and submission of the hollow dots."""
    assert figure is not None
    dots = [mark for mark in figure.marks if isinstance(mark, Circle) and mark.tip]
    return {mark.tip[:2] for mark in dots if mark.hollow}


def test_a_case_that_was_never_judged_is_a_hole(trees: dict[str, Tree]) -> None:
    some = {name: tree for name, tree in trees.items() if name != "rice"}
    judges = [planted(trees, "all", 0.1, usd=1.0), planted(some, "some", 0.05, usd=0.1)]
    charts = {chart.name: chart for chart in draw_charts(judges)}
    assert "not measured" in texts(charts["submissions"].figure)
    # On other leaves: no common ranking, and none beats the other by its price.
    assert {row["set of leaves"] for row in rows(charts["cost"])} == {1, 2}
    assert all(row["on the line"] == "yes" for row in rows(charts["cost"]))
    blocks = [text for text in texts(charts["judges"].figure) if text.endswith("submissions")]
    assert {text for text in blocks if "labelled" in text} == {
        "556 labelled leaves of 3 submissions",
        "195 labelled leaves of 2 submissions",
    }


def test_what_is_not_complete_is_not_ranked(trees: dict[str, Tree]) -> None:
    best = planted(trees, "best so far", 0.0, usd=0.1, finished=False)
    charts = draw_charts([best, planted(trees, "whole", 0.3, usd=1.0)])
    assert [row["judge"] for row in rows(charts[0])][:2] == ["whole", "best so far"]
    on = {row["judge"]: row["on the line"] for row in rows(charts[2])}
    assert on == {"best so far": "no", "whole": "yes"}
    assert any("not complete" in text for text in texts(charts[0].figure))


def test_same_price_and_quality_keep_their_labels_apart(trees: dict[str, Tree]) -> None:
    one = planted(trees, "twin", 0.2, usd=1.0)
    figure = draw_charts([one, one.model_copy(update={"name": "other twin"})])[2].figure
    assert figure is not None
    labels = [mark for mark in figure.marks if isinstance(mark, Text) and "twin" in mark.text]
    assert len(labels) == 2
    assert abs(labels[0].y - labels[1].y) >= 14 or labels[0].anchor != labels[1].anchor


def test_without_evaluations_every_chart_says_so() -> None:
    assert {chart.why for chart in draw_charts([])} == {"there is no evaluation"}
    nothing = draw_charts([evaluation("empty", [], [])])
    assert nothing[0].figure is not None
    assert not [mark for mark in nothing[0].figure.marks if isinstance(mark, Polyline) and mark.tip]


def luminance(colour: Iterable[float]) -> float:
    """Relative luminance (WCAG 2.2) of red, green and blue, 0 to 1."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def rgb(colour: str) -> list[float]:
    """Red, green and blue of a hex colour."""
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def contrast(one: Iterable[float], other: Iterable[float]) -> float:
    """Contrast ratio (WCAG 2.2)."""
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_text_is_readable_on_paper_and_on_filled_cells(theme: int) -> None:
    look = {role: rgb(pair[theme]) for role, pair in COLOURS.items()}
    for role in COLOURS.keys() - {"grid", "paper"}:
        assert contrast(look[role], look["paper"]) >= 4.5, role
    for role in ("here", "bad", "muted"):
        for hundredth in range(101):
            opacity = tint(hundredth / 100)
            cell = [opacity * a + (1 - opacity) * b
                    for a, b in zip(look[role], look["paper"], strict=True)]  # fmt: skip
            assert contrast(look["ink"], cell) >= 4.5, (role, hundredth)
