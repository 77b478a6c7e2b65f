"""When something on an engine may be removed: never while somebody may still need it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from rubric_engine.ledger.process import new_owner, retire
from rubric_engine.sandbox.docker.labels import RUN, abandoned, labels_of
from rubric_engine.sandbox.docker.reaper import reap

SOON, LATE = 0.0, 4e9
OWNER = "rubric-engine.owner"


@pytest.fixture
def labels() -> Iterator[dict[str, str]]:
    """Of a run of this process, with a deadline that lies between `SOON` and `LATE`."""
    owner = new_owner()
    yield labels_of("run", owner, 60.0)
    retire(owner)


def test_the_owner_counts_until_the_deadline(labels: dict[str, str]) -> None:
    assert not abandoned(labels, SOON)
    assert abandoned(labels, LATE), "nobody can need it any more, whoever lives"
    retire(labels[OWNER])
    assert abandoned(labels, SOON)


@pytest.mark.parametrize("field", [OWNER, "rubric-engine.host"])
def test_where_the_owner_cannot_be_seen_only_the_deadline_counts(
    labels: dict[str, str], field: str
) -> None:
    """Copies of a virtual machine share name and id; each start of one has its own boot."""
    boot, _, process = labels[OWNER].partition("/")
    elsewhere = {OWNER: f"{boot[::-1]}/{process}", "rubric-engine.host": "another"}
    seen = labels | {field: elsewhere[field]}
    assert not abandoned(seen, SOON)
    assert abandoned(seen, LATE)


@pytest.mark.parametrize("missing", [RUN, OWNER, "rubric-engine.deadline", "rubric-engine.host"])
def test_what_cannot_be_read_is_left_alone(labels: dict[str, str], missing: str) -> None:
    retire(labels[OWNER])
    del labels[missing]
    assert not abandoned(labels, SOON)
    assert not abandoned({RUN: "x", OWNER: str(os.getpid())}, LATE)


@pytest.mark.parametrize(
    "forged",
    [
        {OWNER: "{boot}/99999999999999999999999/1/x"},
        {OWNER: "{boot}/0/\0/x"},
        {OWNER: "{boot}/-99999999999999999999//x"},
        {OWNER: "{boot}"},
        {"rubric-engine.deadline": "9" * 5000},
        {"rubric-engine.deadline": None},
        {OWNER: None},
    ],
)
def test_a_forged_label_is_left_alone(labels: dict[str, Any], forged: dict[str, Any]) -> None:
    boot = labels[OWNER].split("/")[0]
    told = {name: value and value.replace("{boot}", boot) for name, value in forged.items()}
    assert not abandoned(labels | told, SOON)


NAMELESS: tuple[list[str] | None, ...] = (None, [])


class Listing:
    """An engine that has a container without a name, of an owner who is gone."""

    def __init__(self, labels: dict[str, str]) -> None:
        self.api, self._labels = self, labels

    def containers(self, **_: object) -> list[dict[str, Any]]:
        return [{"Id": "abc", "Names": names, "Labels": self._labels} for names in NAMELESS]

    def volumes(self, **_: object) -> dict[str, Any]:
        return {"Volumes": None}

    def networks(self, **_: object) -> list[Any]:
        return []

    def remove_container(self, *_: object, **__: object) -> None:
        """Take it as done."""

    remove_volume = remove_network = remove_container


def test_a_container_without_a_name_goes_by_its_id(labels: dict[str, str]) -> None:
    retire(labels[OWNER])
    engine: Any = Listing(labels)
    assert reap(engine).containers == ("abc", "abc")
