"""Reading a JSON file of a run's folder."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from rubric_engine.errors import RunError

MEND = (
    "rubric-engine runs list   names the runs that there are",
    "rubric-engine grade SUBMISSION ...   makes it anew; what was paid for is not paid again",
)
"""What mends a run whose files cannot be read."""


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object of a run folder.

    Raises:
        RunError: It is missing or no JSON object.
    """
    try:
        value = json.loads(
            path.read_text(encoding="utf-8"), parse_constant=_refused, parse_float=_finite
        )
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}", code="E522", fix=MEND) from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path} is not valid JSON: {error}", code="E522", fix=MEND) from None
    if not isinstance(value, dict):
        raise RunError(f"{path} is not a JSON object", code="E522", fix=MEND)
    return value


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refused(text)


def _refused(text: str) -> float:
    """Refuse what is no number of JSON: no page can hold it."""
    raise ValueError(f"{text[:20]} is no finite number")
