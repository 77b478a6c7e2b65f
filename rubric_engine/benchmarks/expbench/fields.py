"""The fields that both formats of EXP-Bench share: texts, lists of texts, and the design."""

from __future__ import annotations

import json
import re
from typing import Any

from rubric_engine.benchmarks.expbench.notes import DOUBTFUL, TAKEN, Part
from rubric_engine.benchmarks.expbench.task import Design, Kind, Values, Variables
from rubric_engine.rubric_file.scalars import shown

# Half of a pair is no character, and no file of ours may hold a NUL.
_NO_TEXT = re.compile("[\ud800-\udfff\0]")

_GROUPS = {
    "constant_variables": "constant",
    "independent_variables": "independent",
    "dependent_variables": "dependent",
}


def text_of(part: Part, key: str, *, needed: bool = False) -> str:
    """The text under a key; empty where there is none, which is a problem where it is needed."""
    raw = part.values.get(key)
    if raw is None or raw == "":
        if needed:
            part.absent(key)
        return ""
    if not isinstance(raw, str):
        part.wrong(key, f"{key!r} is {shown(raw)}, a text is due")
        return ""
    return raw if _is_text(part, key, raw) else ""


def texts_of(part: Part, key: str) -> tuple[str, ...]:
    """The texts under a key; a single one counts as a list, with a warning."""
    raw = part.values.get(key)
    if raw is None or raw in ("", []):
        return ()
    if isinstance(raw, str):
        part.warn(TAKEN, key, f"{key!r} is a single text; taken as a list of one")
        raw = [raw]
    if not isinstance(raw, list) or not all(isinstance(item, str) for item in raw):
        part.wrong(key, f"{key!r} is {shown(raw)}, a list of texts is due")
        return ()
    if not all(_is_text(part, key, item) for item in raw):
        return ()
    if not all(item.strip() for item in raw):
        part.warn(DOUBTFUL, key, f"{key!r} holds empty texts; they are left out")
    return tuple(item for item in raw if item.strip())


def design_of(part: Part, key: str) -> Design:
    """The design under a key; empty where there is none, with a warning."""
    raw = part.values.get(key)
    if raw is None or raw in ("", {}):
        part.warn(DOUBTFUL, key, f"{key!r} is missing: nothing of the design can be graded")
        return Design()
    if not isinstance(raw, dict):
        part.wrong(key, f"{key!r} is {shown(raw)}, a mapping is due")
        return Design()
    inner = part.inside(key, raw)
    for name in raw:
        if name not in _GROUPS:
            inner.notes.unknown(name, _GROUPS, inner.where((name,), True))
    groups = {ours: _variables(inner, name) for name, ours in _GROUPS.items()}
    return Design(**groups)


def kind_fits(part: Part, kind: Kind, files: tuple[str, ...], key: str) -> None:
    """Say where the kind of a question and its files do not fit."""
    if kind == 3 and files:
        part.warn(DOUBTFUL, key, "kind 3 has no files that answer it, but some are named")
    elif kind != 3 and not files:
        part.warn(DOUBTFUL, key, f"kind {kind} has files that answer it, but none is named")


def _variables(part: Part, name: str) -> Variables:
    raw = part.values.get(name)
    if raw is None or raw in ("", [], {}):
        return {}
    if not isinstance(raw, dict):
        part.wrong(name, f"{name!r} is {shown(raw)}, a mapping of variables is due")
        return {}
    inner = part.inside(name, raw)
    return {key: _values(inner, key, raw[key]) for key in raw if _is_text(inner, key, key)}


def _values(part: Part, key: str, raw: Any) -> Values:
    if isinstance(raw, str):
        return raw if _is_text(part, key, raw) else ""
    if isinstance(raw, list):
        return tuple(_value(part, key, item) for item in raw)
    return _value(part, key, raw)


def _value(part: Part, key: str, raw: Any) -> str:
    if not isinstance(raw, str):
        part.warn(TAKEN, key, f"a value of {key!r} is {shown(raw)}; taken as its text")
        raw = json.dumps(raw, ensure_ascii=False)
    return raw if _is_text(part, key, raw) else ""


def _is_text(part: Part, key: str, text: str) -> bool:
    found = _NO_TEXT.search(text)
    if found:
        what = "a NUL" if found[0] == "\0" else "half of a surrogate pair"
        part.wrong(key, f"{key!r} holds {what}, which is no text")
    return not found
