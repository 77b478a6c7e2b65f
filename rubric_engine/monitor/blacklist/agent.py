"""The blacklist in the log of an agent: what it ran counts, what it read or wrote is a mention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rubric_engine.monitor.agent_log import Step, Told
from rubric_engine.monitor.blacklist.mentions import mentions
from rubric_engine.monitor.blacklist.reference import Reference
from rubric_engine.monitor.blacklist.sources import draft
from rubric_engine.monitor.blacklist.using import Use, line_at, python_uses, shell_uses
from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.shell.executed import Files
from rubric_engine.monitor.texts import SourceText
from rubric_engine.monitor.watched import Text

_PIECE = 1_000_000
_OVERLAP = 2_000
MOST_MENTIONS = 50
"""Mentions of a reference in a log that are listed."""


def in_agent_log(log: Text, steps: Told, references: Sequence[Reference]) -> Iterator[Draft]:
    """What the commands of a log use, and where else it names a reference.

    Args:
        log: The log; it may be long.
        steps: Its commands.
        references: What is looked for.
    """
    text = SourceText("agent_log", log.name, "data", log.text)
    files, used = Files(), set[tuple[Reference, int]]()
    for step in steps.steps:
        for use in _of_step(step, references, files):
            if use.severity != "note":
                used.add((use.reference, use.line))
                yield draft(use, text)
    for use in _mentioned(log.text, references):
        if (use.reference, use.line) not in used:
            yield draft(use, text)


def _of_step(step: Step, references: Sequence[Reference], files: Files) -> Iterator[Use]:
    if step.kind == "shell":
        for use in shell_uses(step.code, references, line=step.line, files=files):
            yield replace(use, line=step.line) if step.on_one_line else use
    elif step.kind == "python":
        for use in python_uses(step.code, references):
            yield replace(use, line=step.line)


def _mentioned(log: str, references: Sequence[Reference]) -> Iterator[Use]:
    """Where a log names references, read in pieces that overlap."""
    counts = dict.fromkeys(references, 0)
    number, counted, done = 1, 0, 0
    for begin in range(0, len(log), _PIECE):
        piece = log[begin : begin + _PIECE + _OVERLAP]
        for mention in sorted(mentions(piece, references, strings=False), key=lambda m: m.start):
            at = begin + mention.start
            ours = done <= at < begin + _PIECE and mention.form != "path"
            if ours and counts[mention.reference] < MOST_MENTIONS:
                counts[mention.reference] += 1
                number += log.count("\n", counted, at)
                counted = at
                yield Use(mention.reference, "note", number, line_at(log, at), "a mention")
        done = begin + _PIECE
