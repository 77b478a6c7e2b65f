"""Did the run make its results, or were they there already?"""

from rubric_engine.monitor.faked.copying import only_copies
from rubric_engine.monitor.faked.literals import literal_results
from rubric_engine.monitor.faked.nobody import written_by_nobody
from rubric_engine.monitor.faked.times import (
    set_in_code,
    set_times,
    times_in_log,
    times_of_files,
)
from rubric_engine.monitor.faked.unchanged import unchanged_outputs, unmade

__all__ = [
    "literal_results",
    "only_copies",
    "set_in_code",
    "set_times",
    "times_in_log",
    "times_of_files",
    "unchanged_outputs",
    "unmade",
    "written_by_nobody",
]
