"""What a browser without JavaScript shows: scores, and the upper levels of each tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rubric_engine.figures import metric_word, points, span_of
from rubric_engine.page.escaping import escaped
from rubric_engine.page.plain_comparison import plain_comparison
from rubric_engine.page.plain_evaluation import plain_evaluation
from rubric_engine.weighing import Weighed, ranked

_LEVELS = 3
"""Levels that are shown; the root is the first."""

_NO_GRADE = "no grade"
_MOST_ROWS = 400
_MOST_FINDINGS = 20
_MOST_TEXT = 500


def plain_page(page: Mapping[str, Any] | None) -> str:
    """The content of the page's `<noscript>`.

    Args:
        page: What is shown, or None where a server gives it.
    """
    said = "<p>This page needs JavaScript for everything but the summary below.</p>"
    if page is None:
        return "<p>This page needs JavaScript.</p>"
    shown = [*map(_run, page.get("runs", ()))]
    if "comparison" in page:
        shown.append(plain_comparison(page["comparison"]))
    if "evaluation" in page:
        shown.append(plain_evaluation(page["evaluation"]))
    return "\n".join([said, *shown])


def _run(run: Mapping[str, Any]) -> str:
    score, cost = run["said"]["score"], run["said"]["cost"]
    task, submission = (escaped(run[name], 200) for name in ("title", "submission"))
    head = (
        f"<h2>{task}: {submission}</h2>"
        f"<p>Score {escaped(score['headline'])}</p><p>{_joined(score['lines'])}</p>"
        f"<p>run {escaped(run['id'], 200)}, {escaped(run['status'], 40)}{_ending(run)}</p>"
        f"<p>cost: {_joined([cost['sum'], *cost['counts'], *cost['notes']])}</p>"
        f"{_monitor(run.get('monitor'))}"
    )
    if run.get("metrics"):
        said = (f"{name}: {metric_word(one['value'])}" for name, one in run["metrics"].items())
        head += f"<p>Metrics: {escaped(', '.join(said), 2000)}</p>"
    nodes = run.get("nodes")
    if nodes is None:
        return head
    names = ("requirement", "score", "worth", "lost", "open")
    heads = "".join(f'<th scope="col">{name}</th>' for name in names)
    rows = "\n".join(_rows(nodes))
    return f"{head}\n<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>"


def _ending(run: Mapping[str, Any]) -> str:
    if run["stopped"] is not None:
        return f": {escaped(run['stopped']['message'], _MOST_TEXT)}"
    unfinished = run["status"] == "done" and not run["complete"]
    return ", but some leaves could not be graded" if unfinished else ""


def _monitor(found: Mapping[str, Any] | None) -> str:
    """What the monitor says, and the places that are no notes."""
    if found is None:
        return ""
    head = f"<p>Monitor: {escaped(found['verdict'].replace('_', ' '), 40)}</p>"
    grave = [one for one in ranked(found) if one.weight != "note"][:_MOST_FINDINGS]
    said = "".join(f"<li>{escaped(_finding(one), _MOST_TEXT)}</li>" for one in grave)
    return f"{head}<ul>{said}</ul>" if said else head


def _finding(one: Weighed) -> str:
    return f"{one.weight} {one.place}: {one.finding['says']}"


def _joined(texts: Iterable[str]) -> str:
    return escaped("; ".join(texts), _MOST_TEXT)


def _rows(nodes: Mapping[str, Any]) -> Iterator[str]:
    depths: list[int] = []
    for parent in nodes["parent"]:
        depths.append(0 if parent < 0 else depths[parent] + 1)
    high = [at for at, depth in enumerate(depths) if depth < _LEVELS]
    yield from (_row(nodes, at, depths[at]) for at in high[:_MOST_ROWS])
    if len(high) > _MOST_ROWS:
        yield f'<tr><td colspan="5">and {len(high) - _MOST_ROWS:,} more</td></tr>'


def _row(nodes: Mapping[str, Any], at: int, depth: int) -> str:
    low, high = nodes["low"][at], nodes["high"][at]
    verdict = nodes["verdict"][at]
    score = _NO_GRADE if verdict == "open" else verdict or span_of({"low": low, "high": high})
    text = escaped(nodes["requirements"][at], _MOST_TEXT)
    figures = (_points(nodes[name][at]) for name in ("worth", "lost", "open"))
    cells = "".join(f"<td>{cell}</td>" for cell in (escaped(score), *figures))
    return f'<tr><td class="level-{depth}">{text}</td>{cells}</tr>'


def _points(value: float | None) -> str:
    return "-" if value is None else escaped(points(value, 2))
