"""The rules on what an agent did, in one pass over its log: no list of its steps is ever held."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rubric_engine.monitor import blacklist, looked_up
from rubric_engine.monitor.acts import Act, acts_of_python, acts_of_ran
from rubric_engine.monitor.agent_log import Step, steps_of
from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.shell import Ran, executed
from rubric_engine.monitor.shell.files import Files, Given
from rubric_engine.monitor.shell.scripts import MAKEFILES
from rubric_engine.monitor.texts import SourceText
from rubric_engine.monitor.watched import Text, Watched

_REMEMBERED = 20_000
"""Steps whose findings are remembered, for logs that say one thing again and again."""

_LONGEST = 1_000
"""Characters of a step that is remembered, at most."""

_PLAIN = {
    "shell": re.compile(r"[\w ./'-]+|[\w ./\"-]+", re.ASCII),
    "python": re.compile(r"[\w .=,-]+", re.ASCII),
}
"""Words in which nothing can hide: quotes of one kind alone are gone once a shell read them."""

_DECODES = re.compile(
    r"%[0-9a-f]{2}|\\[xun0-7]|&#|&\w+;|base64|b64|hex|chr|bytes|rot_?13|[\w+/-]{20}",
    re.ASCII | re.IGNORECASE,
)
_TOGETHER = tuple(map(frozenset, ("git", ":/", "blacklist")))
"""Without the signs of one of these, no step has a history, an address, or the list."""

_UNQUOTED = str.maketrans("", "", "'\"")
_TELLING = re.compile(r"git|blacklist|[\w+/-]{20}", re.ASCII)
"""What rules look for in plain words: commands of git, the list itself, what may be base64."""

_Known = tuple[int, tuple[blacklist.Use, ...], tuple[Draft, ...]]
"""How often files had changed, and what the step came to, as if it stood on line 0."""


@dataclass
class AgentSteps:
    """The rules on the steps of a log.

    Attributes:
        watched: What is watched.
        log: The log.
        references: What the blacklist names.
        given: The files of the submission that its commands may read or run.
        forms: The forms in which the log told of commands; whole once `drafts` has ended.
    """

    watched: Watched
    log: Text
    references: Sequence[blacklist.Reference]
    given: Given = field(default_factory=Given)
    forms: set[str] = field(default_factory=set)
    _hosts: set[tuple[str, str]] = field(default_factory=set)
    _known: dict[tuple[str, str, bool, bool, str], _Known] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with the files of the submission."""
        self._files = Files(self.given)
        self._own = looked_up.OwnFiles()
        self._folder = ""

    def drafts(self) -> Iterator[Draft]:
        """What the steps come to, and where else the log names what the blacklist names."""
        text = SourceText("agent_log", self.log.name, "data", self.log.text)
        told = blacklist.mentioned(self.log.text, self.references)
        mentions = {(use.reference, use.line): use for use in told}
        for step in steps_of(self.log.text):
            self.forms.add(step.form)
            uses, others = self._of_step(step)
            for use in uses:
                line = step.line + use.line
                mentions.pop((use.reference, line), None)
                yield replace(blacklist.draft(use, text), line=line)
            for draft in others:
                yield replace(draft, line=step.line + (draft.line or 0))
        for use in mentions.values():
            yield blacklist.draft(use, text)

    def _of_step(self, step: Step) -> tuple[tuple[blacklist.Use, ...], tuple[Draft, ...]]:
        """Read a step, or remember what it came to; a host is named at its first step alone."""
        if step.kind in ("write", "add"):
            self._files.write(step.path, step.code, more=step.kind == "add")
            if step.kind == "write":
                self._own.wrote(step.path)
            return (), ()
        key = (step.kind, step.code, step.on_one_line, step.is_doubtful, self._folder)
        known = self._known.get(key)
        if known is not None and known[0] == self._changes:
            return known[1], known[2]
        if self._is_void(step) or self._is_dull(step):
            return (), ()
        changes, folder = self._changes, self._folder
        uses, others, hosts = self._read(step)
        is_same = self._changes == changes and self._folder == folder
        if is_same and len(step.code) <= _LONGEST:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[key] = (changes, uses, others)
        return uses, (*others, *hosts)

    def _is_void(self, step: Step) -> bool:
        """Whether a step lacks the letters of all that rules look for, however it spells them.

        What decodes, what writes a file and what may run one is read in any case.
        """
        code = step.code
        if self._hides or _DECODES.search(code):
            return False
        signs = set(code.lower())
        if "@" in signs or any(each <= signs for each in _TOGETHER):
            return False
        if step.kind == "shell" and (self._files.may_have(signs) or _may_write(code, signs)):
            return False
        return not any(one.letters <= signs for one in self.references)

    def _is_dull(self, step: Step) -> bool:
        """Whether a step is so plain that no rule can find anything in it.

        Neither an address with a scheme, variables, escapes, calls, input nor files that were
        written stand among its words, so a name would have to stand there as it is.
        """
        plain = _PLAIN.get(step.kind)
        if plain is None or self._hides:
            return False
        if not plain.fullmatch(step.code):
            return False
        words = step.code.translate(_UNQUOTED).lower()
        if _TELLING.search(words) or any(
            (one.path or one.host) in words for one in self.references
        ):
            return False
        if len(words) < len(step.code):  # a quoted name may have blanks in it
            return not self._files.changes
        names = step.code.split()
        return not self._files.has((*names, *MAKEFILES, *(f"{name}.py" for name in names)))

    def _read(
        self, step: Step
    ) -> tuple[tuple[blacklist.Use, ...], tuple[Draft, ...], tuple[Draft, ...]]:
        uses: dict[blacklist.Use, None] = {}
        others: dict[Draft, None] = {}
        hosts: list[Draft] = []
        for found, acts in self._parts(step):
            # Mentions were looked for in the whole log already.
            told = map(blacklist.doubted, found) if step.is_doubtful else found
            uses.update((use, None) for use in told if not use.is_mention)
            others.update((draft, None) for draft in self._looks(acts))
            hosts += looked_up.hosts_of_acts(acts, self.watched.hosts, self._hosts)
        return tuple(uses), tuple(others), tuple(hosts)

    def _parts(self, step: Step) -> Iterator[tuple[Iterator[blacklist.Use], list[Act]]]:
        """The commands of a step one by one, each with what it uses and the acts that it is."""
        name, references = self.log.name, self.references
        if step.kind == "read":
            yield iter(()), [Act("agent_log", name, 0, step.code, shown=step.code)]
        elif step.kind == "fetch":
            fetched = Ran("shell", ("curl", step.code), 0, step.code)
            yield self._used(fetched), list(acts_of_ran(fetched, "agent_log", name))
        elif step.kind == "python":
            uses = blacklist.python_uses(step.code, references) if references else iter(())
            acts = acts_of_python(step.code, "agent_log", name, 0, every=self._hides)
            yield (replace(use, line=0) for use in uses), list(acts)
        else:
            yield from self._commands(step)

    def _commands(self, step: Step) -> Iterator[tuple[Iterator[blacklist.Use], list[Act]]]:
        """The commands of a script; one that goes to a folder, alone, is where the next begins."""
        begun, programs = self._folder, set()
        for ran in executed(step.code, line=0, files=self._files):
            placed = replace(ran, line=0) if step.on_one_line and ran.line else ran
            acts = acts_of_ran(placed, "agent_log", self.log.name, every=self._hides)
            yield self._used(placed), list(acts)
            self._folder = looked_up.moved(ran, self._folder)
            programs.add(ran.program)
        if programs != {"cd"}:
            self._folder = begun

    @property
    def _changes(self) -> int:
        """How often what is known of files changed."""
        return self._files.changes + self._own.changes

    @property
    def _hides(self) -> bool:
        """Whether the task hides files, so that any string may be the path of one."""
        return bool(self.watched.masked) or self.watched.hides_paper

    def _used(self, ran: Ran) -> Iterator[blacklist.Use]:
        return blacklist.uses_of(ran, self.references) if self.references else iter(())

    def _looks(self, acts: list[Act]) -> Iterator[Draft]:
        watched = self.watched
        yield from looked_up.git_history(acts, masks=bool(watched.masked))
        yield from looked_up.masked_paths(acts, watched.masked, self._folder, self._own)
        if watched.hides_paper:
            yield from looked_up.paper(acts)


def _may_write(code: str, signs: set[str]) -> bool:
    """Whether a script may write a file that a later one runs."""
    if ">" in signs or (signs.issuperset("te") and not signs.isdisjoint("$`")):
        return True
    return "tee" in code.translate(_UNQUOTED)
