"""An evaluation that is kept: going on where it stopped, and what counts as another one."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from rubric_engine.connection import Spending
from rubric_engine.errors import CaseError, InputError, StorageError, UsageError
from rubric_engine.grading import Grade
from rubric_engine.judgeeval import evaluate, load_cases, load_evaluation, replay
from rubric_engine.judgeeval.cases import LabelledCase
from rubric_engine.judgeeval.result_folder import writing
from rubric_engine.model import ModelConfig, Refused
from rubric_engine.testing import ScriptedModel
from tests.judgeeval.making import LEAVES, Says
from tests.judgeeval.measured import Stops, cases, elsewhere

__all__ = ["cases", "elsewhere"]


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
