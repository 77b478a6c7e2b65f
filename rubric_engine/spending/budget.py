"""The meter of one model, which spends from the account of its run."""

from __future__ import annotations

from rubric_engine.model import ModelConfig, Usage
from rubric_engine.reserved import Reservation
from rubric_engine.spending.account import Account
from rubric_engine.spending.amounts import Amount, parts_of
from rubric_engine.spending.tariff import Tariff


class Budget:
    """Reserves every attempt at its bound before it is sent, and settles it on what it used.

    An attempt that the server did not count stays at its bound.

    Args:
        tariff: What the model costs; None where no price is known.
        config: The model that is asked.
        account: What it spends from, together with the run's other models.

    Raises:
        UsageError: A cap of the account could not hold: it is no amount, the model has no price,
            or nothing limits its answers.
    """

    def __init__(self, tariff: Tariff | None, *, config: ModelConfig, account: Account) -> None:
        account.join(config, tariff)
        self.account = account
        self._tariff = tariff
        self._open: set[Reservation] = set()

    def reserve(self, input_bound: int, output_bound: int | None) -> Reservation:
        """Set the most that an attempt may cost aside.

        Args:
            input_bound: Most tokens of the prompt.
            output_bound: Most tokens of the answer; None where nothing limits it.

        Raises:
            OverBudget: The attempt could pass a cap now. Attempts under way may give something
                back when they settle.
            BudgetError: No cap can hold any more: a server bills above its reservations, or takes
                no limit for its answers.
        """
        reservation = Reservation(input_bound, output_bound)
        self.account.reserve(self._bound(reservation), bounded=output_bound is not None)
        self._open.add(reservation)
        return reservation

    def settle(self, reservation: Reservation, usage: Usage | None) -> None:
        """Replace a reservation by what was used.

        Args:
            reservation: What `reserve` returned; it can be settled once.
            usage: Tokens as the server counted them; None leaves it at its bound.
        """
        self._open.remove(reservation)
        used = None if usage is None else self._used(usage)
        self.account.settle(self._bound(reservation), used)

    def _bound(self, bounds: Reservation) -> Amount:
        output = bounds.output_bound or 0
        cost = self._tariff.bound(bounds.input_bound, output) if self._tariff else 0.0
        return Amount(bounds.input_bound + output, parts_of(cost))

    def _used(self, usage: Usage) -> Amount:
        cost = self._tariff.cost(usage) if self._tariff else 0.0
        return Amount(usage.input_tokens + usage.output_tokens, parts_of(cost))
