"""The receipts of a run: what its judges were not shown, once for each group of leaves.

receipts.jsonl holds one line a receipt, appended before the first grade that names it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from rubric_engine.evidence import Receipt
from rubric_engine.lookup import is_file
from rubric_engine.rundir import cut_torn_end, storing

_FILE = "receipts.jsonl"


class ReceiptBook:
    """Keeps receipts, each once.

    Args:
        run: The run's folder, which this process writes; None keeps them in memory alone.

    Attributes:
        unranked: By hash of a receipt, why no model ranked the files; empty where all is well.
    """

    def __init__(self, run: Path | None) -> None:
        self._path = run / _FILE if run is not None else None
        self.unranked: dict[str, str] = {}
        if self._path is not None and self._path.is_file():
            with storing(self._path):
                cut_torn_end(self._path)
                for sha256, value in _lines(self._path):
                    self.unranked[sha256] = str(value.get("unranked", ""))

    def add(self, receipt: Receipt) -> None:
        """Keep a receipt.

        Raises:
            StorageError: It cannot be written.
        """
        if receipt.sha256 in self.unranked:
            return
        if self._path is not None:
            line = json.dumps({"sha256": receipt.sha256, "receipt": receipt.to_dict()})
            with storing(self._path), self._path.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        self.unranked[receipt.sha256] = receipt.unranked


def find_receipt(run: Path, sha256: str) -> Receipt | None:
    """Read a receipt of a run; None where it is not kept, or damaged."""
    try:
        for found, value in _lines(run / _FILE):
            if found == sha256:
                return TypeAdapter(Receipt).validate_python(value)
    except (OSError, ValidationError):
        return None
    return None


def kept_receipts(run: Path) -> dict[str, dict[str, Any]]:
    """All receipts of a run by their hash, as plain values, as far as they are kept whole."""
    if not is_file(run / _FILE):  # a pipe would be waited for
        return {}
    try:
        return dict(_lines(run / _FILE))
    except OSError:
        return {}


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Hash and content of each receipt, as far as the file is whole."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                entry = json.loads(line)
                yield str(entry["sha256"]), dict(entry["receipt"])
            except (ValueError, KeyError, TypeError, RecursionError):
                return
