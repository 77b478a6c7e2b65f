"""What the rules find that the engine's checks cannot express. Pure: an answer in, a result out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from rubric_engine.benchmarks.tasksets.check_rules import NumberClose
from rubric_engine.benchmarks.tasksets.forms import Formed, Malformed, formed, read_json
from rubric_engine.benchmarks.tasksets.forms import fenced as fenced_blocks
from rubric_engine.benchmarks.tasksets.look_rules import (
    Columns,
    Exact,
    HasCitations,
    JsonKeys,
    JsonSchema,
    Length,
    WellFormed,
)
from rubric_engine.benchmarks.tasksets.numerals import last_number
from rubric_engine.benchmarks.tasksets.rule import ANSWER, Rule
from rubric_engine.benchmarks.tasksets.schema_lite import WORD, deviations
from rubric_engine.benchmarks.tasksets.task import ExpectedOutput
from rubric_engine.checks import Number
from rubric_engine.grading import CheckResult
from rubric_engine.judges.rules.number import fits

_SHOWN = 80
_CITED = re.compile(
    r"\b10\.\d{4,9}/[^\s\"<>)\]]+"  # a DOI
    r"|\barxiv[:/ ]\s?\d{4}\.\d{4,5}"
    r"|https?://[^\s\"<>)\]]+"
    r"|\[\d{1,3}\]"
    r"|[(\uff08][^()\n\uff08\uff09]{2,80}?[,\uff0c]\s?(?:1[89]|20)\d\d[a-z]?[)\uff09]",
    re.IGNORECASE,
)

Finding = tuple[float, str]
"""A score, and what was found, in words."""


def outcome(name: str, rule: Rule, text: str, expected: ExpectedOutput) -> CheckResult | None:
    """What a rule finds in an answer; None where the engine's checks say it.

    Args:
        name: Name of the rule.
        rule: The rule, completed.
        text: The answer.
        expected: The form that is due.
    """
    look = _LOOKS.get(type(rule))
    if look is None:
        return None
    finding = look(rule, text, expected)
    if finding is None:
        return None
    score, found = finding
    return CheckResult(check=name, looked_for=rule.says(), found=found, score=score)


def _exact(rule: Exact, text: str, _: ExpectedOutput) -> Finding:
    said, due = " ".join(text.split()), " ".join((rule.text or "").split())
    if rule.ignore_case:
        said, due = said.casefold(), due.casefold()
    return float(said == due), f"it is {_short(said)!r}"


def _parsed(text: str) -> Any:
    blocks = fenced_blocks(text)
    return read_json(blocks[0][1] if len(blocks) == 1 else text)


def _json_keys(rule: JsonKeys, text: str, _: ExpectedOutput) -> Finding:
    try:
        value = _parsed(text)
    except Malformed as wrong:
        return 0.0, str(wrong)
    missing = [key for key in rule.keys if not _has(value, key)]
    found = f"it lacks {', '.join(map(repr, missing))}" if missing else "it has them all"
    return _share(len(rule.keys) - len(missing), len(rule.keys)), found


def _has(value: Any, key: str) -> bool:
    """A key as it stands, or a path of keys."""
    if isinstance(value, dict) and key in value:
        return True
    for part in key.split("."):
        if not isinstance(value, dict) or part not in value:
            return False
        value = value[part]
    return True


def _json_schema(rule: JsonSchema, text: str, _: ExpectedOutput) -> Finding:
    try:
        wrong = next(deviations(_parsed(text), rule.follows or {}), None)
    except Malformed as malformed:
        wrong = str(malformed)
    return float(wrong is None), _short(wrong) if wrong else "it follows it"


def _citations(rule: HasCitations, text: str, _: ExpectedOutput) -> Finding:
    found = {match[0].casefold().rstrip(".,;") for match in _CITED.finditer(text)}
    return float(len(found) >= rule.min), f"it cites {len(found)}"


def _length(rule: Length, text: str, _: ExpectedOutput) -> Finding:
    many = sum(1 for _ in WORD.finditer(text)) if rule.unit == "words" else len(text.strip())
    fits = many >= rule.min and (rule.max is None or many <= rule.max)
    return float(fits), f"it has {many:,} {rule.unit}"


def _number_close(rule: NumberClose, text: str, expected: ExpectedOutput) -> Finding | None:
    if rule.checks():
        return None
    value = _number(text, expected)
    if value is None:
        return 0.0, "it has no number"
    check = Number.model_validate({"file": ANSWER, "regex": ".", **rule.bounds})
    return float(fits(check, value)), f"it is {value:.12g}"


def _number(text: str, expected: ExpectedOutput) -> float | None:
    """The number that an answer is, or the last that it holds."""
    value = formed(text, expected).value
    if expected.type == "number" and value is not None:
        return float(value)
    if expected.type in ("table", "csv") and value is not None:
        return last_number("\n".join(cell for row in value for cell in row))
    return last_number(text, commas_separate=expected.type in ("json", "csv", "table", "code"))


def _columns(rule: Columns, text: str, expected: ExpectedOutput) -> Finding:
    seen = formed(text, expected.model_copy(update={"structure": None}))
    if seen.reason is not None:
        return 0.0, seen.reason
    header = {cell.strip().casefold() for cell in seen.value[0]}
    missing = [name for name in rule.columns if name.strip().casefold() not in header]
    rows = len(seen.value) - 1
    if rows < rule.min_rows:
        return 0.0, f"it has {rows} rows"
    found = f"it lacks {', '.join(map(repr, missing))}" if missing else "it has them all"
    return _share(len(rule.columns) - len(missing), len(rule.columns)), found


def _well_formed(rule: WellFormed, text: str, expected: ExpectedOutput) -> Finding:
    seen: Formed = formed(text, expected)
    return float(seen.reason is None), seen.reason or "it has"


def _share(some: int, every: int) -> float:
    return some / every


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


_LOOKS: Mapping[type[Rule], Callable[[Any, str, ExpectedOutput], Finding | None]] = {
    Exact: _exact,
    JsonKeys: _json_keys,
    JsonSchema: _json_schema,
    HasCitations: _citations,
    Length: _length,
    NumberClose: _number_close,
    Columns: _columns,
    WellFormed: _well_formed,
}
