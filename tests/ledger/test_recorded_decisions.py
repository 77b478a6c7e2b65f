"""A decision model behind the ledger: each question is asked once, whoever asks with whom."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_engine.batches import Batch, run_batches
from rubric_engine.decision import Answer, Question
from rubric_engine.errors import BudgetError
from rubric_engine.ledger import BilledAttempt, Ledger, RecordedDecisions
from rubric_engine.model import (
    ContextOverflow,
    CutOff,
    Message,
    ModelFault,
    Refused,
    Unavailable,
    Unparseable,
    Usage,
)
from rubric_engine.testing import ScriptedDecisions

INPUT = [Message(role="user", content="what there is " * 1000)]


def question(number: int, **more: object) -> Question:
    return Question.model_validate({"key": f"q{number}", "text": f"thing {number}"} | more)


def recorded(model: ScriptedDecisions, ledger: Ledger, **more: Any) -> RecordedDecisions:
    return RecordedDecisions(model, ledger, run="r", transport="openai", **more)


def asked(model: ScriptedDecisions) -> Counter[str]:
    return Counter(each.text for call in model.calls for each in call.questions)


class Slow(ScriptedDecisions):
    """Answers a few turns of the loop later."""

    async def decide(
        self, input: Sequence[Message], questions: Sequence[Question], *, sample: int = 0
    ) -> list[Answer]:
        """Answer."""
        for _ in range(len(questions)):
            await asyncio.sleep(0)
        return await super().decide(input, questions, sample=sample)


@settings(max_examples=15)
@given(st.lists(st.lists(st.integers(0, 12), min_size=1, unique=True), min_size=1, max_size=6))
def test_whoever_asks_side_by_side_asks_each_question_once(batches: list[list[int]]) -> None:
    model = Slow()

    async def go(ledger: Ledger) -> list[list[Answer]]:
        asking = recorded(model, ledger)
        return await asyncio.gather(
            *(asking.decide(INPUT, [question(number) for number in batch]) for batch in batches)
        )

    with TemporaryDirectory() as folder, Ledger.open(Path(folder) / "l.sqlite") as ledger:
        answers = asyncio.run(go(ledger))
    assert set(asked(model).values()) == {1}
    by_number: dict[int, set[float | None]] = {}
    for batch, found in zip(batches, answers, strict=True):
        for number, answer in zip(batch, found, strict=True):
            by_number.setdefault(number, set()).add(answer.probability)
    assert all(len(said) == 1 for said in by_number.values())


def test_only_what_a_question_is_makes_another_of_it(ledger: Ledger) -> None:
    model = ScriptedDecisions()
    options = [{"label": "0"}, {"label": "1"}]

    async def go() -> None:
        asking = recorded(model, ledger)
        await asking.decide(INPUT, [question(1)])
        await asking.decide(INPUT, [question(2, text="thing 1")])  # another leaf, the same question
        await asking.decide(INPUT, [question(1, kind="score", options=options)])
        await asking.decide(INPUT, [question(1)], sample=1)
        await asking.decide([*INPUT, Message(role="user", content="more")], [question(1)])

    asyncio.run(go())
    assert len(model.calls) == 4


def test_a_prompt_can_be_read_back_question_by_question(ledger: Ledger) -> None:
    (answer,) = asyncio.run(recorded(ScriptedDecisions(), ledger).decide(INPUT, [question(1)]))
    prompt = ledger.prompt(answer.call)
    assert [message.content for message in prompt] == [INPUT[0].content, "thing 1"]


def test_a_request_without_answers_leaves_nothing_behind(ledger: Ledger) -> None:
    model = ScriptedDecisions(lambda _: Unavailable("down"))
    asking = recorded(model, ledger)
    for _ in range(2):
        with pytest.raises(Unavailable):
            asyncio.run(asking.decide(INPUT, [question(1), question(2)]))
    assert len(model.calls) == 2
    assert ledger.info().entries == 0


@pytest.mark.parametrize("kind", [ContextOverflow, CutOff, Refused, Unparseable])
def test_what_a_request_ends_with_is_final_for_one_question_and_not_for_several(
    ledger: Ledger, kind: type[ModelFault]
) -> None:
    model = ScriptedDecisions(lambda _: kind("not so", usage=Usage(input_tokens=7)))
    asking = recorded(model, ledger)
    with pytest.raises(kind):
        asyncio.run(asking.decide(INPUT, [question(1), question(2)]))
    assert (ledger.info().entries, asking.ended) == (0, 0)
    for _ in range(2):
        (answer,) = asyncio.run(asking.decide(INPUT, [question(1)]))
        assert (answer.flaw, answer.detail) == (kind.reason, "not so")
        assert answer.usage == Usage(input_tokens=7)
    assert len(model.calls) == 2
    assert (asking.ended, asking.replayed) == (1, 0)  # what it put there itself is no replay
    again = recorded(model, ledger)
    asyncio.run(again.decide(INPUT, [question(1)]))
    assert (again.ended, again.replayed) == (0, 1)


def test_what_is_given_up_is_on_record_and_what_was_answered_meanwhile_stands(
    ledger: Ledger,
) -> None:
    model = ScriptedDecisions({"thing 1": Refused("no"), "thing 2": 0.25})
    asking = recorded(model, ledger)
    both = [question(1), question(2), question(3, text="thing 1")]
    with pytest.raises(Refused) as caught:
        asyncio.run(asking.decide(INPUT, both))
    asyncio.run(asking.decide(INPUT, [question(2)]))
    given = asyncio.run(caught.value.give_up(["q1", "q2", "q3"]))
    assert [given[key].refusal for key in ("q1", "q3")] == ["no", "no"]
    assert given["q1"].call == given["q3"].call != ""
    assert given["q2"].probability == 0.25
    calls = len(model.calls)
    said = asyncio.run(recorded(model, ledger).decide(INPUT, both))
    assert [answer.flaw for answer in said] == ["refused", None, "refused"]
    assert len(model.calls) == calls


def test_the_same_question_of_two_leaves_is_no_replay(ledger: Ledger) -> None:
    asking = recorded(ScriptedDecisions(), ledger)
    asyncio.run(asking.decide(INPUT, [question(1), question(2, text="thing 1")]))
    assert (asking.ended, asking.replayed) == (1, 0)


@pytest.mark.parametrize("last", range(1, 9))
def test_whenever_a_split_request_stops_what_it_paid_for_is_said_and_never_asked_again(
    ledger: Ledger, last: int
) -> None:
    answered: Counter[str] = Counter()

    class Stopping(ScriptedDecisions):
        async def decide(
            self, input: Sequence[Message], questions: Sequence[Question], *, sample: int = 0
        ) -> list[Answer]:
            if len(self.calls) == last:
                raise BudgetError("stop here")
            answers = await super().decide(input, questions, sample=sample)
            answered.update(each.text for each in questions)
            return answers

    async def go(model: ScriptedDecisions) -> dict[str, object]:
        words: dict[str, object] = {}
        batch = Batch(INPUT, "all", tuple(map(question, range(12))))
        try:
            async for key, word in run_batches([batch], recorded(model, ledger)):
                assert key not in words
                words[key] = word
        except BudgetError:
            assert len(words) == 12  # also those that the stop left over
        return words

    refusing = {"thing 5": Refused("no")}
    first = asyncio.run(go(Stopping(refusing)))
    said = {key for key, word in first.items() if isinstance(word, Answer) and not word.flaw}
    assert len(said) == answered.total()
    paid = set(answered)
    resumed = ScriptedDecisions(refusing)
    second = asyncio.run(go(resumed))
    assert {key for key, word in second.items() if isinstance(word, Answer) and word.flaw} == {"q5"}
    assert paid.isdisjoint(asked(resumed))


@pytest.mark.parametrize(("again", "calls"), [({}, 1), ({"retry_failed": True}, 2)])
def test_a_refused_answer_is_asked_again_only_on_demand(
    ledger: Ledger, again: dict[str, bool], calls: int
) -> None:
    model = ScriptedDecisions({"thing 1": Answer(flaw="refused", detail="no")})
    both = [question(1), question(2)]
    asyncio.run(recorded(model, ledger).decide(INPUT, both))
    answers = asyncio.run(recorded(model, ledger, **again).decide(INPUT, both))
    assert answers[0].refusal == "no"
    assert len(model.calls) == calls
    assert asked(model)["thing 2"] == 1


def test_what_a_request_cost_is_shared_by_its_questions(ledger: Ledger) -> None:
    class Billed(ScriptedDecisions):
        async def decide(
            self, input: Sequence[Message], questions: Sequence[Question], *, sample: int = 0
        ) -> list[Answer]:
            used = Usage(input_tokens=90, output_tokens=3)
            ledger.bill(BilledAttempt(run="r", usage=used, dollars=0.9))
            return await super().decide(input, questions, sample=sample)

    asking = recorded(Billed(), ledger)
    first = asyncio.run(asking.decide(INPUT, [question(number) for number in range(3)]))
    second = asyncio.run(asking.decide(INPUT, [question(number) for number in range(4)]))
    prices = ledger.prices("r")
    assert [prices[answer.call] for answer in first] == pytest.approx([0.3] * 3)
    assert prices[second[3].call] == pytest.approx(0.9)
    spent = ledger.spent("r")
    assert (spent.calls, spent.attempts, spent.usage.input_tokens) == (2, 2, 180)
    assert sum(price or 0.0 for price in prices.values()) == pytest.approx(spent.dollars)
