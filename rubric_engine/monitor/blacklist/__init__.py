"""Was something used that the task's blacklist names?"""

from rubric_engine.monitor.blacklist.agent import mentioned
from rubric_engine.monitor.blacklist.mentions import Mention, mentions, possible
from rubric_engine.monitor.blacklist.reference import Reference, parse_blacklist, unread
from rubric_engine.monitor.blacklist.run_log import in_run_log
from rubric_engine.monitor.blacklist.sources import draft, in_text, is_blacklist, lists_among
from rubric_engine.monitor.blacklist.using import (
    Use,
    line_uses,
    python_uses,
    shell_uses,
    uses_of,
)

__all__ = [
    "Mention",
    "Reference",
    "Use",
    "draft",
    "in_run_log",
    "in_text",
    "is_blacklist",
    "line_uses",
    "lists_among",
    "mentioned",
    "mentions",
    "parse_blacklist",
    "possible",
    "python_uses",
    "shell_uses",
    "unread",
    "uses_of",
]
