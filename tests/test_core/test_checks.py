import re
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from rubric_engine.checks import CLASSES, Check, reads_run
from tests.strategies import GLOBS

ADAPTER: TypeAdapter[Any] = TypeAdapter(Check)
SCHEMA = jsonschema.Draft202012Validator(ADAPTER.json_schema())

TEXT = st.text(min_size=1, max_size=8)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
NEEDLE = st.fixed_dictionaries({"text": TEXT}) | st.fixed_dictionaries({"regex": TEXT})
PLACE = (
    st.fixed_dictionaries({"file": GLOBS, "json": TEXT})
    | st.fixed_dictionaries({"file": GLOBS, "regex": TEXT})
    | st.fixed_dictionaries({"log": st.just(True), "regex": TEXT})
)
BOUNDS = st.fixed_dictionaries(
    {"equals": NUMBERS}, optional={"at_least": NUMBERS, "at_most": NUMBERS}
)
COUNT = st.integers(1, 9)
FILE = {"file": GLOBS}


def _joined(*parts: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.tuples(*parts).map(lambda drawn: {k: v for part in drawn for k, v in part.items()})


FIELDS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "file_exists": st.fixed_dictionaries(FILE, optional={"min": COUNT}),
    "file_absent": st.fixed_dictionaries(FILE),
    "contains": _joined(st.fixed_dictionaries(FILE, optional={"min": COUNT}), NEEDLE),
    "python_defines": st.fixed_dictionaries(
        {"name": TEXT},
        optional=FILE | {"type": st.sampled_from(["any", "function", "class", "constant"])},
    ),
    "python_calls": st.fixed_dictionaries({"name": TEXT}, optional=FILE | {"inside": TEXT}),
    "exit_code": st.fixed_dictionaries({}, optional={"equals": st.integers(0, 255)}),
    "log_contains": _joined(NEEDLE, st.fixed_dictionaries({}, optional={"max": COUNT})),
    "produced": st.fixed_dictionaries(FILE, optional={"min": COUNT}),
    "number": _joined(PLACE, BOUNDS),
    "sql": st.fixed_dictionaries({"query": TEXT}),
}
SINGLE = st.one_of([st.fixed_dictionaries({kind: fields}) for kind, fields in FIELDS.items()])
FORMS: st.SearchStrategy[dict[str, Any]] = st.recursive(
    SINGLE,
    lambda inner: st.one_of(
        st.fixed_dictionaries({"any": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"all": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"not": inner}),
    ),
    max_leaves=5,
)
"""Checks as a rubric's file has them."""


@pytest.mark.parametrize("kind", FIELDS)
@settings(max_examples=20)
@given(data=st.data())
def test_every_kind_survives_its_form(kind: str, data: st.DataObject) -> None:
    _survives({kind: data.draw(FIELDS[kind])})


@given(FORMS)
def test_nested_checks_survive_their_form(form: dict[str, Any]) -> None:
    _survives(form)


def _survives(form: dict[str, Any]) -> None:
    check = ADAPTER.validate_python(form)
    dumped = ADAPTER.dump_python(check, mode="json", by_alias=True)
    assert list(dumped) == list(form)
    assert ADAPTER.validate_python(dumped) == check
    assert ADAPTER.validate_json(ADAPTER.dump_json(check, by_alias=True)) == check
    assert ADAPTER.validate_python(check) is check
    SCHEMA.validate(form)


def test_strategies_cover_every_kind() -> None:
    assert set(FIELDS) | {"any", "all", "not"} == set(CLASSES)


@pytest.mark.parametrize("kind", CLASSES)
def test_the_example_of_each_docstring_parses(kind: str) -> None:
    text = " ".join((CLASSES[kind].__doc__ or "").split())
    examples = [code for code in re.findall(r"``(.+?)``", text) if code.startswith(f"{kind}:")]
    assert examples, f"{kind} shows no example"
    for example in examples:
        check = ADAPTER.validate_python(yaml.safe_load(example))
        assert isinstance(check, CLASSES[kind])


def test_the_schema_is_one() -> None:
    SCHEMA.check_schema(SCHEMA.schema)


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("file_exists", "a mapping with one key"),
        ({}, "a mapping with one key"),
        ({"file_exists": {"file": "a"}, "exit_code": {}}, "a mapping with one key"),
        ({"file_exist": {"file": "a"}}, "did you mean 'file_exists'"),
        ({"zzz": {}}, "one of file_exists, "),
        ({"file_exists": "a"}, "takes a mapping of its fields"),
        ({"file_exists": {"kind": "sql", "file": "a"}}, "unknown key 'kind'"),
        ({"file_exists": {"file": "a", "files": "b"}}, "Extra inputs"),
        ({"file_exists": {"file": ""}}, "at least 1 character"),
        ({"any": []}, "takes a list of checks"),
        ({"all": {"exit_code": {}}}, "takes a list of checks"),
        ({"not": [{"exit_code": {}}]}, "a mapping with one key"),
        ({"contains": {"file": "a"}}, "exactly one of text and regex"),
        ({"contains": {"file": "a", "text": "x", "regex": "x"}}, "exactly one of text and regex"),
        ({"contains": {"file": "a", "text": "x", "min": 3, "max": 2}}, "is less than min"),
        ({"number": {"regex": "x", "equals": 1}}, "exactly one of file and log"),
        ({"number": {"file": "a", "equals": 1}}, "exactly one of regex and json"),
        ({"number": {"log": True, "json": "a", "equals": 1}}, "json reads a file"),
        ({"number": {"file": "a", "json": "b"}}, "equals, at_least or at_most"),
        ({"number": {"file": "a", "json": "b", "equals": float("nan")}}, "finite number"),
    ],
)
def test_a_wrong_check_says_what_is_wrong(form: Any, message: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(message)):
        ADAPTER.validate_python(form)


@pytest.mark.parametrize("kind", ["exit_code", "log_contains", "produced"])
@settings(max_examples=10)
@given(data=st.data())
def test_checks_of_the_run_read_it_however_deep(kind: str, data: st.DataObject) -> None:
    form = {kind: data.draw(FIELDS[kind])}
    nested = {"all": [{"sql": {"query": "select 1"}}, {"not": {"any": [form]}}]}
    assert reads_run(ADAPTER.validate_python(nested))


@pytest.mark.parametrize("kind", ["file_exists", "contains", "python_defines", "sql"])
@settings(max_examples=10)
@given(data=st.data())
def test_other_checks_do_not_read_the_run(kind: str, data: st.DataObject) -> None:
    assert not reads_run(ADAPTER.validate_python({"not": {kind: data.draw(FIELDS[kind])}}))
