"""Metrics in the header of a rubric: what is read, what is refused and where, what is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import RubricError
from rubric_engine.formulas import And, Named, Not, Or, Passes, read_metrics
from rubric_engine.lint import lint
from rubric_engine.rubric_file import dump_rubric, load_rubric, rubric_schema
from rubric_engine.rubric_file.reader import tree_of
from tests.metrics.making import formulas

Refused = Callable[[str | bytes], RubricError]

TREE = """\
root:
  id: root
  requirements: All
  sub_tasks:
    - {id: a, requirements: The design is there, task_category: Design}
    - {id: b, requirements: The code is there, task_category: Code Development}
"""
KNOWN = ("Design", "Code Development", "Conclusion and more", "and")


def text_of(metric: str, name: str = "M") -> str:
    return f"rubric: 1\nmetrics:\n  {name}: {metric}\n  D: Design\n{TREE}"


DESIGN, CODE, D = Passes("Design"), Passes("Code Development"), Named("D")


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("Design", DESIGN),
        ("  Code   Development ", CODE),
        ("'Code Development'", CODE),
        ('"Conclusion and more"', Passes("Conclusion and more")),
        ('"and" and D', And((Passes("and"), D))),
        ("Design >= 0.5", Passes("Design", 0.5)),
        ("Design>=.5", Passes("Design", 0.5)),
        ("Design >= 1.0", DESIGN),
        ('"D" or D', None),
        ("D or Design and Code Development", Or((D, And((DESIGN, CODE))))),
        ("(D or Design) and Code Development", And((Or((D, DESIGN)), CODE))),
        ("not D and Design", And((Not(D), DESIGN))),
        ("not (D and Design)", Not(And((D, DESIGN)))),
        ("not not not D", Not(D)),
        ("not not D", D),
        ("not Code Development >= 0.25", Not(Passes("Code Development", 0.25))),
    ],
)
def test_grammar(text: str, formula: object) -> None:
    metrics, flaws = read_metrics({"M": text, "D": "Design"}, KNOWN)
    assert [flaw.message for flaw in flaws] == (
        [] if formula else ["metric 'M': no category is named 'D'"]
    )
    assert metrics.formulas.get("M") == formula


@pytest.mark.parametrize(
    ("text", "code", "at", "said"),
    [
        ("", "E220", 0, "a category or a metric is due here"),
        ("and D", "E220", 0, "a category or a metric is due here, found 'and'"),
        ("D and", "E220", 5, "a category or a metric is due here"),
        ("D and )", "E220", 6, "a category or a metric is due here, found ')'"),
        ("D AND Design", "E220", 2, "'AND' is no operator"),
        ("D && Design", "E220", 2, "'&' means nothing here"),
        ("D > 0.5", "E220", 2, "'>' means nothing here"),
        ("D not Design", "E220", 2, "'and' or 'or' is due before 'not'"),
        ("D (Design)", "E220", 2, "'and' or 'or' is due before '('"),
        ("(D and Design", "E220", 13, "')' is due for the '(' at character 1"),
        ("(D 'Design')", "E220", 3, "')' is due before \"'Design'\" for the '(' at character 1"),
        ("D and Design)", "E220", 12, "')' without its '('"),
        ("D and 'Design", "E220", 6, "a quotation mark without its pair"),
        ("Design >= 80%", "E220", 10, "a share above 0 and up to 1 is due after '>=', found '80%'"),
        ("Design >= 0", "E220", 10, "a share above 0 and up to 1 is due after '>=', found '0'"),
        ("Design >=", "E220", 9, "a share above 0 and up to 1 is due after '>='"),
        ("Design and D >= 0.5", "E220", 11, "'D' is a metric, true or false"),
        ("D and Desing", "E221", 6, "no category or metric is named 'Desing'"),
        ("D and 'Desing'", "E221", 6, "no category is named 'Desing'"),
        ("(" * 51 + "D" + ")" * 51, "E220", 50, "nested too deeply"),
    ],
)
def test_what_is_wrong_and_where(
    refused: Refused, tmp_path: Path, text: str, code: str, at: int, said: str
) -> None:
    for quoted, lead in ((json.dumps(text), 1), (text, 0)):
        if lead == 0 and (text in ("", "D and 'Design") or text[:1] in "'\"&"):
            continue  # YAML itself reads these in another way
        error = refused(text_of(quoted))
        problem = error.problems[0]
        assert (problem.code, len(error.problems)) == (code, 1)
        assert problem.message.startswith(f"metric 'M': {said}")
        assert problem.place is not None
        start = 6 + (lead if at else 0)
        assert (problem.place.line, problem.place.column) == (3, start + at)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Desing", "did you mean 'Design'?"),
        ("Code Develop", "did you mean 'Code Development'?"),
        ("xyz", "known: M, D, Code Development, Code Execution, Result Analysis, Design"),
        ("D OR D", "write or; a name that holds the word stands in quotes"),
    ],
)
def test_hints(refused: Refused, text: str, hint: str) -> None:
    assert refused(text_of(text)).problems[0].hint == hint


@pytest.mark.parametrize("name", ["and", "Not", "a (b)", "'x'", "a  b", "x >= 1", '""'])
def test_a_name_that_no_formula_could_say(refused: Refused, name: str) -> None:
    error = refused(text_of("Design", json.dumps(name)))
    assert [(one.code, one.place and one.place.column) for one in error.problems] == [("E220", 3)]
    assert "cannot be named" in error.message


def test_a_place_in_a_text_of_several_lines_is_that_of_the_text(refused: Refused) -> None:
    (problem,) = refused(text_of(">\n    D and\n    Desing")).problems
    assert str(problem.place).endswith(":3:6")


@pytest.mark.parametrize(
    ("metrics", "hint"),
    [
        ({"a": "b", "b": "not c", "c": "a", "d": "Design"}, None),
        ({"Design": "Design"}, "a category of the same name stands in quotes"),
    ],
)
def test_metrics_in_a_circle(metrics: dict[str, str], hint: str | None) -> None:
    _, (flaw,) = read_metrics(metrics, KNOWN)
    assert (flaw.code, flaw.hint) == ("E222", hint)
    assert flaw.message.startswith("metrics in a circle: ")
    circle = {*metrics} - {"d"}
    assert {name for name in metrics if f"{name!r} needs" in flaw.message} == circle


def test_a_metric_may_have_the_name_of_a_category_that_it_quotes(tmp_path: Path) -> None:
    metrics, flaws = read_metrics({"Design": "'Design' >= 0.5", "x": "Design"}, KNOWN)
    assert flaws == []
    assert metrics.formulas["x"] == Named("Design")
    assert metrics.formulas["Design"] == Passes("Design", 0.5)


@pytest.mark.parametrize("value", ["3", "[Design]", "{category: Design}", "true", "~", ""])
def test_what_is_no_text_is_refused(refused: Refused, value: str) -> None:
    assert {one.code for one in refused(text_of(value)).problems} <= {"E209", "E221"}


def test_several_metrics_that_are_wrong_are_all_told(refused: Refused) -> None:
    text = f"rubric: 1\nmetrics:\n  a: Desing\n  b: and\n  c: Design >= 2\n{TREE}"
    assert [one.code for one in refused(text).problems] == ["E221", "E220", "E220"]


def test_without_a_header_the_key_is_one_of_others(tmp_path: Path) -> None:
    path = tmp_path / "rubric.json"
    node = {"id": "a", "requirements": "x", "weight": 1, "sub_tasks": [],
            "task_category": "Code Development", "metrics": {"D": "no such thing"}}  # fmt: skip
    path.write_text(json.dumps(node))
    rubric = load_rubric(path)
    assert not rubric.metrics
    assert rubric["a"].extra == {"metrics": {"D": "no such thing"}}


@given(formulas(), st.sampled_from(["yaml", "json"]))
def test_metrics_are_written_and_read_back(text: str, format: str) -> None:
    tree = TREE.replace("Design", "A").replace("Code Development", "B")
    head = f"rubric: 1\ncategories: {{C: {{question: x}}}}\nmetrics:\n  M: {json.dumps(text)}\n"
    rubric = tree_of(head + tree, "rubric.yaml").rubric
    assert rubric is not None
    again = tree_of(dump_rubric(rubric, format=format), "rubric").rubric  # type: ignore[arg-type]
    assert again == rubric
    assert again.metrics["M"] == text
    assert again.sha256 == rubric.sha256


def test_the_schema_knows_them() -> None:
    validator = jsonschema.Draft202012Validator(rubric_schema())
    leaf = {"id": "a", "requirements": "x", "task_category": "C"}
    assert validator.is_valid({"rubric": 1, "metrics": {"M": "C"}, "root": leaf})
    assert not validator.is_valid({"rubric": 1, "metrics": {"M": 1}, "root": leaf})
    assert not validator.is_valid({"rubric": 1, "metrics": ["C"], "root": leaf})


def test_the_example_of_the_documentation_is_read(root: Path) -> None:
    page = (root / "docs" / "rubrics.md").read_text()
    (block,) = re.findall(r"```yaml\n(metrics:.*?)```", page, re.DOTALL)
    known = ("Design", "Implementation", "Conclusion", "Code Development")
    metrics, flaws = read_metrics(yaml.safe_load(block)["metrics"], known)
    assert flaws == []
    assert metrics.formulas["D"] == DESIGN
    assert len(metrics) == 5


def test_lint_tells_metrics_that_say_nothing() -> None:
    head = "rubric: 1\nmetrics: {none: Result Analysis, odd: Design or not Design, D: Design}\n"
    rubric = tree_of(head + TREE, "rubric.yaml").rubric
    assert rubric is not None
    found = {(one.code, one.message) for one in lint(rubric) if one.code >= "R138"}
    assert found == {
        ("R138", "no leaf is of category 'Result Analysis', which 'none' asks about"),
        ("R139", "metric 'odd' is true, whatever the grades"),
    }


@pytest.mark.parametrize(
    ("metrics", "says"),
    [
        ({"\xe9": "Design", "e\u0301": "D"}, "'e\\u0301' cannot be told from '\\xe9'"),
        ({"\uff24": "Design", "D": "Design"}, "'\\uff24' cannot be told from 'D'"),
        ({"\uff21nd": "Design"}, None),
        ({"\uff24esign": "Code Development"}, "cannot be told from 'Design'"),
    ],
)
def test_names_that_only_differ_in_how_they_are_encoded_are_refused(
    metrics: dict[str, str], says: str | None
) -> None:
    flaws = read_metrics({"D": "Design", **metrics}, KNOWN)[1]
    assert [flaw.code for flaw in flaws] == ["E220"] * (says is not None)
    assert says is None or says in flaws[0].message


def test_a_name_in_another_encoding_is_pointed_at() -> None:
    (flaw,) = read_metrics({"\xe9": "Design", "b": "e\u0301 and Design"}, KNOWN)[1]
    assert flaw.code == "E221"
    assert flaw.hint == "'\\xe9' is meant? 'e\\u0301' only looks like it"
