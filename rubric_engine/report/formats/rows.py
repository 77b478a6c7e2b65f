"""CSV: a row a criterion, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

from rubric_engine.figures import metric_word
from rubric_engine.report.formats.nodes import Node, explanation_of, nodes_of
from rubric_engine.report.run_data import RunPage
from rubric_engine.visible import UNSEEN

_FROM_COLUMNS = ("requirements", "category", "verdict")
_NUMBERS = ("low", "high", "worth", "lost")
_BEHIND = ("open", "weight", "reason", "probability", "human", "flags")

COLUMNS = (
    *("run", "key", "parent", "level", *_FROM_COLUMNS, "value", *_NUMBERS, *_BEHIND),
    *("files", "explanation", "status", "disqualified", "monitor"),
)

_MARK = "\ufeff"
"""Without it, spreadsheets take UTF-8 for something else; readers of CSV pass it over."""

_FORMULA = re.compile(rf"(^|;)(?={UNSEEN}*[=+\-@|%\t\r\n\uff1d\uff0b\uff0d\uff20])")
# Some spreadsheets part cells at semicolons: what follows one may begin a formula, too.
# Full-width signs begin a formula as well, where a spreadsheet is set to Chinese or Japanese.
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def to_csv(pages: Sequence[RunPage]) -> str:
    """Every criterion of some runs, with a header.

    What is of a run as a whole, its metrics, stands in the row of its root, a column each. A text
    that a spreadsheet would run as a formula has a ``'`` before it, also behind a semicolon;
    numbers are as they are, and what is unknown is empty.
    """
    out = StringIO(newline="")
    table = csv.writer(out)
    metrics = list(dict.fromkeys(name for page in pages for name in page.run["metrics"]))
    table.writerow([*COLUMNS, *(cell(f"metric: {name}") for name in metrics)])
    for page in pages:
        keys = page.run["nodes"]["key"]
        table.writerows(
            [cell(value) for value in (*_row(page, keys, node), *_metrics(page, node, metrics))]
            for node in nodes_of(page)
        )
    return _MARK + out.getvalue()


def _row(page: RunPage, keys: Sequence[str], node: Node) -> list[Any]:
    return [
        page.run["id"],
        node["key"],
        keys[node["parent"]] if node["parent"] >= 0 else None,
        node["level"],
        *(node[name] for name in _FROM_COLUMNS),
        # A leaf without a grade has no score: a mean over the column must not count it as 0.
        None if node["verdict"] == "open" else node["value"],
        *(node[name] for name in (*_NUMBERS, *_BEHIND)),
        "\n".join(node["files"]),
        explanation_of(page, node),
        page.run["status"],
        page.run["disqualified"],
        page.run["monitor"]["verdict"] if page.run["monitor"] else None,
    ]


def _metrics(page: RunPage, node: Node, names: Sequence[str]) -> Iterator[str | None]:
    """True or false in the root's row; empty where it is undefined, or the run has no such one."""
    for name in names:
        value = page.run["metrics"].get(name, {}).get("value")
        yield None if value is None or node["parent"] >= 0 else metric_word(value)


def cell(value: Any) -> str:
    """A value as a cell: empty where it is unknown, and never a formula."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return repr(value)
    text = _NO_TEXT.sub("\ufffd", value)
    return _FORMULA.sub(r"\1'", text)
