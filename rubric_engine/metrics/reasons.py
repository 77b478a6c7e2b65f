"""Why a metric is what it is: how the categories stand that make it so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rubric_engine.figures import span_of
from rubric_engine.formulas.formula import And, Formula, Named, Not, Or, Passes
from rubric_engine.formulas.metrics import Metrics
from rubric_engine.metrics.ranks import levels_of, ranks_of, truth, truths
from rubric_engine.metrics.standing import Standing

_MOST = 4
"""Categories that a reason names; how many more there are is said."""


def reason_of(
    metrics: Metrics, name: str, known: Mapping[str, Standing], value: bool | None
) -> str:
    """Say why a metric is what it is.

    Args:
        metrics: The metrics of the rubric.
        name: The one.
        known: How the categories stand.
        value: What it is, as `decide` says it.
    """
    parts = list(dict.fromkeys(_deciding(metrics, name, known, value)))
    if not parts:
        return "whatever leaves without a grade would get"
    said = [_said(part, known.get(part.category)) for part in parts[:_MOST]]
    more = [f"and {len(parts) - _MOST} more"] if len(parts) > _MOST else []
    return "; ".join([*said, *more])


def _deciding(
    metrics: Metrics, name: str, known: Mapping[str, Standing], value: bool | None
) -> Iterator[Passes]:
    """What is asked of categories that makes a metric what it is; nothing where all ways do."""
    levels = levels_of(metrics.signs(name))
    ranks = ranks_of(levels, known)
    by_name = truths(metrics, name, levels, ranks)
    if by_name[name] is not value:
        return
    left: list[Formula] = [metrics.formulas[name]]
    seen: set[str] = set()
    while left:
        match left.pop():
            case Passes() as atom:
                yield atom
            case Named(other):
                left += [] if other in seen else [metrics.formulas[other]]
                seen.add(other)
            case Not(part):
                left.append(part)
            case And(parts) | Or(parts) as both:
                own = [truth(part, by_name, levels, ranks) for part in parts]
                whole = truth(both, by_name, levels, ranks)
                left += reversed(_alike(parts, own, whole))


def _alike(
    parts: Sequence[Formula], own: Sequence[bool | None], whole: bool | None
) -> list[Formula]:
    """The parts that have the value of the whole: of an `and` that is false, those that are."""
    return [part for part, value in zip(parts, own, strict=True) if value is whole]


def _said(atom: Passes, known: Standing | None) -> str:
    name, least = atom.category, atom.at_least
    if known is None:
        return f"{name}: no leaf counts"
    if least is not None:
        share = span_of({"low": known.low, "high": known.high})
        passes = f"at least {least:g}" if known.certain(least) else f"{least:g} is due"
        return f"{name}: {share}, {passes if known.possible(least) else f'below {least:g}'}"
    if known.certain(None):
        return f"{name}: {known.met} of {known.leaves} leaves met"
    if known.possible(None):
        return f"{name}: {known.open} of {known.leaves} leaves without a grade"
    return f"{name}: {known.failed} of {known.leaves} leaves not met in full"
