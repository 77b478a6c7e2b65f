"""Claims of an answer to a task, held against what the task gives; pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from rubric_engine.benchmarks.tasksets.answer import MOST_NAMED, Claims
from rubric_engine.benchmarks.tasksets.as_rubric import rules_of
from rubric_engine.benchmarks.tasksets.check_rules import Contains, NumberClose
from rubric_engine.benchmarks.tasksets.derived import of_table, of_text
from rubric_engine.benchmarks.tasksets.forms import formed
from rubric_engine.benchmarks.tasksets.look_rules import Exact
from rubric_engine.benchmarks.tasksets.shown_working import worked_out
from rubric_engine.benchmarks.tasksets.task import SetTask
from rubric_engine.benchmarks.tasksets.wording import words_of
from rubric_engine.monitor.claims import Grounds, NumberClaim, file_claims, number_claims
from rubric_engine.monitor.claims.tables import delimiter_of
from rubric_engine.monitor.numbers import NUMBER, PLAIN, numbers

_HAN = "\u3400-\u9fff"
_SEAM = re.compile(rf"(?<=[{_HAN}])(?=[-+]?\.?\d)|(?<=\d)(?=[{_HAN}])")
"""Where a number touches Chinese text, which is written without spaces."""
_PERCENT = re.compile(r"(?<![\w.,])(\d{1,30}(?:\.\d{1,30})?)\s?%")

FindClaims = Callable[[SetTask, Mapping[str, str], str], Claims | None]
"""Counts the claims of an answer to a task, whose resources have these texts by their paths."""


def claims_of(task: SetTask, texts: Mapping[str, str], answer: str) -> Claims | None:
    """Count the numbers and files that an answer claims, and those that nothing given bears out.

    A number is borne out where it stands, at its rounding, in what was asked, in a resource or in
    the reference, where a rule of the task takes it for right, or where it follows from these: as a
    summary of a table's column, by one step from two numbers of one kind, or by arithmetic that
    the answer shows. Files are held against the resources.

    Args:
        task: The task.
        texts: Text of each resource, by its path.
        answer: What the agent said.

    Returns:
        The counts; None where nothing could bear a number out: the task gives neither a resource
        nor a number beside its question, or code is due, which claims nothing.
    """
    ground = _ground_of(task, texts)
    if ground is None or task.expected_output.type == "code":
        return None
    said = _spaced(_prose(answer, task))
    ground = ground.with_figures(worked_out(said, ground.gives))
    claimed = list(number_claims(said))
    files = list(file_claims(said)) if task.resources else []
    loose = [claim.shown.strip() for claim in claimed if not ground.bears(claim)]
    loose += [claim.path for claim in files if not ground.grounds.has(claim)]
    return Claims(
        claims=len(claimed) + len(files), ungrounded=len(loose), named=tuple(loose[:MOST_NAMED])
    )


@dataclass(frozen=True)
class _Ground:
    """What bears claims out: numbers and files, and ranges that rules take for right."""

    grounds: Grounds
    ranges: tuple[tuple[float, float], ...] = ()

    def bears(self, claim: NumberClaim) -> bool:
        shares = (claim.value, claim.value / 100) if claim.percent else (claim.value,)
        right = any(low <= share <= high for low, high in self.ranges for share in shares)
        return right or self.grounds.bears(claim)

    def gives(self, value: float, places: int) -> bool:
        return self.grounds.bears(
            NumberClaim(value, places, percent=False, line=1, text="", start=0, shown="")
        )

    def with_figures(self, figures: Iterable[float]) -> _Ground:
        values = tuple(sorted({*self.grounds.values, *figures}))
        return replace(self, grounds=replace(self.grounds, values=values))


def _ground_of(task: SetTask, texts: Mapping[str, str]) -> _Ground | None:
    given = {each.path: texts[each.path] for each in task.resources}
    told = [text for text in (task.background, *_right_texts(task)) if text]
    ranges = tuple(_ranges(task))
    if not given and not ranges and not any(map(_figures_of, told)):
        return None
    asked = words_of(task)
    named = (claim.path for text in (asked, *told) for claim in file_claims(_spaced(text)))
    figures = [figure for text in (asked, *told) for figure in _figures_of(text)]
    figures += [figure for path, text in given.items() for figure in _figures_of(text, path)]
    return _Ground(Grounds.of((), (*given, *named)), ranges).with_figures(figures)


@lru_cache(maxsize=64)
def _figures_of(text: str, path: str = "") -> tuple[float, ...]:
    """The numbers of a text, and what follows from them; a comma may stand between thousands."""
    plain = _spaced(text)
    found = [number.value for pattern in (NUMBER, PLAIN) for number in numbers(plain, pattern)]
    found += [float(match[1]) / 100 for match in _PERCENT.finditer(plain)]
    delimiter = delimiter_of(path)
    return (*found, *(of_table(text, delimiter) if delimiter else of_text(plain)))


def _right_texts(task: SetTask) -> Iterator[str]:
    """Texts that the author calls right: the reference, and what rules want to find."""
    if task.reference is not None:
        yield task.reference.answer or ""
        yield from (point.text for point in task.reference.points)
    for rule in rules_of(task).values():
        if isinstance(rule, Contains):
            yield from rule.text
        elif isinstance(rule, Exact):
            yield rule.text or ""


def _ranges(task: SetTask) -> Iterator[tuple[float, float]]:
    """Sizes of the numbers that a rule of the task takes for right."""
    for rule in rules_of(task).values():
        if isinstance(rule, NumberClose) and rule.equals is not None:
            slack = max(rule.abs, rule.rel * abs(rule.equals))
            yield abs(rule.equals) - slack, abs(rule.equals) + slack


def _prose(answer: str, task: SetTask) -> str:
    """An answer as lines that can be read for claims: of JSON its values, of a table its cells."""
    expected = task.expected_output
    value = formed(answer, expected).value
    if value is None or expected.type not in ("json", "table", "csv"):
        return answer
    if expected.type == "json":
        return "\n".join(_scalars(value))
    return "\n".join(f"| {' | '.join(row)} |" for row in value)


def _scalars(value: Any) -> Iterator[str]:
    """The texts and numbers in a JSON value, one a line."""
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, dict):
            pending += reversed(each.values())
        elif isinstance(each, list):
            pending += reversed(each)
        elif isinstance(each, str):
            yield each
        elif isinstance(each, int | float) and not isinstance(each, bool):
            yield json.dumps(each)


def _spaced(text: str) -> str:
    return _SEAM.sub(" ", text)
