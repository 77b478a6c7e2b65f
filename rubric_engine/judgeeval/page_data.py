"""An evaluation of judges as plain JSON values: the table, the charts, and what is behind cells.

```
EVALUATION = {
  "table": {"leaf_sets": [...], "warnings": [...]},       # what `judgeeval report --json` prints
  "words": [WORDS],                 # of each leaf set: the terminal's sentences around its tables
  "charts": [{"name", "title", "why": why it is not drawn | null, "figure": FIGURE | null}],
  "judges": [{                      # one for each row of kind "judge", by the row's name
    "name", "fingerprint", "models": [str], "complete": bool, "threshold",
    "leaves": {                     # columns; every labelled or asked leaf, in order
      "submission": [str], "key": [str], "category": [str], "worth": [points of 100],
      "requirement": [str | null],  # null where neither the run nor the task is at hand
      "human": [0..1 | null], "judge": [0..1 | null], "probability": [0..1 | null],
      "cell": ["tp" | "fp" | "fn" | "tn" | "open" | null],  # open: no grade; null: no label
      "reason": [why there is no grade | null], "why": [the judge's words | null],
      "cost": [dollars | null]
    }
  }]
}
WORDS = {"names": {row: shown}, "categories": {category: shown}, "head": [str], "headline": [str],
         "figures": [str], "roots": [str], "notes": [str]}
FIGURE = {"description", "width", "height", "marks": [MARK], "table": {"headers", "rows"}}
MARK = {"mark": "polyline" | "circle" | "rect" | "text", ...}   # the fields of `charts.marks`
```

The leaves behind a cell of a table are those rows of a judge whose submission, category and `cell`
are the cell's; their number is the table's own. Every leaf is in one cell: a labelled one without a
grade is `open`, though figures count it as the other verdict than the human's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from importlib.metadata import version
from typing import Any

from rubric_engine.judgeeval.case_result import LeafResult
from rubric_engine.judgeeval.charts.marks import Chart, Figure, Mark
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.leaf_texts import CaseTexts
from rubric_engine.judgeeval.pairs import Pairs
from rubric_engine.judgeeval.tables import cell_of

CELLS = ("tp", "fp", "fn", "tn")
"""Names of the cells of a confusion table, as `tables` numbers them."""

OPEN = "open"
"""Stands for the cell of a labelled leaf that the judge gave no grade."""

MOST_WORDS = 2_000
"""Characters of a judge's words on a leaf."""

Texts = Mapping[str, CaseTexts]


def evaluation_page(
    table: Mapping[str, Any],
    words: Sequence[Mapping[str, Any]],
    charts: Sequence[Chart],
    judges: Sequence[tuple[str, Evaluation, Texts]],
) -> dict[str, Any]:
    """The page of an evaluation.

    Args:
        table: What `judgeeval report --json` prints.
        words: For each leaf set of the table, what stands around its tables.
        charts: The charts.
        judges: Name of the row, evaluation, and its texts by case.
    """
    shown = {name: table[name] for name in ("leaf_sets", "warnings")}
    evaluation = {
        "table": shown,
        "words": list(words),
        "charts": [_chart(chart) for chart in charts],
        "judges": [_judge(name, one, texts) for name, one, texts in judges],
    }
    head = {"page": 1, "version": version("rubric-engine"), "kind": "evaluation", "runs": []}
    return head | {"evaluation": evaluation}


def _judge(name: str, evaluation: Evaluation, texts: Texts) -> dict[str, Any]:
    return {
        "name": name,
        "fingerprint": evaluation.judge.fingerprint,
        "models": list(evaluation.judge.models),
        "complete": evaluation.complete,
        "threshold": evaluation.threshold,
        "leaves": _leaves(evaluation, texts),
    }


def _leaves(evaluation: Evaluation, texts: Texts) -> dict[str, list[Any]]:
    pairs, leaves = evaluation.pairs, evaluation.leaves
    return {
        "submission": [leaf.case for leaf in leaves],
        "key": [leaf.key for leaf in leaves],
        "category": [leaf.category for leaf in leaves],
        "worth": [100 * leaf.worth for leaf in leaves],
        "requirement": [_of(texts, leaf).requirements.get(leaf.key) for leaf in leaves],
        "human": [leaf.label for leaf in leaves],
        "judge": [leaf.score for leaf in leaves],
        "probability": [leaf.probability for leaf in leaves],
        "cell": _cells(pairs),
        "reason": [leaf.reason for leaf in leaves],
        "why": [_words(_of(texts, leaf).explanations.get(leaf.key)) for leaf in leaves],
        "cost": [leaf.cost for leaf in leaves],
    }


def _cells(pairs: Pairs) -> list[str | None]:
    cells, _ = cell_of(pairs)
    facts = zip(cells.tolist(), pairs.labelled.tolist(), pairs.graded.tolist(), strict=True)
    return [
        None if not labelled else CELLS[cell] if graded else OPEN
        for cell, labelled, graded in facts
    ]


def _of(texts: Texts, leaf: LeafResult) -> CaseTexts:
    return texts.get(leaf.case) or CaseTexts()


def _words(explanation: str | None) -> str | None:
    if explanation is None or len(explanation) <= MOST_WORDS:
        return explanation
    return f"{explanation[:MOST_WORDS]}…"


def _chart(chart: Chart) -> dict[str, Any]:
    figure = _figure(chart.figure) if chart.figure is not None else None
    return {"name": chart.name, "title": chart.title, "why": chart.why, "figure": figure}


def _figure(figure: Figure) -> dict[str, Any]:
    return {
        "description": figure.description,
        "width": figure.width,
        "height": figure.height,
        "marks": [_mark(mark) for mark in figure.marks],
        "table": {
            "headers": list(figure.table.headers),
            "rows": [list(row) for row in figure.table.rows],
        },
    }


def _mark(mark: Mark) -> dict[str, Any]:
    values = {one.name: getattr(mark, one.name) for one in fields(mark)}
    return {"mark": type(mark).__name__.lower()} | values
