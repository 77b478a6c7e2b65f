"""The shipped example set, and a scripted model that answers and judges it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from rubric_engine.testing import Reply, Request

ROOT = Path(__file__).parents[3]
TASKS = ROOT / "examples" / "tasks"

EVERY_FIFTH = {5 * at: ("500", "503")[at % 2] for at in range(1, 100)}
"""Faults by number of the request: exactly a fifth of every five."""


def scripted() -> Callable[[Request], Reply]:
    """What the scripted model says; each judgement of a criterion has its own turn."""
    script = json.loads((TASKS / "scripted.json").read_text(encoding="utf-8"))
    asked: Counter[str] = Counter()

    def say(request: Request) -> Reply:
        if task := re.match(r"# Task (\S+)", request.question):
            answer = script["answers"][task[1]]
            return Reply(answer, refusal=None if answer else "I would rather not say.")
        criterion = request.question.split("CRITERION (")[1].split("): ")[1]
        name = next(name for name in script["judgements"] if criterion.startswith(name))
        turns = script["judgements"][name]
        said = turns[asked[name] % len(turns)]
        asked[name] += 1
        verdict = {"met": said} if isinstance(said, bool) else {"score": said}
        found = {"expectations": "", "findings": "", "citations": [], "searched": ["answer.md"]}
        return Reply(found | verdict)

    return say


def task(**more: object) -> dict[str, object]:
    """A task that is right, with some keys in place of its own."""
    return {
        "task_id": "a",
        "phase": "writing",
        "domain": "physics",
        "difficulty": "easy",
        "question": "What is it?",
        "judge": {"method": "rules", "rules": [{"name": "contains", "text": "x"}]},
    } | more
