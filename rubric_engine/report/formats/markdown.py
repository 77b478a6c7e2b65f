"""Markdown: a summary that a person pastes into a pull request.

Whatever others wrote stands in code spans, where neither markup nor a mention is read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from rubric_engine.figures import metric_word, percent, points, span_of
from rubric_engine.metrics import MetricValue, metric_means
from rubric_engine.report.formats.nodes import Node, lost_first, nodes_of
from rubric_engine.report.run_data import RunPage
from rubric_engine.visible import visible
from rubric_engine.weighing import ranked

_ROWS = 10
"""Rows of a list; how many more there are is said."""

_MOST_TEXT = 160
_PLAIN = re.compile("[A-Za-z0-9]+")
_VERDICTS = ("met", "part", "not met", "open")
_OUT = "n/a"


def to_markdown(pages: Sequence[RunPage]) -> str:
    """Runs one after another: score, categories, metrics, lost points, what is open, warnings.

    Several runs end with their metrics over all of them.
    """
    parts = ["\n".join(_run(page)) for page in pages]
    over_all = "\n".join(_means(pages)) if len(pages) > 1 else ""
    return "\n\n".join(filter(None, [*parts, over_all])) + "\n"


def _run(page: RunPage) -> Iterator[str]:
    run = page.run
    yield f"### {_code(run['title'] or run['task'])}: {_code(run['submission'])}"
    yield from ("", *_headline(run), "", *_facts(run))
    yield from _section("", _categories(page))
    yield from _section("Metrics", _metrics(run["metrics"]))
    yield from _section("Where the points went", _lost(page))
    yield from _section("No grade", _open(page))
    yield from _section("Warnings", [_warning(warning) for warning in run["warnings"]])
    if run["monitor"]:
        yield from _section("Monitor", _monitor(run["monitor"]))
    yield from _section("Speaks to the judge", _injections(run["injections"]))


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield from ("", *([f"**{title}**", ""] if title else []), *found)


def _headline(run: Mapping[str, Any]) -> Iterator[str]:
    """The score; where leaves are open its range first, then its value with the policy."""
    said = run["said"]["score"]
    lines = list(said["lines"])
    if run["disqualified"] is not None:
        lines[0] = f"disqualified: {_code(run['disqualified'])}"
    yield f"**Score {said['headline']}**, {'; '.join(lines)}"


def _facts(run: Mapping[str, Any]) -> Iterator[str]:
    judge, tried = run["judge"], run["canaries"]
    models = "".join(f", {_code(name)}" for name in judge["models"])
    who = f"Judge {_code(str(judge['name'] or '?'))}{models}"
    yield f"{who}; run {_code(run['id'])}, {_state(run)}{_cost(run)}"
    if run["stopped"] is not None:
        yield f"Stopped: {_code(run['stopped']['message'])}"
    if tried is not None:
        yield f"Canaries: {tried['asked']} asked, {tried['met']} met, {tried['failed']} failed"


def _state(run: Mapping[str, Any]) -> str:
    if run["complete"]:
        return "complete"
    if run["status"] == "done":
        return "done, but some leaves could not be graded"
    return f"not complete ({_word(run['status'])})"


def _cost(run: Mapping[str, Any]) -> str:
    said = run["said"]["cost"]
    if not run["cost"].get("attempts"):
        return ""
    return f"; cost {'; '.join([said['sum'], *said['notes']])}"


def _categories(page: RunPage) -> Iterator[str]:
    leaves = [node for node in nodes_of(page) if node["verdict"] is not None]
    # What does not apply has a column only where there is any.
    verdicts = (*_VERDICTS, *sorted({_OUT} & {leaf["verdict"] for leaf in leaves}))
    heads = ("no grade" if name == "open" else name for name in verdicts)
    yield from _head("<category", *heads, "score", "points", "lost", "open pts")
    for row in page.run["categories"]:
        said = Counter(n["verdict"] for n in leaves if (n["category"] or "") == row["category"])
        figures = (points(row[name]) for name in ("points", "lost", "open"))
        counts = (str(said[name]) for name in verdicts)
        yield _line(_code(row["category"] or "-"), *counts, span_of(row["score"]), *figures)


def _metrics(metrics: Mapping[str, Any]) -> Iterator[str]:
    if metrics:
        yield from _head("<metric", "<value", "<why")
        for name, found in metrics.items():
            yield _line(_code(name, 40), metric_word(found["value"]), _code(found["why"], 400))


def _means(pages: Sequence[RunPage]) -> Iterator[str]:
    means = metric_means(
        {name: MetricValue(**found) for name, found in page.run["metrics"].items()}
        for page in pages
    )
    if means:
        yield from (f"### Metrics over {len(pages)} runs", "")
        yield from _head("<metric", "true", "defined", "undefined", "share true")
        for name, mean in means.items():
            counts = (str(count) for count in (mean.true, mean.defined, mean.undefined))
            yield _line(_code(name, 40), *counts, percent(mean.share))


def _lost(page: RunPage) -> Iterator[str]:
    nodes = lost_first(page)
    if nodes:
        yield from _head("lost", "open", "worth", "<criterion")
        yield from (_of_node(node, "lost", "open", "worth") for node in nodes[:_ROWS])
        yield from _rest(len(nodes))


def _open(page: RunPage) -> Iterator[str]:
    nodes = [node for node in nodes_of(page) if node["verdict"] == "open"]
    nodes.sort(key=lambda node: -(node["worth"] or 0))
    if nodes:
        yield from _head("worth", "<why", "<criterion")
        for node in nodes[:_ROWS]:
            yield _line(_points(node["worth"]), node["reason"] or "not yet", _criterion(node))
        yield from _rest(len(nodes))


def _of_node(node: Node, *names: str) -> str:
    return _line(*(_points(node[name]) for name in names), _criterion(node))


def _criterion(node: Node) -> str:
    return f"{_code(node['key'], 40)} {_code(node['requirements'])}"


def _points(value: float | None) -> str:
    return "-" if value is None else points(value).replace("<", "&lt;")


def _warning(warning: Mapping[str, Any]) -> str:
    return f"- {_word(warning['code'])} {_code(warning['message'], 400)}"


def _injections(scan: Mapping[str, Any]) -> Iterator[str]:
    for found in islice(scan["findings"], _ROWS):
        place = found["path"] if found["line"] is None else f"{found['path']}:{found['line']}"
        yield f"- {_code(place)} {found['kind']}: {_code(found['excerpt'])}"
    left = scan["count"] - min(len(scan["findings"]), _ROWS)
    if left > 0:
        yield f"- and {left:,} more"


def _monitor(found: Mapping[str, Any]) -> Iterator[str]:
    """The verdict, and what is no note with its place and what a person said of it."""
    yield f"- {_word(found['verdict'].replace('_', ' '))}"
    last = {said["finding"]: said for said in found["decisions"]}
    grave = [one for one in ranked(found) if one.weight != "note" or one.said is not None]
    for one in islice(grave, _ROWS):
        said = one.said
        decided = "" if said is None else f"; {said['decision']} by {_code(said['by'])}"
        why = "" if said is None else f": {_code(said['why'])}"
        yield f"- {one.weight} {_code(one.place)} {_code(one.finding['says'])}{decided}{why}"
    if len(grave) > _ROWS:
        yield f"- and {len(grave) - _ROWS:,} more"
    listed = {one["id"] for one in found["findings"]}
    for name, said in last.items():
        if name not in listed:
            decided = f"{said['decision']} by {_code(said['by'])}: {_code(said['why'])}"
            yield f"- {_code(name)} listed no more; {decided}"


def _rest(count: int) -> Iterator[str]:
    if count > _ROWS:
        yield from ("", f"and {count - _ROWS:,} more")


def _head(*names: str) -> Iterator[str]:
    yield _line(*(name.removeprefix("<") for name in names))
    yield _line(*("---" if name.startswith("<") else "--:" for name in names))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _word(text: str) -> str:
    """A word that the engine coins, as it is; a run's files may hold anything in its place."""
    return text if _PLAIN.fullmatch(text) else _code(text)


def _code(text: str, limit: int = _MOST_TEXT) -> str:
    """Untrusted text as a code span that also stands in a table: one line, nothing hidden."""
    short = text if len(text) <= limit else f"{text[: limit - 1]}…"
    plain = "".join(map(visible, " ".join(short.split()))) or " "
    longest = max(map(len, re.findall("`+", plain)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{fence}{pad}{plain}{pad}{fence}".replace("|", "\\|")
