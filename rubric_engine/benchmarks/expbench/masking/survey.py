"""One pass over the files that are left: copies of the answers go, what quotes them is named."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rubric_engine.benchmarks.expbench.masking.archives import (
    UnreadableError,
    is_archive,
    members,
)
from rubric_engine.benchmarks.expbench.masking.copies import Contents, made_of
from rubric_engine.benchmarks.expbench.masking.quoting import Answers, Quotation
from rubric_engine.benchmarks.expbench.masking.repository import MAX_READ, Repository, read
from rubric_engine.errors import Place, Problem
from rubric_engine.submission.tree import Tree, TreeEntry, reason_of

NEAR_COPY, QUOTES, UNSEEN = "W245", "W246", "W248"

_NEAR_COPY_SHARE = 0.6


@dataclass
class Survey:
    """What was found in the files that are left.

    Attributes:
        copies: Files that repeat an answer, with what they repeat and how.
        warnings: Files that quote one, and files that cannot be looked into.
    """

    copies: dict[str, str] = field(default_factory=dict)
    warnings: list[Problem] = field(default_factory=list)


def survey(repository: Repository, answers: Mapping[str, bytes]) -> Survey:
    """Look through all files that are left.

    Args:
        repository: The files, those of the answers taken out.
        answers: Contents of the answers by path.
    """
    found = Survey()
    if not answers:
        return found
    contents = Contents(answers)
    texts = {path: text for path, content in answers.items() if (text := _text(content))}
    look = _Look(contents, Answers(texts), answers, repository)
    with Tree(repository.root) as tree:
        for path, entry in repository.files.items():
            look.at(path, entry, tree, found)
    return found


@dataclass(frozen=True)
class _Look:
    contents: Contents
    quoted: Answers
    answers: Mapping[str, bytes]
    repository: Repository

    def at(self, path: str, entry: TreeEntry, tree: Tree, found: Survey) -> None:
        """Look at one file."""
        made = made_of(path, self.answers, self.repository.files)
        if made is not None:
            found.copies[path] = f"made of {made}"
            return
        if entry.size > MAX_READ:
            self._unseen(path, f"it has {entry.size:,} bytes", found)
            return
        try:
            content = read(tree, entry)
        except OSError as error:
            self._unseen(path, f"it cannot be read: {reason_of(error)}", found)
            return
        copied = self.contents.copied_in(path, content)
        if copied is not None:
            found.copies[path] = f"a copy of {copied}"
        elif is_archive(path):
            self._archive(path, content, found)
        elif text := _text(content):
            found.warnings += list(_quotations(path, self.quoted.quoted_in(text)))

    def _archive(self, path: str, content: bytes, found: Survey) -> None:
        try:
            for name, inner in members(content, path):
                copied = self.contents.copied_in(name, inner)
                if copied is not None:
                    found.copies[path] = f"an archive with a copy of {copied}"
                    return
                if is_archive(name):
                    self._unseen(path, f"it holds an archive, {name!r}", found)
                elif text := _text(inner):
                    quotations = self.quoted.quoted_in(text)
                    found.warnings += list(_quotations(path, quotations, inside=name))
        except UnreadableError as error:
            self._unseen(path, str(error), found)

    def _unseen(self, path: str, why: str, found: Survey) -> None:
        message = f"is kept, and was not looked into: {why}"
        found.warnings.append(Problem(UNSEEN, message, Place(path), hint=_hide(path)))


def _quotations(
    path: str, quotations: list[Quotation], inside: str | None = None
) -> Iterator[Problem]:
    for one in quotations:
        close = one.share >= _NEAR_COPY_SHARE
        what = "is close to a copy of" if close else "quotes"
        within = f" in {inside!r}" if inside else ""
        lines = f"{one.lines} line{'s' if one.lines > 1 else ''}, {one.share:.0%} of it"
        message = f"is kept, and{within} {what} {one.of} ({lines})"
        place = Place(path, None if inside else one.line)
        yield Problem(NEAR_COPY if close else QUOTES, message, place, hint=_hide(path))


def _hide(path: str) -> str:
    return f"--also {shlex.quote(path)} hides it"


def _text(content: bytes) -> str | None:
    """The text of a file, None where it is none."""
    if b"\0" in content:
        return None
    return content.decode("utf-8", "replace")


def contents_of(root: Path, entries: Mapping[str, TreeEntry]) -> dict[str, bytes]:
    """The contents of some files.

    Raises:
        OSError: One cannot be read.
    """
    with Tree(root) as tree:
        return {path: read(tree, entry) for path, entry in entries.items()}
