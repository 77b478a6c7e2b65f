"""What the files of a labelling are called, and which names that leaves to annotators.

plan.json         who labels which leaves
rubric.json       the rubric as it was when the plan was made
todo-A.jsonl      what annotator A fills in
A.jsonl           A's labels, appended; the last line of a leaf counts
adjudicate-C.jsonl   what C is to decide
C.jsonl           C's decisions, likewise
gold.jsonl        what follows from all of them
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath

from rubric_engine.errors import UsageError

PLAN, RUBRIC, GOLD = "plan.json", "rubric.json", "gold.jsonl"
TODO, ADJUDICATE = "todo-", "adjudicate-"

_NAME = re.compile(r"\w[\w.-]{0,39}")


def annotator_name(name: str) -> str:
    """Check a name that becomes part of a file's name.

    Raises:
        UsageError: It is more than letters, digits, `_`, `.` and `-`, or is taken by other files.
    """
    taken = {PurePath(file).stem for file in (PLAN, RUBRIC, GOLD)}
    plain = name.casefold()
    if (
        not _NAME.fullmatch(name)
        or not unicodedata.is_normalized("NFC", name)
        or plain in taken
        or plain.startswith((TODO, ADJUDICATE))
    ):
        raise UsageError(
            f"{name!r} is no name for an annotator",
            fix=["use letters, digits, '_', '.' and '-', such as a1; names of our files are taken"],
        )
    return name


def annotator_names(text: str) -> tuple[str, ...]:
    """Names out of a list with commas.

    Raises:
        UsageError: One is no name, none is there, or two differ in nothing but case.
    """
    names = tuple(annotator_name(part.strip()) for part in text.split(",") if part.strip())
    if not names:
        raise UsageError("no annotator is named", fix=["--annotators a1,a2"])
    if len({name.casefold() for name in names}) < len(names):
        raise UsageError(f"two annotators share a name: {text!r}", fix=["--annotators a1,a2"])
    return names
