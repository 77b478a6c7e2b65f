"""Who answers and who judges, as results name them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rubric_engine.benchmarks.tasksets.agent import Agent, AgentTask, checked_agent, load_agent
from rubric_engine.benchmarks.tasksets.chat_agent import prompt_of
from rubric_engine.benchmarks.tasksets.judging import model_for
from rubric_engine.benchmarks.tasksets.results import AgentFacts, JudgeFacts
from rubric_engine.benchmarks.tasksets.task_set import TaskSet
from rubric_engine.candidate import load_candidate
from rubric_engine.errors import UsageError
from rubric_engine.judges.settings import check_model
from rubric_engine.model import ChatModel, ModelConfig


@dataclass(frozen=True)
class Asked:
    """An agent that is ready to be asked: one of one's own, or a chat model.

    Attributes:
        facts: Who it is.
        own: The agent of one's own.
        config: How the chat model is asked.
        model: A chat model of one's own, in place of an endpoint.
    """

    facts: AgentFacts
    own: Agent | None = None
    config: ModelConfig | None = None
    model: ChatModel | None = None


AnyAgent = str | Mapping[str, Any] | ModelConfig | ChatModel | Agent | Asked


def asked_of(agent: AnyAgent) -> Asked:
    """Make an agent ready.

    Args:
        agent: ``package.module:function``, an `async def`, the settings of a chat model, or one.

    Raises:
        UsageError: It is none of these.
        TaskError: It cannot be loaded.
    """
    if isinstance(agent, Asked):
        return agent
    if isinstance(agent, str):
        return _own(load_agent(agent), agent)
    if isinstance(agent, ModelConfig):
        return _chat(agent, None)
    if isinstance(agent, Mapping):
        check_model(agent)
        return _chat(ModelConfig.model_validate(agent), None)
    if isinstance(agent, ChatModel):
        return _chat(agent.config, agent)
    if not callable(agent):
        raise UsageError(
            f"an agent is a name, an async def or a chat model, not {agent!r:.80}",
            looked=["a text, a mapping, ModelConfig, ChatModel, or what can be called"],
            fix=[
                "'package.module:function'   names an `async def`",
                "{'name': MODEL, 'base_url': URL}   is a chat model",
            ],
        )
    name = getattr(agent, "__qualname__", type(agent).__qualname__)
    module = getattr(agent, "__module__", "")
    return _own(checked_agent(agent, name), f"{module}:{name}")


def _own(agent: Agent, name: str) -> Asked:
    return Asked(AgentFacts(name=name, kind="own", fingerprint=_digest(name)), own=agent)


def _chat(config: ModelConfig, model: ChatModel | None) -> Asked:
    prompt = prompt_of(AgentTask(task_id="", question="?", words=""), lambda _: "")
    said = [config.requested, [message.content for message in prompt]]
    facts = AgentFacts(
        name=config.name, kind="chat", fingerprint=_digest(said), base_url=config.base_url
    )
    return Asked(facts, config=config, model=model)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def judge_of(
    task_set: TaskSet, judge: str, model: Mapping[str, Any] | ChatModel
) -> tuple[JudgeFacts, tuple[ModelConfig, ...]]:
    """Who judges, and the models that it may ask.

    Args:
        task_set: The set; where no task of it asks a model, rules judge alone.
        judge: Name or path of the judge's card.
        model: Settings of its model in place of its card's, or a model of one's own.

    Raises:
        JudgeCardError: There is no such judge, or its card is wrong.
    """
    asking = [task for task in task_set if task.judge.asks_model]
    if not asking:
        return JudgeFacts(name="rules"), ()
    if isinstance(model, ChatModel):
        card = load_candidate(judge).judge.card
        return _facts(card.name or card.kind, card.fingerprint, (model.config.name,)), ()
    configs: dict[str, ModelConfig] = {}
    for settings in {json.dumps(model_for(task, model)): task for task in asking}:
        found = load_candidate(judge, model=json.loads(settings))
        configs |= {json.dumps(each.requested, sort_keys=True): each for each in found.models}
    card = load_candidate(judge, model=model).judge.card
    names = tuple(dict.fromkeys(each.name for each in configs.values()))
    return _facts(card.name or card.kind, card.fingerprint, names), tuple(configs.values())


def _facts(name: str, fingerprint: str, models: tuple[str, ...]) -> JudgeFacts:
    return JudgeFacts(name=name, fingerprint=fingerprint, models=models)
