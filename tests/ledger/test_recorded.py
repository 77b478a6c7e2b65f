from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from datetime import timedelta

import pytest
from pydantic import BaseModel

from rubric_engine.errors import ProviderError
from rubric_engine.ledger import BilledAttempt, Call, Claim, Entry, Ledger, RecordedModel
from rubric_engine.model import (
    ChatModel,
    Completion,
    ContextOverflow,
    CutOff,
    ModelFault,
    OverBudget,
    Refused,
    Unavailable,
    Unparseable,
    Usage,
)
from tests.ledger.conftest import Asked, Verdict, plain, prompt


def _ask(
    model: ChatModel, text: str = "q", *, schema: type[BaseModel] | None = Verdict, sample: int = 0
) -> Completion:
    return asyncio.run(model.complete(prompt(text), schema=schema, sample=sample))


def _raising(fault: Exception) -> Asked:
    def answer(_: str) -> Completion:
        raise fault

    return Asked(answer)


def test_an_answer_is_asked_for_once_and_replayed_as_it_was(ledger: Ledger) -> None:
    inner = Asked()
    model = RecordedModel(inner, ledger, run="r")
    first = _ask(model)
    again = _ask(model)
    assert inner.asked == {"q": 1}
    assert not first.replayed
    assert again == first.model_copy(update={"replayed": True})
    assert first.data == plain("q").data
    assert first.requested_model == "asked-for"


def test_what_was_stored_serves_the_next_process(ledger: Ledger) -> None:
    first = _ask(RecordedModel(Asked(), ledger, run="r"))
    ledger.close()
    with Ledger.open(ledger.path) as reopened:
        inner = Asked()
        again = _ask(RecordedModel(inner, reopened, run="other"))
    assert not inner.asked
    assert again.text == first.text


def test_prompt_schema_and_sample_make_calls_different(ledger: Ledger) -> None:
    inner = Asked()
    model = RecordedModel(inner, ledger, run="r")
    keys = {
        _ask(model).key,
        _ask(model, "other").key,
        _ask(model, schema=None).key,
        _ask(model, sample=1).key,
    }
    assert len(keys) == 4


@pytest.mark.parametrize("kind", [Refused, Unparseable, CutOff, ContextOverflow])
def test_a_final_fault_is_replayed_until_its_retry_is_asked_for(
    ledger: Ledger, kind: type[ModelFault]
) -> None:
    fault = kind("no", usage=Usage(input_tokens=7), text="half \ud800")
    inner = _raising(fault)
    for _ in range(2):
        with pytest.raises(kind, match="no") as caught:
            _ask(RecordedModel(inner, ledger, run="r"))
        assert (caught.value.text, caught.value.usage) == (fault.text, fault.usage)
        assert ledger.find(caught.value.key) is not None
    assert inner.asked == {"q": 1}
    retrying = RecordedModel(Asked(), ledger, run="r", retry_failed=True)
    assert not _ask(retrying).replayed
    assert _ask(retrying).replayed


def test_a_retry_that_fails_again_is_not_repeated_within_the_run(ledger: Ledger) -> None:
    inner = _raising(Refused("no"))
    model = RecordedModel(inner, ledger, run="r", retry_failed=True)
    for _ in range(3):
        with pytest.raises(Refused):
            _ask(model)
    assert inner.asked == {"q": 1}


def test_an_overflow_whose_shortened_request_was_answered_is_not_retried(ledger: Ledger) -> None:
    inner = _raising(ContextOverflow("too long"))
    fault = _overflow(RecordedModel(inner, ledger, run="r"))
    asyncio.run(fault.replaced("f" * 64))
    entry = ledger.find(fault.key)
    assert entry is not None
    assert entry.shortened_to == "f" * 64
    _overflow(RecordedModel(inner, ledger, run="r", retry_failed=True))
    assert inner.asked == {"q": 1}


def test_an_overflow_whose_shortened_request_was_too_long_too_is_retried(ledger: Ledger) -> None:
    inner = _raising(ContextOverflow("too long"))
    model = RecordedModel(inner, ledger, run="r")
    first, shorter = _overflow(model, "q"), _overflow(model, "shorter")
    asyncio.run(first.replaced(shorter.key))
    _overflow(RecordedModel(inner, ledger, run="r", retry_failed=True))
    assert inner.asked == {"q": 2, "shorter": 1}


