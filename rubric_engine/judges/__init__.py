"""The judges that come with the package, and how one is found by name."""

from rubric_engine.judges.baseline import ConstantJudge, LabelJudge, RandomJudge
from rubric_engine.judges.registry import load_judge
from rubric_engine.judges.rules import RulesJudge

__all__ = ["ConstantJudge", "LabelJudge", "RandomJudge", "RulesJudge", "load_judge"]
