"""JSON: `report.json` again, but for what is hidden."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from rubric_engine.metrics import metric_means
from rubric_engine.report.masking import Mask
from rubric_engine.result import Report


def to_json(reports: Sequence[Report], redact: Sequence[str] = ()) -> tuple[str, dict[str, int]]:
    """One report as `report.json` holds it; several under `reports`, with the `metrics` over all.

    Args:
        reports: The reports.
        redact: Patterns of google-re2; what they find is hidden.

    Returns:
        The text, and how many places were hidden.

    Raises:
        UsageError: A pattern is none.
    """
    mask = Mask(redact)
    found = [mask.of(report.to_dict()) for report in reports]
    means = metric_means(report.metrics for report in reports)
    over_all = mask.of({name: asdict(mean) for name, mean in means.items()}, "metrics")
    value = found[0] if len(found) == 1 else {"reports": found, "metrics": over_all}
    return json.dumps(value, indent=1) + "\n", mask.count.to_dict()
