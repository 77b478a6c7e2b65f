"""Measuring a judge on labelled cases: nothing is dropped, lost or paid twice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from rubric_engine.errors import InputError, LabelsError, UsageError
from rubric_engine.isolation import Execution
from rubric_engine.judgeeval import agreement, evaluate, load_cases, majority, ranking, replay
from rubric_engine.judgeeval.cases import LabelledCase
from rubric_engine.judges import ConstantJudge, LabelJudge, RandomJudge
from rubric_engine.testing import FakeSandbox, ScriptedModel
from tests.judgeeval.making import LEAVES, Says, keys, write_case, write_task
from tests.judgeeval.measured import BreaksOn, cases, elsewhere, graded

__all__ = ["cases", "elsewhere"]


def test_a_judge_that_says_what_the_labels_say(cases: Sequence[LabelledCase]) -> None:
    evaluation = evaluate(replay(), cases)
    found = agreement(evaluation.pairs, roots=evaluation.roots)
    assert found.pooled.headline.f1 == 1.0
    assert found.root.largest == 0.0
    assert (evaluation.complete, evaluation.exit_code, evaluation.name) == (True, 0, "replay")
    assert [case.paid for case in evaluation.cases] == [0.0, 0.0]
    assert [leaf.key for leaf in evaluation.leaves] == keys() * 2


def test_planted_errors_follow_the_seed(cases: Sequence[LabelledCase]) -> None:
    wrong = evaluate(replay(miss=1.0, false_alarm=1.0), cases).pairs
    assert agreement(wrong).pooled.headline.accuracy == 0.0
    holes = evaluate(replay(hole=1.0), cases)
    assert agreement(holes.pairs).pooled.coverage.graded == 0
    assert (holes.exit_code, holes.complete) == (5, True)
    by_seed = [evaluate(replay(miss=0.5, false_alarm=0.5, seed=s), cases).leaves for s in (1, 1, 2)]
    assert by_seed[0] == by_seed[1] != by_seed[2]
    with pytest.raises(UsageError, match="between 0 and 1"):
        replay(miss=1.5)


def test_majority_says_what_most_labels_of_a_category_say(tmp_path: Path) -> None:
    task = write_task(tmp_path / "task")
    verdicts = dict.fromkeys(keys(), "met") | {"two-0": "not_met", "two-1": "not_met"}
    write_case(tmp_path / "cases" / "a", task, verdicts)
    found = load_cases(tmp_path / "cases")
    scores = {leaf.key: leaf.score for leaf in evaluate(majority(found), found).leaves}
    assert scores == {key: float(key.startswith("one")) for key in keys()}


def test_a_judge_that_breaks_on_one_submission_leaves_a_hole(
    cases: Sequence[LabelledCase],
) -> None:
    whole = evaluate(Says({}), cases, runs=None)
    broken = evaluate(BreaksOn("b"), cases, runs=None, out="broken")
    assert graded(broken) == {"a": LEAVES, "b": 0}
    assert {leaf.reason for leaf in broken.leaves if leaf.case == "b"} == {"infra"}
    assert (broken.exit_code, broken.complete) == (5, True)
    order = [name for name, _ in ranking({"whole": whole.pairs, "broken": broken.pairs})]
    assert order == ["whole", "broken"]
    mended = evaluate(Says({}), cases, runs=None, out="broken")
    assert graded(mended) == {"a": LEAVES, "b": LEAVES}


def test_only_labelled_leaves_are_asked_about(tmp_path: Path) -> None:
    task = write_task(tmp_path / "task")
    write_case(tmp_path / "cases" / "a", task, {"one-0": "met", "one-1": "cannot_judge"})
    judge = Says({})
    evaluation = evaluate(judge, load_cases(tmp_path / "cases"), runs=None)
    assert [asked for _, asked in judge.asked] == [("one-0",)]
    (case,) = evaluation.cases
    assert (case.leaves, case.labelled, case.asked) == (LEAVES, 1, 1)
    # The others stay in, as nobody's word; a root score of one leaf would be none.
    cover = agreement(evaluation.pairs).pooled.coverage
    assert (cover.labelled, cover.unlabelled) == (1, LEAVES - 1)
    assert case.root is None


def test_a_submission_that_cannot_be_read_is_a_hole(
    cases: Sequence[LabelledCase], tmp_path: Path
) -> None:
    (tmp_path / "cases" / "a" / "submission" / "a.py").unlink()
    evaluation = evaluate(Says({}), cases, runs=None)
    assert graded(evaluation) == {"a": 0, "b": LEAVES}
    assert evaluation.exit_code == 3
    assert "no files that a judge can read" in (evaluation.cases[0].trouble or "")


def test_an_absent_submission_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    task = write_task(tmp_path / "task")
    write_case(tmp_path / "cases" / "a", task)
    write_case(tmp_path / "cases" / "b", task, submission=False)
    found, judge = load_cases(tmp_path / "cases"), Says({})
    with pytest.raises(InputError, match="1 of 2 cases have no submission"):
        evaluate(judge, found)
    assert judge.asked == []
    for other in (ConstantJudge(1.0), RandomJudge(), LabelJudge(found[0].labels), "all-met"):
        assert set(graded(evaluate(other, found)).values()) == {LEAVES}
    assert not (tmp_path / "runs").exists()


def test_no_case_and_no_label(tmp_path: Path, cases: Sequence[LabelledCase]) -> None:
    with pytest.raises(InputError, match="no labelled case"):
        evaluate("rules", [])
    write_case(tmp_path / "n", tmp_path / "task", {"one-0": "cannot_judge"})
    with pytest.raises(LabelsError, match="no leaf of these cases has a label"):
        evaluate("rules", load_cases(tmp_path / "n"))


def test_a_sample_is_drawn_by_category_and_tells_no_root_score(
    cases: Sequence[LabelledCase],
) -> None:
    judge = Says({})
    evaluation = evaluate(judge, cases, sample=4, seed=3, runs=None)
    assert evaluation.sample is not None
    assert (evaluation.sample.size, evaluation.sample.of) == (4, 2 * LEAVES)
    assert evaluation.roots is None
    drew = [(leaf.case, leaf.category) for leaf in evaluation.leaves]
    assert sorted(drew) == [(c, k) for c in "ab" for k in ("Code Development", "Writing")]
    assert {key for _, asked in judge.asked for key in asked} == {
        leaf.key for leaf in evaluation.leaves
    }
    again = evaluate(Says({}), cases, sample=4, seed=3, runs=None)
    assert again.leaves == evaluation.leaves
    assert evaluate(Says({}), cases, sample=99, runs=None).sample is None


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.1, math.nan])
def test_a_threshold_is_refused_before_anything_is_asked(
    cases: Sequence[LabelledCase], threshold: float
) -> None:
    judge = Says({})
    with pytest.raises(UsageError, match="a threshold lies above 0"):
        evaluate(judge, cases, threshold=threshold)
    assert judge.asked == []


def test_labels_are_replayed_as_they_are(tmp_path: Path) -> None:
    folder = write_case(tmp_path / "a", write_task(tmp_path / "task"))
    text = (folder / "labels.yaml").read_text().replace("met, ", "met, score: 0.6, ", 1)
    (folder / "labels.yaml").write_text(text.replace("not_met, score: 0.6", "met, score: 0.6"))
    found = load_cases(folder)
    evaluation = evaluate(replay(), found)
    assert {leaf.score for leaf in evaluation.leaves} == {0.0, 0.6, 1.0}
    assert agreement(evaluation.pairs, roots=evaluation.roots).root.largest == 0.0
    wrong = evaluate(replay(miss=1.0, threshold=0.8), found, threshold=0.8)
    assert {leaf.score for leaf in wrong.leaves if leaf.label == 0.6} == {0.6}


def test_a_sandbox_runs_what_was_not_run_elsewhere(tmp_path: Path) -> None:
    task = write_task(tmp_path / "task")
    write_case(tmp_path / "cases" / "a", task)
    folder = write_case(tmp_path / "cases" / "b", task, case_more="execution: run.log\n")
    (folder / "run.log").write_text("done\n")
    box = FakeSandbox(Execution(status="timeout"))
    evaluation = evaluate(Says({}), load_cases(tmp_path / "cases"), sandbox=box, runs=None)
    assert [case.execution for case in evaluation.cases] == ["timeout", "declared"]
    assert evaluation.sandbox == box.name


def test_costs_are_of_the_judge_not_of_who_paid(cases: Sequence[LabelledCase]) -> None:
    model = ScriptedModel()
    first = evaluate("simple", cases, model=model)
    again = evaluate("simple", cases, model=model)
    assert [leaf.cost for leaf in again.leaves] == [leaf.cost for leaf in first.leaves]
    assert {leaf.cost for leaf in again.leaves} == {None}  # this model has no price
    assert [case.paid for case in again.cases] == [0.0, 0.0]
