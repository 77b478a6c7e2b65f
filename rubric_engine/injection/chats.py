"""Marks by which chat templates tell who speaks, where no template stands.

Code of models is full of them in strings: they count in a comment, and before words of judging.
"""

from __future__ import annotations

from rubric_engine.injection.finding import Kind
from rubric_engine.injection.words import GAP

_ROLE = r"(?:system|user|assistant|developer|tool|human|model)"
_OPENS = (
    rf"(?:<\|(?:im_start|start_header_id)\|>\s?{_ROLE}\b|<\|(?:system|user|assistant|developer)\|>|"
    rf"<start_of_turn>\s?{_ROLE}\b|\[/?INST\]|<</?SYS>>)"
)
_ENDS = r"(?:<\|(?:im_end|eot_id|end|end_of_turn)\|>|<end_of_turn>|</?\|?system\|?>)"
_OF_JUDGING = (
    rf"(?:\b(?:rubrics?|criteri(?:on|a)|graders?|grading|judges?|verdict|submission|"
    rf"full{GAP}marks|satisfied)\b|评审|评委|评分|满分)"
)

CHATS: tuple[tuple[Kind, str], ...] = (
    (
        "fence_marker",
        rf"(?:#|//|<!--|(?m:^)[ \t\"']{{0,12}}(?:--|%|;|\*|>))[ \t*]{{0,4}}{_OPENS}",
    ),
    ("fence_marker", rf"(?:{_OPENS}|{_ENDS})(?:[^\n]{{0,120}}\n?){{0,3}}?{_OF_JUDGING}"),
    (
        "addresses_judge",
        rf"(?m:^)[^0-9A-Za-z\n]{{0,12}}(?:human|assistant|user|developer)\s?:[^\n]{{0,120}}"
        rf"\b(?:rubric|graders?|grading|this{GAP}submission)\b",
    ),
)
