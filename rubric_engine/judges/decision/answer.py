"""From a leaf to its question, and from an answer to the leaf's grade."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rubric_engine.criterion import Criterion, ScaleStep
from rubric_engine.decision import Answer, Option, Question
from rubric_engine.grading import MET_FROM, Grade
from rubric_engine.judges.decision.settings import DecisionSettings


def question_about(leaf: Criterion, text: str) -> Question:
    """The question about a leaf: whether it is met, or which step of its scale it reaches."""
    if not leaf.scale:
        return Question(key=leaf.key, text=text)
    options = tuple(Option(label=_label(step.score), description=step.says) for step in steps(leaf))
    return Question(key=leaf.key, text=text, kind="score", options=options)


def _label(score: float) -> str:
    """A score in as few digits as tell it from all others."""
    short = f"{score:g}"
    return short if float(short) == score else repr(score)


def steps(leaf: Criterion) -> Sequence[ScaleStep]:
    """The steps of a leaf's scale, the lowest first; two of one score are one."""
    by_score = {step.score: step for step in reversed(leaf.scale)}
    return [by_score[score] for score in sorted(by_score)]


def grade_of(leaf: Criterion, answer: Answer, settings: DecisionSettings) -> Grade:
    """The grade that an answer gives.

    Args:
        leaf: The leaf.
        answer: The answer to its question.
        settings: Whether it makes a verdict, and from which probability on.
    """
    calls = (answer.call,) if answer.call else ()
    usage = answer.usage.model_dump() if answer.usage else {}
    if answer.flaw is not None:
        return Grade.ungradeable(answer.flaw, answer.detail, usage=usage, calls=calls)
    scores, chances = _outcomes(leaf, answer)
    mean = math.fsum(score * chance for score, chance in zip(scores, chances, strict=True))
    mean = min(1.0, max(0.0, mean))
    met = min(
        1.0,
        math.fsum(
            chance for score, chance in zip(scores, chances, strict=True) if score >= MET_FROM
        ),
    )
    score, sd = _verdict(leaf, answer, settings), None
    if settings.expected:
        spread = (
            chance * (score - mean) ** 2 for score, chance in zip(scores, chances, strict=True)
        )
        score, sd = mean, math.sqrt(math.fsum(spread))
    return Grade.graded(
        score,
        _words(answer, met, scores, settings),
        probability=met,
        sd=sd,
        usage=usage,
        calls=calls,
    )


def _outcomes(leaf: Criterion, answer: Answer) -> tuple[list[float], Sequence[float]]:
    """The scores that a leaf may have, and how likely each is."""
    if leaf.scale:
        return [step.score for step in steps(leaf)], answer.distribution
    chance = answer.probability or 0.0
    return [0.0, 1.0], [1 - chance, chance]


def _verdict(leaf: Criterion, answer: Answer, settings: DecisionSettings) -> float:
    if leaf.scale:
        return steps(leaf)[answer.value or 0].score
    return float((answer.probability or 0.0) >= settings.threshold)


def _words(answer: Answer, met: float, scores: Sequence[float], settings: DecisionSettings) -> str:
    if answer.probability is None:
        shown = ", ".join(
            f"{score:g}: {chance:.3g}"
            for score, chance in zip(scores, answer.distribution, strict=True)
        )
        return f"The model gives the steps of the scale these probabilities: {shown}."
    said = f"The model gives a probability of {met:.3g} that this is met"
    return f"{said}." if settings.expected else f"{said}; met from {settings.threshold:g} on."
