"""A chat model behind any OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pydantic import BaseModel

from rubric_engine.model import Completion, CutOff, Message, Refused, Unparseable
from rubric_engine.models.answer import Answer
from rubric_engine.models.line import Line
from rubric_engine.models.reading import Form
from rubric_engine.models.request import Request, build_request
from rubric_engine.models.retry import CallState
from rubric_engine.models.texts import text_tokens


class OpenAIChat(Line):
    """Asks one model, and gets an answer that follows the schema or an error that says why not.

    See `Line` for what it is made with.
    """

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, sample: int = 0
    ) -> Completion:
        """Ask, as `ChatModel.complete`."""
        with self.calling() as call:
            answer = await self._write(call, messages, schema, sample)
            data = None
            if schema is not None:
                write = partial(self._write, call, schema=schema, sample=sample)
                hide = self.transport.mask.of
                form = Form(self.config, self.capabilities, schema, hide)
                answer, data = await form.read(answer, messages, write)
        return Completion(
            text=answer.text,
            data=data,
            usage=call.usage,
            requested_model=self.config.name,
            answered_model=answer.model,
        )

    async def _write(
        self,
        call: CallState,
        messages: Sequence[Message],
        schema: type[BaseModel] | None,
        sample: int,
    ) -> Answer:
        """Get a whole, non-empty answer; an empty one is asked for once more."""

        def build() -> Request:
            known = self.capabilities.of(self.config)
            return build_request(self.config, known, messages, schema, sample)

        for _ in range(2):
            answer = await self.ask(call, build, self._post, self._paced_tokens(messages))
            if answer.refusal is not None:
                raise Refused(answer.refusal, text=answer.text)
            if answer.cut:
                raise CutOff("the answer ran into the output limit", text=answer.text)
            if answer.text.strip():
                return answer
        raise Unparseable("the answer was empty, twice")

    async def _post(self, request: Request) -> Answer:
        return await self.transport.post(request.body, request.parameters)

    def _paced_tokens(self, messages: Sequence[Message]) -> int:
        if self.config.tokens_per_minute is None:
            return 0
        return sum(text_tokens(message.content) for message in messages)
