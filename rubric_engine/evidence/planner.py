"""The plan: which leaves share which evidence. A pure function of rubric, files, log and room.

Where everything fits, all leaves of a category share one prefix. Where it does not, leaves are
grouped by subtree, and files are chosen for each subtree once for all categories that see code, so
that the prompts for Code Execution extend those for Code Development.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rubric_engine.categories import EvidenceKind
from rubric_engine.evidence.account import Choice
from rubric_engine.evidence.group import Group, Part, Plan
from rubric_engine.evidence.holdings import Holdings
from rubric_engine.evidence.partition import partition
from rubric_engine.evidence.receipt import Receipt
from rubric_engine.evidence.room import Room
from rubric_engine.evidence.select import Sees, Selector, Shares
from rubric_engine.evidence.shelf import Source
from rubric_engine.evidence.shortlist import Shortlist, shortlist
from rubric_engine.files import File
from rubric_engine.rubric import Rubric

Leaves = dict[str, list[str]]
"""Leaves by category."""


class Planner:
    """Plans for one rubric and one submission.

    Args:
        rubric: The whole rubric, never a view of what is still to be graded: groups that depend
            on what is pending would send other prompts after a resume.
        handed_in: The submission as handed in: code, documents and `reproduce.sh`.
        room: Room of a prompt.
        executed: The submission after the run; `handed_in` where it is None.
        produced: Paths of `executed` that the run produced.
        log: What the run printed; None where there was no run.
        not_taken: What the run left and nobody can read, for the receipt.
    """

    def __init__(
        self,
        rubric: Rubric,
        handed_in: Source,
        room: Room,
        *,
        executed: Source | None = None,
        produced: Collection[str] = (),
        log: str | None = None,
        not_taken: Collection[File] = (),
    ) -> None:
        self._rubric = rubric
        self._holdings = Holdings(rubric, handed_in, room, executed, produced, log, not_taken)
        self._selector = Selector(rubric, self._holdings)

    def plan(self, ranked: Mapping[str, Sequence[str]]) -> Plan:
        """Choose the evidence for every leaf.

        Args:
            ranked: For tops of `shortlists`, paths that somebody else ranked, the closest first;
                only hinted files come before them. It changes no group's leaves.
        """
        groups: list[Group] = []
        for sees, leaves in self._fitting.items():
            groups += _groups(leaves, self._rubric.root, self._selector.everything(sees))
        for family in self._families:
            groups += self._divided(family, ranked)
        return Plan(tuple(groups))

    def union(self) -> tuple[tuple[Part, ...], Receipt]:
        """One choice for all leaves, whatever each may see; its receipt says so.

        What is chosen where not all fits depends on the groups' texts and on hints alone, so that
        a leaf that is edited changes nothing.
        """
        sees = frozenset(sight for found in self._sights for sight in found)
        if self._selector.all_fits(sees):
            parts, receipt = self._selector.everything(sees)
        else:
            shares = self._selector.shares([sees], len(self._rubric.leaves()))
            topic = self._selector.topic(self._rubric.root, self._rubric.leaves())
            parts, receipt = self._selector.choice(sees, topic, shares)
        kinds = tuple(part.name for part in parts if part.name != "receipt")
        return parts, replace(receipt, union=kinds)

    def shortlists(self) -> Iterator[Shortlist]:
        """The files that there are to choose from, for every subtree that has a choice."""
        sights: dict[str, set[EvidenceKind]] = defaultdict(set)
        leaves: dict[str, list[str]] = defaultdict(list)
        for family in self._families:
            for top, inside in family.under.items():
                leaves[top] += inside
                sights[top].update(sight for sees in family.sights for sight in sees)
        for top in [key for key in self._rubric.order if key in leaves]:
            topic = self._selector.topic(top, leaves[top])
            found = shortlist(self._holdings, frozenset(sights[top]), topic)
            if len(found) > 1:
                yield Shortlist(top, tuple(leaves[top]), found)

    @cached_property
    def _sights(self) -> dict[Sees, Leaves]:
        """Leaves by what they may see; what sees less comes first, for others may extend it."""
        sights: dict[Sees, Leaves] = defaultdict(lambda: defaultdict(list))
        for leaf in self._rubric.leaves():
            sees = frozenset(self._rubric.category_of(leaf).sees)
            sights[sees][self._rubric[leaf].task_category or ""].append(leaf)
        return {sees: sights[sees] for sees in sorted(sights, key=_simplest_first)}

    @cached_property
    def _fitting(self) -> dict[Sees, Leaves]:
        return {
            sees: leaves for sees, leaves in self._sights.items() if self._selector.all_fits(sees)
        }

    @cached_property
    def _families(self) -> list[_Family]:
        """Leaves that choose from the same files, where these do not all fit."""
        families: dict[Sees, dict[Sees, Leaves]] = defaultdict(dict)
        for sees, leaves in self._sights.items():
            if sees not in self._fitting:
                families[sees & {"docs", "code"}][sees] = leaves
        return [self._family(sights) for sights in families.values()]

    def _family(self, sights: dict[Sees, Leaves]) -> _Family:
        leaves = [leaf for found in sights.values() for some in found.values() for leaf in some]
        shares = self._selector.shares(sights, len(leaves))
        top_of = partition(self._rubric, leaves, shares.most_groups)
        under: dict[str, list[str]] = defaultdict(list)
        for leaf in leaves:
            under[top_of[leaf]].append(leaf)
        return _Family(
            sights, shares, {key: under[key] for key in self._rubric.order if key in under}
        )

    def _divided(self, family: _Family, ranked: Mapping[str, Sequence[str]]) -> Iterator[Group]:
        """Groups by subtree; the same subtrees for all that choose from the same files."""
        for top, leaves in family.under.items():
            topic = self._selector.topic(top, leaves, ranked.get(top, ()))
            here = set(leaves)
            for sees, sight in family.sights.items():
                inside = {
                    name: [leaf for leaf in found if leaf in here] for name, found in sight.items()
                }
                yield from _groups(inside, top, self._selector.choice(sees, topic, family.shares))


@dataclass(frozen=True)
class _Family:
    """Leaves that choose documents and code from the same files.

    Attributes:
        sights: The leaves by what they may see.
        shares: How their room is divided.
        under: The leaves of each subtree, by its top.
    """

    sights: Mapping[Sees, Leaves]
    shares: Shares
    under: Mapping[str, list[str]]


def _groups(leaves: Leaves, top: str, choice: Choice) -> Iterator[Group]:
    """One group for each category that has leaves here."""
    parts, receipt = choice
    for name in sorted(leaves):
        if leaves[name]:
            yield Group(name, top, tuple(leaves[name]), parts, receipt)


def _simplest_first(sees: Sees) -> tuple[int, list[str]]:
    """Sort key: what sees less comes first, for others may extend it."""
    return len(sees), sorted(sees)
