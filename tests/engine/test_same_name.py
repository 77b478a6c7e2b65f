"""A run whose folder is gone, and a new one of its name: what the old one paid is not the new's."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import Report, grade
from rubric_engine.connection import LEDGER, Spending
from rubric_engine.errors import StorageError
from rubric_engine.ledger import Ledger
from rubric_engine.testing import ScriptedServer
from rubric_engine.trash import remove_run
from tests.judging.desk import leaf, task

Make = Callable[[dict[str, str | bytes]], Path]

LEAVES = 3


class Again:
    """Grades the same submission into the same folder, as often as one likes."""

    def __init__(self, server: ScriptedServer, submission: Path, run: Path) -> None:
        self.server = server
        self.run = run
        self._submission = submission

    def __call__(self, spending: Spending | None = None) -> Report:
        model: dict[str, Any] = {
            "name": "small", "base_url": self.server.base_url, "price": {"input": 1, "output": 1},
        }  # fmt: skip
        graded = task({"group": [leaf(f"leaf-{number}") for number in range(LEAVES)]})
        return grade(
            graded, self._submission, judge="simple", model=model, run_dir=self.run,
            spending=spending or Spending(),
        )  # fmt: skip

    def paid(self, run: str | None) -> int:
        """Attempts that the ledger has of a run, or of all."""
        with Ledger.open(self.run.parent / LEDGER) as ledger:
            return ledger.spent(run).attempts


@pytest.fixture
def again(make_tree: Make, tmp_path: Path) -> Iterator[Again]:
    with ScriptedServer() as server:
        yield Again(server, make_tree({"a.py": "x = 1\n"}), tmp_path / "runs" / "one")


@pytest.mark.parametrize("remove", [remove_run, shutil.rmtree])
def test_a_new_run_begins_with_nothing_spent(again: Again, remove: Callable[[Path], None]) -> None:
    assert again().cost["attempts"] == LEAVES
    remove(again.run)
    cost = again(Spending(max_cost=0.1)).cost
    assert (cost["attempts"], cost["usd"], cost["replayed"]) == (0, 0, LEAVES)
    assert (again.paid("one"), again.paid(None)) == (0, LEAVES)


def test_fresh_takes_nothing_of_the_run_that_is_gone(again: Again) -> None:
    again()
    shutil.rmtree(again.run)
    assert again(Spending(fresh=True)).cost["attempts"] == LEAVES
    assert (again.paid("one"), again.paid(None)) == (LEAVES, 2 * LEAVES)


def test_a_run_that_is_there_keeps_what_it_paid(again: Again) -> None:
    again()
    with pytest.raises(StorageError, match="already holds a run"):
        again()
    assert again.paid("one") == LEAVES
