"""Reads of the paper itself, where the task hides it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rubric_engine.monitor.acts import Act
from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.looked_up.reads import read_by

_PDF = re.compile(r"\.pdf(?:$|[?#])", re.IGNORECASE)
_PLACE = re.compile(
    r"\b(?:arxiv\.org|ar5iv\.|alphaxiv\.org|openreview\.net/(?:pdf|forum)"
    r"|semanticscholar\.org/paper|huggingface\.co/papers)",
    re.IGNORECASE,
)
_SAYS = "a read of a paper, which the task hides; whether it is this task's is for a person to say"


def paper(acts: Iterable[Act]) -> Iterator[Draft]:
    """Reads of PDF files, and visits to where papers lie."""
    for act in acts:
        words = act.ran.words if act.ran is not None else ()
        named = [*read_by(act), *(word for word in words if "://" in word)]
        if any(_PDF.search(name) or _PLACE.search(name) for name in named):
            yield act.draft("looked_up.paper", "suspicious", _SAYS)
