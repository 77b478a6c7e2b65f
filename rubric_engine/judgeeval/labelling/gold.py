"""Gold: what annotators agree on, and what an adjudicator decided of the rest. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rubric_engine.judgeeval.labelling.planning import LabelPlan
from rubric_engine.labels import Label, Labels

GOLD_NAME = "gold"


@dataclass(frozen=True)
class Gold:
    """Where a labelling stands. Every planned leaf is in exactly one place.

    Attributes:
        labels: Agreed and decided labels; `votes` says by whom, and a label with an `annotator`
            was decided by that person.
        disputed: Leaves that wait for a decision: the labels by annotator, by leaf.
        waiting: Leaves that not everybody has labelled who should.
        seen: Labels and decisions that were made with a judge's verdict in sight, and so do not
            count.
    """

    labels: Labels
    disputed: Mapping[str, Mapping[str, Label]]
    waiting: tuple[str, ...]
    seen: int


class Agreements:
    """Labels that were made of several, so that those of the same ones are not made again."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Mapping[str, Label], Label]] = {}

    def of(self, key: str, said: Mapping[str, Label]) -> Label:
        """One label of several with the same verdict.

        Args:
            key: The leaf.
            said: Labels by annotator.
        """
        known = self._known.get(key)
        if known is None or known[0] != said:
            known = self._known[key] = said, _agreed(said)
        return known[1]


def gold_of(
    plan: LabelPlan,
    labels: Mapping[str, Labels],
    decisions: Iterable[Labels],
    agreements: Agreements | None = None,
) -> Gold:
    """Put labels together.

    A leaf enters once everybody has labelled it who should, and all say the same, met or not met;
    or by a decision. Labels and decisions that were made with a judge's verdict in sight do not
    count.

    Args:
        plan: The plan.
        labels: Labels by annotator.
        decisions: Those of adjudicators; of several on a leaf, the latest counts.
        agreements: Those that were made before, where gold is put together again and again.
    """
    rulings, made = list(decisions), agreements or Agreements()
    ruled = _latest(rulings)
    gold: dict[str, Label] = {}
    disputed: dict[str, Mapping[str, Label]] = {}
    waiting: list[str] = []
    for leaf in plan.leaves:
        said = blind_labels(leaf.key, labels)
        if leaf.key in ruled:
            gold[leaf.key] = ruled[leaf.key].model_copy(update={"votes": _votes(said)})
        elif not said.keys() >= set(leaf.annotators):
            waiting.append(leaf.key)
        elif _agree(said):
            gold[leaf.key] = made.of(leaf.key, said)
        else:
            disputed[leaf.key] = said
    seen = sum(len(each.seen) for each in (*labels.values(), *rulings))
    return Gold(Labels(annotator=GOLD_NAME, labels=gold), disputed, tuple(waiting), seen)


def _latest(decisions: Iterable[Labels]) -> dict[str, Label]:
    found: dict[str, Label] = {}
    for labels in decisions:
        for key, label in labels.labels.items():
            if not label.blind:
                continue
            if key not in found or (label.time or "") > (found[key].time or ""):
                found[key] = label.model_copy(update={"annotator": labels.annotator})
    return found


def blind_labels(key: str, labels: Mapping[str, Labels]) -> dict[str, Label]:
    """What annotators said of a leaf without a judge's verdict in sight, by name.

    Args:
        key: The leaf.
        labels: Labels by annotator.
    """
    found = ((name, each.labels.get(key)) for name, each in labels.items())
    return {name: label for name, label in found if label is not None and label.blind}


def _agree(said: Mapping[str, Label]) -> bool:
    verdicts = {label.verdict for label in said.values()}
    return len(verdicts) == 1 and "cannot_judge" not in verdicts


def _agreed(said: Mapping[str, Label]) -> Label:
    """One label of several with the same verdict: the first one's words, and the mean score."""
    first, *others = said.values()
    scores = [label.value for label in said.values() if label.value is not None]
    mean = math.fsum(scores) / len(scores)
    same = all(label.score == first.score for label in others)
    change = {
        "annotator": None,
        "time": None,
        "seconds": None,
        "flag": next((label.flag for label in said.values() if label.flag), None),
        "score": first.score if same else mean,
        "votes": _votes(said),
    }
    return first.model_copy(update=change)


def _votes(said: Mapping[str, Label]) -> dict[str, str]:
    return {name: label.verdict for name, label in said.items()}
