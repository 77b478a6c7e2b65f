"""Asking an agent of one's own, which may be anybody's code."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable
from itertools import islice

from pydantic import ValidationError

from rubric_engine.benchmarks.tasksets.agent import Agent, AgentReply, AgentTask
from rubric_engine.benchmarks.tasksets.answer import AgentAnswer, of_text, without

_MOST_SAID = 500


async def ask_agent(
    tasks: Iterable[AgentTask],
    agent: Agent,
    *,
    width: int,
    retries: int,
    wanted: Callable[[], bool],
) -> AsyncIterator[AgentAnswer]:
    """Ask an agent about tasks and yield each answer as it comes.

    Args:
        tasks: In the order of asking.
        agent: The agent.
        width: Most tasks at a time.
        retries: How often it is asked again about a task on which it breaks.
        wanted: Whether further answers are; once they are not, nothing more is asked.
    """
    left, running = iter(tasks), set[asyncio.Task[AgentAnswer]]()
    try:
        while True:
            # Begun only once those before are taken: an agent that blocks the loop, or ends the
            # process, costs no answer that was given.
            for task in islice(left, width - len(running)) if wanted() else ():
                running.add(asyncio.create_task(_asked(task, agent, retries)))
            if not running:
                return
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                running.remove(each)
                yield each.result()
    finally:
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _asked(task: AgentTask, agent: Agent, retries: int) -> AgentAnswer:
    began = time.monotonic()
    for left in range(retries, -1, -1):
        try:
            reply = _reply(await agent(task))
        except (KeyboardInterrupt, asyncio.CancelledError):
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever it raises is its own
            if left:
                continue
            said = f"{type(error).__name__}: {error}"[:_MOST_SAID]
            seconds = time.monotonic() - began
            return without(task.task_id, task.sample, "broke", said, seconds=seconds)
        return of_text(
            task.task_id,
            task.sample,
            reply.text,
            task.expected_output,
            seconds=time.monotonic() - began,
            calls=reply.calls,
            interventions=reply.interventions,
        )
    raise AssertionError("the last try returns")


def _reply(said: object) -> AgentReply:
    if isinstance(said, AgentReply):
        # Whatever is kept must be JSON that every reader takes.
        calls = json.loads(json.dumps(list(said.calls)), parse_constant=str)
        return said.model_copy(update={"calls": tuple(calls)})
    if isinstance(said, str):
        return AgentReply(text=said)
    try:
        return AgentReply.model_validate(said)
    except ValidationError:
        kind = type(said).__name__
        raise TypeError(f"an agent gives a text or an AgentReply, not {kind}") from None
