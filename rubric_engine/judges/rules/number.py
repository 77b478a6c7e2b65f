"""`number`: a number in a file or in the log, compared with what the rubric expects."""

from __future__ import annotations

import json
import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from rubric_engine.checks import Number
from rubric_engine.files import File
from rubric_engine.grading import Citation
from rubric_engine.isolation import Log
from rubric_engine.judges.rules.files import hidden, why_absent
from rubric_engine.judges.rules.json_path import NotThereError, Step, look_up, parse_path
from rubric_engine.judges.rules.outcome import Evaluation, Undecided, cite, short, some
from rubric_engine.judges.rules.regex import Finder, Match, regex_finder
from rubric_engine.judges.rules.search import LOG
from rubric_engine.judges.rules.view import Sight, View

MAX_MATCHES = 1_000_000
"""Matches of a pattern, or files, among which the first or last is picked."""

MAX_JSON = 10_000_000
"""Bytes of the largest JSON file that is parsed; what is parsed takes some 30 times as much."""

_NUMBER = re.compile(
    r"\s*([+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|infinity|nan))\s*",
    re.IGNORECASE,
)

_ROUNDING = 1e-9  # share of a tolerance: 0.4 is within 0.3 of 0.1, whatever the last bit says


@dataclass(frozen=True)
class _Value:
    """What stands where the number should, and where that is."""

    text: str
    path: str
    match: Match | None = None
    line_known: bool = True

    @property
    def place(self) -> Citation:
        """Made only for the value that is picked: a pattern may match a million times."""
        if self.match is None:
            return cite(self.path, quote=self.text)
        return cite(self.path, self.match.line if self.line_known else None, self.match.quote)


@dataclass
class _Missing:
    """Why files gave no value, and whether one of them could not be read at all."""

    reasons: list[str] = field(default_factory=list)
    unread: bool = False


_Reader = Callable[[View, File, _Missing], Iterator[_Value]]


def number(check: Number, sight: Sight) -> Evaluation:
    """Holds where the number is within all bounds that the check gives.

    Where several files match, their numbers stand in the order of the paths, and `pick` chooses
    among all of them.
    """
    reader = _reader(check)
    missing = _Missing()
    if check.log:
        found = _in_log(check, sight.require_log())
    else:
        found = _in_files(check, sight, reader, missing)
    value = _pick(check, found)
    if value is None:
        found_none = some(missing.reasons) or "no match of the pattern"
        return Evaluation(0.0, found_none, best=1.0 if missing.unread else None)
    parsed = _parse(value.text)
    if parsed is None:
        return Evaluation(0.0, f"{short(value.text)!r} is no number", (value.place,))
    return Evaluation(float(fits(check, parsed)), f"{parsed:.12g}", (value.place,))


def _reader(check: Number) -> _Reader:
    """Return what reads the values of one file; a wrong pattern or path shows here."""
    if check.json_path is not None:
        return _JsonReader(parse_path(check.json_path))
    return _RegexReader(regex_finder(check.regex or ""))


@dataclass(frozen=True)
class _RegexReader:
    find: Finder

    def __call__(self, view: View, file: File, missing: _Missing) -> Iterator[_Value]:
        if file.kind not in ("text", "notebook", "empty"):
            missing.reasons.append(f"{file.path} is no text but {file.kind.replace('_', ' ')}")
            missing.unread = True
            return
        for match in self.find(view.text(file)):
            yield _Value(match.value, file.path, match)


@dataclass(frozen=True)
class _JsonReader:
    steps: tuple[Step, ...]

    def __call__(self, view: View, file: File, missing: _Missing) -> Iterator[_Value]:
        if file.size > MAX_JSON:
            large = f"{file.path} has {file.size} bytes; JSON of at most {MAX_JSON} is read"
            raise Undecided("check_limit", large)
        try:
            value = look_up(json.loads(view.text(file), parse_int=float), self.steps)
        except NotThereError as error:
            missing.reasons.append(f"{file.path}: {error}")
        except (ValueError, RecursionError) as error:
            deep = isinstance(error, RecursionError)
            why = "is nested too deeply" if deep else f"is no JSON: {error}"
            missing.reasons.append(f"{file.path} {why}")
            missing.unread = True
        else:
            yield _Value(_plain(value), file.path)


def _plain(value: Any) -> str:
    """A value as text; of an object or a list, which may be huge, only what it is."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return value if isinstance(value, str) else json.dumps(value)


def _in_log(check: Number, log: Log) -> Iterator[_Value]:
    find = regex_finder(check.regex or "")
    if not log.omitted_bytes:
        yield from (_Value(m.value, LOG, m) for m in find(log.text))
        return
    # The middle is gone: only the head holds the first match for certain, only the tail the last.
    values = [
        _Value(match.value, LOG, match, line_known=False)
        for match in islice(find(log.head if check.pick == "first" else log.tail), MAX_MATCHES)
    ]
    if not values:
        cut = f"no match in what was kept of the log; {log.omitted_bytes} bytes were not"
        raise Undecided("check_limit", cut)
    yield from values


def _in_files(check: Number, sight: Sight, reader: _Reader, missing: _Missing) -> Iterator[_Value]:
    data = sight.require_data()
    glob = check.file or ""
    files = data.glob(glob)
    if not files:
        missing.reasons.append(why_absent(glob, sight, produced=sight.needs_run))
        missing.unread = bool(hidden(glob, sight))
    for file in files:
        yield from reader(data, file, missing)


def _pick(check: Number, values: Iterable[_Value]) -> _Value | None:
    if check.pick == "first":
        return next(iter(values), None)
    last = deque(enumerate(islice(values, MAX_MATCHES + 1)), maxlen=1)
    if last and last[0][0] == MAX_MATCHES:
        raise Undecided("check_limit", f"more than {MAX_MATCHES} matches")
    return last[0][1] if last else None


def _parse(text: str) -> float | None:
    found = _NUMBER.fullmatch(text)
    return float(found[1]) if found else None


def fits(check: Number, value: float) -> bool:
    """Whether a number is within all bounds of a check; what is not finite never is."""
    if not math.isfinite(value):
        return False
    if check.equals is not None:
        tolerance = max(check.abs, check.rel * abs(check.equals))
        if not abs(value - check.equals) <= tolerance * (1 + _ROUNDING):
            return False
    least = check.at_least is None or value >= check.at_least
    return least and (check.at_most is None or value <= check.at_most)
