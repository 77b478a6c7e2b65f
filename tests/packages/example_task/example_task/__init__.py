"""A task that another package adds."""

from pathlib import Path

TINY = Path(__file__).parent / "tiny"
"""The folder of the task."""
