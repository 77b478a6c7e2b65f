"""A taxonomy as files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from rubric_engine.benchmarks.expbench.grading.results_folder import TAXONOMY
from rubric_engine.benchmarks.expbench.taxonomy.values import Row, Taxonomy
from rubric_engine.replacing import replace_text
from rubric_engine.report.formats.rows import cell


def keep_taxonomy(found: Taxonomy, folder: Path) -> Path:
    """Write `taxonomy.json` beside the results.

    Returns:
        Its path.
    """
    path = folder / TAXONOMY
    replace_text(path, json.dumps(found.model_dump(mode="json"), indent=1) + "\n")
    return path


def rows_csv(found: Taxonomy) -> str:
    """The table, one line a cause in a category."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(Row._fields)
    writer.writerows([cell(value) for value in row] for row in found.rows())
    return out.getvalue()
