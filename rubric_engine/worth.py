"""How weights among siblings become shares of the whole. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.rubric import Rubric


def shares(rubric: Rubric, applies: Callable[[str], bool]) -> dict[str, float]:
    """Share of the root's score that the weights give to each criterion that applies.

    Args:
        rubric: The tree.
        applies: Whether a criterion counts; its siblings share the weight of one that does not.

    Returns:
        Share by key in document order, the root's being 1.0; without what does not apply, and
        without what lies under that.
    """
    if not applies(rubric.root):
        return {}
    share = {rubric.root: 1.0}
    for key in rubric.order:
        children = [child for child in rubric.children(key) if applies(child)]
        if key not in share or not children:
            continue
        # Divided by the largest first: sums of huge weights would overflow.
        largest = max(rubric[child].weight for child in children) or 1.0
        parts = [rubric[child].weight / largest for child in children]
        total = math.fsum(parts) or 1.0
        for child, part in zip(children, parts, strict=True):
            share[child] = share[key] * part / total
    return {key: share[key] for key in rubric.order if key in share}
