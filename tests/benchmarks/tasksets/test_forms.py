"""Whether an answer has the form that is due, and what the rules find in it."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.benchmarks.tasksets.forms import MOST_BYTES, fenced, formed
from rubric_engine.benchmarks.tasksets.outcomes import outcome
from rubric_engine.benchmarks.tasksets.rules import RULES
from rubric_engine.benchmarks.tasksets.schema_lite import deviations, flaws
from rubric_engine.benchmarks.tasksets.task import FORMS, ExpectedOutput


def reason(text: str, kind: Any, structure: Any = None) -> str | None:
    return formed(text, ExpectedOutput(type=kind, structure=structure)).reason


SCHEMA = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("text", "kind", "structure"),
    [
        ("anything", "text", None),
        ("Aim: x\nMethod: y", "text", ["aim", "method"]),
        ("42", "number", None),
        ("The answer is\n\n**-1,234.5**", "number", None),
        ("1e-3", "number", {"maximum": 1}),
        ("- one\n- two", "list", None),
        ("1. one\n2) two", "list", {"minItems": 2}),
        ('["a", "b"]', "list", None),
        ('{"a": 1}', "json", ["a"]),
        ('Here:\n```json\n{"a": 1}\n```\n', "json", SCHEMA),
        ('{"a": 1}', "json", {"a": "what it is"}),
        ("| A | b |\n|---|:-:|\n| 1 | 2 |", "table", ["a", "b"]),
        ("a,b\n1,2\n", "csv", ["b"]),
        ("```python\nx = 1\n```", "code", {"language": "python"}),
        ("print 1", "code", "perl"),
        ("\u7b54\u6848", "text", None),
    ],
)
def test_well_formed_answers(text: str, kind: str, structure: Any) -> None:
    assert reason(text, kind, structure) is None


@pytest.mark.parametrize(
    ("text", "kind", "structure", "says"),
    [
        (" \n", "text", None, "empty"),
        ("x" * (MOST_BYTES + 1), "text", None, "bytes"),
        ("Aim: x", "text", ["aim", "method"], "'method'"),
        ("about 42 or so", "number", None, "no number"),
        ("1e999", "number", None, "too large"),
        ("5", "number", {"maximum": 1}, "above 1"),
        ("one and two", "list", None, "no list"),
        ("- one", "list", {"minItems": 2}, "at least 2"),
        ("{'a': 1}", "json", None, "no JSON"),
        ('{"a": NaN}', "json", None, "NaN"),
        ("[" * 100_000, "json", None, "no JSON"),
        ("9" * 5000, "json", None, "no JSON"),
        ('{"b": 1}', "json", ["a"], "'a' is missing"),
        ('{"a": "1"}', "json", SCHEMA, "string"),
        ('{"a": true}', "json", SCHEMA, "boolean"),
        ("| a |\n|---|\n| 1 |", "table", None, "single column"),
        ("a,b\n1\n", "csv", None, "row 1"),
        ("a,b\n1,2\n", "csv", ["c"], "'c' is missing"),
        ("def f(:", "code", "python", "no Python"),
    ],
)
def test_malformed_answers_say_why(text: str, kind: str, structure: Any, says: str) -> None:
    assert says in str(reason(text, kind, structure))


@given(st.text(), st.sampled_from(FORMS), st.sampled_from([None, "python", ["a"], SCHEMA]))
def test_no_answer_breaks_the_look_at_it(text: str, kind: str, structure: Any) -> None:
    formed(text, ExpectedOutput(type=kind, structure=structure))  # type: ignore[arg-type]


@pytest.mark.parametrize("piece", ["```x\n", "```\n", "-" * 3, "|--", " ", "9", "[", "(a,"])
def test_hostile_answers_of_the_largest_size_are_looked_at_to_their_end(piece: str) -> None:
    text = "x | y\n" + piece * (MOST_BYTES // len(piece) - 10)
    for kind in FORMS:
        formed(text, ExpectedOutput(type=kind))
    assert len(fenced(text)) < MOST_BYTES


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "bb"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=5,
)
TYPES = st.sampled_from(["object", "array", "string", "number", "integer", "boolean", "null"])
SCHEMAS = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | st.lists(TYPES, min_size=1, unique=True),
            "enum": st.lists(VALUES, min_size=1, max_size=3),
            "minimum": st.integers(-3, 3),
            "maxLength": st.integers(0, 3),
            "minItems": st.integers(0, 3),
            "required": st.lists(st.sampled_from("ab"), unique=True),
            "additionalProperties": st.booleans(),
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {}, optional={"items": inner, "properties": st.dictionaries(st.sampled_from("ab"), inner)}
    ),
    max_leaves=4,
)


@given(VALUES, SCHEMAS)
def test_schemas_mean_what_they_mean_elsewhere(value: Any, schema: dict[str, Any]) -> None:
    assert list(flaws(schema)) == []
    valid = jsonschema.Draft202012Validator(schema).is_valid(value)
    assert (next(deviations(value, schema), None) is None) == valid


@pytest.mark.parametrize(
    ("name", "settings", "text", "score"),
    [
        ("exact", {"text": "Yes  it is"}, " yes it\nis ", 0.0),
        ("exact", {"text": "Yes  it is", "ignore_case": True}, " yes it\nis ", 1.0),
        ("json_keys", {"keys": ["a", "b.c", "d"]}, '{"a": 1, "b": {"c": 2}}', 2 / 3),
        ("json_keys", {"keys": ["a"]}, "no JSON", 0.0),
        ("json_schema", {"schema": SCHEMA}, '```\n{"a": 2}\n```', 1.0),
        ("json_schema", {"schema": SCHEMA}, '{"a": 2.5}', 0.0),
        ("has_citations", {"min": 2}, "See [1] and [1].", 0.0),
        ("has_citations", {"min": 3}, "10.1000/x1, arXiv:2101.00001 (Li et al., 2020)", 1.0),
        ("length", {"min": 3, "max": 3}, "one two-fold three", 1.0),
        ("length", {"max": 3}, "\u56db\u4e2a\u5b57\u5462", 0.0),
        ("length", {"max": 4, "unit": "characters"}, " four ", 1.0),
        ("well_formed", {}, "3", 1.0),
    ],
)
def test_rules_that_look_for_themselves(
    name: str, settings: dict[str, Any], text: str, score: float
) -> None:
    found = outcome(name, RULES[name].model_validate(settings), text, ExpectedOutput())
    assert found is not None
    assert found.score == pytest.approx(score)
    assert found.looked_for
    assert found.found


@given(st.text(), st.sampled_from(["exact", "has_citations", "length", "json_keys"]))
def test_no_answer_breaks_a_rule(text: str, name: str) -> None:
    settings = {"exact": {"text": "a"}, "length": {"min": 1}, "json_keys": {"keys": ["a"]}}
    rule = RULES[name].model_validate(settings.get(name, {}))
    found = outcome(name, rule, text, ExpectedOutput())
    assert found is not None
    assert found.score is not None


def test_a_table_is_read_by_its_columns() -> None:
    rule = RULES["columns"].model_validate({"columns": ["a", "c"]})
    table = ExpectedOutput(type="table", structure=["a", "b"])
    found = outcome("columns", rule, "| a | b |\n|--|--|\n| 1 | 2 |", table)
    assert found is not None
    assert found.score == 0.5
    assert "'c'" in found.found
    assert json.loads(json.dumps(found.model_dump()))["check"] == "columns"
