"""Measuring a judge on labelled cases: nothing is dropped, lost or paid twice."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from rubric_engine.connection import Spending
from rubric_engine.errors import CaseError, InputError, LabelsError, StorageError, UsageError
from rubric_engine.grading import Grade
from rubric_engine.isolation import Execution
from rubric_engine.judgeeval import (
    Evaluation,
    Watcher,
    agreement,
    evaluate,
    load_cases,
    load_evaluation,
    majority,
    ranking,
    replay,
)
from rubric_engine.judgeeval.cases import LabelledCase
from rubric_engine.judgeeval.result_folder import writing
from rubric_engine.judges import ConstantJudge, LabelJudge, RandomJudge
from rubric_engine.model import ModelConfig, Refused
from rubric_engine.testing import FakeSandbox, ScriptedModel
from tests.judgeeval.making import LEAVES, Says, keys, write_case, write_task

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def cases(tmp_path: Path) -> Sequence[LabelledCase]:
    task = write_task(tmp_path / "task")
    for name in ("a", "b"):
        write_case(tmp_path / "cases" / name, task)
    return load_cases(tmp_path / "cases")


def graded(evaluation: Evaluation) -> dict[str, int]:
    found = dict.fromkeys((case.name for case in evaluation.cases), 0)
    for leaf in evaluation.leaves:
        found[leaf.case] += leaf.status == "graded"
    return found


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
    broken = evaluate(_BreaksOn("b"), cases, runs=None, out="broken")
    assert graded(broken) == {"a": LEAVES, "b": 0}
    assert {leaf.reason for leaf in broken.leaves if leaf.case == "b"} == {"infra"}
    assert (broken.exit_code, broken.complete) == (5, True)
    order = [name for name, _ in ranking({"whole": whole.pairs, "broken": broken.pairs})]
    assert order == ["whole", "broken"]
    mended = evaluate(Says({}), cases, runs=None, out="broken")
    assert graded(mended) == {"a": LEAVES, "b": LEAVES}


class _BreaksOn(Says):
    """Breaks on the submission of one case."""

    def __init__(self, name: str) -> None:
        super().__init__({})
        self.name = name

    async def grade(self, leaves, case, *, sample=0):  # type: ignore[no-untyped-def]
        if self.name in case.submission.read("a.py"):
            raise RuntimeError("no")
        async for word in super().grade(leaves, case, sample=sample):
            yield word


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


def test_what_is_kept_comes_back(cases: Sequence[LabelledCase], tmp_path: Path) -> None:
    judge = Says({"one-0": Grade.ungradeable("refused", "no\u2028line")})
    evaluation = evaluate(judge, cases, name="mine", command="the command", out="kept")
    assert load_evaluation("kept") == evaluation
    lines = (tmp_path / "kept" / "leaves.jsonl").read_text().strip().split("\n")
    assert len(lines) == 2 * LEAVES
    assert [(tmp_path / "runs" / str(case.run)).is_dir() for case in evaluation.cases] == [True] * 2


@pytest.mark.parametrize("damage", ["{", '{"evaluation": 2}', "\udcff"])
def test_a_folder_that_holds_no_evaluation(damage: str, tmp_path: Path) -> None:
    folder = tmp_path / "bad"
    with pytest.raises(InputError, match="holds no evaluation"):
        load_evaluation(folder)
    folder.mkdir()
    (folder / "evaluation.json").write_text(damage, errors="surrogateescape")
    (folder / "leaves.jsonl").write_text("")
    with pytest.raises(InputError, match="holds no evaluation"):
        load_evaluation(folder)


def test_the_same_again_goes_on_where_it_stopped(cases: Sequence[LabelledCase]) -> None:
    model = ScriptedModel()
    evaluate("simple", cases, model=model, out="kept")
    asked = len(model.calls)
    assert asked == 2 * LEAVES
    assert evaluate("simple", cases, model=model, out="kept").complete
    assert evaluate("simple", cases, model=model, out="elsewhere").complete
    assert len(model.calls) == asked


def test_a_sample_first_leaves_only_the_rest_to_pay(cases: Sequence[LabelledCase]) -> None:
    model = ScriptedModel()
    evaluate("simple", cases, model=model, sample=5)
    assert len(model.calls) == 5
    evaluation = evaluate("simple", cases, model=model)
    assert len(model.calls) == 2 * LEAVES
    assert evaluation.complete


def test_a_folder_holds_one_evaluation(cases: Sequence[LabelledCase], tmp_path: Path) -> None:
    evaluate(replay(), cases, out="kept")
    with pytest.raises(UsageError, match="holds another evaluation") as caught:
        evaluate(replay(miss=0.5), cases, sample=3, out="kept")
    assert [line.split(":")[0] for line in caught.value.looked] == ["judge", "sample"]
    labels = tmp_path / "cases" / "a" / "labels.yaml"
    labels.write_text(labels.read_text().replace("not_met", "met"))
    with pytest.raises(UsageError) as caught:
        evaluate(replay(), load_cases(tmp_path / "cases"), out="kept")
    assert caught.value.looked == ("labels: others than now",)


def test_fresh_goes_on_with_itself_and_replaces_nothing(cases: Sequence[LabelledCase]) -> None:
    again = Spending(fresh=True)
    model = ScriptedModel()
    evaluate("simple", cases, model=model, runs="old", out="kept")
    with pytest.raises(UsageError, match="that --fresh would replace"):
        evaluate("simple", cases, model=model, out="kept", spending=again)
    asked = len(model.calls)

    with pytest.raises(KeyboardInterrupt):
        evaluate("simple", cases, model=model, out="new", spending=again, watcher=Stops("b", 0))
    assert asked + LEAVES <= len(model.calls) < asked + 2 * LEAVES
    assert evaluate("simple", cases, model=model, out="new", spending=again).complete
    assert len(model.calls) == asked + 2 * LEAVES


def test_another_model_or_task_is_another_evaluation(
    cases: Sequence[LabelledCase], tmp_path: Path
) -> None:
    evaluate("simple", cases, model=ScriptedModel(), out="kept")
    other = ModelConfig(name="other", base_url="http://localhost/v1")
    with pytest.raises(UsageError) as caught:
        evaluate("simple", cases, model=ScriptedModel(config=other), out="kept")
    assert caught.value.looked == ("judge: others than now",)
    (tmp_path / "task" / "paper.md").write_text("# A paper\n")
    with pytest.raises(UsageError) as caught:
        evaluate("simple", load_cases(tmp_path / "cases"), model=ScriptedModel(), out="kept")
    assert caught.value.looked == ("tasks: others than now",)


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


def test_a_submission_that_changed_is_judged_again(
    cases: Sequence[LabelledCase], tmp_path: Path
) -> None:
    judge = Says({})
    evaluate(judge, cases, out="kept")
    (tmp_path / "cases" / "b" / "submission" / "a.py").write_text("# changed\n")
    evaluate(judge, cases, out="kept")
    assert len(judge.asked) == 3


def test_retry_failed_asks_again_where_a_call_ended_without_an_answer(
    cases: Sequence[LabelledCase],
) -> None:
    model = ScriptedModel([Refused("no"), *[None] * 40])
    first = evaluate("simple", cases, model=model, out="kept")
    assert (first.exit_code, first.complete) == (5, True)
    calls = len(model.calls)
    assert evaluate("simple", cases, model=model, out="kept").exit_code == 5
    assert len(model.calls) == calls
    again = Spending(retry_failed=True)
    assert evaluate("simple", cases, model=model, out="kept", spending=again).exit_code == 0
    assert len(model.calls) == calls + 1


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


def test_leaves_that_the_file_has_lost_are_open_work(
    cases: Sequence[LabelledCase], tmp_path: Path
) -> None:
    model = ScriptedModel()
    whole = evaluate("simple", cases, model=model, out="kept")
    calls = len(model.calls)
    for keep in (8, 0):
        leaves = tmp_path / "kept" / "leaves.jsonl"
        leaves.write_text("".join(leaves.read_text().splitlines(keepends=True)[:keep]))
        assert evaluate("simple", cases, model=model, out="kept").leaves == whole.leaves
        assert load_evaluation("kept").leaves == whole.leaves
    text = leaves.read_text()
    for torn in (text[:-15], text.replace('"case"', '"ca', 1), None):
        leaves.write_text(torn) if torn is not None else leaves.unlink()
        assert evaluate("simple", cases, model=model, out="kept").leaves == whole.leaves
    (tmp_path / "kept" / "evaluation.json").unlink()  # as a crash before the first leaves it
    assert evaluate("simple", cases, model=model, out="kept").complete
    assert len(model.calls) == calls


class Stops(Watcher):
    """Is interrupted at a leaf of a case."""

    def __init__(self, case: str, after: int) -> None:
        self.case, self.after, self.at = case, after, ""

    def begin(self, case: LabelledCase, keys: frozenset[str]) -> None:
        self.at = case.name

    def grade(self, key: str, grade: Grade) -> None:
        self.after -= self.at == self.case
        if self.after < 0:
            raise KeyboardInterrupt


def test_a_submission_that_changed_after_a_stop_is_begun_anew(
    cases: Sequence[LabelledCase], tmp_path: Path
) -> None:
    model = ScriptedModel()
    with pytest.raises(KeyboardInterrupt):
        evaluate("simple", cases, model=model, out="kept", watcher=Stops("a", 2))
    begun = load_evaluation("kept").cases[0]
    (tmp_path / "cases" / "a" / "submission" / "a.py").write_text("# changed\n")
    found = evaluate("simple", cases, model=model, out="kept").cases[0]
    assert found.run != begun.run
    assert found.submission_sha256 != begun.submission_sha256
    calls = len(model.calls)
    assert evaluate("simple", cases, model=model, out="kept").complete
    assert len(model.calls) == calls


@pytest.mark.parametrize("place", ["cases/a/submission/res", "cases/a/res", "full", "file"])
def test_nothing_is_written_where_it_does_not_belong(
    cases: Sequence[LabelledCase], tmp_path: Path, place: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "leaves.jsonl").write_text("somebody's\n")
    (tmp_path / "file").write_text("")
    with pytest.raises((UsageError, StorageError)):
        evaluate(replay(), cases, out=place)
    assert (tmp_path / "full" / "leaves.jsonl").read_text() == "somebody's\n"
    assert not (tmp_path / "cases" / "a" / "res").exists()


def test_one_process_at_a_time_writes_a_folder(cases: Sequence[LabelledCase]) -> None:
    with writing(Path("kept"), cases), pytest.raises(StorageError, match="another process"):
        evaluate(replay(), cases, out="kept")
    assert evaluate(replay(), cases, out="kept").complete


@pytest.mark.parametrize(
    "change",
    [
        {"cost": math.inf}, {"cost": -1.0}, {"cost": 1e300}, {"score": None}, {"worth": 1.0},
        {"status": "ungradeable", "reason": "infra"}, {"reason": "infra"}, {"case": "other"},
        {"case": "a\0"}, {"key": "one-1"}, {"label": 2.0},
    ],
)  # fmt: skip
def test_a_leaf_that_cannot_be_is_damage(
    cases: Sequence[LabelledCase], tmp_path: Path, change: dict[str, object]
) -> None:
    evaluate(replay(), cases, out="kept")
    leaves = tmp_path / "kept" / "leaves.jsonl"
    first, *rest = leaves.read_text().splitlines()
    leaves.write_text("\n".join([json.dumps(json.loads(first) | change), *rest]))
    with pytest.raises(CaseError, match="holds no evaluation"):
        load_evaluation("kept")


def test_facts_that_cannot_be_are_damage(cases: Sequence[LabelledCase], tmp_path: Path) -> None:
    evaluate(replay(), cases, out="kept")
    path = tmp_path / "kept" / "evaluation.json"
    facts = json.loads(path.read_text())
    upside_down = {"human": 0, "low": 0.9, "high": 0.1, "leaf_error": 0}
    for change in ({"paid": math.nan}, {"paid": -5}, {"root": upside_down}):
        cases_ = [facts["cases"][0] | change, facts["cases"][1]]
        path.write_text(json.dumps(facts | {"cases": cases_}))
        with pytest.raises(CaseError, match="holds no evaluation"):
            load_evaluation("kept")
    path.write_text(json.dumps(facts | {"cases": facts["cases"] * 2}))
    with pytest.raises(CaseError, match="a case twice"):
        load_evaluation("kept")
    path.write_text(json.dumps(facts | {"cases": facts["cases"][:1]}))
    with pytest.raises(CaseError, match="has no case 'b'"):
        load_evaluation("kept")
