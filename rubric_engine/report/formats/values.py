"""JSON: `report.json` again, but for what is hidden."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rubric_engine.metrics import metric_means
from rubric_engine.report.apart import told_apart
from rubric_engine.report.masking import Mask
from rubric_engine.report.reading import RunMaterial
from rubric_engine.report.sources import MaskedTexts
from rubric_engine.result import grade_dict


def to_json(
    materials: Sequence[RunMaterial], redact: Sequence[str] = ()
) -> tuple[str, dict[str, int]]:
    """One report as `report.json` holds it; several under `reports`, with the `metrics` over all.

    Args:
        materials: The runs.
        redact: Patterns of google-re2; what they find is hidden.

    Returns:
        The text, and how many places were hidden.

    Raises:
        UsageError: A pattern is none.
    """
    mask = Mask(redact)
    found = [_masked(material, mask) for material in materials]
    means = metric_means(material.report.metrics for material in materials)
    over_all = mask.of({name: asdict(mean) for name, mean in means.items()}, "metrics")
    value = found[0] if len(found) == 1 else {"reports": found, "metrics": over_all}
    return json.dumps(value, indent=1) + "\n", mask.count.to_dict()


def _masked(material: RunMaterial, mask: Mask) -> dict[str, Any]:
    texts = MaskedTexts(material.lines, mask)
    whole = material.report.to_dict()
    masked: dict[str, Any] = mask.of({**whole, "grades": {}})
    grades = material.report.grades
    keys = told_apart([mask.text(key) for key in grades])
    masked["grades"] = {
        key: mask.of(grade_dict(grade), hide=texts.repeated(grade))
        for key, grade in zip(keys, grades.values(), strict=True)
    }
    return masked
