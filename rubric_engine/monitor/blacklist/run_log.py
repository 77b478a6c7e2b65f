"""The blacklist in what a run of `reproduce.sh` printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rubric_engine.evidence.logs import LOG_NAME
from rubric_engine.monitor.agent_log import steps_of
from rubric_engine.monitor.blacklist.placing import placed
from rubric_engine.monitor.blacklist.reference import Reference
from rubric_engine.monitor.blacklist.sources import draft
from rubric_engine.monitor.blacklist.using import Use, doubted, shell_uses
from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.texts import SourceText

_TOOL = re.compile(
    r"\s*(?:Cloning https?:|Cloning into|Collecting [\w\[\], .-]*@? ?git\+|Collecting git\+"
    r"|Running command git (?:clone|fetch|submodule)|Obtaining [\w@ -]*git\+"
    r"|--\d{4}-\d\d-\d\d \d\d:\d\d:\d\d--|Submodule path|Submodule '|Downloading (?:from )?https?:"
    r"|Resolved https?:|From (?:https?:|ssh:|git@)|Fetching https?:|\[#\w+ .*(?:CN|DL):"
    r"|Downloading: \"?https?:|remote: )"
)
_FAILED = re.compile(r"\s*(?:fatal:|error:|ERROR:|curl:|wget:|\w+Error\b|requests\.)")


def in_run_log(log: str, references: Sequence[Reference]) -> Iterator[Draft]:
    """What the log of a run says was fetched, tried, or only printed."""
    if not references:
        return
    text = SourceText("run_log", LOG_NAME, "data", log)
    traced: set[int] = set()
    for step in steps_of(log):
        if step.form == "set -x":
            for use in shell_uses(step.code, references, line=step.line):
                traced.add(use.line)
                yield draft(doubted(use) if step.is_doubtful else use, text)
    for mention, line, number in placed(log, references):
        if mention.form == "hosted" and number not in traced:
            yield draft(_printed(mention.reference, line, number), text)


def _printed(reference: Reference, line: str, number: int) -> Use:
    if _TOOL.match(line):
        return Use(reference, "violation", number, line, "a tool says that it fetches it")
    if _FAILED.match(line):
        return Use(reference, "suspicious", number, line, "something tried to reach it and failed")
    return Use(reference, "note", number, line, "a mention")
