"""The rules judge and its checks, one file an idea."""

from rubric_engine.judges.rules.judge import RulesJudge
from rubric_engine.judges.rules.refusals import REFUSALS

__all__ = ["REFUSALS", "RulesJudge"]
