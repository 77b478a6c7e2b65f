"""The command line: builds objects, prints, and is the only place that exits."""

from rubric_engine.cli.app import main

__all__ = ["main"]
