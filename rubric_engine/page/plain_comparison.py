"""What a browser without JavaScript shows of a comparison: both scores, and what happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rubric_engine.figures import metric_word, signed, typeset
from rubric_engine.page.escaping import escaped

_MOST_ROWS = 100
_MOST_TEXT = 500


def plain_comparison(comparison: Mapping[str, Any]) -> str:
    """The comparison as a heading and two tables.

    Args:
        comparison: What the page shows, as plain JSON values.
    """
    heads = (_run(name, comparison[name]) for name in ("a", "b"))
    metrics = (f"<p>{escaped(_metric(one))}</p>" for one in comparison.get("metrics", ()))
    said = (f"<p>{escaped(text)}</p>" for text in comparison["said"])
    words = comparison["words"]
    kinds = (
        f"<tr><td>{escaped(typeset(words[row['kind']]))}</td><td>{row['leaves']:,}</td>"
        f"<td>{_points(row['points'])}</td></tr>"
        for row in comparison["kinds"]
    )
    return "\n".join(
        [
            *heads,
            f"<p>B less A: {_gap(comparison['gap'], comparison['policy'])}</p>",
            *metrics,
            *said,
            _table(("what happened", "leaves", "points"), kinds),
            _table(("points", "what happened", "key", "requirement"), _changes(comparison)),
        ]
    )


def _run(name: str, run: Mapping[str, Any]) -> str:
    said = run["said"]
    told = [said["headline"], run["id"], run["judge"]["name"]]
    head = f"<h2>{name.upper()}: {escaped(', '.join(filter(None, told)), _MOST_TEXT)}</h2>"
    lines = filter(None, ["; ".join(said["lines"]), run["holes"]])
    return "\n".join([head, *(f"<p>{escaped(line, _MOST_TEXT)}</p>" for line in lines)])


def _metric(change: Mapping[str, Any]) -> str:
    ends = (metric_word(change[side]["value"]) if change[side] else "none" for side in ("a", "b"))
    return f"metric {change['name']}: {' -> '.join(ends)}"


def _gap(gap: Mapping[str, Any], policy: str) -> str:
    if gap["low"] is None:
        return f"undefined: {escaped(gap['why'])}"
    ends = f"between {_points(gap['low'])} and {_points(gap['high'])} points"
    if gap["value"] is None:
        return f"{ends}; no value: {escaped(gap['why'])}"
    if gap["low"] == gap["high"]:
        return f"{_points(gap['value'])} points"
    return f"{ends}; {_points(gap['value'])} if {escaped(policy)}"


def _changes(comparison: Mapping[str, Any]) -> Iterator[str]:
    for change in comparison["changes"][:_MOST_ROWS]:
        side = change["b"] or change["a"]
        cells = (typeset(change["what"]), side["key"], side["requirements"])
        texts = "".join(f"<td>{escaped(cell, _MOST_TEXT)}</td>" for cell in cells)
        yield f"<tr><td>{_points(change['points'])}</td>{texts}</tr>"
    if len(comparison["changes"]) > _MOST_ROWS:
        left = len(comparison["changes"]) - _MOST_ROWS
        yield f'<tr><td colspan="4">and {left:,} more</td></tr>'


def _table(heads: tuple[str, ...], rows: Iterator[str]) -> str:
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    body = "\n".join(rows)
    return f"<table><thead><tr>{cells}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"


def _points(value: float | None) -> str:
    return "-" if value is None else escaped(typeset(signed(value, 2)))
