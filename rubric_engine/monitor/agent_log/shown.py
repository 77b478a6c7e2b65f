"""Lines of a log that read as commands, and may be part of a text that a command showed."""

from __future__ import annotations

import re
from dataclasses import replace

from rubric_engine.monitor.agent_log.step import Step

_NEAR = 200
"""Lines behind a command that shows a text in which prompts may be that text's."""

_SHOWS = re.compile(
    r"(?:^|[|;&(][ \t]{0,9})(?:\S{0,99}/)?(?:awk|bat|cat|col|curl|echo|fold|grep|head|jq|less|man"
    r"|more|nl|pandoc|printf|rg|sed|strings|tac|tail|zcat|git (?:-\S+ )?(?:diff|log|show))\b"
)
_HOST = re.compile(r"[\w.-]{1,60}@[\w.-]{1,60}")
_FORMS = frozenset({"prompt", "set -x", "python prompt"})


class Showing:
    """Tells which steps of a log may be part of a text that an earlier step showed.

    A README has lines that begin with `$`, and a log that somebody prints has `+`. Where such a
    line stands a little below a command that shows a text, nobody can tell; a prompt that names
    a user and a machine, as the one above it did, is no line of a README.
    """

    def __init__(self) -> None:
        self._since = -_NEAR
        self._host = ""
        self._form = ""

    def weighed(self, step: Step, line: str) -> Step:
        """The step, marked where it is doubtful.

        Args:
            step: The step.
            line: Its first line, as the log has it.
        """
        host = _HOST.search(line[:200]) if step.form == "prompt" else None
        is_same = host is not None and host[0] == self._host
        behind = step.line - self._since - (step.form == self._form)  # an own prompt may be next
        if step.form in _FORMS and not is_same and 0 < behind < _NEAR:
            return replace(step, is_doubtful=True)
        if _SHOWS.search(step.code[:1000]):
            self._since = step.line + step.code.count("\n")
            self._host, self._form = host[0] if host else "", step.form
        else:
            self._since = -_NEAR
        return step
