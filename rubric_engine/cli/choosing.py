"""Which judge grades: the one that was named, or what the keys at hand allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.candidate import Candidate
    from rubric_engine.judge import Judge
    from rubric_engine.rubric import Rubric

AUTO = "auto"
"""Rules, and a chat model for what they leave; rules alone where no model can be asked."""


@dataclass(frozen=True)
class Choice:
    """A judge to grade with.

    Attributes:
        judge: What the engine takes: a name where a model is to be connected.
        candidate: The same, loaded to see what it would ask.
        why: Why it is not the one that was named; empty where it is.
    """

    judge: str | Judge
    candidate: Candidate
    why: str = ""


def choose(name: str, untrusted: Path | None, model: Mapping[str, Any], *, dry: bool) -> Choice:
    """Choose a judge.

    Args:
        name: Value of `--judge`.
        untrusted: A submission's root; no card that lies in it is found by name.
        model: What flags say of the model; whoever names one, or an endpoint, wants it asked.
        dry: Nothing will be sent, so no key is needed.

    Raises:
        CredentialsError: A model is to be asked, and there is no key for it.
        JudgeCardError: There is no such judge, or its card is wrong.
    """
    from rubric_engine.candidate import load_candidate
    from rubric_engine.errors import CredentialsError
    from rubric_engine.models.credentials import find_key

    candidate = load_candidate(name, untrusted=untrusted, model=model)
    asked = name if candidate.models else candidate.judge
    try:
        for config in candidate.models:
            find_key(config)
    except CredentialsError as error:
        if error.code != "E101":
            raise
        missing = f"no key for a model: {candidate.models[0].key_env} is not set"
        named = "name" in model or "base_url" in model  # how it is paced wants no model asked
        falls_back = name == AUTO and not named
        if dry:
            then = "rules alone would grade" if falls_back else "the run would end with exit 4"
            return Choice(asked, candidate, f"{missing}; as it stands {then}")
        if not falls_back:
            raise
        rules = load_candidate("rules", untrusted=untrusted)
        return Choice(rules.judge, rules, missing)
    return Choice(asked, candidate)


def replaying(labels: Path, rubric: Rubric) -> Choice:
    """A judge that replays the labels of a file."""
    from rubric_engine.candidate import Candidate
    from rubric_engine.cli.output import counted, note, printable
    from rubric_engine.judges import LabelJudge
    from rubric_engine.labels import load_labels

    found = load_labels(labels, rubric)
    for text in found.warnings:
        note(f"warning: {printable(text)}")
    if found.seen:
        note(f"warning: {counted(len(found.seen), 'label')} left out: made with a judge in sight")
    judge = LabelJudge(found.grades())
    return Choice(judge, Candidate(judge, ()))
