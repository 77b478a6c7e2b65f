"""The account of a run: what all its models have spent and reserved, and the caps on it."""

from __future__ import annotations

from rubric_engine.errors import BudgetError
from rubric_engine.model import ModelConfig, OverBudget
from rubric_engine.recall import call_back
from rubric_engine.reserved import Excess
from rubric_engine.spending.amounts import PARTS, AlreadySpent, Amount, exact, parts_of
from rubric_engine.spending.caps import check_caps
from rubric_engine.spending.dollars import show_cap, show_excess, show_least, show_most
from rubric_engine.spending.tariff import Tariff


class Account:
    """Holds spent plus reserved under the caps, for every model that joins it.

    Not safe across threads: one event loop uses it.

    Args:
        max_cost: Most dollars of the run, over all its resumes; None for no such cap.
        max_tokens: Most tokens of the run, prompts and answers together; None for no such cap.
        spent: What the run has cost so far.
    """

    def __init__(
        self,
        *,
        max_cost: float | None = None,
        max_tokens: int | None = None,
        spent: AlreadySpent | None = None,
    ) -> None:
        self._max_cost = max_cost
        self._max_tokens = max_tokens
        self._unpriced: list[AlreadySpent] = []
        self._tariffs: list[Tariff] = []
        self._unpriced_parts = 0
        self._settled = Amount()
        self._reserved = Amount()
        self._priced = False
        self._over = Amount()
        self._overbilled = 0
        self._lost = 0
        self._lost_amount = Amount()
        if spent is not None:
            self.include(spent)

    def include(self, spent: AlreadySpent) -> None:
        """Count what a run that spends from here has cost before."""
        self._settled += _so_far(spent)
        self._priced |= spent.dollars > 0
        self._lost += spent.uncounted
        self._lost_amount += Amount(spent.uncounted_tokens, parts_of(spent.uncounted_dollars))
        if spent.unpriced:
            self._unpriced.append(spent)
            self._count_unpriced()

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
        """What a server billed above a reservation; None where none ever did."""
        if not self._overbilled:
            return None
        return Excess(self._overbilled, self._over.tokens, self._dollars(self._over))

    def join(self, config: ModelConfig, tariff: Tariff | None) -> None:
        """Let a model spend from here.

        Args:
            config: The model that is asked.
            tariff: What it costs; None where no price is known.

        Raises:
            UsageError: The caps could not hold for it: it has no price, or nothing limits its
                answers.
        """
        check_caps(config, tariff, self._max_cost, self._max_tokens)
        if tariff is None:
            return
        self._priced = True
        if tariff not in self._tariffs:
            self._tariffs.append(tariff)
        self._count_unpriced()

    def _count_unpriced(self) -> None:
        """Price attempts without a price: nobody knows whose they were, and the dearest counts."""
        self._unpriced_parts = sum(
            max(
                (
                    parts_of(tariff.bound(each.usage.input_tokens, each.usage.output_tokens))
                    for tariff in self._tariffs
                ),
                default=0,
            )
            for each in self._unpriced
        )

    def reserve(self, amount: Amount, *, bounded: bool) -> None:
        """Set the most that an attempt may cost aside.

        Args:
            amount: The most.
            bounded: Whether the server takes a limit for its answer.

        Raises:
            OverBudget: The attempt could pass a cap now. Attempts under way may give something
                back when they settle.
            BudgetError: No cap can hold any more: a server bills above its reservations, or takes
                no limit for its answers.
        """
        self._check_server(bounded=bounded)
        self._fit(amount)
        self._reserved += amount

    def settle(self, bound: Amount, used: Amount | None) -> None:
        """Replace what was reserved by what was used; None leaves it at its bound."""
        self._reserved -= bound
        self._settled += bound if used is None else used
        if used is not None:
            self._compare(used, bound)

    @property
    def _spent(self) -> Amount:
        return self._settled + Amount(parts=self._unpriced_parts)

    def _compare(self, used: Amount, bound: Amount) -> None:
        """Note what was billed above a bound that a cap relies on."""
        above = Amount(max(0, used.tokens - bound.tokens), max(0, used.parts - bound.parts))
        over_tokens = self._max_tokens is not None and above.tokens > 0
        over_cost = self._max_cost is not None and above.parts > 0
        if over_tokens or over_cost:
            self._overbilled += 1
            self._over += above
            call_back(self._overbilling())  # whoever waits would reserve only after the wait

    def _overbilling(self) -> BudgetError:
        over = show_excess(
            self._over.tokens if self._max_tokens is not None else 0,
            self._dollars(self._over) if self._max_cost is not None else None,
        )
        return BudgetError(
            f"the server billed {over} above what was reserved for {self._overbilled:,} of its"
            " calls, so no cap can hold",
            code="E602",
            fix=(
                "rubric-engine resume RUN   # goes on, with the excess counted as spent; the next"
                " excess stops it again",
            ),
        )

    def _check_server(self, *, bounded: bool) -> None:
        if self._overbilled:
            raise self._overbilling()
        if not bounded and not (self._max_cost is None and self._max_tokens is None):
            raise BudgetError(
                "the server takes no limit for its answers, so no cap can hold",
                code="E603",
                fix=(
                    "rubric-engine grade SUBMISSION ...   # without --max-cost and --max-tokens; no"
                    " answer is paid twice",
                ),
            )

    def _fit(self, amount: Amount) -> None:
        after = self._spent + self._reserved + amount
        if self._max_tokens is not None and after.tokens > self._max_tokens:
            left = self._max_tokens - (after.tokens - amount.tokens)
            raise OverBudget(
                f"the next call may take {amount.tokens:,} tokens; {max(0, left):,} are left of"
                f" --max-tokens {self._max_tokens:,}; {after.tokens:,} would do for it, and the"
                " rest may need more"
                + self._for_lost(self._lost_amount.tokens, f"{self._lost_amount.tokens:,} tokens"),
                fix=_more("--max-tokens", f"{after.tokens:,}"),
            )
        if self._max_cost is not None and after.parts > parts_of(self._max_cost):
            left = parts_of(self._max_cost) - (after.parts - amount.parts)
            enough, lost = show_most(exact(after.parts)), self._lost_amount.parts
            raise OverBudget(
                f"the next call may cost {show_most(exact(amount.parts))};"
                f" {show_least(exact(max(0, left)))} is left of --max-cost"
                f" {show_cap(self._max_cost)}; {enough} would do for it, and the rest may need"
                " more" + self._for_lost(lost, show_most(exact(lost))),
                fix=_more("--max-cost", enough),
            )

    def _for_lost(self, counted: int, most: str) -> str:
        """Nobody can tell whether a request that a kill cut off was paid: its bound counts."""
        if not counted:
            return ""
        requests = "1 request" if self._lost == 1 else f"{self._lost:,} requests"
        return f"; up to {most} of what is spent are {requests} whose usage is unknown"

    def _dollars(self, amount: Amount) -> float | None:
        return amount.parts / PARTS if self._priced else None


def _more(flag: str, least: str) -> str:
    return f"rubric-engine resume RUN {flag} N   # N from {least} on; pays only for what is missing"


def _so_far(spent: AlreadySpent) -> Amount:
    tokens = spent.usage
    return Amount(tokens.input_tokens + tokens.output_tokens, parts_of(spent.dollars))
