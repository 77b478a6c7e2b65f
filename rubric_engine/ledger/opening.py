"""Opening the file, and SQLite's errors in our words."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rubric_engine.errors import StorageError
from rubric_engine.ledger.schema import MIGRATIONS, is_foreign, migrate, version

_PATIENCE_S = 60.0
_RETRY_S = 0.02
_BLAMES = (
    ("E911", "SQLITE_READONLY SQLITE_CANTOPEN SQLITE_PERM SQLITE_AUTH", "cannot be written"),
    ("E912", "SQLITE_FULL", "cannot grow: the disk is full"),
    ("E913", "SQLITE_CORRUPT SQLITE_NOTADB", "is damaged"),
    ("E915", "SQLITE_BUSY SQLITE_LOCKED", "is locked by another process"),
)
_FIXES = {
    "E901": "check the disk, then continue with: rubric-engine resume latest",
    "E911": "make the folder writable, or choose another place with --runs DIR",
    "E912": "free space, then continue with: rubric-engine resume latest",
    "E913": "mv {path} {path}.damaged   keeps it; grades of finished runs are in their folders",
    "E914": "pip install --upgrade rubric-engine, or choose another place with --runs DIR",
    "E915": "wait for the other process, then continue with: rubric-engine resume latest",
    "E917": "put it back from a copy; without one, the next run asks and pays again",
    "E916": "copy its folder to where you can write, and name that with --runs DIR",
}


def connect(path: Path) -> sqlite3.Connection:
    """Open a ledger's file, make it if it is missing, and bring it up to date.

    Returns:
        A connection without implicit transactions, for use by any thread.

    Raises:
        StorageError: It cannot be written, is damaged, or comes from a newer release.
    """
    with storing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        until = time.monotonic() + _PATIENCE_S
        while True:
            try:
                return _connect(path)
            except sqlite3.OperationalError as error:
                # Where processes make the file at once, SQLite turns some away without a wait.
                if not _is(error, "SQLITE_BUSY") or time.monotonic() > until:
                    raise
                time.sleep(_RETRY_S)


def connect_reader(path: Path) -> sqlite3.Connection:
    """Open a second connection to a ledger that is open, for reading."""
    with storing(path):
        db = sqlite3.connect(
            path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False
        )
        db.execute("PRAGMA query_only = 1")
    return db


def connect_for_reading(path: Path) -> sqlite3.Connection:
    """Open a ledger to look into it, also where nobody may write.

    An older one is brought up to date first, where that can be.

    Raises:
        StorageError: It cannot be read, is damaged, or comes from another release.
    """
    with storing(path):
        db = _look_into(path)
        if version(db) == len(MIGRATIONS):
            return db
        db.close()
        _bring_up_to_date(path)
        return _look_into(path)


def _look_into(path: Path) -> sqlite3.Connection:
    try:
        return _open_as_it_is(path, "mode=rw")
    except sqlite3.OperationalError as error:
        if not _is(error, "SQLITE_CANTOPEN", "SQLITE_READONLY"):
            raise
    # Readers share memory in a file beside it, which cannot be made here: so nobody writes it.
    left = path.with_name(f"{path.name}-wal")
    if left.exists() and left.stat().st_size:
        raise failure(path, "E916", "was not closed, and that cannot be mended where it lies")
    return _open_as_it_is(path, "mode=ro&immutable=1")


def _open_as_it_is(path: Path, how: str) -> sqlite3.Connection:
    db = sqlite3.connect(
        f"{path.resolve().as_uri()}?{how}", uri=True,
        timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False,
    )  # fmt: skip
    try:
        _refuse_strange(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _bring_up_to_date(path: Path) -> None:
    try:
        connect(path).close()
    except StorageError as error:
        if error.code != "E911":
            raise
        trouble = "has the format of an older release, which cannot be brought up to date there"
        raise failure(path, "E916", trouble) from None


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False)
    try:
        _prepare(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    _refuse_strange(db, path)
    db.execute("PRAGMA auto_vacuum = INCREMENTAL")
    mode = db.execute("PRAGMA journal_mode = WAL").fetchall()[0][0]
    if mode != "wal":
        raise failure(path, "E911", "lies on a file system without shared memory, such as NFS")
    db.execute("PRAGMA synchronous = FULL")
    with transaction(db):
        migrate(db)


def _refuse_strange(db: sqlite3.Connection, path: Path) -> None:
    if is_foreign(db):
        raise failure(path, "E913", "is no ledger, but another program's database")
    if version(db) > len(MIGRATIONS):
        raise failure(path, "E914", "was written by a newer release of rubric-engine")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Write all or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """Turn what SQLite or the system says into a `StorageError` that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise _blame(path, error) from None
    except OSError as error:
        raise failure(path, "E911", f"cannot be written: {error.strerror or error}") from None


def failure(path: Path, code: str, trouble: str) -> StorageError:
    """Say what is wrong with a ledger and what would mend it."""
    return StorageError(
        f"the ledger {path} {trouble}", code=code, fix=[_FIXES[code].format(path=path)]
    )


def _blame(path: Path, error: sqlite3.Error) -> StorageError:
    for code, names, trouble in _BLAMES:
        if _is(error, *names.split()):
            return failure(path, code, f"{trouble} ({error})")
    if str(error).startswith("Could not decode"):  # and then repeats what was stored
        return failure(path, "E913", "is damaged (a text in it is no UTF-8)")
    return failure(path, "E901", f"cannot be used ({error})")


def _is(error: sqlite3.Error, *names: str) -> bool:
    # Errors of the sqlite3 module itself, such as a closed connection, have no name.
    return getattr(error, "sqlite_errorname", "").startswith(names)
