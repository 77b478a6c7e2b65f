"""The plan: which leaves share which evidence. A pure function of rubric, files, log and room.

Where everything fits, all leaves of a category share one prefix. Where it does not, leaves are
grouped by subtree, and files are chosen for each subtree once for all categories that see code, so
that the prompts for Code Execution extend those for Code Development.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rubric_engine.evidence.account import Choice
from rubric_engine.evidence.desk import Desk
from rubric_engine.evidence.group import Group
from rubric_engine.evidence.own import Own, own
from rubric_engine.evidence.partition import partition
from rubric_engine.evidence.room import Room
from rubric_engine.evidence.select import Sees, Selector
from rubric_engine.evidence.shelf import Source
from rubric_engine.files import File
from rubric_engine.rubric import Rubric


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


def plan(
    rubric: Rubric,
    handed_in: Source,
    room: Room,
    *,
    executed: Source | None = None,
    produced: Collection[str] = (),
    log: str | None = None,
    not_taken: Collection[File] = (),
    ranked: Mapping[str, Sequence[str]] | None = None,
) -> Plan:
    """Choose the evidence for every leaf of a rubric.

    Args:
        rubric: The whole rubric, never a view of what is still to be graded: groups that depend
            on what is pending would send other prompts after a resume.
        handed_in: The submission as handed in: code, documents and `reproduce.sh`.
        room: Room of a prompt.
        executed: The submission after the run; `handed_in` where it is None.
        produced: Paths of `executed` that the run produced.
        log: What the run printed; None where there was no run.
        not_taken: What the run left and nobody can read, for the receipt.
        ranked: For tops of groups of an earlier plan without it, paths that somebody else
            ranked, the closest first; only hinted files come before them. Groups stay the same.
    """
    selector = Selector(rubric, Desk(rubric, handed_in, room, executed, produced, log, not_taken))
    sights: dict[Sees, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for leaf in rubric.leaves():
        sees = frozenset(rubric.category_of(leaf).sees)
        sights[sees][rubric[leaf].task_category or ""].append(leaf)
    families: dict[Sees, list[Sees]] = defaultdict(list)
    groups: list[Group] = []
    for sees in sorted(sights, key=_simplest_first):
        if selector.all_fits(sees):
            groups += _groups(sights[sees], rubric.root, selector.everything(sees))
        else:
            families[sees & {"docs", "code"}].append(sees)
    for family in families.values():
        groups += _divided(rubric, selector, family, sights, ranked or {})
    return Plan(rubric, tuple(groups))


def _divided(
    rubric: Rubric,
    selector: Selector,
    family: list[Sees],
    sights: dict[Sees, dict[str, list[str]]],
    ranked: Mapping[str, Sequence[str]],
) -> Iterator[Group]:
    """Groups by subtree; the same subtrees for all that choose from the same files."""
    leaves = [leaf for sees in family for found in sights[sees].values() for leaf in found]
    shares = selector.shares(family, len(leaves))
    top_of = partition(rubric, leaves, shares.most_groups)
    under: dict[str, list[str]] = defaultdict(list)
    for leaf in leaves:
        under[top_of[leaf]].append(leaf)
    for top in [key for key in rubric.order if key in under]:
        topic = selector.topic(top, under[top], ranked.get(top, ()))
        for sees in family:
            inside = {
                name: [leaf for leaf in found if top_of[leaf] == top]
                for name, found in sights[sees].items()
            }
            yield from _groups(inside, top, selector.choice(sees, topic, shares))


def _groups(leaves: dict[str, list[str]], top: str, choice: Choice) -> Iterator[Group]:
    """One group for each category that has leaves here."""
    parts, receipt = choice
    for name in sorted(leaves):
        if leaves[name]:
            yield Group(name, top, tuple(leaves[name]), parts, receipt)


def _simplest_first(sees: Sees) -> tuple[int, list[str]]:
    """Sort key: what sees less comes first, for others may extend it."""
    return len(sees), sorted(sees)
