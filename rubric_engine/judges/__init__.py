"""The judges that come with the package, and how one is found by name."""

from rubric_engine.judges.baseline import ConstantJudge, LabelJudge, RandomJudge
from rubric_engine.judges.combine import Cascade, Panel, Repeat
from rubric_engine.judges.registry import load_judge
from rubric_engine.judges.rules import RulesJudge

__all__ = [
    "Cascade",
    "ConstantJudge",
    "LabelJudge",
    "Panel",
    "RandomJudge",
    "Repeat",
    "RulesJudge",
    "load_judge",
]
