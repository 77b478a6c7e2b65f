"""How a run over a benchmark ends: its exit code."""

from __future__ import annotations

from collections.abc import Collection

from rubric_engine.errors import (
    EXIT_INCOMPLETE,
    BudgetError,
    CredentialsError,
    ProviderError,
    SandboxError,
)

STOPS = frozenset(error.exit_code for error in (BudgetError, CredentialsError, ProviderError))
"""Exit codes of an answer after which no other is begun."""

_ORDER = (
    CredentialsError.exit_code, BudgetError.exit_code, ProviderError.exit_code,
    SandboxError.exit_code, EXIT_INCOMPLETE,
)  # fmt: skip
"""Exit codes of a run that came to its end, the first that applies."""


def exit_code(codes: Collection[int]) -> int:
    """The exit code of a run, from those of its answers and of what stopped it."""
    return next((code for code in _ORDER if code in codes), 0)
