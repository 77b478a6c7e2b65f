"""SimpleJudge: a chat model grades each leaf by one structured call."""

from rubric_engine.judges.simple.judge import SimpleJudge

__all__ = ["SimpleJudge"]
