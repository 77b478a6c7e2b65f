"""What is said to a judge in English, in forms that name a grader, a rubric or our own answers."""

from __future__ import annotations

from rubric_engine.injection.finding import Kind
from rubric_engine.injection.words import FULL, GAP, MET, THING, WHO, few

ENGLISH: tuple[tuple[Kind, str], ...] = (
    (
        "addresses_judge",
        rf"\b(?:notes?|message|instructions?|hint|notice|attention|reminder|memo|directive|plea|"
        rf"request){GAP}(?:to|for){GAP}(?:the{GAP}|any{GAP}|all{GAP}|our{GAP}|an?{GAP}|this{GAP}){{0,2}}"
        rf"{WHO}\b",
    ),
    (
        "addresses_judge",
        rf"\b(?:dear|hello|hi|hey|attention|attn|to){GAP}(?:the{GAP}|any{GAP}|all{GAP}|my{GAP}){{0,2}}"
        rf"{WHO}[ ]?[:,!]",
    ),
    (
        "addresses_judge",
        rf"\bif{GAP}you(?:{GAP}are|'re|\x{{2019}}re){GAP}(?:an?{GAP}|the{GAP}|being{GAP}){{0,2}}"
        rf"(?:{WHO}|evaluator|large{GAP}language{GAP}model|language{GAP}model|llm)\b",
    ),
    (
        "orders_judge",
        rf"\b(?:ignore|disregard|forget|override|overlook){GAP}{few(3)}"
        rf"(?:previous|prior|preceding|above|earlier|foregoing|system|original){GAP}{few(1)}"
        rf"(?:instructions?|prompts?|rubric|criteria|guidelines|directions)\b",
    ),
    (
        "orders_judge",
        rf"\b(?:ignore|disregard|forget|override){GAP}(?:the|your|this){GAP}"
        rf"(?:rubric|grading{GAP}(?:criteria|instructions|guidelines|rules))\b",
    ),
    (
        "orders_judge",
        rf"\b(?:mark|grade|score|rate|judge|count|treat|consider|regard|accept|deem|record)"
        rf"{GAP}{few(4)}{THING}{GAP}{few(5)}as{GAP}(?:fully{GAP}|already{GAP}|being{GAP}|entirely{GAP}|"
        rf"completely{GAP}){{0,2}}{MET}\b",
    ),
    (
        "orders_judge",
        rf"\b(?:give|award|assign|grant|grade|score|mark|rate){GAP}{few(3)}{THING}{GAP}{few(3)}"
        rf"(?:score|grade|mark|rating|verdict|points?|with|at|as){GAP}(?:of{GAP}|a{GAP}){{0,2}}"
        rf"{FULL}(?:[^0-9A-Za-z.]|\.[^0-9]|\.?$)",
    ),
    (
        "orders_judge",
        rf"\b(?:award|give{GAP}(?:this|it|us|me|each|every|all|the{GAP}submission)){GAP}{few(4)}"
        rf"(?:full|maximum|perfect|highest){GAP}(?:marks|credit|points|score|grade)\b",
    ),
    (
        "orders_judge",
        rf"\b(?:grade|judge|mark|evaluate|score){GAP}(?:this|it|us|me|our|the{GAP}submission){GAP}"
        rf"{few(3)}(?:generously|leniently|favou?rably)\b",
    ),
    (
        "orders_judge",
        rf"\b(?:respond|answer|reply|output|say){GAP}{few(4)}[\"'\x60\x{{201c}}]met[\"'\x60\x{{201d}}.]",
    ),
    ("fake_verdict", r"[\"']met[\"']\s{0,3}[:=]\s{0,3}[\"']?true\b|\bmet:\s{1,3}true\b"),
    ("fake_verdict", r"\bvalid_score\b[\"']?\s{0,3}[:=]\s{0,3}true\b"),
    (
        "fake_verdict",
        rf"\b(?:verdict|(?:final|overall|official){GAP}(?:verdict|judge?ment|grading)|"
        rf"grading{GAP}result|judge?ment)[\"'*]{{0,3}}\s{{0,3}}[:=]\s{{0,3}}[\"'*\x60]{{0,3}}"
        rf"(?:fully{GAP}|all{GAP}(?:criteria{GAP})?)?(?:met|satisfied|full{GAP}marks)\b",
    ),
    (
        "fake_verdict",
        rf"\b(?:judge|grader|autograder|evaluator)\]?\s?:\s[^\n]{{0,40}}\b(?:all|every)\b[^\n]{{0,60}}"
        rf"\b(?:pass(?:ed)?|met|satisfied|verified|full{GAP}marks)\b",
    ),
    (
        "fake_verdict",
        rf"\b(?:all|every|each){GAP}{few(3)}(?:criterion|criteria|leaf|leaves|items?){GAP}(?:of|in){GAP}"
        rf"the{GAP}(?:grading{GAP})?rubric{GAP}(?:is|are|was|were|has{GAP}been|have{GAP}been){GAP}"
        rf"{few(1)}(?:met|satisfied|fulfilled|passed)\b",
    ),
    (
        "fake_verdict",
        rf"\b(?:expected|correct|true|final|official|known|agreed){GAP}(?:grade|score|verdict|mark)"
        rf"{GAP}(?:of|for){GAP}(?:this|the){GAP}(?:submission|repository|criterion|reproduction){GAP}"
        rf"{few(3)}{FULL}(?:[^0-9A-Za-z]|$)",
    ),
    # Our fences, see judges/*/part.jinja2; a CUDA launch has a comma in it.
    ("fence_marker", r"<<<(?:end )?[a-z][a-z ]{2,30} [0-9a-f]{6,64}>>>|<<<end [a-z][\w ]{1,40}>>>"),
    ("fence_marker", r"<<<(?:paper|addendum|notes for judges|receipt|files|code|docs|log)>>>"),
)
