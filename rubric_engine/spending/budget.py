"""The cap of a run: what is spent and what is reserved never pass it together."""

from __future__ import annotations

from rubric_engine.errors import BudgetError
from rubric_engine.model import ModelConfig, OverBudget, Usage
from rubric_engine.spending.amounts import (
    PARTS,
    AlreadySpent,
    Amount,
    Bounds,
    Excess,
    Reservation,
    parts_of,
)
from rubric_engine.spending.caps import check_caps
from rubric_engine.spending.dollars import show_dollars
from rubric_engine.spending.tariff import Tariff


class Budget:
    """Reserves every attempt at its bound before it is sent, and settles it on what it used.

    An attempt that the server did not count stays at its bound. Not safe across threads: one event
    loop uses it.

    Args:
        tariff: What the model costs; None where no price is known.
        config: The model that is asked.
        max_cost: Most dollars of the run, over all its resumes; None for no such cap.
        max_tokens: Most tokens of the run, prompts and answers together; None for no such cap.
        spent: What the run has cost so far.

    Raises:
        UsageError: The cap could not hold: it is no amount, the model has no price, or nothing
            limits its answers.
    """

    def __init__(
        self,
        tariff: Tariff | None,
        *,
        config: ModelConfig,
        max_cost: float | None = None,
        max_tokens: int | None = None,
        spent: AlreadySpent | None = None,
    ) -> None:
        check_caps(config, tariff, max_cost, max_tokens)
        self._tariff = tariff
        self._max_cost = max_cost
        self._max_tokens = max_tokens
        self._spent = Amount() if spent is None else self._so_far(spent)
        self._reserved = Amount()
        self._open: set[Bounds] = set()
        self._over = Amount()
        self._overbilled = 0

    @property
    def spent_tokens(self) -> int:
        """Tokens of all settled attempts."""
        return self._spent.tokens

    @property
    def spent_dollars(self) -> float | None:
        """Dollars of all settled attempts; None without a price."""
        return self._dollars(self._spent)

    @property
    def reserved_tokens(self) -> int:
        """Most tokens of the attempts that are under way."""
        return self._reserved.tokens

    @property
    def reserved_dollars(self) -> float | None:
        """Most dollars of the attempts that are under way; None without a price."""
        return self._dollars(self._reserved)

    @property
    def excess(self) -> Excess | None:
        """What the server billed above a reservation; None where it never did."""
        if not self._overbilled:
            return None
        return Excess(self._overbilled, self._over.tokens, self._dollars(self._over))

    def reserve(self, input_bound: int, output_bound: int | None) -> Reservation:
        """Set the most that an attempt may cost aside.

        Args:
            input_bound: Most tokens of the prompt.
            output_bound: Most tokens of the answer; None where nothing limits it.

        Raises:
            OverBudget: The attempt could pass the cap now. Attempts under way may give something
                back when they settle.
            BudgetError: The cap cannot hold any more: the server bills above its reservations, or
                takes no limit for its answers.
        """
        self._check_server(output_bound)
        reservation = Reservation(input_bound, output_bound)
        amount = self._bound(reservation)
        self._fit(amount)
        self._reserved += amount
        self._open.add(reservation)
        return reservation

    def settle(self, reservation: Bounds, usage: Usage | None) -> None:
        """Replace a reservation by what was used.

        Args:
            reservation: What `reserve` returned; it can be settled once.
            usage: Tokens as the server counted them; None leaves it at its bound.
        """
        self._open.remove(reservation)
        bound = self._bound(reservation)
        self._reserved -= bound
        if usage is None:
            self._spent += bound
            return
        tokens = usage.input_tokens + usage.output_tokens
        used = Amount(tokens, parts_of(self._tariff.cost(usage)) if self._tariff else 0)
        self._spent += used
        self._compare(used, bound)

    def _compare(self, used: Amount, bound: Amount) -> None:
        """Note what was billed above a bound that a cap relies on."""
        above = Amount(max(0, used.tokens - bound.tokens), max(0, used.parts - bound.parts))
        over_tokens = self._max_tokens is not None and above.tokens > 0
        over_cost = self._max_cost is not None and above.parts > 0
        if over_tokens or over_cost:
            self._overbilled += 1
            self._over += above

    def _check_server(self, output_bound: int | None) -> None:
        excess = self.excess
        if excess is not None:
            dollars = "" if excess.dollars is None else f" ({show_dollars(excess.dollars)})"
            raise BudgetError(
                f"the server billed {excess.tokens:,} tokens{dollars} above what was reserved for"
                f" {excess.attempts:,} of its calls, so no cap can hold",
                code="E602",
                fix=("rubric-engine resume latest   # goes on, with the excess counted as spent",),
            )
        if output_bound is None and not (self._max_cost is None and self._max_tokens is None):
            raise BudgetError(
                "the server takes no limit for its answers, so no cap can hold",
                code="E603",
                fix=("grade without --max-cost and --max-tokens",),
            )

    def _fit(self, amount: Amount) -> None:
        after = self._spent + self._reserved + amount
        if self._max_tokens is not None and after.tokens > self._max_tokens:
            raise OverBudget(
                f"the next call may take {amount.tokens:,} tokens; of --max-tokens"
                f" {self._max_tokens:,}, {self._spent.tokens:,} are spent and"
                f" {self._reserved.tokens:,} reserved"
            )
        if self._max_cost is not None and after.parts > parts_of(self._max_cost):
            shown = [show_dollars(self._dollars(each)) for each in (amount, self._spent)]
            raise OverBudget(
                f"the next call may cost {shown[0]}; of --max-cost {show_dollars(self._max_cost)},"
                f" {shown[1]} are spent and {show_dollars(self.reserved_dollars)} reserved"
            )

    def _bound(self, bounds: Bounds) -> Amount:
        output = bounds.output_bound or 0
        cost = self._tariff.bound(bounds.input_bound, output) if self._tariff else 0.0
        return Amount(bounds.input_bound + output, parts_of(cost))

    def _so_far(self, spent: AlreadySpent) -> Amount:
        """What a run has cost; tokens that were paid without a price count at the dearest."""
        tokens = spent.usage
        dollars = spent.dollars
        if spent.unpriced and self._tariff is not None:
            dollars += self._tariff.bound(tokens.input_tokens, tokens.output_tokens)
        return Amount(tokens.input_tokens + tokens.output_tokens, parts_of(dollars))

    def _dollars(self, amount: Amount) -> float | None:
        return None if self._tariff is None else amount.parts / PARTS
