"""The prompts of both passes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from rubric_engine.benchmarks.expbench.taxonomy.values import Cause, Failure
from rubric_engine.judges.simple.fence import neutral
from rubric_engine.judges.simple.templates import Templates
from rubric_engine.model import Message, text_hash

_PROMPTS = Path(__file__).parent / "prompts"
_NAMES = ("insights_system", "insights", "merging_system", "merging")

Nonce = Callable[[str], str]
"""Gives the code of fences by a hash; unknown to whoever wrote what stands between them."""


@cache
def _templates() -> Templates:
    files = {name: _PROMPTS / f"{name}.jinja2" for name in _NAMES}
    texts = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    return Templates(texts, files)


def insights_prompt(batch: Sequence[Failure], nonce: Nonce) -> tuple[Message, ...]:
    """The prompt of the first pass: some failures of one question."""
    code = nonce(text_hash("\0".join(leaf.requirements + leaf.explanation for leaf in batch)))
    leaves = [
        {
            "category": neutral(leaf.category),
            "requirements": neutral(leaf.requirements),
            "explanation": neutral(leaf.explanation),
        }
        for leaf in batch
    ]
    values: dict[str, object] = {"task": batch[0].task, "leaves": leaves, "nonce": code}
    return _messages("insights", values, code)


def merging_prompt(
    causes: Iterable[Cause], batch: Sequence[Failure], nonce: Nonce
) -> tuple[Message, ...]:
    """The prompt of the second pass: the causes so far, and insights of some questions."""
    code = nonce(text_hash("\0".join(leaf.insight or "" for leaf in batch)))
    insights = [
        {"category": neutral(leaf.category), "insight": neutral(leaf.insight or "")}
        for leaf in batch
    ]
    named = [{"name": neutral(cause.name), "says": neutral(cause.says)} for cause in causes]
    return _messages("merging", {"causes": named, "insights": insights, "nonce": code}, code)


def _messages(name: str, values: dict[str, object], code: str) -> tuple[Message, ...]:
    render = _templates().render
    return (
        Message(role="system", content=render(f"{name}_system", {"nonce": code})),
        Message(role="user", content=render(name, values)),
    )
