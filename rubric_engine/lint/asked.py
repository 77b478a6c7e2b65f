"""Rules on the metrics of the header: those that no submission can decide, or that all decide."""

from __future__ import annotations

from rubric_engine.lint.rule import Hits, Subject
from rubric_engine.metrics import decide


def without_leaf(subject: Subject) -> Hits:
    """A metric over a category that no leaf has is undefined wherever that category decides.

    Give the category a leaf, or leave it out of the metrics. Reported once for each category.
    """
    metrics = subject.rubric.metrics
    used = {leaf.task_category for leaf in subject.leaves}
    missing: dict[str, list[str]] = {}
    for name in metrics:
        for category in sorted({atom.category for atom in metrics.signs.of(name)} - used):
            missing.setdefault(category, []).append(name)
    for category, names in missing.items():
        asking = " and ".join(filter(None, [", ".join(map(repr, names[:-1])), repr(names[-1])]))
        verb = "ask" if len(names) > 1 else "asks"
        said = f"no leaf is of category {category!r}, which {asking} {verb} about"
        yield subject.rubric.root, said


def settled(subject: Subject) -> Hits:
    """A metric that is the same whatever the grades says nothing about a submission.

    Look for a name that stands both with and without ``not``.
    """
    for name, value in decide(subject.rubric.metrics, {}).items():
        if value is not None:
            always = f"metric {name!r} is {str(value).lower()}, whatever the grades"
            yield subject.rubric.root, always
