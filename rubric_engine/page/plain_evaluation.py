"""What a browser without JavaScript shows of an evaluation: judges, and their F1 by place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rubric_engine.page.escaping import escaped

_MOST_TEXT = 200
_MOST_SAID = 2_000
_HEADS = ("judge", "cover", "F1", "these", "mean", "new", "err", "$/sub")


def plain_evaluation(evaluation: Mapping[str, Any]) -> str:
    """The evaluation as tables.

    Args:
        evaluation: What the page shows, as plain JSON values.
    """
    found = zip(evaluation["table"]["leaf_sets"], evaluation["words"], strict=True)
    sets = (part for one, words in found for part in _leaf_set(one["rows"], words))
    said = (
        f"<p>{escaped(warning['message'], _MOST_TEXT)}</p>"
        for warning in evaluation["table"]["warnings"]
    )
    return "\n".join(["<h2>JudgeEval: judges against people</h2>", *sets, *said])


def _leaf_set(rows: list[Mapping[str, Any]], words: Mapping[str, Any]) -> Iterator[str]:
    yield from _sentences(words["head"])
    yield _table(_HEADS, (_judge(row, words) for row in rows))
    yield from _sentences(words["headline"])
    for what in ("categories", "submissions"):
        names = list(rows[0]["agreement"][what])
        yield f"<p>F1 by {'category' if what == 'categories' else 'submission'}</p>"
        yield _table(("judge", *names), (_parts(row, words, what, names) for row in rows))
    yield from _sentences(words["notes"])


def _sentences(texts: Iterable[str]) -> Iterator[str]:
    return (f"<p>{escaped(text, _MOST_SAID)}</p>" for text in texts)


def _judge(row: Mapping[str, Any], words: Mapping[str, Any]) -> list[str]:
    agreement, intervals = row["agreement"], row["intervals"] or {}
    pooled, f1 = agreement["pooled"], intervals.get("f1")
    cover = pooled["coverage"]
    error, dollars = agreement["root"]["mae"], agreement["cost"]["per_submission"]
    return [
        words["names"][row["name"]],
        f"{100 * cover['leaves']:.1f}%" if cover["labelled"] else "-",
        _share(pooled["headline"]["f1"]),
        _interval(f1 and f1["pooled"]["here"]),
        _share(agreement["means"]["f1"]["value"]),
        _interval(f1 and f1["mean"]["anew"]),
        "-" if error is None else f"{100 * error:.1f}",
        "-" if dollars is None else f"{dollars:,.2f}",
    ]


def _parts(
    row: Mapping[str, Any], words: Mapping[str, Any], what: str, names: Iterable[str]
) -> list[str]:
    found = row["agreement"][what]
    shares = (found[name]["headline"]["f1"] if name in found else None for name in names)
    return [words["names"][row["name"]], *map(_share, shares)]


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _interval(found: Mapping[str, Any] | None) -> str:
    return "-" if not found or found["low"] is None else f"{found['low']:.2f}-{found['high']:.2f}"


def _table(heads: Iterable[str], rows: Iterable[list[str]]) -> str:
    cells = "".join(f'<th scope="col">{escaped(head or "(none)", 60)}</th>' for head in heads)
    body = "\n".join(
        f"<tr>{''.join(f'<td>{escaped(cell, _MOST_TEXT)}</td>' for cell in row)}</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{cells}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
