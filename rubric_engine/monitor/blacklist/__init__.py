"""Was something used that the task's blacklist names?"""

from rubric_engine.monitor.blacklist.agent import in_agent_log
from rubric_engine.monitor.blacklist.mentions import Mention, mentions
from rubric_engine.monitor.blacklist.reference import Reference, parse_blacklist, unread
from rubric_engine.monitor.blacklist.run_log import in_run_log
from rubric_engine.monitor.blacklist.sources import in_text
from rubric_engine.monitor.blacklist.using import Use, line_uses, python_uses, shell_uses

__all__ = [
    "Mention",
    "Reference",
    "Use",
    "in_agent_log",
    "in_run_log",
    "in_text",
    "line_uses",
    "mentions",
    "parse_blacklist",
    "python_uses",
    "shell_uses",
    "unread",
]
