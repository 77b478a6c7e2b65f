"""Runs that were kept: finding one, telling ours from others', reading its report again.

finding.py      a run by path, by the end of its name, as the latest
kept_report.py  its report, or as much of it as was known when it ended
deciding.py     what a person says of the monitor's findings, what it finds anew, and the report
facts.py        a JSON file of its folder, held to what JSON may say
"""

from rubric_engine.runs.deciding import decide, replace_findings
from rubric_engine.runs.facts import read_json
from rubric_engine.runs.finding import (
    KeptRun,
    find_run,
    kept_run,
    newest_unfinished,
    runs_in,
    short_name,
)
from rubric_engine.runs.kept_report import grades_so_far, load_report

__all__ = [
    "KeptRun",
    "decide",
    "find_run",
    "grades_so_far",
    "kept_run",
    "load_report",
    "newest_unfinished",
    "read_json",
    "replace_findings",
    "runs_in",
    "short_name",
]
