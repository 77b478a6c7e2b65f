"""Rules on the words of a leaf: can two people read it and agree on whether it is met?"""

from __future__ import annotations

import re

from rubric_engine.lint.rule import Hits, Subject

LONG = 400
SHORT = 40

_NUMBER = re.compile(
    r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|half|twice|double|both)\b", re.I
)
_VAGUE = re.compile(
    r"\b(?:appropriate|reasonabl[ey]|proper|adequate|sufficient|suitable|robust"
    r"|significant|meaningful|satisfactory|acceptable|sensible|decent|good|nice)(?:ly)?\b"
    r"|\bwell-\w+|\betc\b|\band so on\b|\bas (?:needed|necessary)\b",
    re.I,
)
_PREDICATE = re.compile(r"\b(?:is|are|was|were|(?:has|have) been) (?:\w+ly )?\w+ed\b", re.I)
_SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bFig)(?<!\bEq)(?<!\bSec)[.!?]\s+(?=[A-Z])")
_COMPARISON = re.compile(
    r"[<>=≤≥≈±%]|\b(?:than|within|between|below|above|equal\w*|same|similar\w*|comparable|compared"
    r"|match\w*|outperform\w*|exceed\w*|surpass\w*|increas\w+|decreas\w+|improv\w+|reduc\w+"
    r"|degrad\w+|more|less|fewer|most|least|best|worst|better|worse|high(?:er|est)|low(?:er|est)"
    r"|larg(?:er|est)|small(?:er|est)|great(?:er|est)|fast(?:er|est)|slow(?:er|est)|close(?:r|st)"
    r"|all|every|each|none|no|not|never|always|only|consistent\w*|correlat\w+|converg\w+|fail\w*)\b",
    re.I,
)
_HEDGE = re.compile(r"\b(?:should|may|might|could|ideally|possibly|perhaps|preferably)\b", re.I)
_DANGLING = re.compile(
    r"\b(?:the above|above[- ]mentioned|aforementioned|as above|see above|this (?:method|approach"
    r"|experiment|model|procedure|setting|process|step)|same as (?:above|before)"
    r"|the previous (?:node|task|step|item|requirement|criterion|experiment)|the former|the latter"
    r"|mentioned (?:above|earlier|before|previously))\b",
    re.I,
)
_RUN = re.compile(
    r"\b(?:has|have) been (?:\w+ly )?(?:run|ran|executed|trained|evaluated|fine-?tuned)\b"
    r"|\b(?:is|are|was|were) (?:run|executed)\b",
    re.I,
)
_DOLLAR = re.compile(r"(?<!\\)\$")


def vague(subject: Subject) -> Hits:
    """A word such as "appropriate" or "reasonable" leaves the verdict to taste.

    Say what would count: a number, a range, a named method, a place in the paper. A leaf that
    holds a number is let pass.
    """
    for leaf in subject.leaves:
        word = _VAGUE.search(leaf.requirements)
        if word and not _NUMBER.search(leaf.requirements):
            yield leaf.key, f'vague word "{word[0]}" and no number to hold it to'


def several(subject: Subject) -> Hits:
    """A leaf that asks for several things has no right grade when only some of them are met.

    Make each of them a leaf of its own under a group. Signs of several: three predicates such as
    "is computed", a semicolon, "and then", three sentences.
    """
    for leaf in subject.leaves:
        text = leaf.requirements
        sentences = len(_SENTENCE_END.findall(text)) + 1
        many = len(_PREDICATE.findall(text)) >= 3 or sentences >= 3
        if many or ";" in text or "and then" in text.lower():
            yield leaf.key, "seems to ask for several things; each could be a leaf of its own"


def long(subject: Subject) -> Hits:
    """A leaf of more than 400 characters usually holds several requirements, or a discussion.

    Keep in the requirement what must be true; what helps to judge it goes to `note_to_judge`.
    """
    for leaf in subject.leaves:
        if len(leaf.requirements) > LONG:
            yield (
                leaf.key,
                f"{len(leaf.requirements)} characters; more than {LONG} are hard to judge",
            )


def silent(subject: Subject) -> Hits:
    """A leaf that says nothing: nobody can tell whether it is met."""
    for leaf in subject.leaves:
        if not leaf.requirements.strip():
            yield leaf.key, "the leaf says nothing"


def short(subject: Subject) -> Hits:
    """A leaf of fewer than 40 characters seldom says what would count as met.

    It is judged on its own words and those of the criteria above it, nothing else.
    """
    for leaf in subject.leaves:
        if len(leaf.requirements) < SHORT:
            yield leaf.key, f"{len(leaf.requirements)} characters; does it say what counts as met?"


def unmeasured_result(subject: Subject) -> Hits:
    """A leaf about results needs a number or a comparison, or any result fits it.

    Write the value with its tolerance, or which of two things is larger. Concerns categories that
    need a run and are judged by the files it produced.
    """
    for leaf in subject.leaves:
        row = subject.rubric.category_of(leaf.key)
        about_results = row.needs_run and "produced" in row.sees
        text = leaf.requirements
        if about_results and not (_NUMBER.search(text) or _COMPARISON.search(text)):
            yield leaf.key, "result leaf names no number and no comparison"


def hedge(subject: Subject) -> Hits:
    """Words such as "should" or "may" leave open whether the leaf asks for it at all.

    Say what is the case: "is", "has", "equals".
    """
    for leaf in subject.leaves:
        word = _HEDGE.search(leaf.requirements)
        if word:
            yield leaf.key, f'hedge "{word[0]}": is it asked for or not?'


def dangling(subject: Subject) -> Hits:
    """A leaf that points at "the above" or "this method" is read without what it points at.

    A judge sees the leaf and the criteria above it, never its siblings. Name the thing.
    """
    for leaf in subject.leaves:
        words = _DANGLING.search(leaf.requirements)
        if words:
            yield leaf.key, f'"{words[0]}" points at what a judge of this leaf may not see'


def run_in_code(subject: Subject) -> Hits:
    """A leaf that says something was run, in a category that is judged without a run.

    Its judge reads code only and cannot know. Move it to a category that sees the log, or say
    what the code does.
    """
    for leaf in subject.leaves:
        row = subject.rubric.category_of(leaf.key)
        words = _RUN.search(leaf.requirements)
        if words and not row.needs_run and "log" not in row.sees:
            yield leaf.key, f'says "{words[0]}", but {leaf.task_category} is judged without a run'


def broken_math(subject: Subject) -> Hits:
    r"""An odd number of `$` is usually a formula that lost one; a dollar sign is written `\$`."""
    for leaf in subject.leaves:
        count = len(_DOLLAR.findall(leaf.requirements))
        if count % 2:
            yield leaf.key, f"odd number of $ signs ({count}): is a formula cut?"
