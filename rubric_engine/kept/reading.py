"""Reading a JSON file that a run kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from rubric_engine.errors import RunError

T = TypeVar("T")


def read_as(path: Path, form: type[T]) -> T:
    """Read a file as a value of a type.

    Raises:
        RunError: It is missing or damaged.
    """
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise RunError(f"{path} is no regular file", code="E522")
    try:
        return TypeAdapter(form).validate_python(json.loads(path.read_bytes()))
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}", code="E522") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise RunError(f"{path} is damaged: {where}: {first['msg']}", code="E522") from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path} is not valid JSON: {error}", code="E522") from None
