"""A chat model as an agent: one prompt a task, through the ledger, errors as reasons."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rubric_engine.benchmarks.tasksets.agent import AgentTask
from rubric_engine.benchmarks.tasksets.answer import AgentAnswer, of_text, without
from rubric_engine.crew import Crew
from rubric_engine.judges.simple.fence import neutral
from rubric_engine.judges.simple.templates import Templates
from rubric_engine.model import ChatModel, Completion, Message, ModelFault, OverBudget, text_hash
from rubric_engine.streak import Listening

_PROMPTS = Path(__file__).parent / "prompts"
_NAMES = ("system", "resource", "task")

Nonce = Callable[[str], str]
"""Gives the code of fences by a hash; unknown to whoever wrote what stands between them."""


@cache
def _templates() -> Templates:
    files = {name: _PROMPTS / f"{name}.jinja2" for name in _NAMES}
    texts = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    return Templates(texts, files)


def prompt_of(task: AgentTask, nonce: Nonce) -> tuple[Message, ...]:
    """The prompt of a task: what many share first, the task last.

    Args:
        task: What an agent is given.
        nonce: Gives the code of the fences around resources.
    """
    render = _templates().render
    code = nonce(text_hash("\0".join(each.text for each in task.resources)))
    messages = [Message(role="system", content=render("system", {"nonce": code}))]
    for number, each in enumerate(task.resources, 1):
        values: dict[str, object] = {
            "number": number,
            "path": neutral(each.path),
            "about": neutral(each.about),
            "text": neutral(each.text),
            "nonce": code,
        }
        messages.append(Message(role="user", content=render("resource", values)))
    values = {"task_id": task.task_id, "words": task.words}
    messages.append(Message(role="user", content=render("task", values)))
    return tuple(messages)


@dataclass(frozen=True)
class _Said:
    """How a call ended."""

    answer: AgentAnswer
    fault: ModelFault | None


@dataclass(frozen=True)
class _Ask:
    """One call about one task; see `rubric_engine.crew.Work`."""

    task: AgentTask
    nonce: Nonce
    after: str | None = None

    @property
    def prefix(self) -> str:
        """Every prompt stands alone: nobody waits for another."""
        return f"{self.task.task_id} {self.task.sample}"

    async def run(self, model: Listening, sample: int) -> _Said:
        """Make the call."""
        began = time.monotonic()
        messages = prompt_of(self.task, self.nonce)
        try:
            came = await model.complete(messages, schema=None, sample=self.task.sample)
        except OverBudget:
            raise
        except ModelFault as fault:
            return _Said(self._fault(fault, time.monotonic() - began), fault)
        return _Said(self._answer(came, time.monotonic() - began), None)

    def _answer(self, came: Completion, seconds: float) -> AgentAnswer:
        return of_text(
            self.task.task_id,
            self.task.sample,
            came.text,
            self.task.expected_output,
            seconds=None if came.replayed else seconds,
            calls=(came.key,) if came.key else (),
            interventions=0,
        )

    def _fault(self, fault: ModelFault, seconds: float) -> AgentAnswer:
        return without(
            self.task.task_id,
            self.task.sample,
            fault.reason,
            fault.message,
            text=fault.text,
            seconds=None if fault.replayed else seconds,
            calls=(fault.key,) if fault.key else (),
            interventions=0,
        )


async def ask_model(
    tasks: Iterable[AgentTask], model: ChatModel, nonce: Nonce, *, wanted: Callable[[], bool]
) -> AsyncIterator[AgentAnswer]:
    """Ask a chat model about tasks and yield each answer as it comes.

    Args:
        tasks: In the order of asking.
        model: Whom to ask; it keeps to its width itself.
        nonce: Gives the code of fences around resources.
        wanted: Whether further answers are; once they are not, nothing more is asked.

    Raises:
        RubricEngineError: The run must stop: no credentials, budget, or provider. What has ended
            was yielded before.
    """
    crew = Crew[_Ask, _Said]([_Ask(task, nonce) for task in tasks], model, 0)
    try:
        while crew.start():
            for _, said in await crew.finished():
                yield said.answer
            if not wanted():
                crew.halt()
    finally:
        await crew.dismiss()
    if crew.stop is not None:
        raise crew.stop
