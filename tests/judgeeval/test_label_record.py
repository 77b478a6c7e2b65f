"""A record outlives crashes, full disks, deletion, and a second process that wants it."""

from __future__ import annotations

import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import StorageError
from rubric_engine.judgeeval.labelling.history import steps_of
from rubric_engine.judgeeval.labelling.record import GoneError, Record
from rubric_engine.labels import Label, load_labels

KEYS = [f"leaf-{number}" for number in range(5)]


def _label(reason: str = "方法 seen") -> Label:
    return Label(verdict="not_met", reason=reason)


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """A record that is not there yet."""
    (tmp_path / "labels").mkdir()
    return Record(tmp_path / "labels" / "a1.jsonl", "a1")


@contextmanager
def _room(size: int) -> Iterator[None]:
    """Let no file of this process grow past so many bytes, as where a disk is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@given(st.data())
def test_whatever_a_crash_leaves_of_a_line_does_no_harm(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    record = Record(tmp_path_factory.mktemp("labels") / "a1.jsonl", "a1")
    for key in KEYS[:3]:
        record.append({key: _label()})
    content = record.path.read_bytes()
    first = content.index(b"\n") + 1
    cut = data.draw(st.integers(first, len(content)))
    record.path.write_bytes(content[:cut])
    whole = content[:cut].count(b"\n")
    assert list(record.labels.labels)[:whole] == KEYS[:whole]
    record.append({"late": _label()})
    found = list(load_labels(record.path).labels)
    assert (found[:whole], found[-1]) == (KEYS[:whole], "late")
    assert record.labels.warnings == ()


def test_a_full_disk_leaves_no_half_of_a_label(record: Record) -> None:
    record.append({KEYS[0]: _label()})
    before = record.path.read_bytes()
    many = dict.fromkeys(KEYS[1:], _label("long " * 20))
    with record.held(), _room(len(before) + 150), pytest.raises(StorageError) as caught:
        record.append(many)
    assert caught.value.exit_code == 9
    assert record.path.read_bytes() == before


def test_a_full_disk_is_told_at_the_start(record: Record) -> None:
    with _room(10_000), pytest.raises(StorageError, match="cannot write"), record.held():
        pass
    assert list(record.path.parent.iterdir()) == []


def _deleted(record: Record) -> None:
    record.path.unlink()


def _replaced(record: Record) -> None:
    other = record.path.with_name("other")
    other.write_text('{"key": "other", "verdict": "met"}\n')
    other.replace(record.path)


def _all_deleted(record: Record) -> None:
    shutil.rmtree(record.path.parent)


LOSSES = (_deleted, _replaced, _all_deleted)


@pytest.mark.parametrize("lose", LOSSES)
def test_a_record_that_goes_under_who_writes_it_is_told_and_nothing_is_lost(
    record: Record, lose: Callable[[Record], None]
) -> None:
    with record.held():
        record.append({"early": _label()})
        assert list(record.labels.labels) == ["early"]
        lose(record)
        with pytest.raises(GoneError) as caught:
            record.append({"late": _label()})
        assert list(record.labels.labels) == ["early"]  # what is known, not what stands there now
    assert (caught.value.code, caught.value.exit_code) == ("E908", 9)
    [told] = caught.value.looked
    saved = Path(told.rpartition(" is in ")[2])
    assert list(load_labels(saved).labels) == ["early", "late"]
    assert str(saved) in caught.value.fix[1]


@pytest.mark.parametrize("lose", LOSSES)
def test_a_second_writer_is_told_also_where_the_record_went(
    record: Record, lose: Callable[[Record], None]
) -> None:
    with record.held():
        record.append({"early": _label()})
        lose(record)
        second = Record(record.path, "a1")
        with pytest.raises(StorageError, match="another process") as caught, second.held():
            pass
    assert caught.value.code == "E902"
    record.path.parent.mkdir(exist_ok=True)
    with second.held():
        second.append({"again": _label()})


def test_what_took_the_place_of_an_empty_record_stays(record: Record) -> None:
    with record.held():
        _replaced(record)
    assert "other" in record.path.read_text()


def test_a_clock_that_is_set_back_makes_no_label_older(record: Record) -> None:
    for reason, hour in (("first", 12), ("then", 9)):
        time = f"2026-05-01T{hour:02}:00:00Z"
        record.append({"leaf": Label.model_validate({**_label(reason).model_dump(), "time": time})})
    assert record.labels.labels["leaf"].reason == "then"
    assert len(steps_of(record.rows)) == 2
