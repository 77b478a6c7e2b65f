"""What is said to a judge, in English and Chinese: patterns for google-re2, so linear in the text.

A pattern names whom it speaks to or what it speaks of (a grader, a rubric, a criterion), for honest
code is full of scores, judges and prompts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any

from rubric_engine.injection.finding import Kind, Spot

_G = r"[^0-9A-Za-z_]{1,12}"  # a gap: spaces, a line's end, a comment's sign, quotes
_MAX_MEMORY = 256_000_000


def _few(most: int) -> str:
    return rf"(?:[0-9A-Za-z'\x60.%-]{{1,24}}{_G}){{0,{most}}}"


_MACHINE = rf"(?:automated|automatic|auto|ai|llm|grading|judging|evaluation|language|gpt){_G}"
_WHO = (
    rf"(?:graders?|judges?|autograders?|{_MACHINE}"
    r"(?:graders?|judges?|reviewers?|evaluators?|assessors?|examiners?|raters?|models?|system|agent)"
    r")"
)
_MET = r"(?:met|satisfied|fulfilled|passed|passing|reproduced|full(?:y)?|complete(?:d)?)"
_THING = (
    r"(?:criterion|criteria|leaf|leaves|rubric(?: items?)?|this submission|this repository|"
    r"this reproduction|this repo|(?:every|all|each)(?: single| the)? "
    r"(?:items?|claims?|requirements?|points?|tables?|results?))"
)
_FULL = r"(?:1(?:\.0+)?|100|10/10|full|met|true|perfect|maximum)"

_ENGLISH: tuple[tuple[Kind, str], ...] = (
    (
        "addresses_judge",
        rf"\b(?:notes?|message|instructions?|hint|notice|attention|reminder|memo|directive|plea|"
        rf"request){_G}(?:to|for){_G}(?:the{_G}|any{_G}|all{_G}|our{_G}|an?{_G}|this{_G}){{0,2}}"
        rf"{_WHO}\b",
    ),
    (
        "addresses_judge",
        rf"\b(?:dear|hello|hi|hey|attention|attn|to){_G}(?:the{_G}|any{_G}|all{_G}|my{_G}){{0,2}}"
        rf"{_WHO}[ ]?[:,!]",
    ),
    (
        "addresses_judge",
        rf"\bif{_G}you(?:{_G}are|'re|\x{{2019}}re){_G}(?:an?{_G}|the{_G}|being{_G}){{0,2}}"
        rf"(?:{_WHO}|evaluator|large{_G}language{_G}model|language{_G}model|llm)\b",
    ),
    (
        "orders_judge",
        rf"\b(?:ignore|disregard|forget|override|overlook){_G}{_few(3)}"
        rf"(?:previous|prior|preceding|above|earlier|foregoing|system|original){_G}{_few(1)}"
        rf"(?:instructions?|prompts?|rubric|criteria|guidelines|directions)\b",
    ),
    (
        "orders_judge",
        rf"\b(?:ignore|disregard|forget|override){_G}(?:the|your|this){_G}"
        rf"(?:rubric|grading{_G}(?:criteria|instructions|guidelines|rules))\b",
    ),
    (
        "orders_judge",
        rf"\b(?:mark|grade|score|rate|judge|count|treat|consider|regard|accept|deem|record)"
        rf"{_G}{_few(4)}{_THING}{_G}{_few(5)}as{_G}(?:fully{_G}|already{_G}|being{_G}|entirely{_G}|"
        rf"completely{_G}){{0,2}}{_MET}\b",
    ),
    (
        "orders_judge",
        rf"\b(?:give|award|assign|grant|grade|score|mark|rate){_G}{_few(3)}{_THING}{_G}{_few(3)}"
        rf"(?:score|grade|mark|rating|verdict|points?|with|at|as){_G}(?:of{_G}|a{_G}){{0,2}}"
        rf"{_FULL}(?:[^0-9A-Za-z.]|\.[^0-9]|\.?$)",
    ),
    (
        "orders_judge",
        rf"\b(?:award|give{_G}(?:this|it|us|me|each|every|all|the{_G}submission)){_G}{_few(4)}"
        rf"(?:full|maximum|perfect|highest){_G}(?:marks|credit|points|score|grade)\b",
    ),
    (
        "orders_judge",
        rf"\b(?:grade|judge|mark|evaluate|score){_G}(?:this|it|us|me|our|the{_G}submission){_G}"
        rf"{_few(3)}(?:generously|leniently|favou?rably)\b",
    ),
    (
        "orders_judge",
        rf"\b(?:respond|answer|reply|output|say){_G}{_few(4)}[\"'\x60\x{{201c}}]met[\"'\x60\x{{201d}}.]",
    ),
    ("fake_verdict", r"[\"']met[\"']\s{0,3}[:=]\s{0,3}[\"']?true\b|\bmet:\s{1,3}true\b"),
    ("fake_verdict", r"\bvalid_score\b[\"']?\s{0,3}[:=]\s{0,3}true\b"),
    (
        "fake_verdict",
        rf"\b(?:verdict|(?:final|overall|official){_G}(?:verdict|judge?ment|grading)|"
        rf"grading{_G}result|judge?ment)[\"'*]{{0,3}}\s{{0,3}}[:=]\s{{0,3}}[\"'*\x60]{{0,3}}"
        rf"(?:fully{_G}|all{_G}(?:criteria{_G})?)?(?:met|satisfied|full{_G}marks)\b",
    ),
    (
        "fake_verdict",
        rf"\b(?:judge|grader|autograder|evaluator)\]?\s?:\s[^\n]{{0,40}}\b(?:all|every)\b[^\n]{{0,60}}"
        rf"\b(?:pass(?:ed)?|met|satisfied|verified|full{_G}marks)\b",
    ),
    (
        "fake_verdict",
        rf"\b(?:all|every|each){_G}{_few(3)}(?:criterion|criteria|leaf|leaves|items?){_G}(?:of|in){_G}"
        rf"the{_G}(?:grading{_G})?rubric{_G}(?:is|are|was|were|has{_G}been|have{_G}been){_G}"
        rf"{_few(1)}(?:met|satisfied|fulfilled|passed)\b",
    ),
    (
        "fake_verdict",
        rf"\b(?:expected|correct|true|final|official|known|agreed){_G}(?:grade|score|verdict|mark)"
        rf"{_G}(?:of|for){_G}(?:this|the){_G}(?:submission|repository|criterion|reproduction){_G}"
        rf"{_few(3)}{_FULL}(?:[^0-9A-Za-z]|$)",
    ),
    # Our fences, see judges/*/part.jinja2; a CUDA launch has a comma in it.
    ("fence_marker", r"<<<(?:end )?[a-z][a-z ]{2,30} [0-9a-f]{6,64}>>>|<<<end [a-z][\w ]{1,40}>>>"),
    ("fence_marker", r"<<<(?:paper|addendum|notes for judges|receipt|files|code|docs|log)>>>"),
)

_JUDGE = r"(?:评审|评委|裁判|审稿|阅卷|评判|判分|打分|评分)"
_END = r"[^\n。!;]"
_ALL = r"(?:每一?[项条个]|所有|全部|各项|本提交|该提交|本仓库|本作品)"
_CHINESE: tuple[tuple[Kind, str], ...] = (
    (
        "addresses_judge",
        rf"(?:致|写给|告知|提醒|敬告)(?:各位|所有|本次|自动|智能|机器|人工智能|AI|大模型|的)"
        rf"{{0,3}}{_JUDGE}",
    ),
    (
        "addresses_judge",
        rf"(?:{_JUDGE}(?:们|员|者|人|老师|专家|模型|系统|程序)|评审|评委)"
        r"[,: ]{0,3}(?:请|务必|必须)",
    ),
    (
        "addresses_judge",
        rf"如果(?:你|您)是{_END}{{0,8}}(?:{_JUDGE}|语言模型|大模型|人工智能|AI)",
    ),
    (
        "orders_judge",
        rf"(?:忽略|无视|忘记|忘掉|不要理会|不必理会){_END}{{0,8}}(?:之前|以上|上述|前面|先前|原有|系统)"
        rf"{_END}{{0,6}}(?:指令|提示|指示|规则|评分标准)",
    ),
    (
        "orders_judge",
        rf"{_ALL}{_END}{{0,12}}(?:判为|评为|标为|视为|标记为|记为|认定为|评定为|判定为){_END}{{0,6}}"
        r"(?:满足|通过|达成|合格|符合|满分)",
    ),
    (
        "orders_judge",
        rf"(?:请|应当?|必须|务必|直接|一律){_END}{{0,12}}(?:给|打|判|评){_END}{{0,12}}(?:满分|最高分|满足)",
    ),
    (
        "fake_verdict",
        rf"(?:本提交|该提交|本仓库|本作品|本代码){_END}{{0,8}}(?:得分|评分|分数|成绩|判定|结论){_END}{{0,10}}"
        r"(?:1\.0|100|满分|满足|通过)",
    ),
    (
        "fake_verdict",
        rf"(?:所有|全部|每一?[项条个])评分(?:标准|准则|项|点|细则){_END}{{0,6}}(?:满足|达成|通过|符合)",
    ),
    (
        "fake_verdict",
        r"(?:评审|评判|判定|评分)(?:结果|结论)\s?:\s?(?:全部|均|都)?(?:满足|通过|满分|达成)",
    ),
)

_HALVES = re.compile("[\ud800-\udfff]")  # of characters, which re2 does not take
_PATTERNS = (*_ENGLISH, *_CHINESE)


@cache
def _compiled() -> Any:
    import re2

    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = _MAX_MEMORY
    return re2.compile("|".join(f"({pattern})" for _, pattern in _PATTERNS), options)


def folded(text: str) -> str:
    """The text with wide and other compatible letters as plain ones; its lines stay."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _HALVES.sub("\ufffd", text))


def phrases(text: str) -> Iterator[Spot]:
    """Where something is said to a judge in a text that was `folded`."""
    for match in _compiled().finditer(text):
        yield Spot(match.start(), match.end(), _PATTERNS[match.lastindex - 1][0])
