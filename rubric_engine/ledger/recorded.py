"""A chat model that never pays twice: it asks the ledger first, and the model only then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import cast

from pydantic import BaseModel

from rubric_engine.ledger.billing import Asking, asking
from rubric_engine.ledger.keys import Call, schema_of
from rubric_engine.ledger.store import Ledger
from rubric_engine.ledger.values import Entry, Outcome
from rubric_engine.model import FINAL, ChatModel, Completion, ContextOverflow, Message, ModelFault
from rubric_engine.recall import waiting


class RecordedModel:
    """Replays calls that ended, and stores new ones before their answer is used.

    Args:
        model: Who is asked where the ledger has no answer.
        ledger: Where calls are kept.
        run: The run that uses them.
        fresh: Take no entry that is older than the run's first start.
        retry_failed: Ask again where an earlier call ended without an answer.
        retry_before: Of these, only what ended before then; None is now.

    Attributes:
        asked: Keys of the calls that it made, as nothing was on record.
        ended: How many of them have ended.
        replayed: Calls whose end was on record.
        found: Their keys.
    """

    def __init__(
        self,
        model: ChatModel,
        ledger: Ledger,
        *,
        run: str,
        fresh: bool = False,
        retry_failed: bool = False,
        retry_before: datetime | None = None,
    ) -> None:
        self.config = model.config
        self._model = model
        self._ledger = ledger
        self._run = run
        self._requested = model.config.requested
        self.asked: set[str] = set()
        self.found: set[str] = set()
        self.ended = self.replayed = 0
        # A model of one's own may have no limiter, and is kept to its width here.
        self._slots = asyncio.Semaphore(model.config.max_connections)
        retry_before = (retry_before or datetime.now(UTC)) if retry_failed else None
        self._accepts = acceptance(ledger, run, fresh=fresh, retry_before=retry_before)

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, sample: int = 0
    ) -> Completion:
        """Replay the call, or make it and store how it ended.

        Raises:
            ModelFault: The call gave no usable answer, now or when it was made.
            StorageError: The ledger cannot be written.
        """
        form = None if schema is None else schema_of(schema)
        call = Call(self._requested, tuple(messages), form, sample)
        async with waiting():
            found = await self._ledger.claim(call.key, accept=self._accepts, run=self._run)
        if isinstance(found, Entry):
            self.replayed += 1
            self.found.add(call.key)
            return self._use(found, replayed=True)
        self.asked.add(call.key)
        try:
            with asking(call.key) as attempts:
                entry = await self._ask(call, schema, attempts)
            await self._ledger.commit(found, entry, call, run=self._run)
        finally:
            self._ledger.release(found)
        self.ended += 1
        return self._use(entry, replayed=False)

    async def _ask(self, call: Call, schema: type[BaseModel] | None, attempts: Asking) -> Entry:
        try:
            answer = await self._asked(call, schema)
        except ModelFault as fault:
            if not fault.final:
                fault.key = call.key
                raise
            return Entry(
                key=call.key,
                outcome=cast("Outcome", fault.reason),
                text=fault.text,
                detail=fault.message,
                usage=fault.usage,
                effective=attempts.effective,
            )
        return Entry(
            key=call.key,
            text=answer.text,
            data=answer.data,
            usage=answer.usage,
            answered_model=answer.answered_model,
            effective=attempts.effective,
        )

    async def _asked(self, call: Call, schema: type[BaseModel] | None) -> Completion:
        async with waiting():
            await self._slots.acquire()
        try:
            return await self._model.complete(call.messages, schema=schema, sample=call.sample)
        finally:
            self._slots.release()

    def _use(self, entry: Entry, *, replayed: bool) -> Completion:
        if entry.outcome != "answer":
            raise self._fault(entry, replayed=replayed)
        return Completion(
            text=entry.text,
            data=entry.data,
            usage=entry.usage,
            requested_model=self.config.name,
            answered_model=entry.answered_model,
            key=entry.key,
            replayed=replayed,
        )

    def _fault(self, entry: Entry, *, replayed: bool) -> ModelFault:
        fault = FINAL[entry.outcome](entry.detail, usage=entry.usage, text=entry.text)
        fault.key = entry.key
        fault.replayed = replayed
        if isinstance(fault, ContextOverflow):
            fault.replaced = partial(self._ledger.shortened, entry.key)
        return fault


def acceptance(
    ledger: Ledger, run: str, *, fresh: bool, retry_before: datetime | None
) -> Callable[[Entry], bool]:
    """What tells whether an entry serves a run that begins or goes on now.

    Args:
        ledger: Where calls are kept.
        run: The run.
        fresh: Take no entry that is older than the run's first start.
        retry_before: Take no entry, of those from before then, without an answer.
    """
    started = ledger.start_run(run)
    fresh_since = started if fresh else None

    def accepts(entry: Entry) -> bool:
        if fresh_since is not None and entry.created < fresh_since:
            return False
        old = retry_before is not None and entry.created < retry_before
        return not (old and ledger.failed(entry))

    return accepts
