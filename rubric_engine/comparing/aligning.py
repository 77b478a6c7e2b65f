"""Which criterion of one rubric is which of another: by key and text, else by either. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from rubric_engine.criterion import Criterion
from rubric_engine.labels.identity import text_hashes
from rubric_engine.rubric import Rubric


@dataclass(frozen=True)
class Alignment:
    """The criteria that two rubrics share.

    Attributes:
        match: Key in the second rubric by key in the first, wherever in the tree it stands.
        twins: Those of them whose parents are twins as well; the roots always are.
        changed: Keys of the first, of those in `match`, that ask for something else on the second
            side, or stand elsewhere in the tree: own text, a text above it, category, checks,
            scale, or what only the judge reads.
    """

    match: Mapping[str, str]
    twins: Mapping[str, str]
    changed: frozenset[str]


def align(first: Rubric, second: Rubric) -> Alignment:
    """Find the criteria that two rubrics share.

    A criterion is the one that has its key, its text and the texts above it; else the one that
    alone has these texts, so that exchanged keys exchange nothing; else the one that has its key.
    A leaf and a group are never the same.
    """
    hashes = text_hashes(first), text_hashes(second)
    by_key = [key for key in first if _may_be_one(first, second, key)]
    match = {key: key for key in by_key if hashes[0][key] == hashes[1][key]}
    match |= _by_text(first, second, hashes, match)
    taken = set(match.values())
    match |= {key: key for key in by_key if key not in match and key not in taken}
    if first.is_leaf(first.root) == second.is_leaf(second.root):
        match[first.root] = second.root
    twins: dict[str, str] = {}
    for key in first.order:
        if key in match and _is_below_twins(first, second, key, match[key], twins):
            twins[key] = match[key]
    changed = {
        a
        for a, b in match.items()
        if hashes[0][a] != hashes[1][b] or a not in twins or _asks(first[a]) != _asks(second[b])
    }
    return Alignment(match, twins, frozenset(changed))


def _may_be_one(first: Rubric, second: Rubric, key: str) -> bool:
    """Whether a key names a criterion of one kind on either side; roots are matched apart."""
    if key not in second or key in (first.root, second.root):
        return False
    return first.is_leaf(key) == second.is_leaf(key)


def _is_below_twins(
    first: Rubric, second: Rubric, key: str, match: str, twins: Mapping[str, str]
) -> bool:
    above, other = first.parent(key), second.parent(match)
    return above == other is None or (above is not None and twins.get(above) == other)


def _by_text(
    first: Rubric,
    second: Rubric,
    hashes: tuple[Mapping[str, str], Mapping[str, str]],
    taken: Mapping[str, str],
) -> dict[str, str]:
    """Free criteria whose texts one free criterion alone has."""
    old = _known_once(first, hashes[0], {first.root, *taken})
    new = _known_once(second, hashes[1], {second.root, *taken.values()})
    return {key: new[text] for text, key in old.items() if text in new}


def _known_once(
    rubric: Rubric, hashes: Mapping[str, str], claimed: set[str]
) -> dict[tuple[bool, str], str]:
    """Free criteria by kind and text, where no other free one has it."""
    free = {key: (rubric.is_leaf(key), hashes[key]) for key in rubric if key not in claimed}
    times = Counter(free.values())
    return {text: key for key, text in free.items() if times[text] == 1}


def _asks(criterion: Criterion) -> tuple[object, ...]:
    """What a judge's verdict depends on, beside the texts; of groups this is nothing."""
    if criterion.task_category is None:
        return ()
    return (
        criterion.task_category,
        criterion.checks,
        criterion.aggregate,
        criterion.scale,
        criterion.note_to_judge,
    )
