from __future__ import annotations

import asyncio
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from rubric_engine.errors import RubricEngineError, StorageError
from rubric_engine.ledger import BilledAttempt, Entry, Ledger, RecordedModel
from rubric_engine.ledger.opening import connect
from rubric_engine.ledger.schema import MIGRATIONS, is_foreign
from rubric_engine.model import Completion
from tests.ledger.conftest import Asked, plain, prompt

_DURABLE = {"journal_mode": "wal", "synchronous": 2}
"""What SQLite must be told so that a commit is on the disk when it returns: 2 is FULL."""


def _fill(ledger: Ledger, text: str) -> Completion:
    def long(text: str) -> Completion:
        return plain(text).model_copy(update={"text": text * 100_000})

    model = RecordedModel(Asked(long), ledger, run="r")
    return asyncio.run(model.complete(prompt(text), schema=None))


def _refused(path: Path) -> StorageError:
    with pytest.raises(StorageError) as caught:
        Ledger.open(path)
    assert caught.value.exit_code == 9
    assert caught.value.fix
    assert str(path) in caught.value.message
    return caught.value


def test_a_file_that_is_no_database_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("not a database, but long enough to be looked at" * 100)
    before = path.read_bytes()
    assert _refused(path).code == "E913"
    assert path.read_bytes() == before


def test_another_programs_database_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE theirs (x)")
    db.close()
    before = path.read_bytes()
    assert _refused(path).code == "E913"
    assert path.read_bytes() == before


def test_one_that_another_process_is_making_is_not_taken_for_foreign(path: Path) -> None:
    path.parent.mkdir()
    db = sqlite3.connect(path)
    other_makes_it: list[Callable[[], None]] = [lambda: Ledger.open(path).close()]

    class Between:
        """A connection after whose first statement another process makes the ledger."""

        def execute(self, words: str) -> SimpleNamespace:
            rows = db.execute(words).fetchall()
            for make in other_makes_it:
                make()
            other_makes_it.clear()
            return SimpleNamespace(fetchall=lambda: rows)

    assert not is_foreign(cast("sqlite3.Connection", Between()))
    assert not is_foreign(db)
    db.close()


def test_one_that_is_removed_or_replaced_meanwhile_says_so(path: Path) -> None:
    with Ledger.open(path) as ledger:
        assert ledger.lost() is None
        path.unlink()
        gone = ledger.lost()
        path.write_bytes(b"another")
        replaced = ledger.lost()
    assert gone is not None
    assert replaced is not None
    assert gone.exit_code == replaced.exit_code == 9


def test_what_a_damaged_text_holds_is_not_told(ledger: Ledger) -> None:
    with closing(sqlite3.connect(ledger.path, isolation_level=None)) as db:
        db.execute("INSERT INTO capabilities VALUES ('e', CAST(x'736563726574ff' AS TEXT))")
    with pytest.raises(StorageError) as caught:
        ledger.capabilities()
    assert caught.value.code == "E913"
    assert "secret" not in caught.value.message


def test_a_newer_ledger_is_left_alone(path: Path) -> None:
    Ledger.open(path).close()
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()
    assert _refused(path).code == "E914"


@pytest.mark.parametrize("known", range(len(MIGRATIONS)))
def test_an_older_ledger_is_brought_up_to_date(path: Path, known: int) -> None:
    path.parent.mkdir()
    db = sqlite3.connect(path)
    for step in MIGRATIONS[:known]:
        step(db)
    db.execute(f"PRAGMA user_version = {known}")
    if known:
        db.execute("PRAGMA application_id = 1380273223")
    db.commit()
    db.close()
    with Ledger.open(path) as ledger:
        assert not _fill(ledger, "q").replayed
        assert _fill(ledger, "q").replayed


def test_what_was_committed_outlives_a_power_cut(path: Path) -> None:
    with closing(connect(path)) as writing:
        found = [writing.execute(f"PRAGMA {name}").fetchone()[0] for name in _DURABLE]
    assert found == list(_DURABLE.values())


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    assert _refused(tmp_path / "runs" / "ledger.sqlite").code == "E911"


_OPEN = """
import sys
from pathlib import Path
from rubric_engine.errors import StorageError
from rubric_engine.ledger import Ledger
try:
    Ledger.open(Path(sys.argv[1]))
except StorageError as error:
    print(error.code)
"""


@pytest.mark.parametrize("existing", [False, True])
def test_a_folder_that_may_only_be_read_is_refused_before_anything_is_paid(
    path: Path,
    obeying: Callable[..., subprocess.CompletedProcess[str]],
    read_only: Callable[[Path], None],
    existing: bool,
) -> None:
    path.parent.mkdir()
    if existing:
        Ledger.open(path).close()
    read_only(path.parent)
    assert obeying(_OPEN, path).stdout == "E911\n"


def test_a_full_disk_keeps_what_was_committed_and_stops_the_paying(path: Path) -> None:
    with Ledger.open(path) as ledger:
        kept = _fill(ledger, "a")
        pages = ledger.info().bytes // 4096
        ledger._db.execute(f"PRAGMA max_page_count = {pages + 4}")
        with pytest.raises(StorageError) as caught:
            _fill(ledger, "b")
        assert caught.value.code == "E912"
        with pytest.raises(StorageError):
            _fill(ledger, "a small one is not asked either")
        assert _fill_replayed(ledger, kept)
    with Ledger.open(path) as ledger:
        assert ledger.find(kept.key) is not None
        assert not _fill(ledger, "b").replayed


def _fill_replayed(ledger: Ledger, kept: Completion) -> bool:
    entry = ledger.find(kept.key)
    return entry is not None and entry.text == kept.text


def test_an_attempt_whose_answer_a_full_disk_refused_is_billed_all_the_same(path: Path) -> None:
    ledger = Ledger.open(path)

    async def scene() -> None:
        claim = await ledger.claim("k")
        await ledger.sending(BilledAttempt(run="r", key="k", dollars=3.0))
        assert not isinstance(claim, Entry)
        ledger._db.execute(f"PRAGMA max_page_count = {ledger.info().bytes // 4096}")
        with pytest.raises(StorageError):
            await ledger.commit(claim, Entry(key="k", text="x" * 100_000))

    asyncio.run(scene())
    ledger.close()
    with Ledger.open(path) as reopened:
        assert (reopened.spent("r").attempts, reopened.spent("r").dollars) == (1, 3.0)


def test_a_closed_ledger_says_so(ledger: Ledger) -> None:
    ledger.close()
    with pytest.raises(RubricEngineError, match="closed"):
        ledger.info()
