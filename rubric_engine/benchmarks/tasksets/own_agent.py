"""Asking an agent of one's own, which may be anybody's code."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable
from itertools import islice
from typing import Any

from pydantic import ValidationError

from rubric_engine.benchmarks.tasksets.agent import Agent, AgentReply, AgentTask
from rubric_engine.benchmarks.tasksets.answer import AgentAnswer, of_text, without

_MOST_SAID = 500
_MOST_NESTED = 100
_GRACE_S = 2.0


async def ask_agent(
    tasks: Iterable[AgentTask],
    agent: Agent,
    *,
    width: int,
    retries: int,
    wanted: Callable[[], bool],
    time_limit: float | None = None,
) -> AsyncIterator[AgentAnswer]:
    """Ask an agent about tasks and yield each answer as it comes.

    Args:
        tasks: In the order of asking.
        agent: The agent.
        width: Most tasks at a time.
        retries: How often it is asked again about a task on which it breaks.
        wanted: Whether further answers are; once they are not, nothing more is asked.
        time_limit: Seconds that an answer may take, all tries together; None for no limit.
    """
    left, running = iter(tasks), set[asyncio.Task[AgentAnswer]]()
    try:
        while True:
            # Begun only once those before are taken: an agent that blocks the loop, or ends the
            # process, costs no answer that was given.
            for task in islice(left, width - len(running)) if wanted() else ():
                running.add(asyncio.create_task(_asked(task, agent, retries, time_limit)))
            if not running:
                return
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            running -= done
            for each in done:
                yield each.result()
    finally:
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _asked(
    task: AgentTask, agent: Agent, retries: int, time_limit: float | None
) -> AgentAnswer:
    """Ask an agent in a task of its own, so that what cancels the agent does not cancel us."""
    began = time.monotonic()
    tries = asyncio.create_task(_tries(task, agent, retries, began))
    try:
        await asyncio.wait({tries}, timeout=time_limit)
        if not tries.done():
            said = f"no answer within {time_limit:g} s"
            return without(task.task_id, task.sample, "timeout", said, seconds=_since(began))
        return tries.result()
    finally:
        if not tries.done():
            tries.cancel()
            await asyncio.wait({tries}, timeout=_GRACE_S)
        elif not tries.cancelled():
            tries.exception()  # an interrupt goes its own way; asyncio would print it as well


async def _tries(task: AgentTask, agent: Agent, retries: int, began: float) -> AgentAnswer:
    left = retries
    while True:
        try:
            return _answer(task, _reply(await agent(task)), began)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  # whatever it raises is its own
            # Where we cancel it, or its coroutine is closed, nobody waits for another try.
            if not left or _is_ending(error):
                said = _words(error)
                return without(task.task_id, task.sample, "broke", said, seconds=_since(began))
            left -= 1


def _is_ending(error: BaseException) -> bool:
    task = asyncio.current_task()
    return isinstance(error, GeneratorExit) or (task is not None and task.cancelling() > 0)


def _since(began: float) -> float:
    return time.monotonic() - began


def _answer(task: AgentTask, reply: AgentReply, began: float) -> AgentAnswer:
    return of_text(
        task.task_id,
        task.sample,
        reply.text,
        task.expected_output,
        seconds=_since(began),
        calls=reply.calls,
        interventions=reply.interventions,
    )


def _words(error: BaseException) -> str:
    try:
        said = str(error)
    except Exception:  # noqa: BLE001  # its code as well
        said = "(what it says cannot be read)"
    # A lone surrogate could not be kept.
    plain = f"{type(error).__name__}: {said[:_MOST_SAID]}".encode(errors="backslashreplace")
    return plain.decode()[:_MOST_SAID]


def _reply(said: object) -> AgentReply:
    """What an agent gave, checked even where it is an `AgentReply`, which can be made unchecked."""
    if isinstance(said, str):
        return AgentReply(text=said)
    if isinstance(said, AgentReply):
        said = {name: getattr(said, name) for name in AgentReply.model_fields}
    if not isinstance(said, dict):
        kind = type(said).__name__
        raise TypeError(f"an agent gives a text or an AgentReply, not {kind}")
    try:
        return AgentReply.model_validate(said | {"calls": _plain(said.get("calls", ()))})
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)[0]
        name = ".".join(map(str, wrong["loc"]))
        raise ValueError(f"this is no AgentReply: {name}: {wrong['msg']}") from None


def _plain(calls: Any) -> tuple[Any, ...]:
    """Calls as JSON that every reader takes, for they are kept.

    Raises:
        ValueError: They are nested so deep that readers would not.
    """
    plain = json.loads(json.dumps(list(calls)), parse_constant=str)
    level = plain
    for _ in range(_MOST_NESTED):
        level = [inner for each in level for inner in _within(each)]
        if not level:
            return tuple(plain)
    raise ValueError(f"its calls are nested more than {_MOST_NESTED} deep")


def _within(value: object) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
