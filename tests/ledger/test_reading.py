"""Looking into a ledger where nobody may write, and without a change to it."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rubric_engine.ledger import BilledAttempt, Ledger, LedgerReader, RecordedModel
from rubric_engine.ledger.schema import APPLICATION, MIGRATIONS
from rubric_engine.model import Usage
from tests.ledger.conftest import Asked, prompt
from tests.ledger.test_processes import _killed, _start

Run = Callable[..., subprocess.CompletedProcess[str]]

_LOOK = """
import sys
from pathlib import Path
from rubric_engine.errors import StorageError
from rubric_engine.ledger import LedgerReader
try:
    with LedgerReader.open(Path(sys.argv[1])) as ledger:
        print(ledger.info().entries, ledger.spent().attempts)
except StorageError as error:
    print(error.code)
"""


@pytest.fixture
def look(obeying: Run, read_only: Callable[[Path], None]) -> Callable[[Path], str]:
    """Look into a ledger as somebody who may read alone."""

    def run(path: Path) -> str:
        read_only(path.parent)
        done = obeying(_LOOK, path)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs" / "a ledger?#.sqlite"


def _fill(ledger: Ledger) -> str:
    ledger.bill(BilledAttempt(run="r", usage=Usage(input_tokens=5)))
    model = RecordedModel(Asked(), ledger, run="r")
    return asyncio.run(model.complete(prompt("q"), schema=None)).key


def _old(path: Path, known: int) -> None:
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path)) as db:
        for step in MIGRATIONS[:known]:
            step(db)
        db.execute(f"PRAGMA user_version = {known}")
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.commit()


def test_one_that_was_closed_can_be_read(place: Path, look: Callable[[Path], str]) -> None:
    with Ledger.open(place) as ledger:
        _fill(ledger)
    assert look(place) == "1 1"


def test_one_that_somebody_writes_can_be_read(place: Path, look: Callable[[Path], str]) -> None:
    with Ledger.open(place) as ledger:
        _fill(ledger)
        assert look(place) == "1 1"


def test_one_whose_process_was_killed_can_be_read(
    root: Path, place: Path, look: Callable[[Path], str]
) -> None:
    _killed(_start(root, place, 3, 3, "hold"), 3)
    assert look(place) == "0 3"


def test_one_that_cannot_be_read_whole_says_so(
    root: Path, place: Path, look: Callable[[Path], str]
) -> None:
    _killed(_start(root, place, 3, 3, "hold"), 3)
    place.with_name(f"{place.name}-shm").unlink()
    assert look(place) == "E916"


def test_an_older_one_that_cannot_be_brought_up_to_date_says_so(
    place: Path, look: Callable[[Path], str]
) -> None:
    _old(place, 2)
    assert look(place) == "E916"


@pytest.mark.parametrize("known", range(len(MIGRATIONS)))
def test_an_older_one_is_brought_up_to_date_where_it_can_be(path: Path, known: int) -> None:
    _old(path, known)
    with LedgerReader.open(path) as reader:
        assert (reader.info().entries, reader.spent()) == (0, reader.spent("r"))


def test_what_the_dead_may_have_paid_is_told_and_billed_only_by_who_writes(
    root: Path, path: Path
) -> None:
    path.parent.mkdir()
    _killed(_start(root, path, 3, 3, "hold"), 3)
    for _ in range(2):
        with LedgerReader.open(path) as reader:
            spent = reader.spent("r")
        assert (spent.attempts, spent.uncounted, spent.dollars) == (3, 3, 0.75)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM attempts").fetchone() == (0,)
    with Ledger.open(path) as ledger:
        assert ledger.spent("r") == spent


def test_it_reads_all_that_a_ledger_tells(ledger: Ledger) -> None:
    key = _fill(ledger)
    with LedgerReader.open(ledger.path) as reader:
        assert reader.find(key) == ledger.find(key)
        assert reader.call(key) == ledger.call(key)
        assert (reader.info(), reader.spent("r")) == (ledger.info(), ledger.spent("r"))
