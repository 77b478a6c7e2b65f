"""Was something used that the task's blacklist names?"""

from rubric_engine.monitor.blacklist.agent import mentioned
from rubric_engine.monitor.blacklist.handed_in import given_to_agent, given_to_scripts
from rubric_engine.monitor.blacklist.mentions import Mention, mentions, possible
from rubric_engine.monitor.blacklist.reference import Reference, parse_blacklist, unread
from rubric_engine.monitor.blacklist.run_log import in_run_log
from rubric_engine.monitor.blacklist.sources import draft, in_text
from rubric_engine.monitor.blacklist.using import (
    Use,
    doubted,
    line_uses,
    python_uses,
    shell_uses,
    uses_of,
)

__all__ = [
    "Mention",
    "Reference",
    "Use",
    "doubted",
    "draft",
    "given_to_agent",
    "given_to_scripts",
    "in_run_log",
    "in_text",
    "line_uses",
    "mentioned",
    "mentions",
    "parse_blacklist",
    "possible",
    "python_uses",
    "shell_uses",
    "unread",
    "uses_of",
]
