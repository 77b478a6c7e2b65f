"""What a plan is: groups of leaves, and the parts of a prompt that the leaves of a group share."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from rubric_engine.evidence.receipt import Receipt

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
        groups: The groups: one that extends another comes after it.
    """

    groups: tuple[Group, ...]

    def group_of(self, leaf: str) -> Group:
        """The group of a leaf.

        Raises:
            KeyError: The rubric has no such leaf.
        """
        return self._by_leaf[leaf]

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
