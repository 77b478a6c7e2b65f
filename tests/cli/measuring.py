"""A judge whose model has a price, measured on two small cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.connection import LEDGER
from rubric_engine.ledger import LedgerReader
from rubric_engine.testing import ScriptedServer
from tests.cli.conftest import Command, Outcome
from tests.cli.paying import write_card
from tests.judgeeval.making import LEAVES, write_case, write_task

TOTAL = 2 * LEAVES


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    task = write_task(tmp_path / "task")
    for name in ("a", "b"):
        write_case(tmp_path / "cases" / name, task)
    return tmp_path / "cases"


class Measuring:
    """Measures a judge whose model has a price on two small cases."""

    def __init__(self, command: Command, cases: Path, server: ScriptedServer) -> None:
        self.command, self.cases, self.server = command, cases, server
        self.card = write_card(cases.parent / "card", server.base_url)

    def arguments(self, *more: str) -> list[str]:
        return ["judgeeval", "run", str(self.cases), "--judge", str(self.card), *more]

    def __call__(self, *more: str) -> Outcome:
        return self.command(*self.arguments(*more))


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALL_KEY", "sk-small")


def only_result() -> Path:
    (folder,) = Path("results").iterdir()
    return folder


def spent_so_far() -> float:
    with LedgerReader.open(Path("runs") / LEDGER) as ledger:
        return ledger.spent().dollars
