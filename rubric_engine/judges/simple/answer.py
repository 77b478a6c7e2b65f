"""From a model's answer about a leaf to its grade."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rubric_engine.evidence import Receipt, shown_path
from rubric_engine.grading import Citation, Grade
from rubric_engine.judges.simple.verdict import CitedLines, score_of
from rubric_engine.model import Completion

MOST_CITED = 20
"""Citations that are kept of one answer. The schema does not say so: strict structured output
refuses `maxItems` at some providers."""

_MOST_NAMED = 5


def grade_of(completion: Completion, receipt: Receipt, judge: str) -> Grade:
    """The grade that an answer gives; its citations are still to be checked.

    A "not met" names what was searched. Where the model names nothing, the grade says so and names
    what it was shown: the verdict stands, for it is read and paid for, and asking once more
    for a list would cost a whole call (docs/decisions/0014).

    Args:
        completion: The answer, read by the leaf's schema.
        receipt: What it was shown.
        judge: Name and fingerprint of the judge.
    """
    data = completion.data or {}
    usage = completion.usage
    return Grade.graded(
        score_of(data),
        "\n".join(_words(data, receipt)),
        [_citation(CitedLines.model_validate(place)) for place in data["citations"][:MOST_CITED]],
        usage=usage.model_dump() if usage else {},
        judge=judge,
        receipt=receipt.sha256,
        calls=(completion.key,) if completion.key else (),
    )


def _citation(cited: CitedLines) -> Citation:
    last = max(cited.start_line, cited.end_line)
    return Citation(path=cited.path, start_line=cited.start_line, end_line=last, quote=cited.quote)


def _words(data: Mapping[str, Any], receipt: Receipt) -> Iterator[str]:
    yield data["findings"]
    searched = [name for name in data["searched"] if name.strip()]
    if searched:
        yield f"Searched: {', '.join(searched)}"
    elif score_of(data) < 1:
        yield f"It named nothing that it searched; it was shown {_shown(receipt)}."
    if len(data["citations"]) > MOST_CITED:
        yield f"It cited {len(data['citations'])} places; the first {MOST_CITED} are kept."


def _shown(receipt: Receipt) -> str:
    paths = [*receipt.whole, *dict.fromkeys(line.path for line in receipt.cut)]
    more = f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
    return ", ".join(map(shown_path, paths[:_MOST_NAMED])) + more or "no file"
