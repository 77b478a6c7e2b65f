"""JUnit's XML: a test case a leaf, as continuous integration shows it.

A leaf that is met passes. One that is met in part or not at all is a failure, with its score; one
that a judge could not grade is an error, and never a failure; one that nobody tried, or that does
not apply, is skipped. A submission that is disqualified fails one case more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape

from rubric_engine.figures import metric_word, percent
from rubric_engine.grading import NOBODY_TRIED
from rubric_engine.report.formats.nodes import Node, explanation_of, nodes_of
from rubric_engine.report.run_data import RunPage

_MOST_NAME = 200
_MOST_TEXT = 10_000
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(pages: Sequence[RunPage]) -> str:
    """Runs as one document, a suite each."""
    suites = [suite for page in pages for suite in _suite(page)]
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", *suites]) + (
        "\n</testsuites>\n"
    )


def _suite(page: RunPage) -> Iterator[str]:
    leaves = [node for node in nodes_of(page) if node["verdict"] is not None]
    counts = Counter(kind for leaf in leaves if (kind := _kind(leaf)))
    disqualified = page.run["disqualified"] is not None
    counts["failure"] += disqualified
    numbers = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    told = " ".join(f'{name}="{counts[kind]}"' for name, kind in numbers.items())
    name = _attribute(f"{page.run['task']}: {page.run['submission']}")
    yield f'<testsuite name="{name}" tests="{len(leaves) + disqualified}" {told}>'
    yield "<properties>"
    for key, value in _properties(page).items():
        yield f'<property name="{key}" value="{_attribute(value)}"/>'
    yield "</properties>"
    if disqualified:
        yield _disqualification(page)
    yield from (_case(page, leaf) for leaf in leaves)
    yield "</testsuite>"


def _properties(page: RunPage) -> dict[str, str]:
    """What is known of a run; what is not, such as a score where no leaf is left, is out."""
    run, score = page.run, page.run["score"]
    numbers = {name: score[name] for name in ("value", "low", "high", "coverage")}
    return {
        "run": run["id"],
        "status": run["status"],
        "complete": "true" if run["complete"] else "false",
        "judge": str(run["judge"]["name"] or ""),
        **{name: repr(value) for name, value in numbers.items() if value is not None},
        "missing": run["missing"],
        **({"stopped": run["stopped"]["message"]} if run["stopped"] is not None else {}),
        **({"disqualified": run["disqualified"]} if run["disqualified"] is not None else {}),
        **{
            f"metric: {_attribute(name)}": metric_word(found["value"])
            for name, found in run["metrics"].items()
        },
        **({"monitor": run["monitor"]["verdict"]} if run["monitor"] else {}),
    }


def _disqualification(page: RunPage) -> str:
    said = _attribute(f"disqualified: {page.run['disqualified']}")
    head = f'<testcase classname="{_attribute(page.run["task"])}" name="the submission counts">'
    return f'{head}<failure type="disqualified" message="{said}"/></testcase>'


def _case(page: RunPage, leaf: Node) -> str:
    name = _attribute(f"{leaf['key']}: {leaf['requirements']}", _MOST_NAME)
    place = _attribute(f"{page.run['task']}.{leaf['category'] or 'no category'}")
    head = f'<testcase classname="{place}" name="{name}"'
    kind = _kind(leaf)
    if kind is None:
        return f"{head}/>"
    said, what = _attribute(_message(leaf)), leaf["reason"] or leaf["verdict"]
    text = _text("\n\n".join(filter(None, [leaf["requirements"], explanation_of(page, leaf)])))
    if kind == "skipped":
        return f'{head}><skipped message="{said}"/></testcase>'
    return f'{head}><{kind} type="{_attribute(what)}" message="{said}">{text}</{kind}></testcase>'


def _kind(leaf: Node) -> str | None:
    """What a leaf is to JUnit; None where it passes."""
    verdict, reason = leaf["verdict"], leaf["reason"]
    if verdict in ("not met", "part"):
        return "failure"
    if verdict == "open":
        return "skipped" if reason is None or reason in NOBODY_TRIED else "error"
    return "skipped" if verdict == "n/a" else None


def _message(leaf: Node) -> str:
    worth = "" if leaf["worth"] is None else f", worth {leaf['worth']:.2f} of 100"
    if leaf["verdict"] == "open":
        return f"no grade: {leaf['reason'] or 'not graded yet'}{worth}"
    if leaf["verdict"] == "n/a":
        return "does not apply"
    return f"{leaf['verdict']}, score {percent(leaf['value'])}{worth}"


def _text(text: str, limit: int = _MOST_TEXT) -> str:
    r"""Text for XML; what it cannot hold stands as an escape such as ``\u{0}``."""
    short = text if len(text) <= limit else f"{text[: limit - 1]}…"
    return escape(_NO_XML.sub(lambda found: f"\\u{{{ord(found[0]):x}}}", short), quote=True)


def _attribute(text: str, limit: int = 1000) -> str:
    return _text(" ".join(text.split()), limit)
