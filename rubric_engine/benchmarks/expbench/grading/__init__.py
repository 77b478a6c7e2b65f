"""Grading answers to EXP-Bench: design, implementation, conclusion, execution, monitor.

answer.py, patch.py    what an answer's folder holds, and whether its patch may be applied
submitting.py          base, patch and answer as a submission; applying.py has git apply it
asked.py, starting.py  what is graded and how, and what is known of an answer before
answer_grading.py      one answer, by the engine; watching.py has the monitor look at it
running.py, work.py    many answers side by side, each kept at once
results.py             what came of them; parts.py and summary.py make the table
"""

from rubric_engine.benchmarks.expbench.grading.results import ExpResults, load_exp_results
from rubric_engine.benchmarks.expbench.grading.running import agrade_answers, grade_answers
from rubric_engine.benchmarks.expbench.grading.summary import Row, Summary, summarise

__all__ = [
    "ExpResults",
    "Row",
    "Summary",
    "agrade_answers",
    "grade_answers",
    "load_exp_results",
    "summarise",
]
