"""The folder of one run: what was graded, by whom, and every grade as soon as it is known.

run.json         hashes, versions, settings, status
task.json        the task: paper, addenda, settings
rubric.json      the rubric as it was graded
judge/           the judge: its card and its prompts
handed_in.json   index of the submission; its files by content under objects/
executed.json    the same after reproduce.sh, where it ran
execution.json   what happened in that run
reproduce.log    what it printed, bounded
resume.json      the list of all these, sealed, once all that a resume needs is kept
grades.jsonl     one line a leaf, appended as leaves finish; the last line of a leaf counts
receipts.jsonl   what judges were not shown, by the hash that grades name
monitor.json     whether the result was honestly come by, as far as rules can tell
monitor-decisions.jsonl  what people said of that, appended; the last line of a finding counts
agent.log        the log of the agent that made the submission, where one was given
report.json      the result
report.html      the same as a page to look at
labels.jsonl     what a human says of the leaves, where labels lie beside the submission
log.txt          what went on, with times
lock             held by the process that writes the run
"""

from rubric_engine.rundir.decisions import add_decision, read_decisions
from rubric_engine.rundir.disk import storing
from rubric_engine.rundir.folder import RunFolder, cut_torn_end, holds_run, is_part, new_run_name
from rubric_engine.rundir.locking import exclusive, is_written, locked

__all__ = [
    "RunFolder",
    "add_decision",
    "cut_torn_end",
    "exclusive",
    "holds_run",
    "is_part",
    "is_written",
    "locked",
    "new_run_name",
    "read_decisions",
    "storing",
]
