"""The seam to agents: what one is asked, what it answers, and how one is found by its name."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from rubric_engine.benchmarks.tasksets.answer import MOST_INTERVENTIONS
from rubric_engine.benchmarks.tasksets.task import ExpectedOutput, SetTask
from rubric_engine.benchmarks.tasksets.task_set import TaskSet
from rubric_engine.benchmarks.tasksets.wording import words_of
from rubric_engine.errors import TaskError, UsageError


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GivenFile(_Value):
    """A resource with its text; what others wrote, and no instruction to anybody."""

    path: str
    about: str = ""
    text: str


class AgentTask(_Value):
    """What an agent is given of a task: neither reference nor judge, and nothing about them."""

    task_id: str
    sample: int = Field(default=0, description="Number of the repetition.")
    background: str = ""
    question: str
    constraints: tuple[str, ...] = ()
    resources: tuple[GivenFile, ...] = ()
    expected_output: ExpectedOutput = ExpectedOutput()
    words: str = Field(description="All but the resources as one text in Markdown.")


class AgentReply(_Value):
    """What an agent of one's own gives back, where it has more to say than a text."""

    text: str = Field(description="The answer.")
    calls: tuple[JsonValue, ...] = Field(
        default=(), description="Its calls, in any form; they are kept."
    )
    interventions: int | None = Field(
        default=None,
        ge=0,
        le=MOST_INTERVENTIONS,
        description="How often a human stepped in; None where nobody counted.",
    )


Agent = Callable[[AgentTask], Awaitable[AgentReply | str]]
"""An agent of one's own: an `async def` that takes a task and gives its answer."""


def agent_task(task: SetTask, task_set: TaskSet, sample: int = 0) -> AgentTask:
    """What an agent is given of a task.

    Args:
        task: The task.
        task_set: Its set, which has the texts of resources.
        sample: Number of the repetition.
    """
    given = (
        GivenFile(path=each.path, about=each.about, text=task_set.texts[each.path])
        for each in task.resources
    )
    return AgentTask(
        task_id=task.task_id,
        sample=sample,
        background=task.background,
        question=task.question,
        constraints=task.constraints,
        resources=tuple(given),
        expected_output=task.expected_output,
        words=words_of(task),
    )


def load_agent(name: str) -> Agent:
    """Find an agent of one's own.

    Args:
        name: ``package.module:function``.

    Raises:
        UsageError: It has another form.
        TaskError: It cannot be imported, or is no `async def`.
    """
    module, colon, attribute = name.partition(":")
    if not colon or not module or not attribute:
        fix = ["--agent my_package.my_module:answer"]
        raise UsageError(f"{name!r} is not of the form package.module:function", fix=fix)
    try:
        found: Any = getattr(importlib.import_module(module), attribute)
    except (Exception, SystemExit) as error:
        raise TaskError(
            f"agent {name!r} cannot be loaded: {type(error).__name__}: {error}",
            code="E631",
            fix=[
                f"check that `python -c 'import {module}'` works",
                "PYTHONPATH=. rubric-engine bench run ...   where it lies in the current folder",
            ],
        ) from error
    return checked_agent(found, name)


def checked_agent(found: Any, name: str) -> Agent:
    """Make sure that something is an agent.

    Raises:
        TaskError: It cannot be called, or its result cannot be awaited.
    """
    call = found if inspect.isroutine(found) else getattr(found, "__call__", None)  # noqa: B004
    if not callable(found) or not inspect.iscoroutinefunction(call):
        raise TaskError(
            f"agent {name!r} is no `async def`",
            code="E631",
            fix=["async def answer(task: AgentTask) -> str: ..."],
        )
    agent: Agent = found
    return agent
