"""What a record and gold remember is what their files hold, and files are not read again for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_engine.errors import LabelsError
from rubric_engine.judgeeval.labelling.book import PlannedBook
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.judgeeval.labelling.gold import Agreements, gold_of
from rubric_engine.judgeeval.labelling.gold_text import GoldText
from rubric_engine.judgeeval.labelling.planning import LabelPlan, planned_leaves
from rubric_engine.judgeeval.labelling.record import Record
from rubric_engine.labels import Label, load_label_rows, load_labels
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_rubric

KEYS = [f"leaf-{number}" for number in range(4)]

LABELS = st.builds(
    Label.model_validate,
    st.fixed_dictionaries(
        {"verdict": st.sampled_from(["met", "not_met"]), "reason": st.sampled_from(["方法", "b"])},
        optional={
            "seconds": st.floats(0, 1e6),
            "citations": st.just(["a.py:3-9", "b.py"]),
            "time": st.just("2026-05-01T12:00:00+02:00"),
            "annotator": st.sampled_from(["a 1", "b1"]),
        },
    ),
)

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.dictionaries(st.sampled_from(KEYS), LABELS, min_size=1)),
        st.tuples(st.just("take back"), st.lists(st.sampled_from(KEYS), min_size=1, unique=True)),
        st.tuples(st.just("elsewhere"), st.sampled_from(KEYS)),
        st.tuples(st.just("torn"), st.just("")),
    ),
    max_size=6,
)


def _follow(record: Record, step: str, value: object) -> None:
    if step == "say":
        assert isinstance(value, Mapping)
        record.append(value)
    elif step == "take back":
        assert isinstance(value, list)
        record.take_back(value)
    else:
        row = {"key": value, "verdict": "met", "reason": "in an editor", "annotator": "a 1"}
        text = json.dumps(row) + "\n" if step == "elsewhere" else '{"key": "le'
        with record.path.open("a") as file:
            file.write(text)


@settings(max_examples=60)
@given(STEPS)
def test_what_is_remembered_is_what_the_file_holds(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, object]]
) -> None:
    record = Record(tmp_path_factory.mktemp("labels") / "a_1.jsonl", "a 1")
    with record.held():
        for step, value in steps:
            _follow(record, step, value)
            try:
                found = load_labels(record.path)
            except LabelsError:
                with pytest.raises(LabelsError):
                    record.labels  # noqa: B018  # reading it is what raises
                return
            assert record.labels == found
            assert list(record.labels.labels) == list(found.labels)
            assert record.labels.warnings == found.warnings
            assert record.rows == load_label_rows(record.path).rows


def test_a_label_is_added_without_reading_all_others_again(tmp_path: Path) -> None:
    record = Record(tmp_path / "a1.jsonl", "a1")
    with record.held():
        record.append(dict.fromkeys(KEYS[:3], Label(verdict="met", reason="seen")))
        before = record.labels
        assert record.labels is before
        record.append({KEYS[3]: Label(verdict="not_met", reason="not seen")})
        record.take_back([KEYS[0]])
        now = record.labels.labels
    assert list(now) == [KEYS[1], KEYS[2], KEYS[3]]
    assert all(now[key] is before.labels[key] for key in KEYS[1:3])


def test_a_file_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    record = Record(tmp_path / "a1.jsonl", "a1")
    record.append({KEYS[0]: Label(verdict="met", reason="seen")})
    before = record.labels
    record.path.with_name("other").write_text(record.path.read_text().replace("seen", "read"))
    record.path.with_name("other").replace(record.path)
    assert (before.labels[KEYS[0]].reason, record.labels.labels[KEYS[0]].reason) == ("seen", "read")


def _labelling(path: Path, rubric: Rubric) -> LabelFolder:
    names = ("a1", "a2")
    plan = LabelPlan(
        task="small",
        submission="team-a",
        name="team-a",
        rubric_sha256=rubric.sha256,
        submission_sha256="0" * 64,
        seed=0,
        overlap=100,
        of=4,
        annotators=names,
        leaves=planned_leaves(rubric, names, overlap=100),
    )
    return LabelFolder.make(path / "labels", plan, rubric, outside=path / "submission")


def test_gold_that_is_put_together_again_and_again_is_the_gold_of_the_files(
    tmp_path: Path,
) -> None:
    leaves = [{"id": key, "requirements": key, "task_category": "Code Development"} for key in KEYS]
    tree = tmp_path / "rubric.json"
    tree.write_text(json.dumps({"id": "root", "requirements": "all", "sub_tasks": leaves}))
    folder = _labelling(tmp_path, load_rubric(tree))
    one, other = PlannedBook(folder, "a1"), PlannedBook(folder, "a2")
    met, lacks = Label(verdict="met", reason="seen"), Label(verdict="not_met", reason="not seen")
    kept: dict[str, Label] = {}
    with one.held(), other.held():
        for book, said in (
            (one, dict.fromkeys(KEYS, met)), (other, dict.fromkeys(KEYS, met)),
            (other, {KEYS[1]: lacks}), (one, {KEYS[1]: lacks}), (one, {KEYS[2]: lacks}),
        ):  # fmt: skip
            book.put(said)
            anew = LabelFolder(folder.path)
            gold = gold_of(anew.plan, anew.all_labels(), [])
            assert (folder.path / "gold.jsonl").read_text() == GoldText().of(gold)
            before, kept = kept, folder.renew_gold().labels.labels
            assert all(kept[key] is before[key] for key in (KEYS[0], KEYS[3]) if key in before)
    assert list(kept) == [KEYS[0], KEYS[1], KEYS[3]]


def test_an_agreement_is_made_anew_once_somebody_says_something_else() -> None:
    met = Label(verdict="met", reason="seen")
    made = Agreements()
    first = made.of("leaf", {"a1": met, "a2": met})
    assert made.of("leaf", {"a1": met, "a2": met}) is first
    other = made.of("leaf", {"a1": met.model_copy(update={"reason": "read"}), "a2": met})
    assert (first.reason, other.reason) == ("seen", "read")
