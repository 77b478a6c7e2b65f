"""Which steps of a record still stand, read from its lines alone."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import Place
from rubric_engine.judgeeval.labelling.history import Step, steps_of
from rubric_engine.judgeeval.labelling.record import Record
from rubric_engine.labels import Label, LabelRow

KEYS = ("a", "b", "c")
PLACE = Place("here")

actions = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from(KEYS), st.sampled_from(["met", "not_met"])),
        st.tuples(st.just("mark"), st.just(""), st.just("")),
        st.tuples(st.just("undo"), st.just(""), st.just("")),
    ),
    max_size=12,
)


def _label(number: int, verdict: str, *, seconds: float | None) -> Label:
    time = f"2026-05-01T12:{number:02}:00+00:00"
    return Label.model_validate(
        {"verdict": verdict, "reason": f"no {number}", "time": time, "seconds": seconds}
    )


class Person:
    """Somebody who labels, marks and takes back, and remembers each step."""

    def __init__(self) -> None:
        self.rows: list[LabelRow] = []
        self.now: dict[str, Label] = {}
        self.steps: list[Step] = []

    def act(self, number: int, kind: str, key: str, verdict: str) -> None:
        """Do one thing as the desk does it."""
        if kind == "put":
            self._put({key: _label(number, verdict, seconds=1.0)})
        elif kind == "mark":
            label = _label(number, "not_met", seconds=None)
            self._put({key: label for key in KEYS if key not in self.now})
        elif self.steps:
            before = self.steps.pop()
            for key, old in sorted(before.items(), key=lambda each: each[1] is None):
                self._line(key, old)

    def _put(self, labels: dict[str, Label]) -> None:
        if labels:
            self.steps.append({key: self.now.get(key) for key in labels})
        for key, label in labels.items():
            self._line(key, label)

    def _line(self, key: str, label: Label | None) -> None:
        self.rows.append(LabelRow(PLACE, key, label))
        self.now.pop(key, None)
        if label is not None:
            self.now[key] = label


@given(actions)
def test_the_lines_tell_the_steps_that_still_stand(done: list[tuple[str, str, str]]) -> None:
    person = Person()
    for number, action in enumerate(done):
        person.act(number, *action)
    assert steps_of(person.rows) == person.steps


def test_a_label_that_somebody_took_back_by_hand_can_be_had_again() -> None:
    label = _label(1, "met", seconds=None)
    rows = [LabelRow(PLACE, "a", label), LabelRow(PLACE, "b", label), LabelRow(PLACE, "a", None)]
    assert steps_of(rows) == [{"a": None}, {"b": None}, {"a": label}]


def test_a_record_that_is_not_there_has_no_step(tmp_path: Path) -> None:
    assert steps_of(Record(tmp_path / "a1.jsonl", "a1").rows) == []
