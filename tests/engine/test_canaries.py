"""Canaries try a judge and touch nothing else: no prompt, no score, no call that was paid for."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_engine import Case, Grade, Report, Rubric, grade, load_submission, load_task, resume
from rubric_engine.canary import (
    COUNTS,
    AskedCanary,
    CanaryOutcome,
    Foreign,
    Known,
    false_here,
    mixed,
)
from rubric_engine.canary_case import canary_case, canary_pool
from rubric_engine.candidate import load_candidate
from rubric_engine.case import Task
from rubric_engine.connection import Spending
from rubric_engine.dry_run import foresee
from rubric_engine.errors import BudgetError, JudgeCardError, TaskError
from rubric_engine.grading import Reason
from rubric_engine.judge import JudgeCard
from rubric_engine.judges import load_judge
from rubric_engine.model import Refused, Unavailable
from rubric_engine.run_warnings import of_canaries
from rubric_engine.runs import load_report
from rubric_engine.testing import ScriptedModel
from rubric_engine.testing.scripted_model import ModelCall
from tests.strategies import graded_rubrics, leaf

ROOT = Path(__file__).parents[2]
CASES = sorted(path.parent for path in (ROOT / "judgeeval").glob("*/case.yaml"))
SUBMISSION = ROOT / "judgeeval" / "heavy-ball-full" / "submission"
PROMPTS = ROOT / "judges" / "simple"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def card(kind: str, canaries: Any = 3, **more: Any) -> JudgeCard:
    return JudgeCard.model_validate({"name": kind, "kind": kind, "canaries": canaries} | more)


def simple(canaries: Any = 3) -> JudgeCard:
    names = ("system", "paper", "part", "leaf", "rank", "topic")
    prompts = {name: str(PROMPTS / f"{name}.jinja2") for name in names}
    return card("simple", canaries, model={"name": "small"}, prompts=prompts)


def small(task: str = "heavy-ball", leaves: int = 4) -> Task:
    """A task of which few leaves are asked about, none of which needs a run."""
    found = load_task(task)
    keys = [key for key in found.rubric.leaves() if not found.rubric.needs_run(key)]
    return Task(found.name, found.rubric, paper=found.paper, only=tuple(keys[:leaves]))


graded = partial(grade, submission=SUBMISSION, judge=simple())


def tried(report: Report) -> CanaryOutcome:
    assert report.canaries is not None
    return report.canaries


def codes(report: Report) -> set[str]:
    return {warning.code for warning in report.warnings}


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_who_says_met_to_all_trips_and_rules_and_labels_never_do(case: Path) -> None:
    task, submission = load_task(case.name.rpartition("-")[0]), case / "submission"
    said = {}
    for judge in (
        card("constant", score=1),
        card("constant", score=0),
        card("rules"),
        load_judge(card("labels", labels=str(case / "labels.yaml"))),
    ):
        report = grade(task, submission, judge=judge)
        own = report.provenance["judge"]["card"]
        name = str(own.get("score", own["name"]))
        said[name] = (tried(report).asked, tried(report).met, "W224" in codes(report))
    assert said == {
        "1": (3, 3, True), "0": (3, 0, False), "rules": (3, 0, False), "labels": (3, 0, False),
    }  # fmt: skip


def test_large_files_hide_no_name(tmp_path: Path) -> None:
    judge = load_judge(card("constant", 1000, score=1))
    pool = canary_pool(judge)
    foreign = [one.leaf.requirements for one in pool if one.task != "heavy-ball"]
    for name in ("data", "src"):
        (tmp_path / "sub" / name).mkdir(parents=True)
    (tmp_path / "sub" / "src" / "z.py").write_text("\n".join(foreign))
    for number in range(3):
        (tmp_path / "sub" / "data" / f"{number}.csv").write_text("1,2,3\n" * 1_400_000)
    drawn = canary_case(
        judge, Case(load_task("heavy-ball"), load_submission(tmp_path / "sub")), pool
    )
    assert drawn is not None
    assert not drawn.canaries


def test_prompts_of_leaves_stay_and_canaries_look_like_leaves(tmp_path: Path) -> None:
    bare, mixed_in = ScriptedModel(), ScriptedModel()
    without = graded(small(), judge=simple(None), model=bare, run_dir=tmp_path / "a" / "one")
    report = graded(small(), model=mixed_in, run_dir=tmp_path / "b" / "one")
    prompts = {call.messages for call in bare.calls}
    more = [call.messages for call in mixed_in.calls if call.messages not in prompts]
    assert len(bare.calls) == 4
    assert prompts <= {call.messages for call in mixed_in.calls}
    assert len(more) == tried(report).asked == 3
    assert all("canar" not in message.content.lower() for prompt in more for message in prompt)
    # Instructions, paper and evidence are the same text, so that caches serve them.
    assert {prompt[:-1] for prompt in more} <= {prompt[:-1] for prompt in prompts}
    assert report.grades == without.grades
    assert report.provenance["judge"]["fingerprint"] == without.provenance["judge"]["fingerprint"]
    assert without.canaries is None


def test_they_are_paid_for_once_and_counted_before(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    candidate = load_candidate(simple())
    case = Case(small(), load_submission(SUBMISSION))
    first = foresee(candidate, case, runs=runs)
    assert first.calls == 7
    assert first.priced[0].forecast.categories["canaries"].calls == 3
    assert foresee(load_candidate(simple(None)), case, runs=runs).calls == 4
    config = candidate.models[0]
    once, twice = ScriptedModel(config=config), ScriptedModel(config=config)
    graded(small(), model=once, run_dir=runs / "one")
    again = foresee(candidate, case, runs=runs)
    assert (again.calls, again.paid) == (0, 4)
    report = graded(small(), model=twice, run_dir=runs / "two")
    assert (len(once.calls), len(twice.calls), report.cost["replayed"]) == (7, 0, 7)


def test_they_come_back_from_the_run_and_are_in_no_score(tmp_path: Path) -> None:
    report = graded(small(), model=ScriptedModel(lambda call: True), run_dir=tmp_path / "r" / "a")
    assert (report.score.value, report.score.coverage, len(report.grades)) == (1.0, 1.0, 4)
    kept = load_report(tmp_path / "r" / "a")
    assert kept.canaries == report.canaries
    assert "W224" in codes(kept) & codes(report)
    document = json.loads((tmp_path / "r" / "a" / "report.json").read_text())
    counts = {name: document["canaries"][name] for name in COUNTS}
    assert counts == {"asked": 3, "met": 3, "not_met": 0, "open": 0, "failed": 0}
    assert set(document["grades"]) == set(small().view.leaves())


def failing(fault: BaseException, at: int = 6) -> ScriptedModel:
    def answer(call: ModelCall) -> Any:
        if call.number != at:
            return None
        if isinstance(fault, KeyboardInterrupt):
            raise fault
        return fault

    return ScriptedModel(answer)


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), BudgetError("spent"), Unavailable("gone")])
def test_what_is_missing_is_asked_by_a_resume(fault: BaseException, tmp_path: Path) -> None:
    run = tmp_path / "runs" / "one"
    try:
        stopped = graded(small(), model=failing(fault), run_dir=run)
    except KeyboardInterrupt:
        pass
    else:
        assert stopped.statuses["graded"] == 4
        assert tried(stopped).failed > 0
        assert "W225" in codes(stopped)
    model = ScriptedModel()
    whole = resume(run, model=model)
    assert 0 < len(model.calls) < 4  # of the canaries, and of no leaf
    assert (tried(whole).asked, tried(whole).failed) == (3, 0)
    assert tried(whole).leaves == tried(graded(small(), model=ScriptedModel())).leaves
    assert tried(resume(run, model=failing(KeyboardInterrupt(), 1))) == tried(whole)


def untried(report: Report) -> list[str]:
    said = (each.message for each in report.warnings if each.code == "W225")
    return [text.replace(": the judge was not wholly tried", "") for text in said]


def test_what_asking_again_changes_is_told_by_reason() -> None:
    def word(reason: Reason, *members: Grade) -> Grade:
        return Grade.ungradeable(reason, members=members)

    words = [
        word("provider_error"), word("budget"), word("refused"), word("context_overflow"),
        word("split", Grade.graded(1.0), word("refused")),
        word("split", Grade.graded(1.0), Grade.graded(0.0), word("needs_model")),
        word("needs_model"), Grade.graded(0.0),
    ]  # fmt: skip
    asked = tuple(
        AskedCanary(key=str(at), task="t", category="c", requirements="r", grade=grade)
        for at, grade in enumerate(words)
    )
    said = of_canaries(CanaryOutcome(wanted=len(words), leaves=asked))
    assert [each.message for each in said] == [
        f"2 of 8 canaries have no grade ({named}): the judge was not wholly tried; {mended}"
        for named, mended in (
            ("budget, provider_error", "`resume` asks again"),
            ("refused, split", "`resume --retry-failed` asks again"),
            ("context_overflow, split", "asking again would change nothing"),
        )
    ]


def test_a_refusal_stands_until_it_is_asked_again(tmp_path: Path) -> None:
    run = tmp_path / "runs" / "one"
    report = graded(small(), model=failing(Refused("no")), run_dir=run)
    told = "1 of 3 canaries have no grade (refused); `resume --retry-failed` asks again"
    assert untried(report) == [told]
    assert (tried(report).failed, report.failed) == (1, False)
    assert tried(resume(run, model=failing(KeyboardInterrupt(), 1))).failed == 1
    assert tried(resume(run, retry_failed=True, model=ScriptedModel())).failed == 0


def test_a_cap_is_spent_on_leaves_first(tmp_path: Path) -> None:
    model = ScriptedModel()
    whole = graded(small(), judge=simple(None), model=model, run_dir=tmp_path / "a" / "one")
    needs = int(whole.cost["input_tokens"] + whole.cost["output_tokens"])
    report = graded(
        small(), model=ScriptedModel(), run_dir=tmp_path / "b" / "one",
        spending=Spending(max_tokens=needs),
    )  # fmt: skip
    assert report.statuses["graded"] == 4


def test_a_card_names_whose_leaves_they_are(tmp_path: Path) -> None:
    settings = {"count": 2, "seed": 5, "rubrics": ["count-min"]}
    task = load_task("count-min")
    report = grade(load_task("heavy-ball"), SUBMISSION, judge=card("constant", settings, score=0))
    # Chinese criteria are no test of whether a name stands in an English submission.
    assert (task.name, tried(report).asked, tried(report).wanted) == ("count-min", 0, 2)
    assert "W225" in codes(report)
    with pytest.raises(TaskError, match="no task 'nowhere'"):
        grade(task, SUBMISSION, judge=card("rules", {"count": 1, "rubrics": ["nowhere"]}))
    (tmp_path / "judge.yaml").write_text("kind: rules\ncanaries: {count: 3, cuont: 3}\n")
    with pytest.raises(JudgeCardError, match=r"unknown key 'cuont'"):
        load_judge(tmp_path / "judge.yaml")


@pytest.mark.parametrize("seed", [0, 1])
def test_the_draw_follows_from_seed_and_rubric_alone(seed: int) -> None:
    texts = [f"A function part_{number} is there" for number in range(20)]
    pool = [Foreign("t", leaf(text[-8:], requirements=text)) for text in texts]
    draw = partial(
        false_here, known=Known("all"), categories={"Code Development"}, rubric_sha256="a", count=5
    )
    drawn = draw(pool, seed=seed)
    assert drawn == draw(pool[::-1], seed=seed)
    assert drawn != draw(pool, seed=seed + 1)
    assert drawn != draw(pool, seed=seed, rubric_sha256="b")


@pytest.mark.parametrize(
    ("requirement", "drawn"),
    [
        ("A function heavy_ball is defined", True),
        ("results/other.csv has three rows", True),
        ("A function named SolveIt is defined", False),
        ("A function solve_it is defined", False),
        ("The code seeds its random numbers", False),  # names nothing
        ("No file results/other.csv is written", False),  # holds where nothing is
        ("results/tail.csv has three rows", False),
        ("my_other has the momentum of an optimizer", False),  # too much of it is here
        ("函数 heavy_ball 已经定义", False),  # words of another script prove nothing
    ],
)
def test_only_what_names_something_unknown_is_certainly_false(
    requirement: str, drawn: bool
) -> None:
    known = Known("A function that is defined has rows, written; code, three")
    for text in ("def SolveIt(): pass", "The momentum of an optimizer", "tail.csv"):
        known.add(text)
    pool = [Foreign("t", leaf("a", requirements=requirement))]
    found = false_here(
        pool, known, categories={"Code Development"}, seed=0, rubric_sha256="", count=1
    )
    assert bool(found) is drawn


@given(graded_rubrics(), st.integers(0, 4))
@settings(max_examples=60)
def test_a_rubric_with_canaries_gives_every_leaf_the_worth_it_had(
    drawn: tuple[Rubric, dict[str, Grade]], count: int
) -> None:
    rubric, _ = drawn
    pool = [Foreign("t", leaf("n1", requirements=f"part_{n}")) for n in range(count)]
    found, canaries = mixed(rubric, pool)
    assert len(canaries) == count
    assert set(rubric.leaves()) | set(canaries) == set(found.leaves())
    assert rubric.order == tuple(key for key in found if key in rubric)
    assert not set(canaries) & set(rubric)
    assert all(found[key] == rubric[key] for key in rubric)
    assert all(found.worth(key) == 0 for key in canaries)


@given(graded_rubrics(), st.integers(1, 5), st.booleans())
@settings(max_examples=15)
def test_no_score_changes(drawn: tuple[Rubric, dict[str, Grade]], count: int, met: bool) -> None:
    rubric, grades = drawn
    judge = LabelsWith(grades, float(met))
    without = grade(rubric, SUBMISSION, judge=judge)
    judge.card = card("own", count)
    report = grade(rubric, SUBMISSION, judge=judge)
    for name in ("scores", "grades", "categories", "bounds", "losses", "statuses"):
        assert getattr(report, name) == getattr(without, name)
    assert report.canaries is None or tried(report).met == met * tried(report).asked


class LabelsWith:
    """Replays grades, and scores whatever else it is asked about."""

    def __init__(self, grades: dict[str, Grade], score: float) -> None:
        self.card = card("own", None)
        self.grades = grades
        self.score = score

    async def grade(self, leaves: Any, case: Case, *, sample: int = 0) -> Any:
        for each in leaves:
            yield each.key, self.grades.get(each.key, Grade.graded(self.score))
