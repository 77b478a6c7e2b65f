"""What an attempt counts, as the ledger keeps it: on its usage, else at its bound."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rubric_engine.ledger import BilledAttempt, Ledger
from rubric_engine.model import ModelConfig, Usage

if TYPE_CHECKING:
    from rubric_engine.models import Attempt
    from rubric_engine.reserved import Reservation
    from rubric_engine.spending import Tariff


@dataclass(frozen=True)
class Bills:
    """Enters what the attempts of one model count: before each is sent, and when it has ended."""

    run: str
    config: ModelConfig
    tariff: Tariff | None
    ledger: Ledger
    endpoint: str

    async def sending(self, reserved: Reservation) -> None:
        """Enter what a request counts if this process dies over it; durable before it goes out."""
        await self.ledger.sending(self._at_bound(reserved.input_bound, reserved.output_bound))

    def ended(self, attempt: Attempt) -> None:
        """Bill an attempt that ended, at its bound where the server did not count it."""
        known = {
            "answered_model": attempt.answered_model,
            "started": datetime.fromtimestamp(attempt.started, UTC),
            "seconds": attempt.seconds,
            "status": attempt.status,
            "fault": attempt.error or "",
            "estimate": attempt.estimate,
            "effective": dict(attempt.parameters),
        }
        if attempt.usage is not None:
            known |= {"usage": attempt.usage, "dollars": self._cost(attempt.usage)}
        bound = self._at_bound(attempt.input_bound, attempt.output_bound)
        self.ledger.bill(BilledAttempt.model_validate(dict(bound) | known))

    def _at_bound(self, input_bound: int, output_bound: int | None) -> BilledAttempt:
        most = Usage(input_tokens=input_bound, output_tokens=output_bound or 0)
        dollars = self.tariff.bound(most.input_tokens, most.output_tokens) if self.tariff else None
        return BilledAttempt(
            run=self.run,
            endpoint=self.endpoint,
            model=self.config.name,
            bound=most,
            dollars=dollars,
            bound_dollars=dollars,
        )

    def _cost(self, usage: Usage) -> float | None:
        return self.tariff.cost(usage) if self.tariff else None
