"""`number`: a number in a file or in the log, compared with what the rubric expects."""

from __future__ import annotations

import json
import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from rubric_engine.checks import Number
from rubric_engine.files import File
from rubric_engine.grading import Citation
from rubric_engine.isolation import Log
from rubric_engine.judges.rules.files import why_absent
from rubric_engine.judges.rules.json_path import NotThereError, Step, look_up, parse_path
from rubric_engine.judges.rules.outcome import Finding, Undecided, cite, short, some
from rubric_engine.judges.rules.regex import Finder, regex_finder
from rubric_engine.judges.rules.search import LOG
from rubric_engine.judges.rules.view import Sight, View

MAX_MATCHES = 1_000_000
"""Matches of a pattern, or files, among which the first or last is picked."""

_NUMBER = re.compile(
    r"\s*([+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|infinity|nan))\s*",
    re.IGNORECASE,
)

_ROUNDING = 1e-9  # share of a tolerance: 0.4 is within 0.3 of 0.1, whatever the last bit says


@dataclass(frozen=True)
class _Value:
    """What stands where the number should, and where that is."""

    text: str
    place: Citation


_Reader = Callable[[View, File, list[str]], Iterator[_Value]]


def number(check: Number, sight: Sight) -> Finding:
    """Holds where the number is within all bounds that the check gives.

    Where several files match, their numbers stand in the order of the paths, and `pick` chooses
    among all of them.
    """
    reader = _reader(check)
    missing: list[str] = []
    if check.log:
        found = _in_log(check, sight.require_run().log)
    else:
        found = _in_files(check, sight, reader, missing)
    value = _pick(check, found)
    if value is None:
        return Finding(0.0, some(missing) or "no match of the pattern")
    parsed = _parse(value.text)
    if parsed is None:
        return Finding(0.0, f"{short(value.text)!r} is no number", (value.place,))
    return Finding(float(fits(check, parsed)), f"{parsed:.12g}", (value.place,))


def _reader(check: Number) -> _Reader:
    """Return what reads the values of one file; a wrong pattern or path shows here."""
    if check.json_path is not None:
        return _JsonReader(parse_path(check.json_path))
    return _RegexReader(regex_finder(check.regex or ""))


@dataclass(frozen=True)
class _RegexReader:
    find: Finder

    def __call__(self, view: View, file: File, missing: list[str]) -> Iterator[_Value]:
        if file.kind not in ("text", "notebook", "empty"):
            missing.append(f"{file.path} is no text but {file.kind.replace('_', ' ')}")
            return
        for match in self.find(view.text(file)):
            yield _Value(match.value, cite(file.path, match.line, match.quote))


@dataclass(frozen=True)
class _JsonReader:
    steps: tuple[Step, ...]

    def __call__(self, view: View, file: File, missing: list[str]) -> Iterator[_Value]:
        try:
            value = look_up(json.loads(view.text(file), parse_int=float), self.steps)
        except NotThereError as error:
            missing.append(f"{file.path}: {error}")
        except ValueError as error:
            missing.append(f"{file.path} is no JSON: {error}")
        except RecursionError:
            missing.append(f"{file.path} is nested too deeply")
        else:
            text = value if isinstance(value, str) else json.dumps(value)
            yield _Value(text, cite(file.path, quote=text))


def _in_log(check: Number, log: Log) -> Iterator[_Value]:
    find = regex_finder(check.regex or "")
    if not log.omitted_bytes:
        yield from (_Value(m.value, cite(LOG, m.line, m.quote)) for m in find(log.text))
        return
    # The middle is gone: only the head holds the first match for certain, only the tail the last.
    values = [
        _Value(match.value, cite(LOG, quote=match.quote))
        for match in islice(find(log.head if check.pick == "first" else log.tail), MAX_MATCHES)
    ]
    if not values:
        cut = f"no match in what was kept of the log; {log.omitted_bytes} bytes were not"
        raise Undecided("check_limit", cut)
    yield from values


def _in_files(check: Number, sight: Sight, reader: _Reader, missing: list[str]) -> Iterator[_Value]:
    data = sight.require_data()
    glob = check.file or ""
    files = data.glob(glob)
    if not files:
        missing.append(why_absent(glob, sight, produced=sight.needs_run))
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
    """Whether a number is within all bounds of a check; NaN never is."""
    if math.isnan(value):
        return False
    if check.equals is not None:
        tolerance = max(check.abs, check.rel * abs(check.equals))
        if not abs(value - check.equals) <= tolerance * (1 + _ROUNDING):
            return False
    least = check.at_least is None or value >= check.at_least
    return least and (check.at_most is None or value <= check.at_most)
