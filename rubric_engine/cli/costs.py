"""What a run has cost, as lines of the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rubric_engine.spending.cost_words import cost_words


def cost_lines(cost: Mapping[str, float]) -> Iterator[str]:
    """What judges that pay have spent; nothing where none was asked.

    Args:
        cost: As `Report.cost` holds it.
    """
    said = cost_words(cost)
    if said.counts:
        yield f"cost    {'   '.join((said.sum, *said.counts))}"
    if said.uncounted:
        yield f"        {said.uncounted}"
    if said.excess:
        yield f"excess  {said.excess}"
