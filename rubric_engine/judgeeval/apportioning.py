"""Splitting a number of places among groups by their sizes. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from rubric_engine.errors import UsageError


def apportioned(total: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """Split places in proportion to sizes by the largest remainder (Hamilton's method).

    Each group gets its share rounded down or up, and none more than its size.

    Args:
        total: Places, 0 up to the sum of the sizes.
        sizes: Size by name; of equal remainders the earlier name comes first.

    Returns:
        Places by name, in the order of the sizes; they sum to `total`.

    Raises:
        UsageError: `total` is below 0, or more than there is.
    """
    whole = sum(sizes.values())
    if not 0 <= total <= whole:
        raise UsageError(f"{total} places cannot be split among groups of {whole} in all")
    if not whole:
        return dict.fromkeys(sizes, 0)
    parts = {name: total * size // whole for name, size in sizes.items()}
    by_remainder = sorted(sizes, key=lambda name: -(total * sizes[name] % whole))
    for name in by_remainder[: total - sum(parts.values())]:
        parts[name] += 1
    return parts
