"""What is settled before a set is run: the agent, the keys, the folder, the cost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.benchmarks.tasksets.identity import Asked
    from rubric_engine.benchmarks.tasksets.results import Settings
    from rubric_engine.benchmarks.tasksets.task_set import TaskSet

REMARK = "judging answers that are still to come is priced with 3,000 characters each"
"""Said beside an estimate, for nobody knows answers before they are given."""

_LONGEST = 100
_FILES = (".yaml", ".yml", ".json")


def agent_of(
    own: str | None, model: str | None, base_url: str | None, pace: Mapping[str, float | None]
) -> Asked:
    """The agent that flags name.

    Args:
        own: Value of `--agent`.
        model: Value of `--agent-model`.
        base_url: Its endpoint.
        pace: Values of `--max-wait` and `--max-connections`.

    Raises:
        UsageError: None is named, or two are.
    """
    from rubric_engine.benchmarks.tasksets.identity import asked_of
    from rubric_engine.cli.inputs import model_settings
    from rubric_engine.errors import TaskError, UsageError
    from rubric_engine.model import ModelConfig
    from rubric_engine.rubric_file import load_model

    if (own is None) == (model is None):
        raise UsageError(
            "give --agent-model or --agent, and not both",
            fix=["--agent-model NAME   a chat model", "--agent package.module:function"],
        )
    if own is not None:
        return asked_of(own)
    assert model is not None
    if not model.endswith(_FILES):
        return asked_of(model_settings(model, base_url, None, **pace))
    given = load_model(Path(model), ModelConfig, error=TaskError, code="E631")
    flags = model_settings(None, base_url, None, **pace)
    return asked_of(ModelConfig.model_validate(given.model_dump(exclude_unset=True) | flags))


def find_keys(task_set: TaskSet, agent: Asked, judge: str, model: Mapping[str, Any]) -> None:
    """Make sure that there is a key for every model that will be asked.

    Raises:
        CredentialsError: There is none.
        JudgeCardError: There is no such judge, or its card is wrong.
    """
    from rubric_engine.benchmarks.tasksets.identity import judge_of
    from rubric_engine.models.credentials import find_key

    _, configs = judge_of(task_set, judge, model)
    for config in (*([agent.config] if agent.config is not None else []), *configs):
        find_key(config)


def folder_of(name: str, agent: Asked, settings: Settings) -> Path:
    """Where results are kept by default: ./results, under a name that is one for any system."""
    parts = [name, agent.facts.name, *settings.filters]
    parts += [f"limit-{settings.limit}"] if settings.limit else []
    parts += [f"samples-{settings.samples}"] if settings.samples > 1 else []
    plain = re.sub(r"[^\w.-]+", "-", " ".join(parts)).strip("-.")
    return Path("results") / (plain[:_LONGEST] or "task-set")


def require_begun(folder: Path) -> None:
    """Make sure that there is a run to go on with.

    Raises:
        UsageError: There is none.
    """
    from rubric_engine.benchmarks.results_folder import RESULTS
    from rubric_engine.errors import UsageError
    from rubric_engine.lookup import is_file

    if not is_file(folder / RESULTS):
        raise UsageError(
            f"there is no run to go on with in {folder}",
            code="E636",
            looked=[f"looked for {folder / RESULTS}"],
            fix=["leave --resume out to begin one", "-o DIR   names the folder of another"],
        )
