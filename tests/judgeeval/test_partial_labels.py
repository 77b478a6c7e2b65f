"""Labels of a part of a rubric: told everywhere, and no root score made of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.judgeeval import (
    Evaluation,
    Row,
    Sample,
    doubts,
    draw_charts,
    evaluate,
    label_cover,
    load_cases,
    majority,
    table_of,
)
from tests.judgeeval.judged import LABELS, evaluation, partly, wrong_on
from tests.judgeeval.making import write_case, write_task


def rows_of(judged: Evaluation) -> dict[str, Row]:
    return {row.name: row for row in table_of([judged]).leaf_sets[0].rows}


def test_what_labels_cover_is_counted_by_case() -> None:
    found = label_cover(partly())
    assert (found["a"].labelled, found["a"].leaves) == (12, 40)
    assert found["a"].worth == pytest.approx(0.3)
    assert not found["a"].complete
    assert found["b"].complete
    assert found["b"].worth == pytest.approx(1.0)
    sampled = partly(sample=Sample(size=20, of=30, seed=0))
    assert label_cover(sampled.model_copy(update={"leaves": sampled.leaves[:5]}))["a"].worth is None


def test_a_warning_says_what_labels_cover() -> None:
    (warning,) = [one for one in doubts(table_of([partly(), partly("k")])) if one.code == "W419"]
    assert warning.message.startswith("labels cover 30 of 58 leaves, 76.7% of the worth;")
    assert "'a' 12 of 40" in warning.message
    assert "'b'" not in warning.message
    whole = table_of([evaluation("j", wrong_on([1]))])
    assert "W419" not in [one.code for one in doubts(whole)]


def test_root_errors_go_without_the_case_in_every_row_alike() -> None:
    for row in rows_of(partly(others={"bea": LABELS["a"]})).values():
        root = row.agreement.root
        if row.name == "coin":
            assert root.mae is None
            continue
        assert [one.submission for one in root.roots] == ["b", "c"], row.name
        assert root.n == 2
        assert dict(root.unknown) == {"a": "labels cover only part of the rubric"}


def test_a_kept_root_of_a_part_is_not_believed() -> None:
    judged = evaluation("j", wrong_on([1]), facts={"a": {"leaves": 40}})
    assert judged.cases[0].root is not None
    assert "a" in rows_of(judged)["j"].agreement.root.unknown


def test_without_any_whole_case_there_is_no_root_error_and_a_reason() -> None:
    judged = partly(cases={"a": wrong_on([1])["a"]})
    for row in rows_of(judged).values():
        if row.name != "coin":
            assert row.agreement.root.mae is None
            assert row.agreement.root.why == "labels cover only part of the rubric"


def test_charts_go_without_the_case_and_say_so() -> None:
    charts = {chart.name: chart for chart in draw_charts([partly()])}
    scores = charts["scores"].figure
    assert scores is not None
    assert [row[1] for row in scores.table.rows] == ["b", "c"]
    assert "labels cover only part of the rubric: a" in str(scores)
    assert "labels cover 30 of 58" in str(charts["judges"].figure)
    alone = draw_charts([partly(cases={"a": wrong_on([1])["a"]})])
    why = {chart.name: chart.why for chart in alone}["scores"] or ""
    assert "labels cover only part of the rubric" in why


def test_majority_as_a_judge_and_as_a_baseline_do_not_differ_without_a_reason(
    tmp_path: Path,
) -> None:
    """Groups that are met as a whole or not at all: sums of worth are no root scores there."""
    task = write_task(tmp_path / "task")
    rubric = task / "rubric.yaml"
    grouped = rubric.read_text().replace(
        "    requirements: Part", "    aggregate: all\n    requirements: Part"
    )
    rubric.write_text(grouped)
    # Of either group all or nothing is met, so the labels' sums happen to agree.
    said = {f"one-{i}": "met" for i in range(3)} | {f"two-{i}": "not_met" for i in range(3)}
    write_case(tmp_path / "cases" / "x", task, said)
    cases = load_cases(tmp_path / "cases")
    judged = evaluate(majority(cases), cases, runs=None)
    rows = rows_of(judged)
    one, other = rows[judged.name].agreement, rows["category majority"].agreement
    assert one.pooled.headline == other.pooled.headline
    assert one.root.mae is not None
    assert other.root.mae is None
    assert "aggregate otherwise" in (other.root.why or "")
    constants = rows["always met"].agreement.root
    assert constants.mae == pytest.approx(0.5)
