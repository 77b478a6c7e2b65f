"""DecisionJudge: a decision model answers one question a leaf, hundreds in a request."""

from rubric_engine.judges.decision.judge import DecisionJudge

__all__ = ["DecisionJudge"]