def _overflow(model: ChatModel, text: str = "q") -> ContextOverflow:
    with pytest.raises(ContextOverflow) as caught:
        _ask(model, text)
    return caught.value


@pytest.mark.parametrize(
    "error", [Unavailable("later"), OverBudget("cap"), ProviderError("down"), ValueError("ours")]
)
def test_what_is_not_final_leaves_the_call_to_be_made(ledger: Ledger, error: Exception) -> None:
    with pytest.raises(type(error)):
        _ask(RecordedModel(_raising(error), ledger, run="r"))
    assert not _ask(RecordedModel(Asked(), ledger, run="r")).replayed


def test_fresh_takes_nothing_older_than_the_run_but_keeps_what_the_run_paid(
    ledger: Ledger,
) -> None:
    inner = Asked()
    _ask(RecordedModel(inner, ledger, run="old"))
    fresh = RecordedModel(inner, ledger, run="new", fresh=True)
    assert not _ask(fresh).replayed
    assert _ask(fresh).replayed
    assert _ask(RecordedModel(inner, ledger, run="new", fresh=True)).replayed
    assert inner.asked == {"q": 2}


def test_the_same_question_from_many_tasks_and_threads_is_asked_once(ledger: Ledger) -> None:
    inner = Asked()
    model = RecordedModel(inner, ledger, run="r")

    async def many() -> None:
        await asyncio.gather(*(model.complete(prompt(f"{i % 5}"), schema=None) for i in range(100)))

    threads = [threading.Thread(target=asyncio.run, args=[many()]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert inner.asked == {str(i): 1 for i in range(5)}


def test_a_task_that_is_cancelled_while_it_asks_lets_the_next_one_ask(ledger: Ledger) -> None:
    async def scene() -> tuple[Asked, Completion]:
        stuck = Asked(gate=asyncio.Event())
        first = asyncio.create_task(
            RecordedModel(stuck, ledger, run="r").complete(prompt("q"), schema=None)
        )
        await stuck.started.wait()
        inner = Asked()
        model = RecordedModel(inner, ledger, run="r")
        waiting = [asyncio.create_task(model.complete(prompt("q"), schema=None)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        first.cancel()
        results = await asyncio.gather(first, *waiting, return_exceptions=True)
        assert [isinstance(r, asyncio.CancelledError) for r in results] == [
            True,
            True,
            False,
            False,
        ]
        assert isinstance(results[2], Completion)
        return inner, results[2]

    inner, answer = asyncio.run(scene())
    assert inner.asked == {"q": 1}
    assert not answer.replayed


@pytest.mark.parametrize("turns", range(12))
def test_a_task_cancelled_at_any_point_leaves_no_claim(ledger: Ledger, turns: int) -> None:
    async def scene() -> Completion:
        model = RecordedModel(Asked(), ledger, run="r")
        task = asyncio.create_task(model.complete(prompt("q"), schema=None))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return await asyncio.wait_for(model.complete(prompt("q"), schema=None), 20)

    assert asyncio.run(scene()).data == plain("q").data


def test_a_call_can_be_read_back_whole_and_shared_parts_are_kept_once(ledger: Ledger) -> None:
    model = RecordedModel(Asked(), ledger, run="r")
    keys = [_ask(model, text).key for text in ("one", "two \ud800", "three")]
    assert [ledger.prompt(key) for key in keys] == [
        prompt(text) for text in ("one", "two \ud800", "three")
    ]
    call = ledger.call(keys[0])
    assert call is not None
    assert call.key == keys[0]
    assert call.schema == Verdict.model_json_schema()
    assert ledger.info().texts == 3 + 1 + 1
    assert ledger.prompt("unknown") == []


def test_attempts_made_while_asking_belong_to_the_call(ledger: Ledger) -> None:
    def answer(text: str) -> Completion:
        for status in (429, 200):
            usage = None if status == 429 else Usage(input_tokens=10, output_tokens=1)
            ledger.bill(
                BilledAttempt(
                    run="r",
                    status=status,
                    usage=usage,
                    bound=Usage(input_tokens=30),
                    dollars=0.5,
                    effective={"temperature": 0},
                    answered_model="\ud800",
                )
            )
        return plain(text)

    key = _ask(RecordedModel(Asked(answer), ledger, run="r")).key
    entry = ledger.find(key)
    assert entry is not None
    assert entry.effective == {"temperature": 0}
    spent = ledger.spent("r")
    assert (spent.calls, spent.attempts, spent.uncounted, spent.unpriced) == (1, 2, 1, 0)
    assert (spent.usage, spent.dollars) == (Usage(input_tokens=40, output_tokens=1), 1.0)
    assert ledger.spent("another run").attempts == 0
    assert ledger.spent() == spent


def test_pruning_keeps_what_runs_use_and_what_is_young(ledger: Ledger) -> None:
    kept = RecordedModel(Asked(), ledger, run="kept")
    gone = RecordedModel(Asked(), ledger, run="gone")
    both, one, other = _ask(kept, "both").key, _ask(kept, "one").key, _ask(gone, "other").key
    assert _ask(gone, "both").replayed
    ledger.bill(BilledAttempt(run="gone", dollars=2.0))
    assert ledger.prune(timedelta(days=1), set).entries == 0
    assert ledger.info().by_model == {"asked-for": 3}
    pruned = ledger.prune(None, lambda: {"kept"})
    assert (pruned.entries, pruned.texts) == (1, 1)
    assert ledger.find(other) is None
    assert ledger.prompt(both) == prompt("both")
    ledger.forget_run("kept")
    assert ledger.prune(None, lambda: {"kept"}).entries == 2
    info = ledger.info()
    assert (info.entries, info.texts, info.oldest) == (0, 0, None)
    assert ledger.find(one) is None
    assert ledger.spent("gone").dollars == 2.0


def test_what_a_run_took_from_the_record_is_kept_for_it(ledger: Ledger) -> None:
    key = _ask(RecordedModel(Asked(), ledger, run="first")).key
    assert _ask(RecordedModel(Asked(), ledger, run="second")).replayed
    assert ledger.prune(None, lambda: {"second"}).entries == 0
    assert ledger.prompt(key) == prompt("q")


def test_pruning_elsewhere_while_a_call_is_made_does_not_cost_its_answer(ledger: Ledger) -> None:
    call = Call({"name": "m"}, tuple(prompt("q")), None, 0)

    async def scene() -> None:
        with Ledger.open(ledger.path) as other:
            claim = await ledger.claim(call.key, run="r")
            assert isinstance(claim, Claim)
            other.prune(None, lambda: {"r"})
            await ledger.commit(claim, Entry(key=call.key, text="paid"), call, run="r")
            assert other.prune(None, lambda: {"r"}).entries == 0

    asyncio.run(scene())


def test_nobody_writes_while_pruning_looks_for_runs_to_keep(ledger: Ledger) -> None:
    def keep() -> set[str]:
        other = sqlite3.connect(ledger.path, timeout=0)
        with closing(other), pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        return {"r"}

    _ask(RecordedModel(Asked(), ledger, run="r"))
    assert ledger.prune(None, keep).entries == 0


def test_pruning_gives_the_space_back(ledger: Ledger) -> None:
    def long(text: str) -> Completion:
        return plain(text).model_copy(update={"text": text * 100_000})

    model = RecordedModel(Asked(long), ledger, run="r")
    for text in "abcde":
        _ask(model, text)
    before = ledger.info().bytes
    pruned = ledger.prune(None, set)
    assert pruned.bytes > 400_000
    assert ledger.info().bytes == before - pruned.bytes


def test_capabilities_are_kept(ledger: Ledger) -> None:
    ledger.remember_capabilities("http://one", {"form": "json_schema"})
    ledger.remember_capabilities("http://two", {"form": "text"})
    ledger.remember_capabilities("http://one", {"form": "text", "dropped": ["seed"]})
    ledger.info()
    assert ledger.capabilities() == {
        "http://one": {"form": "text", "dropped": ["seed"]},
        "http://two": {"form": "text"},
    }


def test_absurd_usage_is_counted_as_far_as_numbers_reach(ledger: Ledger) -> None:
    for _ in range(3):
        ledger.bill(BilledAttempt(run="r", usage=Usage(input_tokens=2**70)))
    assert ledger.spent("r").usage.input_tokens == 3 * 2**53


def test_an_attempt_that_cannot_be_stored_spoils_nobody_elses_commit(ledger: Ledger) -> None:
    async def scene() -> Completion:
        model = RecordedModel(Asked(), ledger, run="r")
        for _ in range(5):
            ledger.bill(BilledAttempt(run="\ud800"))
        return await model.complete(prompt("q"), schema=None)

    assert asyncio.run(scene()).data == plain("q").data
