"""Panels: what comes of several judges' words, whoever speaks first."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_engine import Case, Grade, JudgeCard, Task
from rubric_engine.errors import BudgetError, JudgeCardError, ProviderError, StorageError
from rubric_engine.grading import NOBODY_TRIED, REASONS, Citation
from rubric_engine.judgeeval.cases.case import AbsentSubmission
from rubric_engine.judges import load_judge
from rubric_engine.judges.combine import Cascade, Panel, Repeat
from rubric_engine.judges.combine.votes import VOTES, PanelVote, elected, log_odds
from tests.judges.desk import leaf_of, rubric_of
from tests.judges.speaking import Speaker, of, said

CARD = JudgeCard(kind="panel", name="panel")
OPEN = Grade.ungradeable
NA = Grade.not_applicable()


def panel(*words: Grade | None, vote: PanelVote = "majority", **more: Any) -> Panel:
    """A panel whose members each say one word on leaf `a`."""
    members = [
        Speaker({} if word is None else {"a": word}, f"m{at}", turns=at % 3)
        for at, word in enumerate(words)
    ]
    return Panel(members, CARD, vote, **more)


def result(*words: Grade | None, vote: PanelVote = "majority", **more: Any) -> float | str | None:
    """What comes of words: a score, or the reason why there is none."""
    found, error = said(panel(*words, vote=vote, **more))
    assert error is None
    return found["a"].reason or found["a"].score


@given(st.lists(st.integers(51, 99), min_size=1, max_size=3), st.permutations([0.0, 1.0]))
def test_a_weighted_tie_is_a_tie_whatever_rounding_says(
    accuracies: list[int], sides: list[float]
) -> None:
    odds = math.prod(accuracy / (100 - accuracy) for accuracy in accuracies)
    alone = odds / (1 + odds)  # the accuracy of one judge who weighs as much as these together
    weights = [*(log_odds(accuracy / 100) for accuracy in accuracies), log_odds(alone)]
    scores = [*(sides[0] for _ in accuracies), sides[1]]
    assert elected(leaf_of([]), list(zip(scores, weights, strict=True))) is None


@pytest.mark.parametrize(
    ("vote", "scores", "expected"),
    [
        ("majority", [1, 1, 0], 1.0),
        ("majority", [0, 1, 0], 0.0),
        ("majority", [1, 0], "split"),
        ("majority", [0.6, 0.9, 0.2], 1.0),
        ("majority", [0.5, 0.5, 0], 1.0),
        ("mean", [1, 0, 0.5], 0.5),
        ("mean", [1, 1, 0], 2 / 3),
        ("unanimous", [1, 1, 1], 1.0),
        ("unanimous", [1, 1, 0], "split"),
    ],
)
def test_a_vote_gives_a_score_or_none(
    vote: PanelVote, scores: list[float], expected: float | str
) -> None:
    assert result(*map(of, scores), vote=vote) == expected


def test_a_judge_counts_by_the_odds_that_it_is_right() -> None:
    weights = [log_odds(accuracy) for accuracy in (0.95, 0.7, 0.7)]
    words = of(1), of(0), of(0)
    assert result(*words) == 0.0
    assert result(*words, vote="weighted", weights=weights) == 1.0
    assert result(*words, vote="weighted", weights=[log_odds(0.8), *weights[1:]]) == 0.0
    assert log_odds(0.95) == pytest.approx(2.9444, abs=1e-4)


def test_on_a_scale_judges_vote_for_its_steps() -> None:
    words = of(0.5), of(0.45), of(1)
    found, _ = said(panel(*words), scale=(0.0, 0.5, 1.0))
    assert found["a"].score == 0.5


@pytest.mark.parametrize("reason", REASONS)
def test_a_judge_without_a_grade_abstains(reason: Any) -> None:
    word = OPEN(reason, "no luck")
    waits = reason in ("budget", "cancelled")
    assert result(of(1), word, of(1)) == (reason if waits else 1.0)
    assert result(word, word) == reason


def test_where_nobody_grades_what_a_resume_may_mend_is_told_first() -> None:
    assert result(OPEN("refused"), OPEN("provider_error")) == "provider_error"
    assert result(OPEN("needs_model"), OPEN("cut_off")) == "cut_off"
    assert result(OPEN("needs_model"), OPEN("not_run")) == "needs_model"


def test_a_vote_that_is_missing_may_decide_what_is_split() -> None:
    assert result(of(1), of(0), OPEN("provider_error")) == "provider_error"
    assert result(of(1), of(0), OPEN("refused")) == "split"
    dead = Speaker({}, error=ProviderError("down"))
    found, raised = said(Panel([Speaker({"a": of(1)}), dead, Speaker({"a": of(0)})], CARD))
    assert (found["a"].reason, isinstance(raised, ProviderError)) == ("provider_error", True)


def test_a_leaf_does_not_apply_where_most_say_so() -> None:
    assert said(panel(NA, NA, of(1)))[0]["a"].status == "not_applicable"
    assert result(NA, of(1), of(1)) == 1.0
    assert result(NA, of(1)) == 1.0


def test_all_that_was_said_is_kept_and_adds_up() -> None:
    here, there = Citation(path="a.py"), Citation(path="b.py")
    first = of(1, citations=(here,), usage={"input_tokens": 2}, calls=("k1", "k2"), receipt="r1")
    second = of(0, citations=(there,), usage={"input_tokens": 3}, calls=("k2", "k3"), receipt="r2")
    third = of(1, citations=(here, there), probability=0.75)
    found = said(panel(first, second, third))[0]["a"]
    assert [member.score for member in found.members] == [1, 0, 1]
    assert [(member.judge or "").split()[0] for member in found.members] == ["m0", "m1", "m2"]
    assert found.citations == (here, there)
    assert (found.calls, found.usage) == (("k1", "k2", "k3"), {"input_tokens": 5})
    assert (found.receipt, found.probability) == ("r1", None)
    assert found.explanation == "majority of 3: 1 by m0, m2; 0 by m1\nit is 1"


def test_what_members_share_was_taken_once() -> None:
    one = of(1, usage={"input_tokens": 2}, calls=("k1",))
    other = of(1, usage={"input_tokens": 5}, calls=("k2",))
    pair = panel(one, other)
    assert said(panel(one, one))[0]["a"].usage == {"input_tokens": 2}
    nested = said(Panel([Speaker({"a": one}), pair], CARD))[0]["a"]
    assert (nested.calls, nested.usage) == (("k1", "k2"), {"input_tokens": 7})
    free = of(1, usage={"seconds": 1})
    assert said(panel(free, free))[0]["a"].usage == {"seconds": 2}


def test_a_weighted_vote_tells_the_weights() -> None:
    judges = [Speaker({"a": of(1)}, "x"), Speaker({"a": of(0)}, "y")]
    found = said(Panel(judges, CARD, "weighted", [2.1972, 0.8473]))[0]["a"]
    assert found.explanation.startswith("weighted of 2: 1 by x (weight 2.2); 0 by y (weight 0.847)")


def test_probabilities_are_pooled_where_all_give_one() -> None:
    words = [of(1, probability=0.9), of(1, probability=0.6), of(0, probability=0.3)]
    assert said(panel(*words))[0]["a"].probability == pytest.approx(0.6)


@pytest.mark.parametrize("error", [ProviderError("down"), ValueError("broken")])
@pytest.mark.parametrize("silent", [True, False])
def test_a_dead_member_costs_no_leaf(error: Exception, *, silent: bool) -> None:
    dead = Speaker({} if silent else {"a": OPEN("provider_error")}, "dead", error)
    alive = [Speaker({"a": of(1), "b": of(0)}, name, turns=2) for name in ("x", "y")]
    found, raised = said(Panel([alive[0], dead, alive[1]], CARD), "ab")
    assert (found["a"].score, found["b"].score, raised) == (1.0, 0.0, None)
    assert found["a"].members[1].failed


def test_the_run_stops_where_leaves_stay_open_for_want_of_a_member() -> None:
    dead = Speaker({}, error=ProviderError("down"))
    rules = Speaker({"a": of(1), "b": OPEN("needs_model")})
    found, raised = said(Panel([rules, dead], CARD), "ab")
    assert (found["a"].score, found["b"].reason) == (1.0, "provider_error")
    assert isinstance(raised, ProviderError)


def test_what_a_cap_left_out_waits_for_a_resume() -> None:
    spent = Speaker({"a": of(1)}, error=BudgetError("spent"))
    found, raised = said(Panel([spent, Speaker({"a": of(1), "b": of(1)})], CARD), "ab")
    assert (found["a"].score, found["b"].reason) == (1.0, "budget")
    assert isinstance(raised, BudgetError)
    assert found["b"].members[1].score == 1.0


def test_a_full_disk_is_everybodys_end() -> None:
    full = Speaker({}, error=StorageError("full"))
    endless = Speaker(lambda key, sample: of(1), turns=10_000)
    found, raised = said(Panel([endless, full], CARD))
    assert (found, isinstance(raised, StorageError)) == ({}, True)


def test_a_panel_that_is_no_longer_asked_leaves_nobody_at_work() -> None:
    async def go() -> int:
        slow = Speaker(lambda key, sample: of(1), turns=1000)
        quick = Speaker({"odd": of(1)})
        leaves = [leaf_of([], key) for key in ("a", "odd")]
        case = Case(Task("task", rubric_of(leaves)), AbsentSubmission("none"), None)

        async def ask() -> list[object]:
            return [word async for word in Panel([slow, quick], CARD).grade(leaves, case)]

        asking = asyncio.create_task(ask())
        for _ in range(10):
            await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        return len(asyncio.all_tasks())

    assert asyncio.run(go()) == 1


WORDS = st.one_of(
    st.sampled_from([0.0, 0.25, 0.5, 1.0]).map(of),
    st.sampled_from(REASONS).map(Grade.ungradeable),
    st.just(NA),
)


@settings(max_examples=40)
@given(
    words=st.lists(st.tuples(WORDS, st.sampled_from([0.5, 1.0, 2.0])), min_size=2, max_size=6),
    vote=st.sampled_from(sorted(VOTES)),
    data=st.data(),
)
def test_the_order_of_the_members_does_not_matter(
    words: list[tuple[Grade, float]], vote: Any, data: st.DataObject
) -> None:
    other = data.draw(st.permutations(words))
    first, second = (
        result(*(word for word, _ in way), vote=vote, weights=[weight for _, weight in way])
        for way in (words, other)
    )
    assert first == second


@settings(max_examples=40)
@given(words=st.lists(WORDS, min_size=1, max_size=5), vote=st.sampled_from(sorted(VOTES)))
def test_a_dead_member_changes_no_grade(words: list[Grade], vote: Any) -> None:
    before = said(panel(*words, NA, vote=vote))[0]["a"]
    dead = said(panel(*words, NA, None, vote=vote))[0]["a"]
    if before.reason is None:
        assert (dead.status, dead.score) == (before.status, before.score)
    elif before.reason in NOBODY_TRIED:
        assert dead.reason == "infra"
    else:
        assert dead.reason is not None


def test_panels_repeats_and_cascades_nest() -> None:
    flips = Speaker(lambda key, sample: of(sample % 2, probability=0.5), "flips")
    sure = Speaker({"a": of(1), "b": of(0)}, "sure")
    inner = Panel([Repeat(flips, CARD, 3), sure], CARD, "unanimous")
    found, _ = said(Cascade([inner, sure], CARD), "ab", sample=2)
    assert [sample for _, sample in flips.asked] == [6, 7, 8]
    assert {key: grade.score for key, grade in found.items()} == {"a": 1.0, "b": 0.0}
    assert [part.score for part in found["a"].parts()] == [1.0, None, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0]


def test_the_fingerprint_covers_members_and_how_they_vote() -> None:
    one, other = (Speaker({}, name) for name in ("one", "other"))
    cards = [CARD, CARD.model_copy(update={"vote": "mean"})]
    found = {
        Panel(judges, card).card.fingerprint
        for judges in ([one, other], [other, one], [one, one])
        for card in cards
    }
    assert len(found) == 6


MEMBERS = "judges: [all-met, all-not-met, random]"


@pytest.mark.parametrize(
    ("kind", "settings", "told"),
    [
        ("panel", "judges: [rules]", "at least two judges"),
        ("panel", "judges: [rules, rules]", "'rules' stands twice"),
        ("panel", f"{MEMBERS}\nvote: plurality", "'plurality' is none of"),
        ("panel", f"{MEMBERS}\nvote: weighted", "missing: 'all-met', 'all-not-met', 'random'"),
        ("panel", f"{MEMBERS}\nweights: {{all-met: 0.9}}", "weights: go with `vote: weighted`"),
        ("panel", "judges: [all-met, random]\nvote: weighted\nweights: {all-met: 0.5, random: 0.9}",
         "greater than 0.5"),
        ("repeat", "of: random", "'n' is missing"),
        ("repeat", "of: random\nn: 1", "2"),
        ("repeat", "of: random\nn: 3\nlead: 2", "lead: goes with `vote: lead_by` alone"),
        ("repeat", "of: random\nn: 3\nvote: lead_by\nlead: 4", "lead: is more than n"),
        ("cascade", "judges: [rules]\nunsure: [0.2]", "unsure: must be [low, high]"),
        ("cascade", "judges: [rules]\nunsure: [0.6, 0.2]", "the lower probability first"),
        ("cascade", "judges: [rules]\nunsure: [0.2, 1.2]", "unsure.1: must be"),
    ],
)  # fmt: skip
def test_a_wrong_card_is_told_with_its_place(
    tmp_path: Path, kind: str, settings: str, told: str
) -> None:
    (tmp_path / "judge.yaml").write_text(f"judge: 1\nkind: {kind}\n{settings}\n")
    with pytest.raises(JudgeCardError) as caught:
        load_judge(tmp_path)
    assert told in f"{caught.value}"
    assert caught.value.place


def test_cards_make_what_they_say(tmp_path: Path) -> None:
    made: Mapping[str, str] = {
        "p": f"kind: panel\n{MEMBERS}\nvote: weighted\n"
        "weights: {all-met: 0.9, all-not-met: 0.8, random: 0.51}",
        "r": f"kind: repeat\nof: {tmp_path}/p\nn: 5\nvote: lead_by",
        "c": f"kind: cascade\njudges: [rules, {tmp_path}/r]\nunsure: [0.2, 0.8]",
    }
    for name, text in made.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "judge.yaml").write_text(f"judge: 1\n{text}\n")
    cascade = load_judge(tmp_path / "c")
    assert isinstance(cascade, Cascade)
    assert cascade.unsure == (0.2, 0.8)
    repeat = cascade.judges[1]
    assert isinstance(repeat, Repeat)
    assert (repeat.n, repeat.vote, repeat.lead, repeat.reads_run) == (5, "lead_by", 2, False)
    inner = repeat.judges[0]
    assert isinstance(inner, Panel)
    assert inner.weights == tuple(map(log_odds, (0.9, 0.8, 0.51)))
    assert (cascade.reads_run, inner.reads_submission) == (True, False)


def test_a_judge_made_of_itself_is_told(tmp_path: Path) -> None:
    (tmp_path / "judge.yaml").write_text(f"judge: 1\nkind: cascade\njudges: [{tmp_path}]\n")
    with pytest.raises(JudgeCardError, match="made of itself"):
        load_judge(tmp_path)
