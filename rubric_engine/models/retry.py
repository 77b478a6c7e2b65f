"""When an attempt is made again, and after how long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import tenacity

from rubric_engine.model import Usage
from rubric_engine.models.faults import Fault
from rubric_engine.models.kinds import RETRIED

_BACKOFF = tenacity.wait_random_exponential(multiplier=0.5, max=60)


@dataclass
class Call:
    """What all attempts of one call share.

    Attributes:
        waited: Seconds it has waited between attempts.
        usage: Tokens over all attempts, as far as the server counted them.
    """

    waited: float = 0.0
    usage: Usage | None = None

    def used(self, usage: Usage | None) -> None:
        """Add what an attempt used."""
        if usage is not None:
            self.usage = usage if self.usage is None else self.usage + usage


def attempts(
    call: Call, *, max_wait: float, timeout: float, worth: Callable[[Fault], bool]
) -> tenacity.AsyncRetrying:
    """Return the loop over the attempts of a call.

    It ends with the last fault where that is not worth another attempt, where the next wait would
    make the call wait more than `max_wait` in all, or where its attempts alone took longer than
    that and one more time limit.

    Args:
        call: The call; its waits are added up there.
        max_wait: Longest wait of the call, in seconds.
        timeout: Time limit of one attempt, in seconds.
        worth: Whether another attempt makes sense after a fault of a kind that may pass.
    """

    def stop(state: tenacity.RetryCallState) -> bool:
        spent = state.seconds_since_start or 0.0
        return call.waited + state.upcoming_sleep > max_wait or spent > max_wait + timeout

    def note(state: tenacity.RetryCallState) -> None:
        call.waited += state.upcoming_sleep

    return tenacity.AsyncRetrying(
        retry=tenacity.retry_if_exception(
            lambda error: isinstance(error, Fault) and error.kind in RETRIED and worth(error)
        ),
        wait=_wait,
        stop=stop,
        before_sleep=note,
        reraise=True,
    )


def _wait(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome is not None else None
    asked = error.wait if isinstance(error, Fault) else None
    backoff = _BACKOFF(state)
    if asked is None:
        return backoff
    # Those who were all told the same wait should not come back all at once, and a server that
    # says "now" each time is not to be hammered.
    wait = asked + min(backoff, asked * 0.1)
    return wait if state.attempt_number == 1 else max(wait, backoff)
