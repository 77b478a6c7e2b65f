"""Who starts next, and where scouts come from."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.job_queue import JobQueue


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
    queue = JobQueue(waiting(sizes))
    taken = []
    while queue.rest():
        job = queue.scout() if data.draw(st.booleans()) else queue.next()
        assert job is not None
        taken.append(job)
        queue.ended(job)
    assert queue.scout() is None
    assert queue.next() is None
    assert sorted(taken, key=str) == sorted(waiting(sizes), key=str)


def test_scouts_come_from_everywhere() -> None:
    queue = JobQueue(waiting({"big": 500, "small": 10}))
    scouts = [queue.scout() for _ in range(8)]
    assert sum(job is not None and job.prefix == "small" for job in scouts) == 4
    numbers = sorted(job.number for job in scouts if job is not None and job.prefix == "big")
    assert numbers[0] < 150 < numbers[1] < 250 < numbers[2] < 350 < numbers[3]
