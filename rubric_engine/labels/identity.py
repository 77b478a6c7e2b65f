"""Which leaf a label is of: by key, and by the hash of the texts that the annotator read. Pure."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rubric_engine.labels.label import Label, Labels
from rubric_engine.rubric import Rubric


@dataclass(frozen=True)
class Fit:
    """How labels fit a rubric. Every label is in exactly one place.

    Attributes:
        labels: Those that fit and those renamed, by the rubric's keys, in document order.
        renamed: New key by old one: the leaf with that text has another key now.
        changed: Keys of leaves whose text, or a text above them, is another one now.
        gone: Keys that are no leaf, and no leaf has their text.
        ambiguous: By key, the leaves that have its text; which one is meant nobody knows.
    """

    labels: Labels
    renamed: Mapping[str, str]
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    ambiguous: Mapping[str, tuple[str, ...]]

    @property
    def lost(self) -> tuple[str, ...]:
        """Keys of the labels that are not used."""
        return (*self.changed, *self.gone, *self.ambiguous)

    @property
    def words(self) -> tuple[str, ...]:
        """What a reader should know, one line for each thing that happened."""
        happened = (
            (tuple(self.renamed), "moved to the leaf that has their text now"),
            (self.changed, "not used: the text of the leaf, or one above it, has changed"),
            (self.gone, "not used: no leaf has their key or their text"),
            (tuple(self.ambiguous), "not used: several leaves have their text, or several labels"),
        )
        return tuple(_line(keys, text) for keys, text in happened if keys)


def leaf_hashes(rubric: Rubric) -> dict[str, str]:
    """Hash of each leaf's text and of all texts above it, as `text_hashes` makes it."""
    chain = text_hashes(rubric)
    return {key: chain[key] for key in rubric.leaves()}


def text_hashes(rubric: Rubric) -> dict[str, str]:
    """Hash of each criterion's text and of all texts above it, by key, in document order.

    Runs of white space count as one space, so a text that is only laid out otherwise is the same.
    Weights, categories and keys do not enter.
    """
    chain: dict[str, str] = {}
    for key in rubric.order:
        above = rubric.parent(key)
        text = " ".join(rubric[key].requirements.split())
        whole = f"{chain[above] if above is not None else ''}\n{text}"
        chain[key] = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
    return chain


def fitted(labels: Labels, rubric: Rubric, hashes: Mapping[str, str] | None = None) -> Fit:
    """Find the leaves of a rubric that labels are of.

    A label with a hash fits the leaf of its key if that still has its text; else it moves to the
    one leaf without a label that has. A label without a hash fits by its key alone.

    Args:
        labels: The labels.
        rubric: The rubric.
        hashes: What `leaf_hashes` says of it, where that is at hand.
    """
    hashes = leaf_hashes(rubric) if hashes is None else hashes
    kept = {key: label for key, label in labels.labels.items() if _fits(key, label, hashes)}
    homes: dict[str, list[str]] = {}
    for key, digest in hashes.items():
        if key not in kept:
            homes.setdefault(digest, []).append(key)
    lost = {key: label for key, label in labels.labels.items() if key not in kept}
    claims = Counter(label.leaf for label in lost.values())
    renamed: dict[str, str] = {}
    changed, gone, ambiguous = [], [], {}
    for key, label in lost.items():
        found = homes.get(label.leaf or "", [])
        if len(found) == 1 and claims[label.leaf] == 1:
            renamed[key] = found[0]
        elif found:
            ambiguous[key] = tuple(found)
        elif key in hashes:
            changed.append(key)
        else:
            gone.append(key)
    kept |= {new: lost[old] for old, new in renamed.items()}
    ordered = {key: kept[key] for key in hashes if key in kept}
    fitting = labels.model_copy(update={"labels": ordered})
    return Fit(fitting, renamed, tuple(changed), tuple(gone), ambiguous)


def _fits(key: str, label: Label, hashes: Mapping[str, str]) -> bool:
    return key in hashes and label.leaf in (None, hashes[key])


def shortened(keys: Sequence[str]) -> str:
    """The first of many keys, for a message."""
    return ", ".join(map(repr, keys[:3])) + (", ..." if len(keys) > 3 else "")


def _line(keys: tuple[str, ...], text: str) -> str:
    return f"{len(keys)} label{'s' if len(keys) > 1 else ''} {text}: {shortened(keys)}"
