"""Results whose numbers stand in the sources already: written out, not computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from rubric_engine.errors import SubmissionError
from rubric_engine.files import File
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
_MOST = 2_000_000
_RESULTS = (".csv", ".json", ".jsonl", ".tsv", ".txt", ".md", ".tex", ".yaml", ".yml")


@dataclass(frozen=True)
class _Place:
    """Where a number stands: in a text, in which of its programs, and at which offset of that."""

    text: SourceText
    program: int
    offset: int

    @property
    def order(self) -> tuple[str, int, int]:
        return self.text.path, self.program, self.offset


Places = dict[float, _Place]


def literal_results(run: Run, sources: Iterable[SourceText]) -> Iterator[Draft]:
    """Produced files most of whose numbers are literals of the sources.

    Args:
        run: The run.
        sources: The texts that were handed in.
    """
    code, data = _literals(run, sources)
    for file in run.outputs:
        if file.path in run.made and _is_result(file):
            values = set(_values(_read(run, file)))
            found = _first(values, code, LEAST_NUMBERS) or _first(values, data, _FROM_DATA)
            if found is not None:
                yield _draft(file, found, len(values))


def _draft(file: File, found: tuple[_Place, int], total: int) -> Draft:
    place, count = found
    text = place.text
    code, placed = text.programs[place.program]
    number = code.count("\n", 0, place.offset)
    says = (
        f"{count} of the {total} different numbers in {file.path} stand in the sources, the first"
        " of them here: they may be written out and not computed"
    )
    line, shown = placed(number + 1), code.split("\n")[number]
    return Draft("faked.literal_result", "suspicious", text.source, text.path, line, shown, says)


def _literals(run: Run, sources: Iterable[SourceText]) -> tuple[Places, Places]:
    """Where each number stands first: in code, and in data that is no output itself."""
    code: Places = {}
    data: Places = {}
    for text in sources:
        # What a notebook shows below its cells is a result, and no source.
        if text.part in ("python", "shell", "code", "notebook"):
            _put(code, text)
        elif text.part == "data" and not (run.task.outputs and run.is_output(text.path)):
            _put(data, text, _MOST)
    return code, data


def _put(places: Places, text: SourceText, most: int | None = None) -> None:
    for program, (code, _) in enumerate(text.programs):
        for number in numbers(code[:most]):
            if number.digits >= LEAST_DIGITS:
                places.setdefault(number.value, _Place(text, program, number.start))


def _values(text: str) -> Iterator[float]:
    for number in numbers(text):
        if number.digits >= LEAST_DIGITS:
            yield number.value


def _first(values: set[float], places: Places, least: int) -> tuple[_Place, int] | None:
    """The first place of those numbers that stand there, and how many do, if they are enough."""
    there = [places[value] for value in values if value in places]
    if len(there) < max(least, SHARE * len(values)):
        return None
    return min(there, key=lambda one: one.order), len(there)


def _is_result(file: File) -> bool:
    path = PurePosixPath(file.path.lower())
    return path.suffix in _RESULTS and not SETTINGS.search(path.stem) and file.size <= 4 * _MOST


def _read(run: Run, file: File) -> str:
    try:
        return run.executed.read(file.path, max_bytes=_MOST) if run.executed else ""
    except SubmissionError:
        return ""
