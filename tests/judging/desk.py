"""Shared by the tests of grading by a chat model: rubrics, and prompts taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rubric_engine import Criterion, Rubric, Task
from rubric_engine.testing import Request

_CRITERION = re.compile(r"^CRITERION \([^)]*\): (.*)$", re.MULTILINE)


def leaf(key: str, text: str = "", **more: Any) -> Criterion:
    """A leaf about code; its text names it."""
    fields = {"key": key, "id": key, "requirements": text or f"leaf {key} is there"}
    return Criterion.model_validate(fields | {"task_category": "Code Development"} | more)


def task(groups: Mapping[str, Sequence[Criterion]], paper: str = "We take steps.") -> Task:
    """A root with groups of leaves."""
    pairs: list[tuple[str | None, Criterion]] = [(None, _group("root"))]
    for name, leaves in groups.items():
        pairs.append(("root", _group(name)))
        pairs += [(name, each) for each in leaves]
    return Task(name="t", rubric=Rubric.build(pairs), paper=paper)


def _group(key: str) -> Criterion:
    return Criterion(key=key, id=key, requirements=f"group {key} is right")


def asked_about(request: Request) -> str:
    """The text of the criterion that a request is about, also where an answer is to be repaired."""
    return str(_CRITERION.findall(request.question)[-1])


def outside_fences(messages: Sequence[str], code: str) -> str:
    """All text of a prompt that stands in no fence; fails where fences do not pair up.

    Args:
        messages: Contents of the messages behind the instructions.
        code: The code of the fences.
    """
    return "\n".join(line for text in messages for line in _outside(text, code))


def _outside(text: str, code: str) -> Iterator[str]:
    opened = None
    for line in text.split("\n"):
        fence = re.fullmatch(rf"<<<(end )?(.+) {code}>>>", line)
        if fence is None:
            if opened is None:
                yield line
        elif fence[1]:
            assert opened == fence[2], f"{line} closes {opened}"
            opened = None
        else:
            assert opened is None, f"{line} within {opened}"
            opened = fence[2]
    assert opened is None, f"{opened} is never closed"


def fence_code(instructions: str) -> str:
    """The code that the instructions name."""
    return instructions.split("<<<name ")[1].split(">>>")[0]
