"""A judge as files: its effective card, its prompts, and the same of each judge in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from rubric_engine.errors import JudgeCardError, Place, RunError
from rubric_engine.grading import Grade
from rubric_engine.judge import Judge, JudgeCard, JudgeContext
from rubric_engine.judges import LabelJudge, load_judge
from rubric_engine.judges.combine import COMBINED, Composite
from rubric_engine.judges.decision.judge import DecisionJudge
from rubric_engine.judges.decision.settings import DecisionPrompts, DecisionSettings
from rubric_engine.judges.settings import settings_of
from rubric_engine.judges.simple.judge import SimpleJudge
from rubric_engine.judges.simple.settings import PromptFiles, SimpleSettings
from rubric_engine.kept.reading import read_as
from rubric_engine.result import grade_dict

CARD = "judge.yaml"
_LABELS = "labels.json"


def judge_files(judge: Judge) -> dict[str, str]:
    """The files that a judge is made of again: text by path, relative to one folder."""
    # The card is written as JSON, which is YAML that no reader can take for something else.
    files = {CARD: json.dumps(judge.card.model_dump(mode="json"), indent=1)}
    prompts: Mapping[str, str] = getattr(judge, "prompts", {})
    names = PromptFiles().model_dump()
    files |= {names[name]: text for name, text in prompts.items() if name in names}
    if isinstance(judge, LabelJudge):
        labels = {key: grade_dict(grade) for key, grade in judge.grades.items()}
        files[_LABELS] = json.dumps(labels)
    return files | dict(_of_members(judge))


def _of_members(judge: Judge) -> Iterator[tuple[str, str]]:
    if isinstance(judge, Composite):
        for number, member in enumerate(judge.judges, 1):
            for name, text in judge_files(member).items():
                yield f"{number}/{name}", text


def load_kept_judge(folder: Path, context: JudgeContext) -> Judge:
    """Make a judge again.

    Args:
        folder: Where its files are.
        context: What it is made with, beside them.

    Raises:
        RunError: The files do not make a judge, such as those of a judge of one's own.
    """
    try:
        return _load(folder, replace(context, model={}))
    except JudgeCardError as error:
        raise RunError(
            f"the judge of the run cannot be made again: {error.message}",
            code="E527",
            place=error.place,
            looked=error.looked,
            fix=["resume(run, judge=...) takes a judge of your own"],
        ) from None


def _load(folder: Path, context: JudgeContext) -> Judge:
    file = folder / CARD
    card = read_as(file, JudgeCard)
    context = replace(context, folder=folder, place=Place(str(file)))
    if card.kind in COMBINED:
        card = _without(card, "member_fingerprints")
        settings = settings_of(card, COMBINED[card.kind], context.place)
        numbers = range(1, len(settings.members) + 1)
        members = [_load(folder / str(number), context) for number in numbers]
        return settings.make(members, card)
    if card.kind == "labels":
        judge = LabelJudge(read_as(folder / _LABELS, dict[str, Grade]), card.name)
        judge.card = judge.card.model_copy(update={"canaries": card.canaries})
        return judge
    if card.kind == "simple":
        return _simple(_without(card, "prompt_hashes"), context)
    if card.kind == "decision":
        return _decision(_without(card, "prompt_hashes"), context)
    return load_judge(card, context=context)


def _simple(card: JudgeCard, context: JudgeContext) -> SimpleJudge:
    """The card may name its prompts by any path; here they lie beside it."""
    assert context.connect is not None
    settings = SimpleSettings.model_validate(card.settings)
    settings = settings.model_copy(update={"prompts": PromptFiles()})
    model = context.connect(settings.model)
    return SimpleJudge(card, settings, context.folder, model, context.nonce)


def _decision(card: JudgeCard, context: JudgeContext) -> DecisionJudge:
    """As `_simple`."""
    assert context.decide is not None
    settings = DecisionSettings.model_validate(card.settings)
    settings = settings.model_copy(update={"prompts": DecisionPrompts()})
    model = context.decide(settings.model, settings.requests)
    return DecisionJudge(card, settings, context.folder, model, context.nonce)


def _without(card: JudgeCard, name: str) -> JudgeCard:
    """The card without what its judge adds to it."""
    return JudgeCard.model_validate(card.model_dump(exclude={name}))
