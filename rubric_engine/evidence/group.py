"""What a plan is: groups of leaves, and the parts of a prompt that the leaves of a group share."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from rubric_engine.evidence.own import Own, own
from rubric_engine.evidence.receipt import Receipt
from rubric_engine.rubric import Rubric

PartName = Literal["docs", "code", "script", "produced", "log", "receipt"]

ORDER: tuple[PartName, ...] = ("docs", "code", "script", "produced", "log", "receipt")
"""The order of a prompt: what most groups share comes first."""


@dataclass(frozen=True)
class Part:
    """One shared block of a prompt.

    Attributes:
        name: What it holds.
        text: The text; empty where leaves may see such files and there are none.
    """

    name: PartName
    text: str

    @cached_property
    def sha256(self) -> str:
        """Hash of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True)
class Group:
    """Leaves of one category that are shown the same evidence.

    Attributes:
        category: The leaves' `task_category`.
        top: Key of the subtree that the leaves belong to.
        leaves: Their keys, in document order.
        shared: The blocks that they share, in the order of a prompt.
        receipt: What they are not shown.
    """

    category: str
    top: str
    leaves: tuple[str, ...]
    shared: tuple[Part, ...]
    receipt: Receipt

    def unranked(self, why: str) -> Group:
        """The same, with a receipt that says why no model ranked the files."""
        return replace(self, receipt=replace(self.receipt, unranked=why)) if why else self

    @cached_property
    def key(self) -> str:
        """Hash of what is shared: equal where prompts begin alike."""
        return hashlib.sha256(
            "\n".join(f"{part.name} {part.sha256}" for part in self.shared).encode()
        ).hexdigest()

    def extends(self, earlier: Iterable[Group]) -> str | None:
        """Key of the earlier group with which it has most of its first parts in common."""
        best, most = None, 0
        for other in earlier:
            common = _common(self.shared, other.shared)
            if common > most:
                best, most = other.key, common
        return best


@dataclass(frozen=True)
class Plan:
    """Who sees what.

    Attributes:
        rubric: The whole rubric.
        groups: The groups in the order to send them: one that extends another comes after it.
    """

    rubric: Rubric
    groups: tuple[Group, ...]

    def group_of(self, leaf: str) -> Group:
        """The group of a leaf.

        Raises:
            KeyError: The rubric has no such leaf.
        """
        return self._by_leaf[leaf]

    def own(self, leaf: str) -> Own:
        """What of the prompt is the leaf's own."""
        return own(self.rubric, leaf)

    @cached_property
    def extends(self) -> dict[str, str | None]:
        """For each group's key that of the group to send before it, so that its prefix is known.

        Every prompt begins with the instructions and the paper, so the first group, which alone
        has None, goes ahead of all.
        """
        before: dict[str, str | None] = {}
        for at, group in enumerate(self.groups):
            if group.key not in before:
                first = self.groups[0].key if at else None
                before[group.key] = group.extends(self.groups[:at]) or first
        return before

    @cached_property
    def _by_leaf(self) -> dict[str, Group]:
        return {leaf: group for group in self.groups for leaf in group.leaves}


def _common(left: Iterable[Part], right: Iterable[Part]) -> int:
    """Characters of the first parts that are the same."""
    common = 0
    for ours, theirs in zip(left, right, strict=False):
        if (ours.name, ours.sha256) != (theirs.name, theirs.sha256):
            break
        common += len(ours.text)
    return common
