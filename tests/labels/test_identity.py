"""Which leaf a label is of when the rubric has changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import LabelsError
from rubric_engine.labels import Label, Labels, fitted, labels_text, leaf_hashes, load_labels
from rubric_engine.rubric import Rubric
from tests.strategies import leaf

TEXTS = {"a": "does this", "b": "does that", "c": "does more"}


GROUP = "the group"


def rubric(leaves: dict[str, str], group: str = "the group") -> Rubric:
    """A root with one group of leaves, by key and text."""
    root = leaf("root").model_copy(update={"task_category": None})
    middle = root.model_copy(update={"key": "group", "requirements": group})
    rows = [leaf(key).model_copy(update={"requirements": text}) for key, text in leaves.items()]
    return Rubric.build([(None, root), ("root", middle), *(("group", row) for row in rows)])


def labelled(on: Rubric) -> Labels:
    """A label with a hash on each leaf."""
    rows = {key: Label(verdict="met", reason=key, leaf=h) for key, h in leaf_hashes(on).items()}
    return Labels(annotator="a1", labels=rows)


BEFORE = labelled(rubric(TEXTS))


@pytest.mark.parametrize(
    ("now", "group", "fits", "renamed", "changed", "gone", "ambiguous"),
    [
        (TEXTS, GROUP, "abc", {}, "", "", ""),
        (TEXTS, "the\n  group ", "abc", {}, "", "", ""),
        ({**TEXTS, "b": "does else"}, GROUP, "ac", {}, "b", "", ""),
        (TEXTS, "another group", "", {}, "abc", "", ""),
        ({"a": "does this", "z": "does that"}, GROUP, "az", {"b": "z"}, "", "c", ""),
        ({"a": "does that", "b": "does this"}, GROUP, "ab", {"a": "b", "b": "a"}, "", "c", ""),
        ({"a": "does this", "y": "does that", "z": "does that"}, GROUP, "a", {}, "", "c", "b"),
        ({"a": "does this", "b": "does that", "z": "does that"}, GROUP, "ab", {}, "", "c", ""),
    ],
)  # fmt: skip
def test_each_label_fits_moves_or_is_told(
    now: dict[str, str], group: str, fits: str, renamed: dict[str, str], changed: str, gone: str,
    ambiguous: str,
) -> None:  # fmt: skip
    fit = fitted(BEFORE, rubric(now, group))
    assert list(fit.labels.labels) == [*fits]
    assert fit.renamed == renamed
    assert (fit.changed, fit.gone, tuple(fit.ambiguous)) == (
        (*changed,), (*gone,), (*ambiguous,),
    )  # fmt: skip
    assert all(fit.labels.labels[new].reason == old for old, new in renamed.items())
    assert bool(fit.words) == bool(renamed or fit.lost)


def test_two_labels_with_one_text_never_share_a_leaf() -> None:
    twins = labelled(rubric({"a": "same", "b": "same"}))
    fit = fitted(twins, rubric({"z": "same"}))
    assert not fit.labels.labels
    assert fit.ambiguous == {"a": ("z",), "b": ("z",)}


def test_a_label_without_a_hash_fits_by_its_key() -> None:
    plain = Labels(annotator="a", labels={"a": Label(verdict="met"), "x": Label(verdict="met")})
    fit = fitted(plain, rubric({"a": "anything"}))
    assert (list(fit.labels.labels), fit.gone) == (["a"], ("x",))


@given(
    before=st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("xyz"), min_size=1),
    after=st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from("xyz"), min_size=1),
)
def test_every_label_is_in_exactly_one_place(before: dict[str, str], after: dict[str, str]) -> None:
    labels, now = labelled(rubric(before)), rubric(after)
    fit = fitted(labels, now)
    back = {new: old for old, new in fit.renamed.items()}
    used = [back.get(key, key) for key in fit.labels.labels]
    assert sorted([*used, *fit.lost]) == sorted(before)
    hashes = leaf_hashes(now)
    assert all(label.leaf == hashes[key] for key, label in fit.labels.labels.items())


def test_hashes_of_a_very_deep_tree() -> None:
    root = leaf("0").model_copy(update={"task_category": None})
    groups = [root.model_copy(update={"key": str(i)}) for i in range(1, 3_000)]
    chain = [(None, root), *((str(i), group) for i, group in enumerate(groups))]
    deep = Rubric.build([*chain, ("2999", leaf("end"))])
    assert list(leaf_hashes(deep)) == ["end"]


def test_loading_for_a_rubric_moves_and_refuses(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(labels_text(BEFORE, "jsonl"))
    moved = load_labels(path, rubric({"a": "does this", "z": "does that", "c": "does more"}))
    assert list(moved.labels) == ["a", "z", "c"]
    assert "1 label moved" in moved.warnings[0]
    with pytest.raises(LabelsError, match="other texts") as caught:
        load_labels(path, rubric(TEXTS, "another group"))
    assert caught.value.code == "E502"
