"""How a call ends when no attempt gave an answer: the leaf's loss, or the end of the run."""

from __future__ import annotations

from dataclasses import dataclass
from shlex import quote

from rubric_engine.errors import ProviderError, RubricEngineError
from rubric_engine.model import (
    ContextOverflow,
    CutOff,
    ModelConfig,
    ModelFault,
    NotTaken,
    OverBudget,
    Refused,
    Unavailable,
)
from rubric_engine.models.credentials import rejected
from rubric_engine.models.faults import AttemptFault
from rubric_engine.models.retry import Patience

_FIRST_WAIT = 60.0  # seconds that a call waits for an endpoint which never gave an answer
_LOST_AT_FIRST = 3  # calls that such an endpoint leaves without an answer before the run stops
_BAD = (400, 422)
"""What servers say of a request in which something is wrong."""

_OF_CARD = {"max_completion_tokens": "max_output_tokens", "max_tokens": "max_output_tokens"}
"""What a judge card calls the parameters that go by another name on the wire."""

_RESUME = "rubric-engine resume RUN"


@dataclass
class Endings:
    """Tells what becomes of a call, by what the endpoint did so far.

    Attributes:
        config: The endpoint.
        reached: Whether it ever responded at all.
        answered: Whether it gave an answer.
        known: Whether it gave the run one before.
        lost: Calls that it left without an answer.
        not_taken: Questions that it did not take alone.
        heard: Whether it ever said why it gives a request no answer.
        last: What it said last in place of an answer; empty before any attempt failed.
    """

    config: ModelConfig
    reached: bool = False
    answered: bool = False
    known: bool = False
    lost: int = 0
    not_taken: int = 0
    heard: bool = False
    last: str = ""

    def saw_answer(self) -> None:
        """Take note of an answer."""
        self.reached = self.answered = True

    def saw_fault(self, fault: AttemptFault) -> None:
        """Take note of an attempt that failed."""
        self.reached = self.reached or not fault.refused_connection
        self.last = _words(fault)
        self.heard = self.heard or fault.kind in ("overflow", "refused", "cut")

    def broke(self, over: OverBudget) -> ProviderError | None:
        """Return what should stop the run in place of a cap that unanswered requests used up."""
        if self._ever_answered or self.heard or not self.last:
            return None
        return ProviderError(
            f"{self._name} answered no request; the last error: {self.last}; what the requests may"
            f" have cost at most counts, and {over.message}",
            code="E705",
            fix=[f"{self._doctor}   # says whether it is there", over.fix],
        )

    def of(self, fault: AttemptFault, questions: int = 0) -> ModelFault | RubricEngineError:
        """Return the error for a call whose last attempt ended with this fault.

        Args:
            fault: The fault.
            questions: How many questions it asked; 0 of a chat.
        """
        match fault.kind:
            case "overflow":
                return ContextOverflow(fault.message)
            case "refused":
                return Refused(fault.message)
            case "cut":
                return CutOff(fault.message)
            case "credentials" if fault.status == 401 or not self._ever_answered:
                return rejected(self.config, fault.status)
            case "quota":
                return self._out_of_quota(fault)
            case "rejected" if questions and self._may_be_one(fault):
                return self._of_questions(fault, questions)
            case "missing" | "rejected" | "parameter" if not self._ever_answered:
                return self._unusable(fault)
            case "connection" if not self.reached:
                return self._unreachable(fault)
        return self._lost(fault)

    def _may_be_one(self, fault: AttemptFault) -> bool:
        """Whether one question may be what is wrong, and not how the card has all of them asked."""
        return fault.status in _BAD and (fault.named is None or self._ever_answered)

    def _of_questions(self, fault: AttemptFault, questions: int) -> ModelFault | RubricEngineError:
        """The questions' loss; the end where several alone are refused and none is answered."""
        self.not_taken += questions == 1
        if self._ever_answered:
            return NotTaken(self._refusal(fault))
        stop = self._unusable(fault)
        return stop if self.not_taken >= _LOST_AT_FIRST else NotTaken(stop.message, stop=stop)

    def worth_waiting(self, fault: AttemptFault) -> bool:
        """Whether another attempt makes sense, as far as the endpoint's past tells."""
        never_there = fault.refused_connection and not self.reached
        return not never_there and (fault.wait or 0.0) <= self.config.max_wait

    def patience(self, fault: AttemptFault) -> Patience:
        """How long a call may go on: an endpoint that gave no answer yet is likely to stay so.

        A wait that the server itself asks for is granted all the same.
        """
        most, limit = self.config.max_wait, self.config.timeout
        if self.answered or fault.wait is not None:
            return Patience(waits=most, spent=most + limit)
        first = min(most, _FIRST_WAIT)
        return Patience(waits=first, spent=first)

    def _lost(self, fault: AttemptFault) -> ModelFault | RubricEngineError:
        if fault.wait is not None and fault.wait > self.config.max_wait:
            return self._out_of_quota(fault)
        self.lost += 1
        if not self._ever_answered and self.lost >= _LOST_AT_FIRST:
            return self._never_answered(fault)
        return Unavailable(f"{self._name} gave no answer: {fault.message}")

    def _never_answered(self, fault: AttemptFault) -> ProviderError:
        return ProviderError(
            f"{self._name} has not given one answer, and left {self.lost} calls without; the last:"
            f" {_words(fault)}",
            code="E704",
            fix=[
                f"{self._doctor}   # says whether it is there",
                f"{_RESUME}   # once it answers; asks only for what is missing",
            ],
        )

    def _out_of_quota(self, fault: AttemptFault) -> ProviderError:
        later = f"; it resets in {fault.wait:.0f} s" if fault.wait else ""
        return ProviderError(
            f"{self._name} has no quota left{later}: {fault.message}",
            fix=[f"{_RESUME}   # when there is quota again; asks only for what is missing"],
        )

    def _unusable(self, fault: AttemptFault) -> ProviderError:
        if fault.named is not None:
            return self._wrong_value(fault, _OF_CARD.get(fault.named, fault.named))
        return ProviderError(
            self._refusal(fault),
            code="E703",
            looked=[f"the model {self.config.name!r} at {self.config.base_url}"],
            fix=[
                f"{self._doctor}   # says which models it lists",
                "rubric-engine grade SUBMISSION ... --model NAME   # with a name that it knows; for"
                " one judge of several, `model` in its card",
            ],
        )

    def _refusal(self, fault: AttemptFault) -> str:
        return f"{self._name} does not take the request (HTTP {fault.status}): {fault.message}"

    def _wrong_value(self, fault: AttemptFault, name: str) -> ProviderError:
        return ProviderError(
            f"{self._name} does not take {name} as it is set (HTTP {fault.status}):"
            f" {fault.message}",
            code="E703",
            looked=[f"{name!r} under 'model' in the judge card"],
            fix=[f"set {name!r} there to what the endpoint takes, or leave it out"],
        )

    def _unreachable(self, fault: AttemptFault) -> ProviderError:
        return ProviderError(
            f"cannot reach {self.config.base_url}: {fault.message}",
            code="E702",
            fix=[
                "start the server, or name another: --base-url http://localhost:8000/v1; for one"
                " judge of several, `model: {base_url: ...}` in its card",
                f"{self._doctor}   # says whether it answers",
                f"{_RESUME}   # once it does",
            ],
        )

    @property
    def _ever_answered(self) -> bool:
        """A resume may have only leaves left that no server answers."""
        return self.answered or self.known

    @property
    def _doctor(self) -> str:
        asked = f"--model {quote(self.config.name)} --base-url {quote(self.config.base_url)}"
        return f"rubric-engine doctor {asked}"

    @property
    def _name(self) -> str:
        return f"{self.config.name} at {self.config.base_url}"


def _words(fault: AttemptFault) -> str:
    """The server's words, with the status where they leave it out."""
    status = f"HTTP {fault.status}"
    told = fault.status is None or status in fault.message
    return fault.message if told else f"{status}: {fault.message}"
