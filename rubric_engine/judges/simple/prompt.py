"""From a case and a plan to the messages of each leaf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from rubric_engine.case import Task
from rubric_engine.criterion import Criterion
from rubric_engine.evidence import Group, Own, Part, Shortlist
from rubric_engine.judges.simple.fence import neutral
from rubric_engine.judges.simple.templates import Templates
from rubric_engine.model import Message, text_hash

MOST_RANKED = 40
"""Files that a model is asked to name; of a prompt's room more would be of no use."""


class Prompts:
    """Renders the templates of one card for one task.

    Args:
        templates: The card's.
        task: The task; its paper and addenda come first in every prompt.
        nonce: Code in the fences, which the submission's author cannot know.
    """

    def __init__(self, templates: Templates, task: Task, nonce: str) -> None:
        self._templates = templates
        self._task = task
        self._nonce = nonce
        self._parts: dict[str, Message] = {}
        self._leaves: dict[str, Message] = {}

    @cached_property
    def head(self) -> tuple[Message, ...]:
        """What every prompt begins with: instructions, paper, addenda."""
        task = self._task
        addenda = [("addendum", task.addendum), ("notes for judges", task.judge_addendum)]
        addenda += [(f"attachment {name}", text) for name, text in sorted(task.attachments.items())]
        given = [(name, neutral(text)) for name, text in addenda if text]
        paper = neutral(task.paper) if task.paper else None
        return (
            Message(role="system", content=self._render("system")),
            Message(role="user", content=self._render("paper", paper=paper, addenda=given)),
        )

    def shared(self, group: Group) -> tuple[Message, ...]:
        """What the leaves of a group share behind the head; the same objects for all of them."""
        return self.parts(group.shared)

    def parts(self, parts: Sequence[Part]) -> tuple[Message, ...]:
        """Parts of the evidence, each between fences."""
        return tuple(self._part(part.name, part.text, part.sha256) for part in parts)

    def ranking(self, listed: Shortlist, path: Sequence[Criterion]) -> tuple[Message, ...]:
        """The prompt that has files ranked.

        Args:
            listed: The files.
            path: From the root down to the top of the subtree that they are for.
        """
        topic = self._render("topic", criterion=path[-1], ancestors=path[:-1])
        return (
            Message(role="system", content=self._render("rank", most=MOST_RANKED)),
            self._part("files", listed.text, text_hash(listed.text)),
            Message(role="user", content=topic),
        )

    def leaf(self, own: Own, question: str) -> Message:
        """What is the leaf's own; kept, for it is measured before it is sent."""
        key = own.criterion.key
        if key not in self._leaves:
            content = self._render(
                "leaf",
                criterion=own.criterion,
                ancestors=own.ancestors,
                siblings_before=own.siblings_before,
                depends_on=own.depends_on,
                category=own.criterion.task_category,
                question=question,
                steps=own.criterion.scale,
            )
            self._leaves[key] = Message(role="user", content=content)
        return self._leaves[key]

    def _part(self, name: str, text: str, sha: str) -> Message:
        key = f"{name} {sha}"
        if key not in self._parts:
            self._parts[key] = Message(
                role="user", content=self._render("part", part=name, text=neutral(text))
            )
        return self._parts[key]

    def _render(self, name: str, **values: Any) -> str:
        return self._templates.render(name, {"nonce": self._nonce, **values})


def longest_leaf(prompts: Prompts, owns: Sequence[Own], questions: Mapping[str, str]) -> str:
    """The longest text that is a leaf's own, for the room that is left to files."""
    texts = (prompts.leaf(own, questions[own.criterion.key]).content for own in owns)
    return max(texts, key=len, default="")


def question_of(leaf: Criterion, question: str) -> str:
    """The question about a leaf: its category's."""
    return question if not leaf.scale else f"{question} Give the score that fits best."
