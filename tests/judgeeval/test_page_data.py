"""JudgeEval's page: the table as it is printed, the charts, and the leaves behind every cell."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.judgeeval import Evaluation, save_evaluation, table_of
from rubric_engine.judgeeval.charts import draw_charts
from rubric_engine.judgeeval.leaf_texts import CaseTexts, texts_of
from rubric_engine.judgeeval.page_data import CELLS, MOST_WORDS, OPEN, evaluation_page
from tests.cli.conftest import ROOT, Command, command
from tests.judgeeval.judged import LABELS, evaluation, wrong_on

__all__ = ["command"]

SENTENCES = ("head", "headline", "figures", "roots", "notes")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Two judges, of which one could not grade some leaves; one leaf has no label."""
    said = dict(wrong_on([4]))
    labels, grades = said["a"]
    said["a"] = ([*labels[:2], None, *labels[3:]], [*grades[:3], None, *grades[4:]])
    good = {name: (said[name][0], own) for name, (_, own) in wrong_on([1]).items()}
    for number, one in enumerate((evaluation("good", good), evaluation("</script>", said))):
        save_evaluation(one, tmp_path / "results" / str(number))
    return tmp_path / "results"


def page_in(path: Path) -> Any:
    """The data of a page."""
    found = re.search(r'id="page">([^<]*)</script>', path.read_text())
    assert found
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_every_number_is_that_of_the_printed_document(command: Command, results: Path) -> None:
    done = command("judgeeval", "report", results, "--html", "e.html", "--json")
    page = page_in(Path("e.html"))
    assert (page["kind"], page["runs"], done.json["page"]) == ("evaluation", [], "e.html")
    table = page["evaluation"]["table"]
    assert table == {name: done.json[name] for name in ("leaf_sets", "warnings")}
    assert "page    e.html\n" in command("judgeeval", "report", results, "--html", "e.html").out


def test_the_leaves_behind_a_cell_are_as_many_as_the_table_counts(
    command: Command, results: Path
) -> None:
    command("judgeeval", "report", results, "--html", "e.html")
    found = page_in(Path("e.html"))["evaluation"]
    rows = {row["name"]: row for one in found["table"]["leaf_sets"] for row in one["rows"]}
    for judge in found["judges"]:
        leaves, agreement = judge["leaves"], rows[judge["name"]]["agreement"]
        assert len({len(column) for column in leaves.values()}) == 1
        places = [("", "", agreement["pooled"])]
        places += [("submission", name, one) for name, one in agreement["submissions"].items()]
        places += [("category", name, one) for name, one in agreement["categories"].items()]
        for column, name, one in places:
            here = [
                cell
                for at, cell in enumerate(leaves["cell"])
                if not column or leaves[column][at] == name
            ]
            counts = {cell: here.count(cell) for cell in CELLS}
            assert counts == one["graded"]["cells"]
            assert sum(counts.values()) + here.count(OPEN) == one["coverage"]["labelled"]
        assert leaves["cell"].count(None) == agreement["pooled"]["coverage"]["unlabelled"] == 1
    assert [judge["leaves"]["cell"].count(OPEN) for judge in found["judges"]] == [0, 1]


def test_the_words_of_the_page_are_those_of_the_terminal(command: Command, results: Path) -> None:
    printed = command("judgeeval", "report", results, "--by", "submission", "--html", "e.html").out
    said = " ".join(printed.split())
    (words,) = page_in(Path("e.html"))["evaluation"]["words"]
    sentences = [text for part in SENTENCES for text in words[part]]
    assert [text for text in sentences if text not in said] == []
    signs = ("! ", "* ", "~ ", "- ", "$ ")
    assert [line for line in printed.splitlines() if line.startswith(signs)] == [
        text for text in words["notes"] if text.startswith(signs)
    ]


def test_charts_are_the_drawn_ones(results: Path) -> None:
    judges = [evaluation("good", wrong_on([1])), evaluation("poor", wrong_on([1, 4]))]
    table = table_of(judges)
    charts = draw_charts(judges, table=table)
    page = evaluation_page({"leaf_sets": [], "warnings": []}, [], charts, [])
    shown = page["evaluation"]["charts"]
    assert [one["name"] for one in shown] == [chart.name for chart in charts]
    assert len(shown) == 6
    for chart, one in zip(charts, shown, strict=True):
        if chart.figure is None:
            assert (one["figure"], one["why"]) == (None, chart.why)
            continue
        assert one["figure"]["table"]["rows"] == [list(row) for row in chart.figure.table.rows]
        assert len(one["figure"]["marks"]) == len(chart.figure.marks)
        assert {mark["mark"] for mark in one["figure"]["marks"]} <= {
            "polyline", "circle", "rect", "text",
        }  # fmt: skip


def test_words_come_from_the_run_and_are_cut(results: Path) -> None:
    one = evaluation("good", wrong_on([1]))
    leaf = one.leaves[0]
    texts = {leaf.case: CaseTexts({leaf.key: "is it there?"}, {leaf.key: "x" * 9999})}
    page = evaluation_page({"leaf_sets": [], "warnings": []}, [], (), [("good", one, texts)])
    (judge,) = page["evaluation"]["judges"]
    assert judge["leaves"]["requirement"][0] == "is it there?"
    assert judge["leaves"]["requirement"][-1] is None
    assert len(judge["leaves"]["why"][0]) == MOST_WORDS + 1
    assert sum(judge["leaves"]["worth"]) == pytest.approx(100 * len(LABELS))


def test_requirements_are_found_in_the_task_where_no_run_is_kept(tmp_path: Path) -> None:
    facts = json.loads((ROOT / "judgeeval/results/all-met/evaluation.json").read_text())
    shipped = Evaluation.model_validate(facts)
    texts = texts_of(shipped, [tmp_path])
    assert {case.name for case in shipped.cases} == set(texts)
    assert all(text.requirements and not text.explanations for text in texts.values())
    strange = shipped.cases[0].model_copy(update={"run": "../x", "rubric_sha256": "0" * 64})
    moved = shipped.model_copy(update={"cases": (strange,)})
    assert texts_of(moved, [tmp_path]) == {strange.name: CaseTexts()}
