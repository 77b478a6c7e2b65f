"""The rules judge and its checks, one file an idea."""

from rubric_engine.judges.rules.json_path import refusal as path_refusal
from rubric_engine.judges.rules.judge import RulesJudge
from rubric_engine.judges.rules.regex import refusal

__all__ = ["RulesJudge", "path_refusal", "refusal"]
