"""Caps that could not hold are refused before anything is sent."""

from __future__ import annotations

import math

from rubric_engine.errors import UsageError
from rubric_engine.model import ModelConfig
from rubric_engine.spending.tariff import Tariff


def check_caps(
    config: ModelConfig, tariff: Tariff | None, max_cost: float | None, max_tokens: int | None
) -> None:
    """Refuse a cap that could not hold.

    Raises:
        UsageError: It is no amount, the model has no price, or nothing limits its answers.
    """
    caps = {"--max-cost": max_cost, "--max-tokens": max_tokens}
    asked = {name: cap for name, cap in caps.items() if cap is not None}
    for name, cap in asked.items():
        if not (math.isfinite(cap) and cap >= 0):
            raise UsageError(f"{name} must be a number of at least 0, not {cap}")
    if max_cost is not None and tariff is None:
        raise UsageError(
            f"no price is known for {config.name!r} at {config.base_url}, so --max-cost cannot"
            " hold",
            looked=(
                "the judge card's `model.price`",
                "the packaged price list, which counts for the vendors' own endpoints",
            ),
            fix=(
                "--max-tokens N in place of --max-cost",
                "`price: {input: 0.5, output: 2}` under `model` in the judge card"
                "   # dollars for a million tokens",
            ),
        )
    if asked and config.max_output_tokens is None:
        raise UsageError(
            f"{' and '.join(asked)} cannot hold: nothing limits the answers of {config.name!r}",
            looked=("the judge card's `model.max_output_tokens`",),
            fix=("`max_output_tokens: 4096` under `model` in the judge card",),
        )
