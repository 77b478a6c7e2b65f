"""In which order groups are sent, so that the endpoint's prefix cache and its slots are used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rubric_engine.evidence import Group


def in_order(pending: Mapping[Group, Sequence[str]]) -> Iterator[tuple[Group, str | None]]:
    """Order groups, each with the prefix whose leader must be answered before its own is sent.

    Every prompt begins with the instructions and the paper, so one call goes ahead of all. It is
    one of the prefix with most leaves: once it is answered, these can fill the slots, while the
    leaders of the others are under way.

    Args:
        pending: The leaves to send of each group, groups in the order of the plan.

    Returns:
        Each group, and the key of the one sent earlier that shares most with it; None for those
        of the first prefix.
    """
    sizes: Counter[str] = Counter()
    for group, leaves in pending.items():
        sizes[group.key] += len(leaves)
    first = max(sizes, key=sizes.__getitem__, default="")
    before: dict[str, str | None] = {}
    sent: list[Group] = []
    for group in sorted(pending, key=lambda group: group.key != first):
        if group.key not in before:
            before[group.key] = (group.extends(sent) or first) if sent else None
            sent.append(group)
        yield group, before[group.key]
