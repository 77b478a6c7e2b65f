"""`contains` and `log_contains`: how often a text or a pattern occurs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from rubric_engine.checks import Contains, LogContains
from rubric_engine.files import File
from rubric_engine.judges.rules.files import hidden, why_absent
from rubric_engine.judges.rules.outcome import (
    MAX_CITATIONS,
    Evaluation,
    Undecided,
    cite,
    count,
    some,
)
from rubric_engine.judges.rules.regex import Finder, Match, regex_finder, text_finder
from rubric_engine.judges.rules.view import Sight

MAX_TOTAL = 500_000_000
"""Bytes that one check reads in all."""

LOG = "the log"
"""Name under which citations give the log of the run."""

_ENOUGH = 1000  # occurrences counted beyond those that decide; the exact number is of no use


def contains(check: Contains, sight: Sight) -> Evaluation:
    """Count occurrences in all text files that the glob names."""
    find = _finder(check)
    files = sight.texts.glob(check.file)
    texts = [file for file in files if file.kind in ("text", "notebook", "empty")]
    unread = [*_unread([file for file in files if file not in texts]), *hidden(check.file, sight)]
    if sum(file.size for file in texts) > MAX_TOTAL:
        raise Undecided("check_limit", f"the files have more than {MAX_TOTAL} bytes together")
    places = _first(check, ((f.path, match) for f in texts for match in find(sight.texts.text(f))))
    where = f"in {count(len(texts), 'file')}" + (f"; not read: {some(unread)}" if unread else "")
    evaluation = _evaluation(check, places, where)
    if not texts:
        nothing = (
            f"no text among {count(len(files), 'file')}: {some(unread)}"
            if files
            else why_absent(check.file, sight, produced=False)
        )
        evaluation = replace(evaluation, score=0.0, found=nothing)
    return _doubted(check, evaluation, len(places)) if unread else evaluation


def _doubted(check: Contains, evaluation: Evaluation, number: int) -> Evaluation:
    """Take what could not be read to hold as many occurrences as would speak against the check."""
    possible = check.max is None or number <= check.max
    score = evaluation.score if check.max is None else 0.0
    return replace(evaluation, score=score, best=float(possible))


def log_contains(check: LogContains, sight: Sight) -> Evaluation:
    """Count occurrences in the log of the run."""
    find = _finder(check)
    log = sight.require_log()
    places = _first(check, ((LOG, match) for match in find(log.text)))
    evaluation = _evaluation(check, places, "in the log")
    if log.omitted_bytes and not _settled(check, len(places)):
        cut = f"{evaluation.found}; {log.omitted_bytes} bytes of the log were not kept"
        raise Undecided("check_limit", cut)
    return evaluation


def _settled(check: LogContains, number: int) -> bool:
    """Whether further occurrences, in what was cut out of the log, would change nothing."""
    return number >= check.min if check.max is None else number > check.max


def _finder(check: Contains | LogContains) -> Finder:
    return regex_finder(check.regex) if check.regex else text_finder(check.text or "")


def _first(
    check: Contains | LogContains, places: Iterable[tuple[str, Match]]
) -> list[tuple[str, Match]]:
    return list(islice(places, max(check.min, check.max or 0) + _ENOUGH))


def _evaluation(
    check: Contains | LogContains, places: Sequence[tuple[str, Match]], where: str
) -> Evaluation:
    number = len(places)
    holds = number >= check.min and (check.max is None or number <= check.max)
    least = "at least " if number >= _ENOUGH else ""
    citations = tuple(cite(path, m.line, m.quote) for path, m in places[:MAX_CITATIONS])
    return Evaluation(float(holds), f"{least}{count(number, 'occurrence')} {where}", citations)


def _unread(files: Sequence[File]) -> list[str]:
    return [f"{file.path} ({file.kind.replace('_', ' ')})" for file in files]
