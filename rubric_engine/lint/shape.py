"""Rules on the tree: how criteria are grouped, weighed and spread."""

from __future__ import annotations

from collections import Counter

from rubric_engine.lint.rule import Hits, Subject
from rubric_engine.stats import TINY, rubric_stats

HEAVY = 15.0
FEW = 20
DEEP = 8
WIDE = 15
MANY_EQUAL = 5
DOMINANT = 0.8
FAR_APART = 30.0


def twins(subject: Subject) -> Hits:
    """Two siblings with the same words count the same fact twice, or one of them lost a word.

    Say what tells them apart. It is a warning, not an error, because published rubrics have such
    pairs, load and grade: each sibling keeps its key, and gets its own grade.
    """
    for _, children in subject.families:
        texts = [" ".join(child.requirements.split()).casefold() for child in children]
        times = Counter(texts)
        last = {text: child.key for text, child in zip(texts, children, strict=True)}
        for text, count in times.items():
            if count > 1:
                yield last[text], f"{count} siblings have the same text"


def all_equal(subject: Subject) -> Hits:
    """Five or more siblings of one weight may mean that nobody has weighed them yet.

    Nothing to do if they are worth the same.
    """
    for group, children in subject.families:
        if len(children) >= MANY_EQUAL and len({child.weight for child in children}) == 1:
            yield group.key, f"{len(children)} siblings of equal weight: is each worth the same?"


def heavy(subject: Subject) -> Hits:
    """A leaf worth more than 15 of 100 points makes the score hang on one verdict.

    Split it, or give it less weight. A rubric of fewer than 20 leaves has little choice and is
    left alone.
    """
    for leaf in subject.leaves if len(subject.leaves) >= FEW else ():
        if (points := subject.points(leaf.key)) > HEAVY:
            yield leaf.key, f"one leaf is worth {points:.1f} of 100 points"


def tiny(subject: Subject) -> Hits:
    """Leaves worth under 0.01 of 100 points cost as much to judge as others, and decide nothing.

    Reported once, with their number. Fewer and larger leaves say the same for less.
    """
    count = sum(subject.points(leaf.key) < TINY for leaf in subject.leaves)
    if count:
        yield subject.rubric.root, f"{count:,} leaves are worth under {TINY} of 100 points"


def only_child(subject: Subject) -> Hits:
    """A group with one child adds a level and says nothing: its score is the child's.

    Put the child in its place.
    """
    for group, children in subject.families:
        if len(children) == 1:
            yield group.key, "group with a single sub-task"


def wide(subject: Subject) -> Hits:
    """A group of more than 15 sub-tasks is hard to weigh, since all weights are among siblings.

    Group them by what they share.
    """
    for group, children in subject.families:
        if len(children) > WIDE:
            yield group.key, f"{len(children)} sub-tasks under one group"


def deep(subject: Subject) -> Hits:
    """A tree of more than 8 levels below the root divides its points until none are left.

    Reported once, at the deepest criterion.
    """
    key, level = max(subject.rubric.levels.items(), key=lambda row: row[1])
    if level - 1 > DEEP:
        yield key, f"{level - 1} levels below the root"


def dominant(subject: Subject) -> Hits:
    """One sub-task that holds more than 80 % of its group leaves its siblings next to nothing."""
    for _, children in subject.families:
        total = sum(child.weight for child in children)
        for child in children:
            if len(children) > 1 and child.weight > DOMINANT * total:
                yield child.key, f"holds {child.weight / total:.0%} of its group's weight"


def weightless(subject: Subject) -> Hits:
    """A criterion of weight 0 is judged, and its grade changes nothing."""
    for _, children in subject.families:
        for child in children:
            if child.weight == 0:
                yield child.key, "weight 0: it never changes the score"


def lopsided(subject: Subject) -> Hits:
    """A category with a large share of the leaves and a small one of the points, or the reverse.

    The work of judging then goes where the score is not. Reported once for each category.
    """
    for name, row in rubric_stats(subject.rubric).categories.items():
        if abs(100 * row.share_of_leaves - row.points) > FAR_APART:
            share = f"{row.share_of_leaves:.0%} of the leaves"
            yield subject.rubric.root, f"{name}: {share}, {row.points:.1f} of 100 points"
