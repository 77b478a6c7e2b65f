"""How a call ends when no attempt gave an answer: the leaf's loss, or the end of the run."""

from __future__ import annotations

from dataclasses import dataclass

from rubric_engine.errors import ProviderError, RubricEngineError
from rubric_engine.model import (
    ContextOverflow,
    CutOff,
    ModelConfig,
    ModelFault,
    Refused,
    Unavailable,
)
from rubric_engine.models.credentials import rejected
from rubric_engine.models.faults import Fault

_LOST_IN_A_ROW = 8  # calls that end without an answer, one after another, before the run stops
_RESUME = "rubric-engine resume latest"


@dataclass
class Endings:
    """Tells what becomes of a call, by what the endpoint did so far.

    Attributes:
        config: The endpoint.
        reached: Whether it ever responded at all.
        answered: Whether it ever gave an answer.
        lost: Calls in a row that it left without an answer.
    """

    config: ModelConfig
    reached: bool = False
    answered: bool = False
    lost: int = 0

    def saw_answer(self) -> None:
        """Take note of an answer."""
        self.reached = self.answered = True
        self.lost = 0

    def saw_fault(self, fault: Fault) -> None:
        """Take note of an attempt that failed."""
        self.reached = self.reached or not fault.refused_connection

    def of(self, fault: Fault) -> ModelFault | RubricEngineError:
        """Return the error for a call whose last attempt ended with this fault."""
        match fault.kind:
            case "overflow":
                return ContextOverflow(fault.message)
            case "refused":
                return Refused(fault.message)
            case "cut":
                return CutOff(fault.message)
            case "credentials":
                return rejected(self.config, fault.status)
            case "quota":
                return self._out_of_quota(fault)
            case "missing":
                return self._unusable(fault)
            case "rejected" | "parameter" if not self.answered:
                return self._unusable(fault)
            case "connection" if not self.reached:
                return self._unreachable(fault)
        return self._lost(fault)

    def worth_waiting(self, fault: Fault) -> bool:
        """Whether another attempt makes sense, as far as the endpoint's past tells."""
        never_there = fault.refused_connection and not self.reached
        return not never_there and (fault.wait or 0.0) <= self.config.max_wait

    def _lost(self, fault: Fault) -> ModelFault | RubricEngineError:
        if fault.wait is not None and fault.wait > self.config.max_wait:
            return self._out_of_quota(fault)
        self.lost += 1
        if self.lost < _LOST_IN_A_ROW:
            return Unavailable(f"{self._name} gave no answer: {fault.message}")
        return ProviderError(
            f"{self._name} left {self.lost} calls in a row without an answer; the last: "
            f"{fault.message}",
            fix=[f"{_RESUME}   # asks only for what is missing"],
        )

    def _out_of_quota(self, fault: Fault) -> ProviderError:
        later = f"; it resets in {fault.wait:.0f} s" if fault.wait else ""
        return ProviderError(
            f"{self._name} has no quota left{later}: {fault.message}",
            fix=[f"{_RESUME}   # when there is quota again; asks only for what is missing"],
        )

    def _unusable(self, fault: Fault) -> ProviderError:
        return ProviderError(
            f"{self._name} does not take the request (HTTP {fault.status}): {fault.message}",
            code="E703",
            looked=[f"the model {self.config.name!r} at {self.config.base_url}"],
            fix=["--model with a name that the endpoint knows, or another --base-url"],
        )

    def _unreachable(self, fault: Fault) -> ProviderError:
        return ProviderError(
            f"cannot reach {self.config.base_url}: {fault.message}",
            code="E702",
            fix=["start the server, or name another: --base-url http://localhost:8000/v1"],
        )

    @property
    def _name(self) -> str:
        return f"{self.config.name} at {self.config.base_url}"
