"""Findings as rules draft them, and their ids."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from rubric_engine.injection.finding import visible
from rubric_engine.monitored import Area, MonitorFinding, Severity, Source

EXCERPT = 200
"""Characters that an excerpt has at most."""


@dataclass(frozen=True)
class Draft:
    """A finding before it has its id.

    Attributes:
        rule: Name of the rule.
        severity: How much it weighs.
        source: Where the text comes from.
        path: Path in the submission, or the log's name.
        line: From 1, or None.
        text: What stands there, raw.
        says: What it is, and what it is not.
    """

    rule: str
    severity: Severity
    source: Source
    path: str
    line: int | None
    text: str
    says: str


class Gathered:
    """Drafts of findings: the first ones of each rule and severity are kept, all are counted.

    What is done a million times costs no more room than what is done a thousand times, and of a
    graver kind nothing is lost to what came before it.

    Args:
        most: How many of a rule and severity are kept.

    Attributes:
        unkept: How many more there were.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[tuple[str, Severity], set[Draft]] = {}
        self.unkept = 0

    def add(self, draft: Draft) -> None:
        """Keep a draft, or count it; one that is kept already is none."""
        kept = self._kept.setdefault((draft.rule, draft.severity), set())
        if len(kept) < self._most:
            kept.add(draft)
        elif draft not in kept:
            self.unkept += 1

    def findings(self) -> tuple[MonitorFinding, ...]:
        """The findings that were kept."""
        return findings_of(draft for kept in self._kept.values() for draft in kept)


def findings_of(drafts: Iterable[Draft]) -> tuple[MonitorFinding, ...]:
    """The findings with their ids, by path and line; what is drafted twice is one.

    An id is made of rule, source, path and excerpt, and of how many such came before: a line more
    above a place leaves its id as it is.
    """
    seen = Counter[tuple[str, str, str, str]]()
    order = sorted(set(drafts), key=lambda one: (one.source, one.path, one.line or 0, one.rule))
    return tuple(_finding(draft, seen) for draft in order)


def _finding(draft: Draft, seen: Counter[tuple[str, str, str, str]]) -> MonitorFinding:
    excerpt = shortened(draft.text)
    path = visible(draft.path)
    parts = (draft.rule, draft.source, path, excerpt)
    seen[parts] += 1
    digest = hashlib.sha256("\0".join([*parts, str(seen[parts])]).encode("utf-8", "replace"))
    return MonitorFinding(
        id=digest.hexdigest()[:8],
        rule=draft.rule,
        area=cast(Area, draft.rule.partition(".")[0]),
        severity=draft.severity,
        source=draft.source,
        path=path,
        line=draft.line,
        excerpt=excerpt,
        says=draft.says,
    )


def shortened(text: str) -> str:
    """A text as an excerpt: on one line, escaped, cut to `EXCERPT` characters."""
    shown = visible(text[: 4 * EXCERPT])
    return shown if len(shown) <= EXCERPT else shown[: EXCERPT - 3] + "..."
