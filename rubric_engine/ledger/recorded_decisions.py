"""A decision model that never pays twice: each question is looked up, and only the rest asked.

A question has a key and an entry of its own, so that another one beside it changes nothing. A
request has a key, too, under which its attempts are reserved and billed; it has no entry, for
nothing is ever looked up by it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

from rubric_engine.decision import Answer, DecisionModel, Question
from rubric_engine.ledger.billing import asking
from rubric_engine.ledger.decision_entries import (
    answer_of,
    entry_of,
    lost_answer,
    question_call,
    request_key,
    requested,
)
from rubric_engine.ledger.keys import Call
from rubric_engine.ledger.recorded import acceptance
from rubric_engine.ledger.store import Ledger
from rubric_engine.ledger.values import Claim, Entry
from rubric_engine.model import Message, ModelFault, NotTaken
from rubric_engine.recall import waiting

_Claims = dict[str, Claim]


class RecordedDecisions:
    """Replays questions that were answered, and stores new answers before they are used.

    Args:
        model: Who is asked where the ledger has no answer.
        ledger: Where answers are kept.
        run: The run that uses them.
        transport: In which protocol the model is asked; part of every key.
        fresh: Take no entry that is older than the run's first start.
        retry_failed: Ask again where an earlier question ended without an answer.
        retry_before: Of these, only what ended before then; None is now.

    Attributes:
        asked: Keys of the questions that it asked, as nothing was on record.
        found: Keys of the questions whose end was on record.
    """

    def __init__(
        self,
        model: DecisionModel,
        ledger: Ledger,
        *,
        run: str,
        transport: str,
        fresh: bool = False,
        retry_failed: bool = False,
        retry_before: datetime | None = None,
    ) -> None:
        self.config = model.config
        self._model = model
        self._ledger = ledger
        self._run = run
        self._requested = requested(model.config, transport)
        self.asked: set[str] = set()
        self.found: set[str] = set()
        self._ended: set[str] = set()
        self._slots = asyncio.Semaphore(model.config.max_connections)
        retry_before = (retry_before or datetime.now(UTC)) if retry_failed else None
        self._accepts = acceptance(ledger, run, fresh=fresh, retry_before=retry_before)

    @property
    def ended(self) -> int:
        """Questions whose end came here, as none was on record."""
        return len(self._ended)

    @property
    def replayed(self) -> int:
        """Questions whose end was on record; not those that it put there itself."""
        return len(self.found - self._ended)

    async def decide(
        self, input: Sequence[Message], questions: Sequence[Question], *, sample: int = 0
    ) -> list[Answer]:
        """Replay what is on record, and ask the rest in one request.

        Raises:
            ModelFault: The request gave no answers; what was on record is asked for free again. A
                request of one question that ends for good is no fault, but an answer.
            StorageError: The ledger cannot be written.
        """
        calls = [question_call(self._requested, input, each, sample) for each in questions]
        by_key = {call.key: (call, each) for call, each in zip(calls, questions, strict=True)}
        async with waiting():
            found = await self._ledger.claim_all(list(by_key), accept=self._accepts, run=self._run)
        claimed = {key: claim for key, claim in found.items() if isinstance(claim, Claim)}
        answers = {
            key: answer_of(entry, replayed=True)
            for key, entry in found.items()
            if isinstance(entry, Entry)
        }
        self.found.update(answers)
        try:
            open_calls = [by_key[key] for key in by_key if key in claimed]
            if open_calls:
                answers |= await self._ask(input, open_calls, claimed, sample)
        except ModelFault as fault:
            named = {each.key: call for call, each in zip(calls, questions, strict=True)}
            fault.give_up = partial(self._give_up, named, fault, list(claimed))
            if isinstance(fault, NotTaken):
                fault.on_record = {key for key, call in named.items() if call.key in answers}
            raise
        finally:
            for claim in claimed.values():
                self._ledger.release(claim)
        return [answers[call.key] for call in calls]

    async def _ask(
        self,
        input: Sequence[Message],
        open_calls: Sequence[tuple[Call, Question]],
        claimed: _Claims,
        sample: int,
    ) -> dict[str, Answer]:
        """Ask what is claimed, and store what came of each question."""
        keys = [call.key for call, _ in open_calls]
        self.asked.update(keys)
        request = request_key(keys)
        own = (await self._ledger.claim_all([request], accept=lambda _: False))[request]
        assert isinstance(own, Claim)  # no entry is ever stored under it
        try:
            with asking(request) as attempts:
                said = await self._asked(input, [each for _, each in open_calls], sample)
            entries = [
                entry_of(key, answer, request, len(keys), attempts.effective)
                for key, answer in zip(keys, said, strict=True)
            ]
            await self._ledger.commit_all(
                [
                    (claimed[entry.key], entry, call)
                    for entry, (call, _) in zip(entries, open_calls, strict=True)
                ],
                run=self._run,
            )
        finally:
            self._ledger.release(own)
        self._ended.update(keys)
        return {entry.key: answer_of(entry, replayed=False) for entry in entries}

    async def _asked(
        self, input: Sequence[Message], questions: Sequence[Question], sample: int
    ) -> Sequence[Answer]:
        async with waiting():
            await self._slots.acquire()
        try:
            return await self._model.decide(input, questions, sample=sample)
        except ModelFault as fault:
            # What several questions met together is the fault of none of them.
            if not fault.final or len(questions) > 1:
                raise
            return [lost_answer(fault).model_copy(update={"usage": fault.usage})]
        finally:
            self._slots.release()

    async def _give_up(
        self,
        calls: Mapping[str, Call],
        fault: ModelFault,
        shared: Sequence[str],
        questions: Collection[str],
    ) -> dict[str, Answer]:
        """Store that questions end as the request that they shared; see `ModelFault.give_up`."""
        given = {calls[key].key: calls[key] for key in questions}
        async with waiting():
            found = await self._ledger.claim_all(list(given), accept=self._accepts, run=self._run)
        claims = [claim for claim in found.values() if isinstance(claim, Claim)]
        ended = {
            key: each
            if isinstance(each, Entry)
            else entry_of(key, lost_answer(fault), request_key(shared), len(shared), {})
            for key, each in found.items()
        }
        try:
            await self._ledger.commit_all(
                [(claim, ended[claim.key], given[claim.key]) for claim in claims], run=self._run
            )
        finally:
            for claim in claims:
                self._ledger.release(claim)
        self._ended.update(claim.key for claim in claims)
        return {key: answer_of(ended[calls[key].key], replayed=False) for key in questions}
