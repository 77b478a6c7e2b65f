"""What a judge's error rates do to a root score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from rubric_engine.judgeeval.audit.error_rates import Rates
from rubric_engine.judgeeval.pairs import Pairs


def predicted_root_bias(pairs: Pairs, rates: Mapping[str, Rates]) -> Mapping[str, float | None]:
    """The error of each submission's root score that error rates alone lead to expect.

    Sum over leaves of worth times (1 - specificity) where the label is "not met", less worth times
    (1 - sensitivity) where it is "met", rates by category. A judge whose error is far from this
    errs on heavy leaves otherwise than on light ones. Weak submissions are lifted and good ones
    lowered: with a specificity of 0.8 no submission is given less than 0.2.

    Args:
        pairs: The submissions with their labels; grades are not read.
        rates: The judge's rates by category, from `rates_of`.

    Returns:
        Share of the root's score by submission, above 0 too lenient; of the labelled leaves where
        some have no label. None where no labelled leaf has worth, or rates of a category are not
        known.
    """
    parts = pairs.by(lambda row: row.submission)
    return MappingProxyType({name: _bias(part, rates) for name, part in parts.items()})


def _bias(pairs: Pairs, rates: Mapping[str, Rates]) -> float | None:
    rows = [
        (row, bool(met))
        for row, met, known in zip(pairs.rows, pairs.met, pairs.labelled, strict=True)
        if known and row.worth > 0
    ]
    if not rows or any(row.category not in rates for row, _ in rows):
        return None
    moved = [row.worth * _moved(rates[row.category], met) for row, met in rows]
    return math.fsum(moved) / math.fsum(row.worth for row, _ in rows)


def _moved(rates: Rates, met: bool) -> float:
    return rates.sensitivity - 1 if met else 1 - rates.specificity
