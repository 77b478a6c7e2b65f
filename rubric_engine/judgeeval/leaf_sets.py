"""Whether judges were measured on the same labelled leaves; only then may they be compared."""

from __future__ import annotations

from collections.abc import Mapping

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.pairs import Pair, Pairs, is_number


def require_same_leaves(judges: Mapping[str, Pairs]) -> None:
    """Refuse judges that were not measured on the same labelled leaves.

    Raises:
        UsageError: Leaves, labels, worths, groups or categories differ; it names the first few.
    """
    (first, reference), *others = judges.items() or [("", Pairs.of(()))]
    known = _ground(reference)
    for name, pairs in others:
        ground = _ground(pairs)
        if ground == known and pairs.threshold == reference.threshold:
            continue
        looked = _unlike(first, known, name, ground) or ["the threshold from which a score is met"]
        raise UsageError(
            f"judges {first!r} and {name!r} were not measured on the same labelled leaves",
            code="E005",
            looked=looked,
            fix=["measure both judges on the same cases and labels, then compare again"],
        )


Ground = Mapping[tuple[str, str], tuple[float, float, str, str]]


def _ground(pairs: Pairs) -> Ground:
    """What a judge was measured on: all but its own grades."""
    return {
        (row.submission, row.key): (row.label, round(row.worth, 9), row.parent, row.category)
        for row in pairs.rows
        if row.label is not None and is_number(row.label)
    }


def _unlike(first: str, known: Ground, second: str, other: Ground) -> list[str]:
    shared = known.keys() & other.keys()
    parts = {
        f"only {first!r} was measured on": known.keys() - shared,
        f"only {second!r} was measured on": other.keys() - shared,
        "another label, worth, group or category on": {
            leaf for leaf in shared if known[leaf] != other[leaf]
        },
    }
    return [
        f"{what} {len(leaves)} leaves, such as {min(leaves)[1]!r} of {min(leaves)[0]!r}"
        for what, leaves in parts.items()
        if leaves
    ]


def aligned(pairs: Pairs) -> Pairs:
    """Labelled rows in one order for all judges."""

    def place(row: Pair) -> tuple[str, str]:
        return row.submission, row.key

    rows = sorted((row for row in pairs.rows if is_number(row.label)), key=place)
    return Pairs(tuple(rows), pairs.threshold)
