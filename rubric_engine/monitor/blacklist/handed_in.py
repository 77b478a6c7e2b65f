"""The files of a submission that scripts, and the commands of an agent, may read or run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rubric_engine.monitor.blacklist.reference import Reference
from rubric_engine.monitor.shell.files import Given
from rubric_engine.monitor.texts import SourceText

_LONGEST = 1_000_000
"""Characters of a list of addresses, at most."""


def given_to_scripts(texts: Iterable[SourceText]) -> Given:
    """What scripts of the submission may read, run, or source: whatever it is called."""
    all_texts = list(texts)
    return Given(
        read={one.path: one.text for one in all_texts if one.part in ("data", "docs")},
        scripts={one.path: one.text for one in all_texts if one.part == "shell"},
    )


def given_to_agent(texts: Iterable[SourceText], references: Sequence[Reference]) -> Given:
    """Those that name what the blacklist names: what else an agent read, it names itself."""
    names = [one.path or one.host for one in references]
    return Given(
        {
            one.path: one.text
            for one in texts
            if one.part in ("data", "docs") and len(one.text) <= _LONGEST
            if any(name in one.text.lower() for name in names)
        }
    )
