"""Words of grading, as parts of patterns for google-re2."""

from __future__ import annotations

GAP = r"[^0-9A-Za-z_]+"  # a gap: spaces, a line's end, a comment's sign, quotes


def few(most: int) -> str:
    """At most so many words."""
    return rf"(?:[0-9A-Za-z'\x60.%-]+{GAP}){{0,{most}}}"


MACHINE = rf"(?:automated|automatic|auto|ai|llm|grading|judging|evaluation|language|gpt){GAP}"
WHO = (
    rf"(?:graders?|judges?|autograders?|{MACHINE}"
    r"(?:graders?|judges?|reviewers?|evaluators?|assessors?|examiners?|raters?|models?|system|agent)"
    r")"
)
MET = r"(?:met|satisfied|fulfilled|passed|passing|reproduced|full(?:y)?|complete(?:d)?)"
THING = (
    r"(?:criterion|criteria|leaf|leaves|rubric(?: items?)?|this submission|this repository|"
    r"this reproduction|this repo|(?:every|all|each)(?: single| the)? "
    r"(?:items?|claims?|requirements?|points?|tables?|results?))"
)
FULL = r"(?:1(?:\.0+)?|100|10/10|full|met|true|perfect|maximum)"

BODY = r"(?:graders?|judges?|autograders?|evaluators?|assessors?|examiners?)"
ONE = r"(?:criterion|criteria|leaf|leaves|rubric|rubric items?|requirements? of the rubric)"
WORK = r"(?:submission|repository|repo|reproduction|codebase)"
YES = r"(?:1(?:\.0+)?|100%?|1/1|full|met|yes|pass|true|maximum|perfect)"
PRAISE = (
    rf"(?:full|top|perfect|maximum|highest(?:{GAP}possible)?){GAP}(?:marks?|credit|score|points)"
)
DOING = r"(?:grading|judging|evaluating|assessing|scoring|reviewing|marking)"
NAMED = (
    rf"(?:{BODY}|(?:human|expert|external|independent|official|lead|senior){GAP}"
    r"(?:reviewers?|annotators?|raters?))"
)
BEST = (
    rf"(?:full|top|perfect|maximum|max|highest|best)(?:{GAP}possible)?{GAP}"
    r"(?:marks?|credit|scores?|points|grades?|rating)"
)
HUNDRED = r"(?:100 ?%|100 ?/ ?100|10 ?/ ?10)"
GOOD = (
    r"(?:pass(?:ed|es|ing)?|met|satisfied|fulfilled|accept(?:ed)?|approved|reproduced|"
    rf"{HUNDRED}|{BEST})"
)
END = r"(?:[^0-9A-Za-z_]|$)"  # of a word that may end in a sign
