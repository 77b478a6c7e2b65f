"""Were answers looked up: in a history, in hidden files, in the paper, on the net?"""

from rubric_engine.monitor.looked_up.git_history import git_history
from rubric_engine.monitor.looked_up.hosts import hosts_of_acts, hosts_printed
from rubric_engine.monitor.looked_up.masked import masked_paths
from rubric_engine.monitor.looked_up.own import OwnFiles
from rubric_engine.monitor.looked_up.paper import paper
from rubric_engine.monitor.looked_up.reads import moved

__all__ = [
    "OwnFiles",
    "git_history",
    "hosts_of_acts",
    "hosts_printed",
    "masked_paths",
    "moved",
    "paper",
]
