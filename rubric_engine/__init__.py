"""rubric-engine: grade a submitted repository against a weighted rubric tree.

    from rubric_engine import grade, load_rubric, load_submission

    report = grade(load_rubric("rubric.yaml"), load_submission("submission/"), judge="rules")
    report.score.value, report.score.low, report.score.high, report.score.coverage

Names load when they are first used, so importing the package is quick and touches nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.batches import Batch, run_batches
    from rubric_engine.case import Case, Task
    from rubric_engine.connection import Spending
    from rubric_engine.criterion import Criterion
    from rubric_engine.decision import Answer, DecisionModel, Option, Question, RequestLimits
    from rubric_engine.engine import agrade, grade
    from rubric_engine.errors import RubricEngineError
    from rubric_engine.grading import Citation, Grade, Score
    from rubric_engine.isolation import Execution, Limits, Sandbox
    from rubric_engine.jobs import Job, run_jobs
    from rubric_engine.judge import Judge, JudgeCard, JudgeContext
    from rubric_engine.labels import load_labels
    from rubric_engine.metrics import MetricMean, MetricValue, metric_means
    from rubric_engine.model import ChatModel, Completion, Message, ModelConfig
    from rubric_engine.result import Report
    from rubric_engine.resuming import resume
    from rubric_engine.rubric import Rubric
    from rubric_engine.rubric_file import dump_rubric, load_grades, load_rubric
    from rubric_engine.scoring import propagate
    from rubric_engine.submission import load_submission
    from rubric_engine.submitted import Submission
    from rubric_engine.task import load_task

_HOMES = {
    "Answer": "decision",
    "Batch": "batches",
    "Case": "case",
    "ChatModel": "model",
    "Citation": "grading",
    "Completion": "model",
    "Criterion": "criterion",
    "DecisionModel": "decision",
    "Execution": "isolation",
    "Grade": "grading",
    "Job": "jobs",
    "Judge": "judge",
    "JudgeCard": "judge",
    "JudgeContext": "judge",
    "Limits": "isolation",
    "Message": "model",
    "MetricMean": "metrics",
    "MetricValue": "metrics",
    "ModelConfig": "model",
    "Option": "decision",
    "Question": "decision",
    "Report": "result",
    "RequestLimits": "decision",
    "Rubric": "rubric",
    "RubricEngineError": "errors",
    "Sandbox": "isolation",
    "Score": "grading",
    "Spending": "connection",
    "Submission": "submitted",
    "Task": "case",
    "agrade": "engine",
    "dump_rubric": "rubric_file",
    "grade": "engine",
    "load_grades": "rubric_file",
    "load_labels": "labels",
    "load_rubric": "rubric_file",
    "load_submission": "submission",
    "load_task": "task",
    "metric_means": "metrics",
    "propagate": "scoring",
    "resume": "resuming",
    "run_batches": "batches",
    "run_jobs": "jobs",
}

__all__ = [
    "Answer",
    "Batch",
    "Case",
    "ChatModel",
    "Citation",
    "Completion",
    "Criterion",
    "DecisionModel",
    "Execution",
    "Grade",
    "Job",
    "Judge",
    "JudgeCard",
    "JudgeContext",
    "Limits",
    "Message",
    "MetricMean",
    "MetricValue",
    "ModelConfig",
    "Option",
    "Question",
    "Report",
    "RequestLimits",
    "Rubric",
    "RubricEngineError",
    "Sandbox",
    "Score",
    "Spending",
    "Submission",
    "Task",
    "agrade",
    "dump_rubric",
    "grade",
    "load_grades",
    "load_labels",
    "load_rubric",
    "load_submission",
    "load_task",
    "metric_means",
    "propagate",
    "resume",
    "run_batches",
    "run_jobs",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rubric_engine' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"rubric_engine.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
