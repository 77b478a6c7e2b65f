"""One pass over the files that are left: what holds an answer goes, what quotes one is named."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from rubric_engine.benchmarks.expbench.masking.archives import Part, parts
from rubric_engine.benchmarks.expbench.masking.copies import Contents, Leftovers
from rubric_engine.benchmarks.expbench.masking.decoding import (
    as_utf8,
    strings_of,
    text_of,
    written_in,
)
from rubric_engine.benchmarks.expbench.masking.histories import HEAD_BYTES, history_in
from rubric_engine.benchmarks.expbench.masking.quoting import Answers, Quotation
from rubric_engine.benchmarks.expbench.masking.repository import MAX_READ, Repository, read
from rubric_engine.errors import Place, Problem
from rubric_engine.submission.tree import Tree, TreeEntry, reason_of

NEAR_COPY, QUOTES, UNSEEN = "W245", "W246", "W248"


@dataclass
class Survey:
    """What was found in the files that are left.

    Attributes:
        copies: Files that hold an answer, or nearly all of one, with what they repeat and how.
        histories: Archives that hold a history, with what of it.
        near: Files that are close to a copy and stay, as was asked for.
        warnings: Files that quote an answer, and files that cannot be looked into.
    """

    copies: dict[str, str] = field(default_factory=dict)
    histories: dict[str, str] = field(default_factory=dict)
    near: set[str] = field(default_factory=set)
    warnings: list[Problem] = field(default_factory=list)


def survey(
    repository: Repository, answers: Mapping[str, bytes], keep: Collection[str] = ()
) -> Survey:
    """Look through all files that are left.

    Args:
        repository: The files, those of the answers taken out.
        answers: Contents of the answers by path.
        keep: Files that stay where they are close to a copy of an answer.
    """
    found = Survey()
    texts = {path: text_of(as_utf8(content)) for path, content in answers.items()}
    said = {path: written_in(text) for path, text in texts.items() if text}
    leftovers = Leftovers(answers, repository.files)
    look = _Look(Contents(answers), Answers(said), leftovers, frozenset(keep), found)
    with Tree(repository.root) as tree:
        for path, entry in repository.files.items():
            look.at(path, entry, tree)
    return found


def contents_of(root: Path, entries: Mapping[str, TreeEntry]) -> dict[str, bytes]:
    """The contents of some files.

    Raises:
        OSError: One cannot be read.
    """
    with Tree(root) as tree:
        return {path: read(tree, entry) for path, entry in entries.items()}


@dataclass(frozen=True)
class _Look:
    contents: Contents
    quoted: Answers
    leftovers: Leftovers
    keep: frozenset[str]
    found: Survey

    def at(self, path: str, entry: TreeEntry, tree: Tree) -> None:
        """Look at one file."""
        made = self.leftovers.made_of(path)
        if made is not None:
            self.found.copies[path] = f"made of {made}"
            return
        try:
            content = read(tree, entry)
        except OSError as error:
            self.found.warnings.append(_unseen(path, f"it cannot be read: {reason_of(error)}"))
            return
        self.found.warnings += self._into(path, content, entry.size)

    def _into(self, path: str, content: bytes, size: int) -> list[Problem]:
        """Look at what a file holds; the first thing for which it has to go decides."""
        warnings: list[Problem] = []
        for part in chain([Part("", content)], parts(content, path)):
            if part.trouble is not None:
                warnings.append(
                    _unseen(path, part.trouble, f"{part.name!r} in it" * bool(part.name))
                )
            elif self._goes(path, part, warnings):
                return []
        if size <= len(content):
            return warnings
        seen = [one for one in warnings if one.code != UNSEEN]
        return [*seen, _unseen(path, f"it has {size:,} bytes", f"what follows {MAX_READ:,} bytes")]

    def _goes(self, path: str, part: Part, warnings: list[Problem]) -> bool:
        inside = f"{part.name!r} in it is " if part.name else ""
        history = history_in(part.name, part.content[:HEAD_BYTES])
        if history is not None:
            self.found.histories[path] = f"{inside}{history}"
            return True
        copied = self.contents.copied_in(part.name or path, part.content)
        if copied is not None:
            self.found.copies[path] = f"{inside}a copy of {copied}"
            return True
        plain = as_utf8(part.content)
        text = text_of(plain)
        quotations = self.quoted.quoted_in(strings_of(plain) if text is None else text)
        close = [one for one in quotations if one.near_copy]
        if close and path not in self.keep:
            self.found.copies[path] = f"{inside}close to a copy of {_much(close[0])}"
            return True
        self.found.near.update([path] * bool(close))
        warnings += _quotations(path, quotations, part.name)
        return False


def _quotations(path: str, quotations: list[Quotation], inside: str) -> Iterator[Problem]:
    for one in quotations:
        what = "is close to a copy of" if one.near_copy else "quotes"
        within = f" in {inside!r}" if inside else ""
        message = f"is kept, and{within} {what} {_much(one)}"
        place = Place(path, None if inside else one.line)
        if one.near_copy:
            yield Problem(NEAR_COPY, message, place, hint="without --keep it goes")
        else:
            yield Problem(QUOTES, message, place, hint=_hide(path))


def _much(one: Quotation) -> str:
    return f"{one.of} ({one.lines} line{'s' if one.lines > 1 else ''}, {one.share:.0%} of it)"


def _unseen(path: str, why: str, what: str = "") -> Problem:
    message = f"is kept, and {what}{' ' * bool(what)}was not looked into: {why}"
    return Problem(UNSEEN, message, Place(path), hint=_hide(path))


def _hide(path: str) -> str:
    return f"--also {shlex.quote(path)} hides it"
