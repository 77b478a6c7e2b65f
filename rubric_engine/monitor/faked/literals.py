"""Results whose numbers stand in the sources already: written out, not computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import PurePosixPath

from rubric_engine.errors import SubmissionError
from rubric_engine.files import File
from rubric_engine.monitor.faked.place import Place, best
from rubric_engine.monitor.faked.tables import Pairs, is_small_table, pairs_of, typed
from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.numbers import numbers
from rubric_engine.monitor.outputs import SETTINGS
from rubric_engine.monitor.run import Run
from rubric_engine.monitor.texts import SourceText

LEAST_DIGITS = 3
"""Significant digits from which two equal numbers are no chance."""

LEAST_NUMBERS = 4
"""Different numbers from which a file is judged."""

SHARE = 0.8
"""Share of a file's different numbers that stand in the sources."""

_FROM_DATA = 10
_LONG = f"different numbers of {LEAST_DIGITS} digits or more"
_PROGRAMS = ("python", "shell", "code", "notebook")
_MOST = 2_000_000
_RESULTS = (".csv", ".json", ".jsonl", ".tsv", ".txt", ".md", ".tex", ".yaml", ".yml")


Places = dict[float, list[Place]]


def literal_results(run: Run, sources: Sequence[SourceText]) -> Iterator[Draft]:
    """Produced files most of whose numbers are literals of the sources.

    Args:
        run: The run.
        sources: The texts that were handed in.
    """
    programs = [text for text in sources if text.part in _PROGRAMS]
    code, data = _literals(run, sources)
    pairs: Pairs | None = None
    for file in run.outputs:
        if file.path in run.made and _is_result(file):
            text = _read(run, file)
            values = set(_values(text))
            found = _found(values, code, LEAST_NUMBERS) or _found(values, data, _FROM_DATA)
            counted = _LONG
            if found is None and is_small_table(file):
                pairs = pairs_of(programs) if pairs is None else pairs
                found, counted = typed(text, pairs), "numbers"
            if found is not None:
                yield _draft(file, *found, counted)


def _draft(file: File, places: list[Place], count: int, total: int, counted: str) -> Draft:
    place = best(places, file.path)
    says = (
        f"{count} of the {total} {counted} in {file.path} stand in the sources, the first"
        " of them here: they may be written out and not computed"
    )
    text, (line, shown) = place.text, place.line
    return Draft("faked.literal_result", "suspicious", text.source, text.path, line, shown, says)


def _literals(run: Run, sources: Iterable[SourceText]) -> tuple[Places, Places]:
    """Where each number stands first in each text: in code, and in data that is no output."""
    code: Places = {}
    data: Places = {}
    for text in sources:
        # What a notebook shows below its cells is a result, and no source.
        if text.part in _PROGRAMS:
            _put(code, text)
        elif text.part == "data" and not (run.task.outputs and run.is_output(text.path)):
            _put(data, text, _MOST)
    return code, data


def _put(places: Places, text: SourceText, most: int | None = None) -> None:
    for program, (code, _) in enumerate(text.programs):
        for number in numbers(code[:most]):
            if number.digits >= LEAST_DIGITS:
                there = places.setdefault(number.value, [])
                if not there or there[-1].text is not text:
                    there.append(Place(text, program, number.start))


def _values(text: str) -> Iterator[float]:
    for number in numbers(text):
        if number.digits >= LEAST_DIGITS:
            yield number.value


def _found(values: set[float], places: Places, least: int) -> tuple[list[Place], int, int] | None:
    """Where those numbers stand that do, how many they are, and of how many; if they are enough."""
    there = [places[value] for value in values if value in places]
    if len(there) < max(least, SHARE * len(values)):
        return None
    return list(chain.from_iterable(there)), len(there), len(values)


def _is_result(file: File) -> bool:
    path = PurePosixPath(file.path.lower())
    return path.suffix in _RESULTS and not SETTINGS.search(path.stem) and file.size <= 4 * _MOST


def _read(run: Run, file: File) -> str:
    try:
        return run.executed.read(file.path, max_bytes=_MOST) if run.executed else ""
    except SubmissionError:
        return ""
