"""A rubric with canaries in it. The rubric that is graded stays as it is, and so do its prompts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from rubric_engine.canary.choosing import Foreign
from rubric_engine.criterion import Criterion
from rubric_engine.rubric import Rubric

_CHANGED = {
    "weight": 0.0,
    "checks": (),  # rules know them false at once, and nobody would be tried
    "evidence": (),
    "depends_on": (),
    "note_to_judge": None,
    "paper_ref": None,
}


def mixed(rubric: Rubric, canaries: Sequence[Foreign]) -> tuple[Rubric, dict[str, Foreign]]:
    """Put canaries below the root, behind its children, where a judge takes them for leaves.

    Args:
        rubric: The rubric that is graded.
        canaries: What was drawn.

    Returns:
        The rubric, and the canaries by their key in it.
    """
    pairs = list(_under_group(rubric))
    top = pairs[0][1].key
    taken = {criterion.key for _, criterion in pairs}
    by_key: dict[str, Foreign] = {}
    for canary in canaries:
        key = _free(canary.leaf.key, taken)
        taken.add(key)
        by_key[key] = canary
        pairs.append((top, canary.leaf.model_copy(update=_CHANGED | {"key": key, "id": key})))
    return Rubric.build(pairs, title=rubric.title, categories=rubric.categories), by_key


def _under_group(rubric: Rubric) -> Iterator[tuple[str | None, Criterion]]:
    """The rubric's pairs; one that is a single leaf is put below a group that says the same."""
    top = rubric[rubric.root]
    if rubric.is_leaf(rubric.root):
        key = _free("root", set(rubric))
        group = Criterion(key=key, id=key, requirements=top.requirements)
        yield None, group
        yield key, top
        return
    yield from ((rubric.parent(key), rubric[key]) for key in rubric)


def _free(key: str, taken: set[str]) -> str:
    if key not in taken:
        return key
    return next(other for n in count(2) if (other := f"{key}#{n}") not in taken)
