"""Labels in files: what is written is read back, and what is wrong is told with its line."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubric_engine.errors import LabelsError
from rubric_engine.grading import Citation
from rubric_engine.judgeeval import load_labels
from rubric_engine.labels import (
    Format,
    Label,
    Labels,
    labels_text,
    leaf_hashes,
    load_label_rows,
)
from rubric_engine.labels.writing import SUFFIXES
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_grades, load_rubric
from tests.strategies import leaf

ODD = [
    "=cmd()",
    "'=1+1",
    "''-2",
    "@x",
    "\t",
    "a\nb",
    '"',
    "\u2028",
    "\x85",
    "\r",
    "é日😀",
    "no",
    "{",
]
TEXTS = st.one_of(
    st.sampled_from(ODD), st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
)
NAMES = TEXTS.filter(bool)
SCORES = st.floats(0.5, 1)

LABELS = st.builds(
    Label,
    verdict=st.just("met"),
    reason=TEXTS,
    score=st.none() | SCORES,
    citations=st.lists(
        st.builds(Citation, path=NAMES, start_line=st.none() | st.integers(1, 9), quote=TEXTS),
        max_size=2,
    ),
    time=st.just("2026-05-01T12:00:00Z"),
    seconds=st.none() | st.floats(0, 1e6),
    blind=st.booleans(),
    inclusion=st.none() | st.floats(0.01, 1),
    leaf=st.none() | st.just("0f" * 32),
    flag=st.none() | TEXTS,
    submission=st.none() | st.builds("0123456789ab {}".format, TEXTS),
    votes=st.dictionaries(NAMES, st.sampled_from(["met", "cannot_judge"]), max_size=2),
) | st.builds(Label, verdict=st.sampled_from(["not_met", "cannot_judge"]), reason=TEXTS)

ALL = st.builds(
    Labels, annotator=NAMES, labels=st.dictionaries(NAMES, LABELS, min_size=1, max_size=3)
)
SAME_FOLDER = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def written(folder: Path, labels: Labels, format: Format, suffix: str, **more: Any) -> Path:
    """A file of labels."""
    path = folder / f"labels{suffix}"
    path.write_text(labels_text(labels, format, **more), encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("format", ["yaml", "jsonl", "csv"])
@SAME_FOLDER
@given(labels=ALL)
def test_every_format_gives_the_same_labels_back(
    tmp_path: Path, format: Format, named: bool, labels: Labels
) -> None:
    path = written(tmp_path, labels, format, SUFFIXES[format] if named else ".txt")
    assert load_labels(path) == labels


@given(labels=ALL)
def test_no_cell_is_a_formula_and_no_line_holds_two_labels(labels: Labels) -> None:
    table = csv.reader(StringIO(labels_text(labels, "csv"), newline=""))
    assert not any(cell.startswith((*"=+-@\t\r\n",)) for row in table for cell in row)
    lines = labels_text(labels, "jsonl").splitlines()
    assert [json.loads(line)["key"] for line in lines] == list(labels.labels)


def small(*texts: str) -> Rubric:
    """A root with a leaf for each text."""
    root = leaf("root", category="").model_copy(update={"task_category": None})
    leaves = [leaf(f"leaf {i}").model_copy(update={"requirements": t}) for i, t in enumerate(texts)]
    return Rubric.build([(None, root), *(("root", each) for each in leaves)])


@SAME_FOLDER
@given(found=st.lists(st.none() | LABELS, min_size=1, max_size=4))
def test_a_graded_tree_holds_verdicts_and_loads_with_its_rubric(
    tmp_path: Path, found: list[Label | None]
) -> None:
    rubric = small(*map(str, range(len(found))))
    labels = {f"leaf {i}": label for i, label in enumerate(found) if label is not None}
    path = written(
        tmp_path, Labels(annotator="a", labels=labels), "paperbench", ".json", rubric=rubric
    )
    assert load_rubric(path).leaves() == rubric.leaves()
    assert {key: grade.score for key, grade in load_grades(path).items()} == {
        key: labels[key].value if key in labels else None for key in rubric.leaves()
    }
    again = load_labels(path).labels
    assert {key: (row.value, row.verdict) for key, row in again.items()} == {
        key: (label.value, label.verdict) for key, label in labels.items()
    }
    assert all(row.reason == labels[key].reason for key, row in again.items() if labels[key].reason)
    assert {row.leaf for row in again.values()} <= set(leaf_hashes(rubric).values())


def test_a_graded_tree_has_the_nine_keys_of_paperbench_and_rolled_up_scores(tmp_path: Path) -> None:
    labels = {"leaf 0": Label(verdict="met"), "leaf 1": Label(verdict="cannot_judge")}
    text = labels_text(Labels(annotator="a", labels=labels), "paperbench", small("x", "y", "z"))
    tree = json.loads(text)
    for node in (tree, *tree["sub_tasks"]):
        assert list(node) == [
            "id", "requirements", "weight", "score", "valid_score", "task_category", "explanation",
            "judge_metadata", "sub_tasks",
        ]  # fmt: skip
    said = [(node["score"], node["valid_score"]) for node in tree["sub_tasks"]]
    assert said == [(1.0, True), (0.0, False), (None, None)]
    assert (tree["score"], tree["valid_score"]) == (None, False)  # a hole is no 0


def test_a_group_has_a_score_where_no_open_leaf_can_change_it() -> None:
    labels = {"leaf 0": Label(verdict="met"), "leaf 1": Label(verdict="not_met")}
    for texts, expected in ((("x", "y"), (0.5, True)), (("x", "y", "z"), (None, False))):
        text = labels_text(Labels(annotator="a", labels=labels), "paperbench", small(*texts))
        tree = json.loads(text)
        assert (tree["score"], tree["valid_score"]) == expected


def test_leaves_without_a_score_are_told_when_a_graded_tree_is_read(tmp_path: Path) -> None:
    labels = Labels(annotator="a", labels={"leaf 0": Label(verdict="met")})
    path = written(tmp_path, labels, "paperbench", ".json", rubric=small("x", "y"))
    (warning,) = load_labels(path).warnings
    assert warning == f"{path}: 1 leaf has no score, and so no label: 'leaf 1'"
    assert load_label_rows(path).warnings == (warning,)


GOOD = '{"key": "one", "verdict": "met"}'


@pytest.mark.parametrize(
    ("name", "text", "place", "says"),
    [
        ("a.jsonl", f"{GOOD}\n{{oops\n{GOOD}\n", "a.jsonl:2", "no label"),
        ("a.jsonl", f"{GOOD}\n[1]\n", "a.jsonl:2", "one JSON object"),
        ("a.jsonl", f'{GOOD}\n{{"verdict": "met"}}\n', "a.jsonl:2", "'key'"),
        ("a.jsonl", '{"key": "\\ud800", "verdict": "met"}\n', "a.jsonl:1", "no character"),
        ("a.jsonl", '{"key": "k", "verdict": "met", "flag": "\\ud800"}\n', "a.jsonl:1", "flag"),
        ("a.jsonl", '{"key": "k", "verdict": "met", "reason": "\\u0000"}\n', "a.jsonl:1", "reason"),
        ("a.jsonl", '{"key": "k", "verdict": "met", "citations": ["\\ud800"]}', "a.jsonl:1", "cit"),
        ("a.jsonl", '{"key": "k", "verdict": "maybe"}\n', "a.jsonl:1", "verdict"),
        ("a.jsonl", '{"key": "k", "verdict": "met", "raeson": ""}\n', "a.jsonl:1", "'raeson'"),
        ("a.jsonl", '{"key": "k", "verdict": "met", "score": 0.1}\n', "a.jsonl:1", "does not fit"),
        ("a.jsonl", '{"key": "k", "verdict": "met", "time": "noon"}\n', "a.jsonl:1", "time"),
        ("a.jsonl", '{"key": "k", "verdict": "met", "seconds": NaN}\n', "a.jsonl:1", "seconds"),
        (
            "a.jsonl", '{"key": "k", "verdict": "met", "submission": "ours"}\n', "a.jsonl:1",
            "submission",
        ),
        (
            "a.jsonl", '{"key": "k", "verdict": "met", "submission": "0123456789ab \\ud800"}\n',
            "a.jsonl:1", "submission",
        ),
        ("a.csv", "key,verdict\n\none,met\n\ntwo,maybe\n", "a.csv:4", "verdict"),
        ("a.csv", "key,verdict\none,met\none,met\n", "a.csv:3", "already"),
        ("a.csv", "key,verdict\none,met,more\n", "a.csv:2", "cells"),
        ("a.csv", 'key,verdict\none,"met\n', "a.csv:2", "no table"),
        ("a.csv", "leaf,verdict\none,met\n", "a.csv:1", "no column 'key'"),
        ("a.csv", "key,verdict,votes\none,met,{\n", "a.csv:2", ""),
        ("a.json", "{", "a.json:1", ""),
    ],
)  # fmt: skip
def test_damage_is_told_with_its_line(
    tmp_path: Path, name: str, text: str, place: str, says: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(LabelsError) as caught:
        load_labels(path)
    assert place in str(caught.value)
    assert says in str(caught.value)
    assert caught.value.code == "E501"


ROW = '{"key": "one", "verdict": "met"'


@pytest.mark.parametrize(
    ("name", "text", "place", "says"),
    [
        ("a.jsonl", f"{ROW}}},\n{GOOD}\n", "a.jsonl:1:33", "a comma follows the label"),
        ("a.jsonl", f"{ROW}}} {GOOD}\n{GOOD}\n", "a.jsonl:1:34", "a line of its own"),
        ("a.jsonl", "{'key': 'one'}\n\n", "a.jsonl:1:2", "not in single ones"),
        ("a.jsonl", ROW.replace('"met"', "'met'") + "}\n", "a.jsonl:1:27", "not in single ones"),
        ("a.jsonl", ROW.replace('"met"', "met") + "}\n", "a.jsonl:1:27", "in double quotes"),
        ("a.jsonl", f"{ROW},}}\n", "a.jsonl:1:", "a comma is too many"),
        ("a.jsonl", f'{ROW} "reason": ""}}\n', "a.jsonl:1:33", "a comma is missing"),
        ("a.jsonl", f"{ROW}\n}}\n", "a.jsonl:1:32", "one whole line"),
        ("a.jsonl", '{"key": "a\tb"}\n', "a.jsonl:1:11", "a tab"),
        ("a.jsonl", '{"key": "k", "verdict": "Met"}\n', "a.jsonl:1", "did you mean 'met'?"),
        ("a.jsonl", '{"key": "k", "verdict": "not met"}\n', "a.jsonl:1", "mean 'not_met'?"),
        ("a.jsonl", '{"key": "k", "verdict": "no"}\n', "a.jsonl:1", "mean 'not_met'?"),
        ("a.csv", "key,verdict\none,Not-Met\n", "a.csv:2", "mean 'not_met'?"),
        ("a.csv", "key,verdict,votes\none,met,{'a': 1}\n", "a.csv:2", "not in single ones"),
        (
            "a.yaml", "annotator: a\nlabels:\n  one: {verdict: Cannot judge}\n", "a.yaml:3",
            "mean 'cannot_judge'?",
        ),
    ],
)  # fmt: skip
def test_slips_of_people_are_said_in_words(
    tmp_path: Path, name: str, text: str, place: str, says: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(LabelsError) as caught:
        load_labels(path)
    assert place in str(caught.value)
    assert says in str(caught.value)


def test_all_that_is_wrong_comes_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"key": "a", "verdict": "x"}\n{"key": "b", "verdict": "y"}\n')
    with pytest.raises(LabelsError) as caught:
        load_labels(path)
    assert [problem.place.line for problem in caught.value.problems if problem.place] == [1, 2]


@pytest.mark.parametrize("cut", range(1, 20))
def test_a_last_line_cut_short_by_a_crash_is_told_and_passed_over(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(GOOD + "\n" + GOOD.replace("one", "two")[:cut])
    labels = load_labels(path)
    assert list(labels.labels) == ["one"]
    assert "a.jsonl:2: the last line is cut short" in labels.warnings[0]


def test_a_whole_last_line_needs_no_end_and_a_later_line_wins(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{GOOD}\n{{"key": "one", "verdict": "not_met", "reason": "r"}}')
    assert load_labels(path).labels["one"].verdict == "not_met"
    path.write_text(f'{GOOD}\n{{"key": "one", "verdict": null}}\n')
    assert not load_labels(path).labels


def test_two_annotators_in_one_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = [{"key": "k", "verdict": "met", "annotator": name} for name in ("a1", "a2")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(LabelsError, match="'a1' and 'a2' both label this leaf"):
        load_labels(path)


def test_citations_are_read_as_people_write_them(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('key,verdict,citations\nk,met,"src/a.py:3-9\nb c.py\nd.py:7"\n')
    found = load_labels(path).labels["k"].citations
    assert [str(citation) for citation in found] == ["src/a.py:3-9", "b c.py", "d.py:7"]
    path = tmp_path / "labels.yaml"
    path.write_text("annotator: a\nlabels: {k: {verdict: met, citations: [src/a.py:3-9]}}\n")
    assert str(load_labels(path).labels["k"].citations[0]) == "src/a.py:3-9"


def test_labels_made_with_the_judge_in_sight_are_no_truth_unless_asked() -> None:
    rows = {"a": Label(verdict="met"), "b": Label(verdict="met", blind=False)}
    labels = Labels(annotator="a1", labels=rows)
    assert (set(labels.grades()), labels.seen) == ({"a"}, ("b",))
    assert set(labels.grades(seen=True)) == {"a", "b"}


@pytest.mark.parametrize("format", ["yaml", "jsonl", "csv"])
@SAME_FOLDER
@given(labels=ALL)
def test_rows_are_the_same_labels_each_with_its_place(
    tmp_path: Path, format: Format, labels: Labels
) -> None:
    found = load_label_rows(path := written(tmp_path, labels, format, SUFFIXES[format]))
    assert found.labels == labels
    assert {row.place.file for row in found.rows} == {str(path)}


def test_rows_keep_runs_open_lines_and_what_was_overridden(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows: list[dict[str, Any]] = [
        {"run": "r", "key": "a", "verdict": "met", "scale": [], "score": None},
        {"run": "s", "key": "a", "verdict": ""},
        {"run": "r", "key": "a", "verdict": "not_met", "score": 0},
    ]
    path.write_text("\ufeff" + "\n\n".join(json.dumps(row) for row in rows))
    found = load_label_rows(path)
    assert [(row.run, row.place.line) for row in found.rows] == [("r", 1), ("s", 3), ("r", 5)]
    assert [row.label and row.label.value for row in found.rows] == [1.0, None, 0.0]
    with pytest.raises(LabelsError, match=r"a\.jsonl:1.*audit of several"):
        load_labels(path)
    path.write_text('{"run": 3, "key": "a"}')
    with pytest.raises(LabelsError, match="'run'"):
        load_label_rows(path)
