"""Values as JSON takes them: any text, lone surrogates included, and never NaN or Infinity."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from numbers import Integral
from typing import Any

from pydantic import BaseModel


def plain(value: Any) -> Any:
    """Turn a value into what `json.dumps` can write.

    Args:
        value: Models, dataclasses, mappings and other collections, nested in any way.

    Returns:
        Dictionaries, lists, text, numbers, booleans and None. A number that is not finite is no
        number of JSON's, and becomes None.
    """
    if isinstance(value, BaseModel):
        return plain(value.model_dump())
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Iterable):
        return [plain(inner) for inner in value]
    return str(value)
