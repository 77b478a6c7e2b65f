"""Where the log of an agent names what the blacklist names, whoever says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rubric_engine.monitor.blacklist.mentions import mentions
from rubric_engine.monitor.blacklist.placing import line_at
from rubric_engine.monitor.blacklist.reference import Reference
from rubric_engine.monitor.blacklist.using import Use

_PIECE = 1_000_000
_OVERLAP = 2_000
MOST_MENTIONS = 50
"""Mentions of a reference in a log that are listed."""


def mentioned(log: str, references: Sequence[Reference]) -> Iterator[Use]:
    """The first mentions of each reference in a log, which is read in pieces that overlap.

    Args:
        log: The log; it may be long.
        references: What is looked for.
    """
    counts = dict.fromkeys(references, 0)
    number, counted, done = 1, 0, 0
    for begin in range(0, len(log), _PIECE):
        wanted = [one for one in references if counts[one] < MOST_MENTIONS]
        piece = log[begin : begin + _PIECE + _OVERLAP]
        for mention in sorted(mentions(piece, wanted, strings=False), key=lambda m: m.start):
            at = begin + mention.start
            ours = done <= at < begin + _PIECE and mention.form != "path"
            if ours and counts[mention.reference] < MOST_MENTIONS:
                counts[mention.reference] += 1
                number += log.count("\n", counted, at)
                counted = at
                yield Use(mention.reference, "note", number, line_at(log, at), "a mention")
        done = begin + _PIECE
