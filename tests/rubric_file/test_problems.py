"""What is wrong in a rubric: code, place, path above, suggestion; everything at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.errors import Problem, RubricError

Refused = Callable[[str | bytes], RubricError]

HEAD = "rubric: 1\nroot:\n  id: root\n  requirements: All\n  sub_tasks:\n"
LEAF = "    - {{id: a, requirements: x, task_category: Code Development, {}}}\n"


def found(error: RubricError) -> list[tuple[str, int | None, int | None]]:
    return [(p.code, p.place.line, p.place.column) for p in error.problems if p.place]


@pytest.mark.parametrize(
    "weight", ["-1", "-0.001", ".nan", ".inf", "nan", "true", "'3'", "1_000", "1:30", "0x1F", "",
               "~", "[1]", "1e999"],
)  # fmt: skip
def test_bad_weight(refused: Refused, weight: str) -> None:
    error = refused(HEAD + LEAF.format(f"weight: {weight}"))
    assert found(error)[0][:2] == ("E204", 6)
    assert "weights are numbers, 0 or more" in error.message
    assert error.fix == ("to leave a criterion out of the score use weight: 0",)
    assert error.problems[0].key == "a"
    assert error.problems[0].path == ("All",)


@pytest.mark.parametrize("weight", ["-1", "NaN", "Infinity", "-Infinity", "1e999", "true", '"3"'])
def test_bad_weight_in_json(refused: Refused, weight: str) -> None:
    text = f'{{"id": "a", "requirements": "x", "task_category": "C",\n "weight": {weight}}}'
    assert found(refused(text)) == [("E204", 2, 12)]


def test_duplicate_id_names_both_places(refused: Refused) -> None:
    error = refused(
        HEAD
        + "    - {id: a, requirements: x, task_category: C}\n"
        + "    - id: group\n      requirements: Two\n      sub_tasks:\n"
        + "        - {id: a, requirements: y, task_category: C}\n"
    )
    assert found(error) == [("E203", 10, 16)]
    assert "duplicate id 'a'; it stands first at" in error.message
    assert error.message.endswith("rubric.yaml:6:12 under All")
    assert error.problems[0].path == ("All", "Two")


def test_missing_category_and_group_with_one(refused: Refused) -> None:
    error = refused(
        HEAD
        + "    - id: a\n      requirements: x\n"
        + "    - {id: b, requirements: x, task_category: C, "
        + "sub_tasks: [{id: c, requirements: y}]}\n"
    )
    assert found(error) == [("E205", 6, 7), ("E206", 8, 47), ("E205", 8, 62)]
    assert "leaf 'a' has no category (and 2 more problems)" in error.message
    assert "Code Development" in error.fix[0]


def test_unknown_key_has_a_near_miss(refused: Refused) -> None:
    error = refused(HEAD + LEAF.format("wieght: 2"))
    assert found(error)[0][0] == "E208"
    assert error.fix == ("did you mean 'weight'?",)


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("file_exist: {file: x}", "did you mean 'file_exists'?"),
        ("file_exists: {fil: x}", "did you mean 'file'?"),
        ("file_exists: x", "takes a mapping"),
        ("number: {file: a, equals: 1}", "exactly one of regex and json"),
        ("contains: {file: a, text: b, min: true}", "a whole number is due here, found true"),
        ("any: []", "takes a list of checks"),
        ("not: {exit_code: {equals: x}}", "a whole number is due here, found 'x'"),
        ("12", "a mapping with one key"),
    ],
)
def test_bad_check(refused: Refused, check: str, said: str) -> None:
    error = refused(HEAD + LEAF.format(f"checks: [{check}]"))
    assert {problem.code for problem in error.problems} == {"E210"}
    assert all(problem.place and problem.place.line == 6 for problem in error.problems)
    assert any(said in f"{p.message} {p.hint}" for p in error.problems)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("tags: x", "a list is due here"),
        ("evidence: [[a]]", "text is due here, found a list"),
        ("aggregate: at_least(0)", "aggregate of 'a' is 'at_least(0)'"),
        ("scale: [{score: 2, says: x}]", "must be less than or equal to 1"),
        ("scale: [{score: 1}]", "lacks 'scale.0.says'"),
    ],
)
def test_bad_field(refused: Refused, field: str, said: str) -> None:
    error = refused(HEAD + LEAF.format(field))
    assert error.code == "E209"
    assert said in error.message


@pytest.mark.parametrize("written", ["", "~", "null"])
def test_requirements_must_say_something(refused: Refused, written: str) -> None:
    error = refused(f"rubric: 1\nroot:\n  id: a\n  requirements: {written}\n  task_category: C\n")
    assert found(error) == [("E209", 4, 16 + bool(written))]


def test_missing_keys_come_with_near_misses(refused: Refused) -> None:
    error = refused("rubric: 1\nroot: {ids: a, requirement: x, task_category: C}\n")
    hints = {problem.message: problem.hint for problem in error.problems}
    assert hints["criterion without an id lacks 'id'"] == "did you mean 'ids'?"
    assert hints["unknown key 'requirement'"] == "did you mean 'requirements'?"


def test_siblings_that_all_weigh_nothing(refused: Refused) -> None:
    error = refused(HEAD + LEAF.format("weight: 0"))
    assert found(error) == [("E211", 6, 5)]


def test_dependencies(refused: Refused) -> None:
    error = refused(
        HEAD
        + "    - {id: alpha, requirements: x, task_category: C, depends_on: [bta]}\n"
        + "    - {id: beta, requirements: x, task_category: C, depends_on: [gamma]}\n"
        + "    - {id: gamma, requirements: x, task_category: C, depends_on: [beta]}\n"
    )
    assert [problem.code for problem in error.problems] == ["E212", "E212"]
    assert error.fix == ("did you mean 'beta'?",)
    assert "in a circle" in error.problems[1].message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id: a\nrequirements: x\nsub_tasks: abc\n", "sub_tasks of 'a' is 'abc', a list is due"),
        ("id: a\nrequirements: x\nsub_tasks: [b]\n", "sub-task 1 of 'a' is 'b', a mapping is due"),
        ("id: a\nrequirements: x\nsub_tasks: {b: c}\n", "is a mapping, a list is due"),
        ("requirements: x\ntask_category: C\n", "criterion without an id lacks 'id'"),
        ("id:\nrequirements: x\ntask_category: C\n", "id of"),
    ],
)
def test_bad_shape(refused: Refused, text: str, said: str) -> None:
    error = refused(text)
    assert error.code == "E209"
    assert said in error.message


@pytest.mark.parametrize("format", ["yaml", "json"])
def test_duplicate_key(refused: Refused, format: str) -> None:
    text = {
        "yaml": "id: a\nid: b\nrequirements: x\ntask_category: C\n",
        "json": '{"id": "a",\n"id": "b", "requirements": "x", "task_category": "C"}',
    }[format]
    assert found(refused(text)) == [("E214", 2, 1)]


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("rubric: 2\nroot: {id: a, requirements: x, task_category: C}\n", "E209", "known: 1"),
        ("rubric: 1\nrot: {id: a}\n", "E209", "the header has no 'root'"),
        ("title: x\nroot: {id: a}\n", "E209", "the header has no 'rubric: 1'"),
        ("rubric: 1\nroot: abc\n", "E209", "'root' is 'abc'"),
        ("rubric: 1\ntitel: x\n"
         "root: {id: a, requirements: x, task_category: C}\n", "E208", "unknown key 'titel'"),
        ("rubric: 1\ncategories: {A: {question: q, see: []}}\n"
         "root: {id: a, requirements: x, task_category: C}\n", "E208", "unknown key 'see'"),
    ],
)  # fmt: skip
def test_bad_header(refused: Refused, text: str, code: str, said: str) -> None:
    error = refused(text)
    assert error.code == code
    assert said in error.message


@pytest.mark.parametrize("key", ["foo", "tags", "checks"])
def test_value_that_nests_too_deeply(refused: Refused, key: str) -> None:
    nested = "[" * 100 + "]" * 100
    text = f'{{"id": "a", "requirements": "x", "task_category": "C", "{key}": {nested}}}'
    assert refused(text).code == "E213"


def test_numbers_that_json_has_not(refused: Refused) -> None:
    text = '{"id": "a", "requirements": "x", "task_category": "C", "foo": [1, NaN]}'
    assert "not finite" in refused(text).message


def test_all_problems_in_the_order_of_the_file(refused: Refused) -> None:
    error = refused(
        HEAD
        + "    - {id: a, requirements: x, weight: -1, task_category: C, foo: 1, foo: 2}\n"
        + "    - {id: a, requirements: x}\n"
    )
    assert [p.code for p in error.problems] == ["E204", "E208", "E214", "E205", "E203"]
    places = [(p.place.line, p.place.column) for p in error.problems if p.place]
    assert places == sorted(places)


def test_of_very_many_problems_the_rest_is_a_number(refused: Refused) -> None:
    error = refused(HEAD + "    - {id: b, requirements: x, weight: -1}\n" * 1000)
    assert len(error.problems) <= 200
    assert "(and 2998 more problems)" in error.message


def test_path_of_a_deep_criterion_is_short(refused: Refused) -> None:
    depth = 3000
    text = '{"id":"a","requirements":"x","sub_tasks":[' * depth + "{}" + "]}" * depth
    error = refused(text)
    assert isinstance(error.problems[0], Problem)
    assert len(error.problems[0].path) == 20


def test_error_reads_like_a_compiler(refused: Refused, tmp_path: Path) -> None:
    text = str(refused(HEAD + LEAF.format("weight: -1")))
    place = f"{tmp_path / 'rubric.yaml'}:6:73"
    assert text == f"[E204] {place}: weight of 'a' is -1; weights are numbers, 0 or more"
