"""What of a script or program is a use of what a blacklist names, and what only mentions it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from rubric_engine.monitor.blacklist.mentions import Mention, mentions, namesakes, possible
from rubric_engine.monitor.blacklist.placing import placed
from rubric_engine.monitor.blacklist.reference import GITHUB, Reference
from rubric_engine.monitor.notebook import shell_lines, without_shell
from rubric_engine.monitor.programs import Doing, doing, takes_bare, told_apart
from rubric_engine.monitor.shell import Ran, executed
from rubric_engine.monitor.shell.files import Files
from rubric_engine.monitor.shell.words import Allowance
from rubric_engine.monitor.strings import Said, Strings, calls_out, strings_of
from rubric_engine.monitored import Severity

FETCHES = re.compile(
    r"git[\"', ]{1,4}clone|download|wget|curl|aria2|fetch|urlopen|requests?\.|http\.get|install_git"
    r"|install_github|pip[\"', ]{1,4}install|axios|Pkg\.add|Invoke-WebRequest|GET\(|getURL"
    r"|hub\.load",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s*(?:#(?!!)|//|--|%|/\*|\*|<!--|;|REM\b|\"\"\"|''')", re.IGNORECASE)
_BETWEEN = "\n\0\n"
"""Keeps what ends one string from being joined to what begins the next."""

NAMESAKE = "the same name under another owner"
"""How a use says that it may be one of a fork."""

_LOCAL = re.compile(r"https?://(?:localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker\.internal)")
_BLACKLIST = re.compile(r"blacklist[\w.-]*\.txt")


@dataclass(frozen=True)
class Use:
    """A reference that a piece of code names.

    Attributes:
        reference: What it names.
        severity: `violation` for a use, `suspicious` for what may be one, `note` for a mention.
        line: Line of the code, from 1.
        text: What stands there.
        how: A few words for people; `NAMESAKE` where another owner's repository is fetched.
    """

    reference: Reference
    severity: Severity
    line: int
    text: str
    how: str

    @property
    def is_mention(self) -> bool:
        """Whether nothing is fetched, as far as a program can tell."""
        return self.severity == "note" and self.how != NAMESAKE


def doubted(use: Use) -> Use:
    """The use, where nobody can tell whether it was done or stands in a text that was shown."""
    if use.severity != "violation":
        return use
    how = "a line that reads as a command, in or below a text that was shown"
    return replace(use, severity="suspicious", how=how)


def shell_uses(
    script: str, references: Sequence[Reference], *, line: int = 1, files: Files | None = None
) -> Iterator[Use]:
    """What a shell script uses or mentions.

    Args:
        script: The script.
        references: What is looked for.
        line: The line that it begins at.
        files: What scripts before it wrote into files.
    """
    for ran in executed(script, line=line, files=files):
        yield from uses_of(ran, references)


def uses_of(ran: Ran, references: Sequence[Reference]) -> Iterator[Use]:
    """What a command, or a program that is given to an interpreter, uses or mentions."""
    if ran.kind == "python":
        for use in python_uses(ran.code, references):
            yield Use(use.reference, use.severity, ran.line, use.text, use.how)
    else:
        yield from _of_command(ran, references)


def python_uses(
    code: str,
    references: Sequence[Reference],
    read: Callable[[], Strings | None] | None = None,
) -> Iterator[Use]:
    """What a Python program uses or mentions, lines of a notebook for a shell included.

    Args:
        code: The program.
        references: What is looked for.
        read: Reads its strings, where somebody else may want them, too.
    """
    allowance = Allowance()
    for number, command in shell_lines(code):
        files = Files(allowance=allowance)
        yield from shell_uses(command, references, line=number, files=files)
    in_lines = list(line_uses(code, references))
    if not (in_lines or calls_out(code) or _may_be_put_together(code, references)):
        return
    strings = read() if read is not None else strings_of(without_shell(code))
    if strings is None:
        yield from in_lines
        return
    found: dict[tuple[Reference, int], Use] = {}
    for use in _of_strings(strings, references):
        key = (use.reference, use.line)
        if key not in found or _worse(use.severity, found[key].severity):
            found[key] = use
    yield from found.values()
    for use in in_lines:
        if use.severity == "note" and (use.reference, use.line) not in found:
            yield use


def _may_be_put_together(code: str, references: Sequence[Reference]) -> bool:
    """Whether all parts of a name stand somewhere in a program."""
    low = code.lower()
    return any(all(part in low for part in one.path.split("/")) for one in references if one.path)


def line_uses(text: str, references: Sequence[Reference]) -> Iterator[Use]:
    """What lines of any language use or mention: a use stands beside a word of fetching."""
    for mention, line, number in placed(text, references):
        comment = _COMMENT.match(line) is not None
        fetches = FETCHES.search(line[:2000]) is not None
        hosted = mention.form == "hosted" or (mention.form == "bare" and "install_git" in line)
        if mention.form == "path":
            continue
        if hosted and fetches and not comment:
            yield Use(mention.reference, "violation", number, line, "code that fetches it")
        else:
            yield Use(mention.reference, "note", number, line, "a mention")


def _of_command(ran: Ran, references: Sequence[Reference]) -> Iterator[Use]:
    does = doing(ran)
    seen: set[Reference] = set()
    for part, role in _parts(ran, does, references):
        wanted = [one for one in references if one not in seen]
        for mention in mentions(part, wanted):
            use = mention.reference not in seen and _weighed(ran, role, mention)
            if use:
                seen.add(mention.reference)
                yield use
    words = "\n".join(ran.words)
    if does == "fetches":
        for reference in namesakes(words, [one for one in references if one not in seen]):
            yield Use(reference, "note", ran.line, ran.text, NAMESAKE)
    if does == "fetches" and not seen and _BLACKLIST.search(f"{words}\n{ran.code}\n{ran.reads}"):
        for reference in references:
            yield Use(reference, "suspicious", ran.line, ran.text, "fetches from the blacklist")


def _parts(ran: Ran, does: Doing, references: Sequence[Reference]) -> Iterator[tuple[str, Doing]]:
    """The texts of a command that may name something, each with what is done with its names."""
    if not possible("\n".join((*ran.words, ran.code)), references):
        return
    aimed, sent = told_apart(ran) if does == "fetches" else (ran.words, ())
    yield "\n".join(aimed), does
    yield " ".join(aimed), does
    yield ran.code, does
    if sent:
        yield "\n".join(sent), "prints" if _LOCAL.search("\n".join(aimed)) else "unknown"


def _weighed(ran: Ran, does: Doing, mention: Mention) -> Use | None:
    hosted = mention.form == "hosted"
    reference = mention.reference
    bare = mention.form == "bare" and reference.host == GITHUB and takes_bare(ran, reference.path)
    if does == "fetches" and (hosted or bare):
        return Use(mention.reference, "violation", ran.line, ran.text, "a command that fetches it")
    if does == "unknown" and hosted:
        how = f"a command that is given it; what {ran.program!r} does with it is not known"
        return Use(mention.reference, "suspicious", ran.line, ran.text, how)
    if mention.form == "path":
        return None
    return Use(mention.reference, "note", ran.line, ran.text, "a mention in a command")


def _of_strings(strings: Strings, references: Sequence[Reference]) -> Iterator[Use]:
    allowance = Allowance()
    for said in strings.said:
        if said.given_to == "shell":
            for use in shell_uses(said.text, references, files=Files(allowance=allowance)):
                if use.severity != "note":
                    yield replace(use, line=said.line, text=said.text)
        elif said.given_to == "network":
            for reference in namesakes(said.text, references):
                yield Use(reference, "note", said.line, said.text, NAMESAKE)
    texts = [said.text for said in strings.said]
    starts = list(accumulate((len(text) + len(_BETWEEN) for text in texts), initial=0))
    for mention in mentions(_BETWEEN.join(texts), references):
        said = strings.said[min(bisect_right(starts, mention.start), len(texts)) - 1]
        one = _of_string(said, mention, strings.fetches)
        if one is not None:
            yield one


def _of_string(said: Said, mention: Mention, fetches: bool) -> Use | None:
    hosted = mention.form == "hosted"
    hub = said.given_to == "hub" and mention.form == "bare"
    if (said.given_to == "network" and hosted) or hub:
        how = "code that fetches it"
        return Use(mention.reference, "violation", said.line, said.text, how)
    if hosted and fetches and not said.is_doc:
        how = "code that fetches something holds its address"
        return Use(mention.reference, "suspicious", said.line, said.text, how)
    if mention.form == "path":
        return None
    return Use(mention.reference, "note", said.line, said.text, "a mention")


def _worse(one: Severity, other: Severity) -> bool:
    order: tuple[Severity, ...] = ("note", "suspicious", "violation")
    return order.index(one) > order.index(other)
