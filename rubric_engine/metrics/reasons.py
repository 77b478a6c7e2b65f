"""Why a metric is what it is: how the categories stand that make it so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rubric_engine.figures import span_of
from rubric_engine.formulas.formula import And, Formula, Named, Not, Or, Passes
from rubric_engine.formulas.metrics import Metrics
from rubric_engine.metrics.ranks import Passing, passing_of, truth, truths
from rubric_engine.metrics.standing import Standing

_MOST = 4
"""Categories that a reason names; how many more there are is said."""


@dataclass(frozen=True, slots=True)
class _Deciding:
    """What is asked of categories that makes a metric what it is.

    Attributes:
        first: Those that are named.
        all: Their places among all that is asked, and those of the others, as bits.
    """

    first: tuple[Passes, ...] = ()
    all: int = 0

    def __or__(self, other: _Deciding) -> _Deciding:
        first = dict.fromkeys([*self.first, *other.first])
        return _Deciding(tuple(first)[:_MOST], self.all | other.all)


def reasons(
    metrics: Metrics, known: Mapping[str, Standing], values: Mapping[str, bool | None]
) -> dict[str, str]:
    """Say why each metric is what it is.

    Args:
        metrics: The metrics of the rubric.
        known: How the categories stand.
        values: What they are, as `decide` says it.
    """
    passing = passing_of(metrics, known)
    by_name = truths(metrics, metrics.formulas, passing)
    found: dict[str, _Deciding] = {}
    for name, formula in metrics.formulas.items():
        parts = (_of(metrics, part, found) for part in _deciding(formula, by_name, passing))
        found[name] = _sum(parts)
    return {
        # Where every way gives the same, and logic alone does not see it, no category decides.
        name: _reason(found[name] if by_name[name] is value else _Deciding(), known)
        for name, value in values.items()
    }


def _sum(parts: Iterator[_Deciding]) -> _Deciding:
    whole = _Deciding()
    for part in parts:
        whole |= part
    return whole


def _of(metrics: Metrics, atom: Passes | Named, found: Mapping[str, _Deciding]) -> _Deciding:
    if isinstance(atom, Named):
        return found[atom.name]
    return _Deciding((atom,), 1 << metrics.signs.number(atom))


def _deciding(
    formula: Formula, by_name: Mapping[str, bool | None], passing: Passing
) -> Iterator[Passes | Named]:
    """The names in a formula that make it what it is."""
    left: list[Formula] = [formula]
    while left:
        match left.pop():
            case Passes() | Named() as atom:
                yield atom
            case Not(part):
                left.append(part)
            case And(parts) | Or(parts) as both:
                own = [truth(part, by_name, passing) for part in parts]
                left += reversed(_alike(parts, own, truth(both, by_name, passing)))


def _reason(deciding: _Deciding, known: Mapping[str, Standing]) -> str:
    if not deciding.first:
        return "whatever leaves without a grade would get"
    said = [_said(part, known.get(part.category)) for part in deciding.first]
    more = deciding.all.bit_count() - len(said)
    return "; ".join([*said, *([f"and {more} more"] if more else [])])


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
