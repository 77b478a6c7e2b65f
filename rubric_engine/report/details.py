"""What a page shows of one leaf when it is opened, in chunks of many leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from rubric_engine.grading import Grade
from rubric_engine.report.commands import show_leaf
from rubric_engine.report.excerpts import Excerpter
from rubric_engine.report.masking import Mask
from rubric_engine.report.prompts import Prompts
from rubric_engine.report.reading import RunMaterial
from rubric_engine.report.sources import MaskedTexts
from rubric_engine.result import grade_dict

SIZE = 500
"""Criteria of a chunk."""

MOST_LISTED = 100
"""Files of each kind that a receipt lists here; `counts` tells how many there are."""

Detail = dict[str, Any]


def chunks_of(
    material: RunMaterial, keys: Sequence[str], mask: Mask, *, prompts: bool, served: bool
) -> list[dict[str, Detail]]:
    """The details of all leaves, masked.

    Args:
        material: The run.
        keys: The criteria in document order.
        mask: Hides what nobody should send on.
        prompts: Whether prompts and answers are held.
        served: Whether a server gives them when they are asked for.

    Returns:
        One mapping for each `SIZE` criteria: details of its leaves by index.
    """
    asked = material.asked
    with asked.opened() if prompts and asked is not None else nullcontext() as look:
        maker = _Maker(material, mask, Prompts(look) if look else None, served=served)
        return [maker.chunk(keys, start) for start in range(0, len(keys), SIZE)]


def chunk_of(
    material: RunMaterial, keys: Sequence[str], number: int, mask: Mask
) -> dict[str, Detail] | None:
    """One chunk of them for a server, which need not make all others; None where there is none.

    Args:
        material: The run.
        keys: The criteria in document order.
        number: Which chunk.
        mask: Hides what nobody should send on.
    """
    if number * SIZE >= len(keys):
        return None
    return _Maker(material, mask, None, served=True).chunk(keys, number * SIZE)


class _Maker:
    """Makes the details of one leaf after another."""

    def __init__(
        self, material: RunMaterial, mask: Mask, prompts: Prompts | None, *, served: bool
    ) -> None:
        self._material = material
        self._mask = mask
        self._texts = MaskedTexts(material.lines, mask)
        self._excerpts = Excerpter(self._texts.of, mask)
        self._receipts: dict[str, dict[str, Any]] = {}
        self._prompts = prompts
        self._served = served and material.asked is not None

    def chunk(self, keys: Sequence[str], start: int) -> dict[str, Detail]:
        rubric = self._material.report.rubric
        places = range(start, min(start + SIZE, len(keys)))
        return {str(at): self.detail(at, keys[at]) for at in places if rubric.is_leaf(keys[at])}

    def detail(self, at: int, key: str) -> Detail:
        material = self._material
        grade = None if key in material.pending else material.report.grades.get(key)
        calls = grade is not None and any(part.calls for part in grade.parts())
        asked = self._prompts.of(at, key) if calls and self._prompts else None
        found = {
            "grade": self._excerpts.grade(grade_dict(grade)) if grade is not None else None,
            "receipt": self._receipt(grade),
            "label": self._label(key),
            "cost": material.prices.get(key),
            "prompt": calls and self._served,
            "note": self._note(key, calls=calls, held=asked is not None),
        }
        every = found | ({"asked": asked} if asked is not None else {})
        hide = self._texts.repeated(grade) if grade is not None else None
        return self._mask.of(every, hide=hide)  # type: ignore[no-any-return]

    def _note(self, key: str, *, calls: bool, held: bool) -> str | None:
        if key in self._material.pending:
            return "not graded yet: the run goes on"
        if not calls or held or self._served:
            return None
        return f"{show_leaf(self._material.name, key, '--prompt')}   shows what was asked"

    def _label(self, key: str) -> dict[str, Any] | None:
        label, labels = self._material.label(key), self._material.labels
        if label is None or labels is None:
            return None
        said = label.model_dump(mode="json", exclude_defaults=True)
        return {"annotator": labels.annotator, "blind": label.blind} | said

    def _receipt(self, grade: Grade | None) -> dict[str, Any] | None:
        """The receipt of a grade, or else of the first judge in it that has one."""
        parts: Iterator[Grade] = grade.parts() if grade is not None else iter(())
        sha256 = next((part.receipt for part in parts if part.receipt is not None), None)
        receipt = self._material.receipts.get(sha256 or "")
        if sha256 is None or receipt is None:
            return None
        if sha256 not in self._receipts:
            self._receipts[sha256] = short_receipt(receipt)
        return self._receipts[sha256]


def short_receipt(receipt: Mapping[str, Any]) -> dict[str, Any]:
    """A receipt with so many files that each leaf can hold one; `counts` has the true numbers."""
    lists = {name: list(receipt.get(name) or ()) for name in ("whole", "cut", "left_out")}
    return {
        **{name: files[:MOST_LISTED] for name, files in lists.items()},
        "counts": {name: len(files) for name, files in lists.items()},
        "unranked": receipt.get("unranked") or "",
        "union": list(receipt.get("union") or ()),
    }
