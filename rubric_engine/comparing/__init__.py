"""Comparing two runs leaf by leaf: what changed, and what of the difference it made. Pure.

    from rubric_engine.comparing import compare

    found = compare(report_a, report_b)
    found.gap.value                     # points of 100, B less A
    {row.kind: row.points for row in found.kinds}

The parts add up to the difference. What leaves without a grade leave open is a range, and a
difference that chance could bring is not called one.
"""

from rubric_engine.comparing.causes import Cause
from rubric_engine.comparing.comparison import Change, Comparison, Gap, KindRow, compare
from rubric_engine.comparing.flips import FlipRate
from rubric_engine.comparing.gate import Regression, regression
from rubric_engine.comparing.kinds import KINDS, Kind, LeafKind
from rubric_engine.comparing.likeness import Unlike
from rubric_engine.comparing.noise import PairedTest
from rubric_engine.comparing.values import comparison_values
from rubric_engine.comparing.wording import (
    KIND_WORDS,
    said_of_flips,
    said_of_holes,
    said_of_test,
    what_happened,
)

__all__ = [
    "KINDS",
    "KIND_WORDS",
    "Cause",
    "Change",
    "Comparison",
    "FlipRate",
    "Gap",
    "Kind",
    "KindRow",
    "LeafKind",
    "PairedTest",
    "Regression",
    "Unlike",
    "compare",
    "comparison_values",
    "regression",
    "said_of_flips",
    "said_of_holes",
    "said_of_test",
    "what_happened",
]
