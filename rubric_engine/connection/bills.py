"""What an attempt counts, as the ledger keeps it: on its usage, else at its bound."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rubric_engine.ledger import BilledAttempt, Ledger
from rubric_engine.model import ModelConfig, Usage

if TYPE_CHECKING:
    from rubric_engine.models import Attempt
    from rubric_engine.models.meter import Bounds
    from rubric_engine.spending import Tariff


@dataclass(frozen=True)
class Biller:
    """Bills every attempt in the ledger."""

    run: str
    config: ModelConfig
    tariff: Tariff | None
    ledger: Ledger

    def __call__(self, attempt: Attempt) -> None:
        """Bill an attempt that ended."""
        tokens, output = attempt.input_bound, attempt.output_bound or 0
        most = self.tariff.bound(tokens, output) if self.tariff else None
        self.ledger.bill(
            BilledAttempt(
                run=self.run,
                endpoint=self.config.base_url,
                model=self.config.name,
                answered_model=attempt.answered_model,
                started=datetime.fromtimestamp(attempt.started, UTC),
                seconds=attempt.seconds,
                status=attempt.status,
                fault=attempt.error or "",
                usage=attempt.usage,
                estimate=attempt.estimate,
                bound=Usage(input_tokens=tokens, output_tokens=output),
                dollars=self._cost(attempt.usage) if attempt.usage is not None else most,
                bound_dollars=most,
                effective=dict(attempt.parameters),
            )
        )

    def _cost(self, usage: Usage) -> float | None:
        return self.tariff.cost(usage) if self.tariff else None


@dataclass(frozen=True)
class Sending:
    """Enters what a request counts if this process dies over it: what is reserved for it."""

    run: str
    config: ModelConfig
    tariff: Tariff | None
    ledger: Ledger

    async def __call__(self, reserved: Bounds) -> None:
        """Enter it durably; the request goes out only then."""
        tokens, output = reserved.input_bound, reserved.output_bound or 0
        most = self.tariff.bound(tokens, output) if self.tariff else None
        await self.ledger.sending(
            BilledAttempt(
                run=self.run,
                endpoint=self.config.base_url,
                model=self.config.name,
                bound=Usage(input_tokens=tokens, output_tokens=output),
                dollars=most,
                bound_dollars=most,
            )
        )
