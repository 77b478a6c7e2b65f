"""Rules on the metrics of the header: those that no submission can decide, or that all decide."""

from __future__ import annotations

from rubric_engine.lint.rule import Hits, Subject
from rubric_engine.metrics import Standing, decide

_OPEN = Standing(leaves=1, met=0, failed=0, low=0.0, high=1.0)


def without_leaf(subject: Subject) -> Hits:
    """A metric over a category that no leaf has is undefined wherever that category decides.

    Give the category a leaf, or leave it out of the metric.
    """
    metrics = subject.rubric.metrics
    used = {leaf.task_category for leaf in subject.leaves}
    for name in metrics:
        for missing in sorted({atom.category for atom in metrics.signs(name)} - used):
            yield subject.rubric.root, f"metric {name!r}: no leaf is of category {missing!r}"


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
