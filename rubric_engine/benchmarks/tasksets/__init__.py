"""Sets of tasks: an agent answers each, and rules and a model judge the answers.

task.py, task_set.py     a task and a set as values; loading.py reads them, sense.py checks them
forms.py                 whether an answer has the form that is due
rule.py, *_rules.py       what a rule is, and each; rules.py names them, outcomes.py looks
as_rubric.py, judging.py a task as a rubric of the engine, and the judge that grades it
agent.py                 the seam to agents; chat_agent.py and own_agent.py ask them
running.py, work.py      a run over a set: asking, judging, keeping, going on
results.py, summary.py   what came of it, and its figures
"""

from rubric_engine.benchmarks.tasksets.agent import AgentReply, AgentTask
from rubric_engine.benchmarks.tasksets.answer import Claims
from rubric_engine.benchmarks.tasksets.loading import load_task_set
from rubric_engine.benchmarks.tasksets.results import Results, load_results
from rubric_engine.benchmarks.tasksets.running import arun_task_set, run_task_set
from rubric_engine.benchmarks.tasksets.summary import Figure, Summary, summarise, summarise_by
from rubric_engine.benchmarks.tasksets.task import SetTask
from rubric_engine.benchmarks.tasksets.task_set import TaskSet

__all__ = [
    "AgentReply",
    "AgentTask",
    "Claims",
    "Figure",
    "Results",
    "SetTask",
    "Summary",
    "TaskSet",
    "arun_task_set",
    "load_results",
    "load_task_set",
    "run_task_set",
    "summarise",
    "summarise_by",
]
