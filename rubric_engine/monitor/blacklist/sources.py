"""The blacklist in a submission's own texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rubric_engine.monitor.blacklist.placing import placed
from rubric_engine.monitor.blacklist.reference import GITHUB, Reference
from rubric_engine.monitor.blacklist.using import (
    NAMESAKE,
    Use,
    line_uses,
    python_uses,
    shell_uses,
)
from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.shell.files import Files, Given
from rubric_engine.monitor.texts import SourceText

_RUN = re.compile(r"^[ \t]*(?:RUN\b|\t)", re.IGNORECASE)
_MANIFEST_COMMENT = re.compile(r"\s*(?:#|//|;)")
_PAGE = re.compile(
    r"\s*[\"']?(?:home-?page|repository|documentation|source|issues|bugs|url|changelog|author"
    r"|description|bug-?tracker)[\"']?\s*[:=]",
    re.IGNORECASE,
)

_SHORTHAND = re.compile(r"github:|gh:|remotes:|\bgit\b", re.IGNORECASE)

_NAMESAKE = (
    "a repository of another owner is fetched that has the name of {what}, which is on the task's"
    " blacklist; it may be a fork of it, or another thing"
)
_SAYS = {
    "violation": "{how}: {what} is on the task's blacklist",
    "suspicious": "{how}: {what} is on the task's blacklist",
    "note": "{what} is on the task's blacklist and is mentioned here; that alone is no use of it",
}


def in_text(
    text: SourceText, references: Sequence[Reference], given: Given | None = None
) -> Iterator[Draft]:
    """What a text of a submission uses or mentions.

    Args:
        text: The text.
        references: What is looked for.
        given: The files that its scripts may read or run.
    """
    for use in _uses(text, references, given):
        yield draft(use, text)


def draft(use: Use, text: SourceText) -> Draft:
    """The finding that a use, or a mention, in a text is."""
    return Draft(
        rule=_rule(use),
        severity=use.severity,
        source=text.source,
        path=text.path,
        line=use.line,
        text=use.text,
        says=said(use),
    )


def said(use: Use) -> str:
    """The sentence of a use or a mention."""
    if use.how == NAMESAKE:
        return _NAMESAKE.format(what=use.reference.written)
    return _SAYS[use.severity].format(how=use.how, what=use.reference.written)


def _rule(use: Use) -> str:
    if use.how == NAMESAKE:
        return "blacklist.namesake"
    return "blacklist.mentioned" if use.severity == "note" else "blacklist.used"


def _uses(text: SourceText, references: Sequence[Reference], given: Given | None) -> Iterator[Use]:
    if text.part == "shell":
        yield from _of_shell(text.text, references, given)
    elif text.part == "python":
        yield from python_uses(text.text, references, lambda: text.strings)
    elif text.part == "notebook":
        yield from _of_notebook(text, references)
    elif text.part == "manifest":
        yield from _of_manifest(text, references)
    elif text.part == "build":
        yield from _of_shell("\n".join(map(_bare, text.lines)), references, given)
    elif text.part == "code":
        yield from line_uses(text.text, references)
    else:
        for mention, line, number in placed(text.text, references):
            if mention.form in ("hosted", "bare"):
                yield Use(mention.reference, "note", number, line, "a mention")


def _bare(line: str) -> str:
    return _RUN.sub("", line).lstrip("@-").replace("$$", "$")


def _of_shell(script: str, references: Sequence[Reference], given: Given | None) -> Iterator[Use]:
    """Uses, and those mentions that no use explains: comments, what is only printed."""
    uses = list(shell_uses(script, references, files=Files(given)))
    yield from uses
    known = {(use.reference, use.line) for use in uses}
    used = {use.reference for use in uses if use.severity != "note"}
    for mention, line, number in placed(script, references):
        told = mention.reference in used or (mention.reference, number) in known
        if mention.form == "hosted" and not told:
            yield Use(mention.reference, "note", number, line, "a mention")


def _of_notebook(text: SourceText, references: Sequence[Reference]) -> Iterator[Use]:
    for cell in text.cells:
        for use in python_uses(cell.code, references):
            yield replace(use, line=cell.line(use.line))


def _of_manifest(text: SourceText, references: Sequence[Reference]) -> Iterator[Use]:
    for mention, line, number in placed(text.text, references):
        names = mention.form == "hosted" or (
            mention.form == "bare"
            and mention.reference.host == GITHUB
            and _SHORTHAND.search(line) is not None
        )
        if _MANIFEST_COMMENT.match(line) or not names or _is_link(text.path, line):
            yield Use(mention.reference, "note", number, line, "a mention")
        else:
            how = "a dependency or submodule that is installed from it"
            yield Use(mention.reference, "violation", number, line, how)


def _is_link(path: str, line: str) -> bool:
    """Whether a line of a manifest gives a page to read, and no dependency."""
    return not path.endswith(".gitmodules") and "git+" not in line and _PAGE.match(line) is not None
