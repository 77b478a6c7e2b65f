"""Evaluations saved as folders of results, and what is read of their table."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.judgeeval import Evaluation, save_evaluation
from tests.judgeeval.judged import LABELS, Case

Save = Callable[..., Path]


@pytest.fixture
def saved(tmp_path: Path) -> Save:
    """Keep evaluations under `results`, in folders `0`, `1`, ...; gives that folder."""

    def save(*evaluations: Evaluation) -> Path:
        for number, one in enumerate(evaluations):
            save_evaluation(one, tmp_path / "results" / str(number))
        return tmp_path / "results"

    return save


def cells(out: str, name: str) -> list[list[str]]:
    """The rows of a judge, table by table, without its name."""
    lines = [line for line in out.splitlines() if line.startswith(f"{name} ")]
    return [line.removeprefix(name).split() for line in lines]


def strict(out: str) -> Any:
    """The document, if it is JSON without NaN."""

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    return json.loads(out, parse_constant=refuse)


NONE: dict[str, Case] = {name: (own, [None] * len(own)) for name, own in LABELS.items()}
