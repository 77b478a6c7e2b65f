"""When an attempt is made again, and after how long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import tenacity

from rubric_engine.model import Usage
from rubric_engine.models.faults import AttemptFault
from rubric_engine.models.kinds import RETRIED
from rubric_engine.recall import waiting

_BACKOFF = tenacity.wait_random_exponential(multiplier=0.5, max=60)


class Patience(NamedTuple):
    """How long a call may go on without an answer.

    Attributes:
        waits: Most seconds between its attempts, in all.
        spent: Most seconds of failed attempts and of the waits between them; a later attempt does
            not start. The time in the limiter's queue is not the endpoint's fault.
    """

    waits: float
    spent: float


@dataclass(frozen=True)
class Waiting:
    """A wait between two attempts.

    Attributes:
        endpoint: Whose answer is missing.
        why: What went wrong, in a few words.
        attempt: Number of the attempt that comes next.
        seconds: How long it takes.
        until: When it ends, by the monotonic clock.
    """

    endpoint: str
    why: str
    attempt: int
    seconds: float
    until: float


@dataclass(eq=False)
class CallState:
    """What all attempts of one call share.

    Attributes:
        endpoint: Who is asked.
        waited: Seconds it has waited between attempts.
        failed: Seconds that its failed attempts took, each from its slot on.
        usage: Tokens over all attempts, as far as the server counted them.
        waiting: The wait that it is in, or None.
    """

    endpoint: str
    waited: float = 0.0
    failed: float = 0.0
    usage: Usage | None = None
    waiting: Waiting | None = None

    def used(self, usage: Usage | None) -> None:
        """Add what an attempt used."""
        if usage is not None:
            self.usage = usage if self.usage is None else self.usage + usage

    def waits(self, seconds: float, fault: AttemptFault, attempt: int) -> None:
        """Take note of a wait that begins."""
        self.waited += seconds
        until = time.monotonic() + seconds
        self.waiting = Waiting(self.endpoint, fault.brief, attempt, seconds, until)


def attempts(
    call: CallState,
    *,
    patience: Callable[[AttemptFault], Patience],
    worth: Callable[[AttemptFault], bool],
) -> tenacity.AsyncRetrying:
    """Return the loop over the attempts of a call.

    It ends with the last fault where that is not worth another attempt, or where the patience with
    it does not reach to one.

    Args:
        call: The call; its waits are noted there.
        patience: How long the call may go on after a fault.
        worth: Whether another attempt makes sense after a fault of a kind that may pass.
    """

    def stop(state: tenacity.RetryCallState) -> bool:
        most, spent = patience(_fault(state)), call.failed + call.waited
        return call.waited + state.upcoming_sleep > most.waits or spent > most.spent

    def note(state: tenacity.RetryCallState) -> None:
        call.waits(state.upcoming_sleep, _fault(state), state.attempt_number + 1)

    return tenacity.AsyncRetrying(
        retry=tenacity.retry_if_exception(
            lambda error: isinstance(error, AttemptFault) and error.kind in RETRIED and worth(error)
        ),
        wait=_wait,
        stop=stop,
        before_sleep=note,
        sleep=_sleep,
        reraise=True,
    )


async def _sleep(seconds: float) -> None:
    async with waiting():
        await asyncio.sleep(seconds)


def _fault(state: tenacity.RetryCallState) -> AttemptFault:
    error = state.outcome.exception() if state.outcome is not None else None
    assert isinstance(error, AttemptFault), error  # nothing else is tried again
    return error


def _wait(state: tenacity.RetryCallState) -> float:
    asked, backoff = _fault(state).wait, _BACKOFF(state)
    if asked is None:
        return backoff
    # Those who were all told the same wait should not come back all at once, and a server that
    # says "now" each time is not to be hammered.
    wait = asked + min(backoff, asked * 0.1)
    return wait if state.attempt_number == 1 else max(wait, backoff)
