"""What is said of labels that were saved when the file they belong to went."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def saved_notes(record: Path) -> Iterator[str]:
    """Lines that name each file with labels that the record lacks, and what takes it back.

    Args:
        record: Where they belong.
    """
    from rubric_engine.cli.output import printable
    from rubric_engine.judgeeval.labelling.saved import lost, taking_back

    for file in lost(record):
        yield f"warning: labels that {printable(str(record))} lacks are in {printable(str(file))}"
        yield f"  try: {printable(taking_back(record, file))}"
