"""The flags of commands that may ask a model and so spend money."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from rubric_engine.cli.options import finite, option
from rubric_engine.cli.run_options import amount
from rubric_engine.units import as_seconds

PANEL = "Judges that ask a model"
_option = partial(option, PANEL)

Model = Annotated[str | None, _option("Model, in place of the card's.", "--model", "-m")]
BaseUrl = Annotated[
    str | None, _option("OpenAI-compatible endpoint, in place of the card's.", "--base-url")
]
ContextWindow = Annotated[
    int | None,
    _option(
        "Context window, in place of the card's.", "--context-window", metavar="TOKENS", min=1000
    ),
]
MaxConnections = Annotated[
    int | None,
    _option("Most requests at once, in place of the card's 32.", "--max-connections", min=1),
]
MaxWait = Annotated[
    float | None,
    _option(
        "Longest wait of one call for a server that fails or is crowded, in place of the card's"
        " 10m.",
        "--max-wait",
        metavar="TIME",
        parser=amount(as_seconds, zero=True),
    ),
]
MaxCost = Annotated[
    float | None,
    _option("Hard cap, over all resumes.", "--max-cost", metavar="DOLLARS", min=0, callback=finite),
]
MaxTokens = Annotated[
    int | None, _option("Hard cap on tokens, over all resumes.", "--max-tokens", min=1)
]
DryRun = Annotated[bool, _option("Print what it would cost, and send nothing.", "--dry-run")]
ConfirmAbove = Annotated[
    float,
    _option(
        "Ask before spending more.", "--confirm-above", metavar="DOLLARS", min=0, callback=finite
    ),
]
Yes = Annotated[bool, _option("Spend without asking.", "--yes", "-y")]
Fresh = Annotated[bool, _option("Ask again for what was answered.", "--fresh")]
RetryFailed = Annotated[bool, _option("Ask again where a call failed.", "--retry-failed")]
