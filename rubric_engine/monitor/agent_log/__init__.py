"""Which commands the log of an agent says were run."""

from rubric_engine.monitor.agent_log.reading import Told, steps_of, told
from rubric_engine.monitor.agent_log.step import Step

__all__ = ["Step", "Told", "steps_of", "told"]
