"""The cyclic collector: what is switched off, passed over and put back."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from rubric_engine import Criterion, Rubric, grade
from rubric_engine.collector import sparing_old_objects, without_collecting


class Ring:
    """Garbage that only a collection finds."""

    def __init__(self) -> None:
        self.ring = self


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """The collector is the same after every test."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.enable()
    gc.set_threshold(*before)


def dropped() -> weakref.ref[Ring]:
    """A ring that nobody holds."""
    return weakref.ref(Ring())


@pytest.mark.parametrize("was_on", [True, False])
def test_reading_leaves_the_collector_on_or_off(*, was_on: bool) -> None:
    (gc.enable if was_on else gc.disable)()
    with suppress(ValueError), without_collecting():
        assert not gc.isenabled()
        raise ValueError
    assert gc.isenabled() == was_on
    assert gc.get_freeze_count() == 0


def test_old_objects_are_passed_over_and_new_ones_are_not() -> None:
    gc.disable()  # no collection but those asked for
    old = dropped()
    with sparing_old_objects():
        new = dropped()
        gc.collect()
        assert old() is not None
        assert new() is None
    gc.collect()
    assert old() is None


def test_thresholds_come_back_also_after_an_error() -> None:
    gc.set_threshold(700, 9, 8)
    with suppress(ValueError), sparing_old_objects():
        assert gc.get_threshold()[0] > 700
        raise ValueError
    assert gc.get_threshold() == (700, 9, 8)
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize("young", [0, 50_000])
def test_who_collects_never_or_rarely_goes_on_so(young: int) -> None:
    gc.set_threshold(young)
    with sparing_old_objects():
        assert gc.get_threshold()[0] == young


def test_what_somebody_froze_stays_frozen() -> None:
    before = gc.get_threshold()
    gc.freeze()
    with sparing_old_objects(), without_collecting():
        assert gc.get_threshold() == before
    assert gc.get_freeze_count() > 0


def test_one_within_another_changes_nothing() -> None:
    with sparing_old_objects():
        with sparing_old_objects():
            pass
        assert gc.get_freeze_count() > 0  # some of them go when nobody holds them any more
    assert gc.get_freeze_count() == 0


def test_the_last_out_puts_back_what_the_first_changed() -> None:
    gc.set_threshold(700, 9, 8)
    first, second = ExitStack(), ExitStack()
    first.enter_context(sparing_old_objects())
    second.enter_context(sparing_old_objects())
    first.close()
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold()[0] > 700
    second.close()
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == (700, 9, 8)


def test_threads_that_come_and_go_leave_nothing_behind() -> None:
    gc.set_threshold(700, 9, 8)

    def come_and_go(_: int) -> None:
        for _ in range(20):
            with sparing_old_objects():
                assert gc.get_threshold()[0] > 700

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(come_and_go, range(8)))
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == (700, 9, 8)


def test_what_somebody_freezes_meanwhile_stays_frozen() -> None:
    with sparing_old_objects():
        theirs = [[number] for number in range(100_000)]
        gc.freeze()
    assert len(theirs) < gc.get_freeze_count()


def test_grading_passes_over_what_was_there_and_leaves_nothing_behind(tmp_path: Path) -> None:
    frozen = list[int]()
    leaf = Criterion(
        key="it", id="it", requirements="it is there", task_category="Code Development"
    )
    (tmp_path / "a.py").touch()
    grade(
        Rubric.build([(None, leaf)]),
        tmp_path,
        on_grade=lambda *_: frozen.append(gc.get_freeze_count()),
    )
    assert min(frozen) > 0
    assert gc.get_freeze_count() == 0
