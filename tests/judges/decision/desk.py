"""Shared by the tests of DecisionJudge: a rubric of all categories, and a run of the script."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rubric_engine import Criterion, JudgeCard, Rubric, Task
from rubric_engine.isolation import Execution, Log
from rubric_engine.testing import FakeSandbox

PROMPTS = Path(__file__).parents[3] / "judges" / "decision"
CATEGORIES = ("Code Development", "Code Execution", "Result Analysis")
STEPS = [{"score": 1, "says": "yes"}, {"score": 0, "says": "no"}, {"score": 0.5, "says": "half"}]
RAN = FakeSandbox(
    Execution(
        status="ok", exit_code=0, log=Log(head="step 1 of the log\n"), created=("out.csv",),
        sandbox="fake", isolates=True,
    )
)  # fmt: skip
FILES: dict[str, str | bytes] = {
    "a.py": "def step(x):\n    return x\n",
    "README.md": "# Steps\n",
    "reproduce.sh": "python a.py\n",
    "out.csv": "k,v\n1,2\n",
}


def leaf(number: int, **more: Any) -> Criterion:
    """A leaf; its category goes by its number."""
    key = f"leaf{number}"
    text = f"thing ({number}) is there"
    fields = {"key": key, "id": key, "requirements": text, "task_category": CATEGORIES[number % 3]}
    return Criterion.model_validate(fields | more)


def task(leaves: Sequence[Criterion], **more: Any) -> Task:
    """A root, one group, and the leaves below."""
    top = Criterion(key="root", id="root", requirements="the paper is reproduced")
    group = Criterion(key="group", id="group", requirements="the group of all is right")
    pairs: list[tuple[str | None, Criterion]] = [(None, top), ("root", group)]
    rubric = Rubric.build([*pairs, *(("group", each) for each in leaves)])
    return Task(name="t", rubric=rubric, paper="We take steps.", **more)


def task_of(leaves: int) -> Task:
    """A task with so many leaves."""
    return task([leaf(number) for number in range(leaves)])


def asking(url: str, transport: str = "openai", **limits: Any) -> JudgeCard:
    """A card whose model is asked at an address, one request at a time, at a price."""
    prompts = {
        name: str(PROMPTS / f"{name}.jinja2") for name in ("system", "paper", "part", "leaf")
    }
    model = {"name": "some", "base_url": url, "key_env": "NO_SUCH_KEY", "max_wait": 0}
    model |= {"max_connections": 1, "price": {"input": 0.1, "output": 0}}
    return JudgeCard.model_validate(
        {
            "kind": "decision",
            "name": "asking",
            "model": model,
            "requests": {"transport": transport, **limits},
            "prompts": prompts,
        }
    )
