"""Who starts next, and where scouts come from."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.line import Line


@dataclass(frozen=True)
class Waiting:
    prefix: str
    number: int
    after: str | None = None


def waiting(sizes: dict[str, int]) -> list[Waiting]:
    return [Waiting(name, number) for name, size in sizes.items() for number in range(size)]


SIZES = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 9))


@given(SIZES, st.data())
def test_scouts_and_others_take_every_job_once(sizes: dict[str, int], data: st.DataObject) -> None:
    line = Line(waiting(sizes))
    taken = []
    while line.rest():
        job = line.scout() if data.draw(st.booleans()) else line.next()
        assert job is not None
        taken.append(job)
        line.ended(job)
    assert line.scout() is None
    assert line.next() is None
    assert sorted(taken, key=str) == sorted(waiting(sizes), key=str)


def test_scouts_come_from_everywhere() -> None:
    line = Line(waiting({"big": 500, "small": 10}))
    scouts = [line.scout() for _ in range(8)]
    assert sum(job is not None and job.prefix == "small" for job in scouts) == 4
    numbers = sorted(job.number for job in scouts if job is not None and job.prefix == "big")
    assert numbers[0] < 150 < numbers[1] < 250 < numbers[2] < 350 < numbers[3]
