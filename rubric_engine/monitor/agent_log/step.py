"""One thing that an agent did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Step:
    """A script that an agent ran, in a shell or in Python.

    Attributes:
        kind: Which of the two.
        code: The script.
        line: Where the log has it, from 1.
        form: How the log told it: name of the parser's form.
    """

    kind: Literal["shell", "python"]
    code: str
    line: int
    form: str
