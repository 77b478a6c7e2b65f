"""Rules on what only this format has: checks, evidence, dependencies, scales, aggregates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rubric_engine.checks import (
    AllOf,
    AnyOf,
    Check,
    Contains,
    LogContains,
    Not,
    Number,
    PythonCalls,
    PythonDefines,
    Sql,
)
from rubric_engine.lint.rule import Hits, Subject

_SOURCE = (".py", ".sh", ".md")


def bad_pattern(subject: Subject) -> Hits:
    """A pattern that google-re2 refuses, a JSON path or a query that is none; never gradeable.

    Look-around and back-references are not part of google-re2: they can take for ever on hostile
    text. A JSON path is such as ``runs[0].steps`` or ``["a.b"].c``; a query is one SELECT.
    """
    for leaf in subject.leaves:
        for check in single_checks(leaf.checks):
            wrong = _refused(check, subject)
            if wrong is not None:
                yield leaf.key, wrong


def _refused(check: Check, subject: Subject) -> str | None:
    for kind, text in _texts(check):
        refusal = subject.refusals.get(kind)
        wrong = refusal(text) if refusal is not None else None
        if wrong is not None:
            return f"{kind} {text!r} is refused: {wrong}"
    return None


def _texts(check: Check) -> Iterator[tuple[str, str]]:
    """The texts of a check that may be malformed, each with its kind."""
    if isinstance(check, Contains | LogContains | Number) and check.regex is not None:
        yield "pattern", check.regex
    if isinstance(check, Number) and check.json_path is not None:
        yield "json", check.json_path
    if isinstance(check, Sql):
        yield "query", check.query


def checks_source_only(subject: Subject) -> Hits:
    """A leaf about a run whose checks look at source files only.

    It would be met by code that was never run. Add `exit_code`, `log_contains`, `produced`, or a
    check of a file that the run writes.
    """
    for leaf in subject.leaves:
        checks = list(single_checks(leaf.checks))
        needs_run = subject.rubric.category_of(leaf.key).needs_run
        if checks and needs_run and all(_reads_source(check) for check in checks):
            yield leaf.key, f"{leaf.task_category} leaf, but its checks read source files only"


def depends_on_ancestor(subject: Subject) -> Hits:
    """A criterion that depends on one above it; a judge sees those in any case."""
    rubric = subject.rubric
    for key in rubric:
        if rubric[key].depends_on:
            above = {rubric[one].id for one in rubric.path(key)[:-1]}
            for name in rubric[key].depends_on:
                if name in above:
                    yield key, f"depends on {name!r}, which stands above it"


def open_scale(subject: Subject) -> Hits:
    """A scale without the steps 0 and 1 has no word for "not met", or none for "met"."""
    for leaf in subject.leaves:
        missing = {0.0, 1.0} - {step.score for step in leaf.scale}
        if leaf.scale and missing:
            yield (
                leaf.key,
                "scale lacks the step " + " and ".join(f"{m:g}" for m in sorted(missing)),
            )


def outside(subject: Subject) -> Hits:
    """A glob that leads out finds nothing: what is outside the submission is never read.

    A glob is relative to the submission's root, without ``..``, ``/`` or ``~`` at its beginning.
    """
    for leaf in subject.leaves:
        files = (getattr(check, "file", None) for check in single_checks(leaf.checks))
        for glob in (*leaf.evidence, *files):
            if glob is not None and (".." in glob.split("/") or glob.startswith(("/", "~"))):
                yield leaf.key, f"{glob!r} leads out of the submission"


def too_many_wanted(subject: Subject) -> Hits:
    """At least k of fewer than k sub-tasks, or checks of a leaf; it then asks for all of them."""
    have = [(group, len(children), "sub-tasks") for group, children in subject.families]
    have += [(leaf, len(leaf.checks), "checks") for leaf in subject.leaves]
    for criterion, number, what in have:
        wanted = re.fullmatch(r"at_least\((\d+)\)", criterion.aggregate or "")
        if wanted and int(wanted[1]) > number:
            yield criterion.key, f"{criterion.aggregate}, but the number of {what} is {number}"


def single_checks(checks: Iterable[Check]) -> Iterator[Check]:
    """The checks inside `any`, `all` and `not`, and those outside, in the order written."""
    stack = list(reversed(list(checks)))
    while stack:
        match stack.pop():
            case AnyOf() | AllOf() as many:
                stack.extend(reversed(many.checks))
            case Not() as inverse:
                stack.append(inverse.check)
            case single:
                yield single


def _reads_source(check: Check) -> bool:
    if isinstance(check, PythonDefines | PythonCalls):
        return True
    file = None if isinstance(check, Sql) else getattr(check, "file", None)
    return file is not None and file.endswith(_SOURCE)
