"""From chosen excerpts to the parts of a prompt and the receipt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rubric_engine.categories import EvidenceKind
from rubric_engine.evidence.excerpt import Excerpt
from rubric_engine.evidence.group import ORDER, Part, PartName
from rubric_engine.evidence.holdings import Holdings
from rubric_engine.evidence.receipt import Omission, Receipt

Chosen = Mapping[PartName, Sequence[Excerpt]]
Choice = tuple[tuple[Part, ...], Receipt]


def account(holdings: Holdings, sees: frozenset[EvidenceKind], chosen: Chosen) -> Choice:
    """Write the parts of a prompt, the receipt last.

    Args:
        holdings: All that there is.
        sees: What may be shown.
        chosen: What is shown, in order.
    """
    receipt = _receipt(holdings, sees, chosen)
    parts = [
        Part(name, "".join(excerpt.text for excerpt in chosen.get(name, ())))
        for name in ORDER
        if name in sees
    ]
    text = receipt.text(lambda text: holdings.room.size(text) <= holdings.receipt_room)
    return (*parts, Part("receipt", text)), receipt


def _receipt(holdings: Holdings, sees: frozenset[EvidenceKind], chosen: Chosen) -> Receipt:
    excerpts = [excerpt for name in ORDER for excerpt in chosen.get(name, ())]
    shown = {excerpt.path for excerpt in excerpts}
    cut = [line for excerpt in excerpts for line in _cuts(holdings, excerpt)]
    return Receipt(
        whole=tuple(sorted({excerpt.path for excerpt in excerpts if not excerpt.cuts})),
        cut=tuple(sorted(cut, key=lambda line: (line.path, line.why, line.lines or ()))),
        left_out=tuple(line for line in holdings.unless_shown(sees) if line.path not in shown),
    )


def _cuts(holdings: Holdings, excerpt: Excerpt) -> Iterator[Omission]:
    for cut in excerpt.cuts:
        yield Omission(excerpt.path, cut.why, holdings.size_of(excerpt.path), cut.lines)
