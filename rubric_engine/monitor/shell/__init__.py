"""Reading shell scripts without running them: which commands, with which words."""

from rubric_engine.monitor.shell.command import Command
from rubric_engine.monitor.shell.commands import commands
from rubric_engine.monitor.shell.executed import Ran, executed

__all__ = ["Command", "Ran", "commands", "executed"]
