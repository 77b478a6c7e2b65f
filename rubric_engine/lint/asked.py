"""Rules on the metrics of the header: those that no submission can decide, or that all decide."""

from __future__ import annotations

from rubric_engine.lint.rule import Hits, Subject
from rubric_engine.metrics import Standing, decide

_OPEN = Standing(leaves=1, met=0, failed=0, low=0.0, high=1.0)


def without_leaf(subject: Subject) -> Hits:
    """A metric over a category that no leaf has is undefined wherever that category decides.

    Give the category a leaf, or leave it out of the metrics. Reported once for each category.
    """
    metrics = subject.rubric.metrics
    used = {leaf.task_category for leaf in subject.leaves}
    missing: dict[str, list[str]] = {}
    for name in metrics:
        for category in sorted({atom.category for atom in metrics.signs(name)} - used):
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
    metrics = subject.rubric.metrics
    for name in metrics:
        standings = {atom.category: _OPEN for atom in metrics.signs(name)}
        if (value := decide(metrics, name, standings)) is not None:
            always = f"metric {name!r} is {str(value).lower()}, whatever the grades"
            yield subject.rubric.root, always
