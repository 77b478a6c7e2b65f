"""A decision model behind either of two protocols."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from rubric_engine.decision import Answer, Question, RequestLimits, Transport
from rubric_engine.errors import UsageError
from rubric_engine.model import Message, ModelConfig
from rubric_engine.models.decision_answers import Decided, read_decided
from rubric_engine.models.decision_request import build_decision_request, questions_of, state_of
from rubric_engine.models.line import Line
from rubric_engine.models.request import Request

if TYPE_CHECKING:
    from rubric_engine.models.sdk import SdkClient

_FIRST_SDK = 3


class DecisionClient(Line):
    """Asks one decision model; see `Line` for what else it is made with.

    Args:
        config: The model, the endpoint and the parameters.
        limits: In which protocol it is asked.
        options: What `Line` takes.

    Raises:
        UsageError: The SDK that is installed does not know the protocol.
    """

    def __init__(self, config: ModelConfig, limits: RequestLimits, **options: Any) -> None:
        require_sdk(limits.transport, version("openai"))
        super().__init__(config, **options)
        self._protocol = limits.transport
        self._address = limits.address(config)

    async def decide(
        self, input: Sequence[Message], questions: Sequence[Question], *, sample: int = 0
    ) -> list[Answer]:
        """Ask, as `DecisionModel.decide`; neither protocol knows repetitions."""
        if not questions:
            return []

        def build() -> Request:
            known = self.capabilities.of(self.config)
            return build_decision_request(self.config, known, self._protocol, input, questions)

        paced = build().estimate if self.config.tokens_per_minute is not None else 0
        with self.calling() as call:
            post = partial(self._post, input, questions)
            found = await self.ask(call, build, post, paced, len(questions))
        return found.with_usage(call.usage)

    async def _post(
        self, input: Sequence[Message], questions: Sequence[Question], request: Request
    ) -> Decided:
        if self._protocol == "openai":
            send = partial(_create, request, input, questions)
        else:
            send = partial(_ask_state, self._address, request.body)
        received = await self.transport.send(send, request.parameters)
        return read_decided(self._protocol, received, request.parameters, questions)


async def _create(
    request: Request, input: Sequence[Message], questions: Sequence[Question], client: SdkClient
) -> str:
    extra = {name: said for name, said in request.parameters.items() if name != "model"}
    # Raw: what the SDK makes of an answer takes any type for any other.
    answer = await client.decisions.with_raw_response.create(
        model=request.parameters["model"],
        input=state_of(input),
        questions=questions_of("openai", questions),
        extra_body=extra,
    )
    return answer.text


async def _ask_state(url: str, body: bytes, client: SdkClient) -> str:
    return await client.send(url, body)


def require_sdk(transport: Transport, installed: str) -> None:
    """Refuse a protocol that the SDK does not know.

    Args:
        transport: The protocol.
        installed: Version of the SDK.

    Raises:
        UsageError: It is older than the protocol.
    """
    major = installed.partition(".")[0]
    if transport == "openai" and major.isdigit() and int(major) < _FIRST_SDK:
        raise UsageError(
            f"decision models of OpenAI need the openai package from {_FIRST_SDK}.0 on, and"
            f" {installed} is installed",
            code="E011",
            fix=[f"pip install -U 'openai>={_FIRST_SDK}'"],
        )
