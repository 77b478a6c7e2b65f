"""The small pieces of the planner: ranking, partition, receipt."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.evidence.folding import UNSEEN
from rubric_engine.evidence.partition import partition
from rubric_engine.evidence.rank import Ranking, words
from rubric_engine.evidence.receipt import Omission, Receipt
from tests.evidence.desk import CODE, topics


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("learning_rate", ["learning", "rate"]),
        ("HTTPServer parseURL", ["http", "server", "parse", "url"]),
        ("Gradients of SGD2", ["gradient", "of", "sgd", "2"]),
        ("模型训练", ["模型", "型训", "训练"]),
        ("Модель", ["модель"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_file_that_holds_rare_words_of_the_query_comes_first() -> None:
    texts = {"a.py": "model model", "b.py": "model momentum", "momentum.py": "", "c.py": "x"}
    ranking = Ranking(texts)
    scores = ranking.scores(words("the momentum of the model"))
    assert sorted(scores, key=lambda path: -scores[path]) == ["b.py", "momentum.py", "a.py"]


@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=40), max_size=6),
    st.permutations(["model", "loss", "model", "a", "1"]),
)
def test_the_order_of_words_and_files_changes_no_score(
    texts: dict[str, str], query: list[str]
) -> None:
    turned = dict(reversed(texts.items()))
    assert Ranking(texts).scores(query) == Ranking(turned).scores(sorted(query))


@given(st.integers(1, 30), st.integers(1, 12), st.integers(1, 12))
def test_a_partition_keeps_its_bound_and_puts_every_leaf_under_its_top(
    most: int, leaves: int, subtrees: int
) -> None:
    tree = topics(leaves, [f"t{at}" for at in range(subtrees)])
    top_of = partition(tree, tree.leaves(), most)
    assert set(top_of) == set(tree.leaves())
    assert len(set(top_of.values())) <= most
    assert all(top in tree.path(leaf) for leaf, top in top_of.items())


def test_subtrees_with_enough_leaves_have_a_group_of_their_own() -> None:
    tree = topics(5, ["a", "b", "c"])
    assert set(partition(tree, tree.leaves(), 10).values()) == {"a", "b", "c"}
    assert set(partition(tree, tree.leaves(), 1).values()) == {"root"}
    few = topics(2, ["a", "b", "c"])
    assert set(partition(few, few.leaves(), 10).values()) == {"root"}
    assert partition(tree, [f"a-{CODE}-0"], 3) == {f"a-{CODE}-0": f"a-{CODE}-0"}


def receipt(files: int) -> Receipt:
    left_out = tuple(
        Omission(f"src/part{at % 3}/deep{at}/f{at}.py", "for want of room", 10)
        for at in range(files)
    )
    hidden = tuple(Omission(f"results/{at}.csv", UNSEEN, 5) for at in range(files))
    return Receipt(("a.py",), (Omission("b.py", "its end", 9, (3, 7)),), left_out + hidden)


def test_a_short_receipt_names_each_file_and_counts_what_is_no_evidence() -> None:
    text = receipt(2).text(lambda _: True)
    assert text == (
        "Files shown whole: 1\n"
        "Shown in part:\n- b.py: 9 bytes: its end\n"
        "Not shown:\n"
        f"- all folders: 2 files, 10 bytes: {UNSEEN}\n"
        "- src/part0/deep0/f0.py: 10 bytes: for want of room\n"
        "- src/part1/deep1/f1.py: 10 bytes: for want of room\n"
    )


def test_a_long_receipt_is_folded_folder_by_folder() -> None:
    text = receipt(3000).text(lambda _: True)
    assert "- src/part0/: 1000 files, 10000 bytes: for want of room" in text
    assert len(text) <= 4000


@pytest.mark.parametrize("files", [*range(0, 240, 20), 400, 700])
def test_a_receipt_is_folded_from_4000_characters_on_and_not_before(files: int) -> None:
    found = receipt(files)
    text = found.text(lambda _: True)
    names = sum(len(f"- {line.path}: 10 bytes: {line.why}\n") for line in found.left_out[:files])
    assert len(text) <= 4000
    assert (f"/f{files - 1}.py: " in text) == (files > 0 and names + 150 < 4000)


def test_a_receipt_shrinks_to_counts_and_then_to_nothing() -> None:
    assert receipt(9).text(lambda text: len(text) < 60) == (
        "Files shown whole: 1, in part: 1, not: 18\n"
    )
    assert receipt(9).text(lambda _: False) == ""


def test_the_whole_receipt_is_a_json_value_with_a_hash() -> None:
    found = receipt(1)
    assert found.to_dict()["cut"] == (
        {"path": "b.py", "why": "its end", "size": 9, "lines": (3, 7)},
    )
    assert found.to_dict() == asdict(found)
    assert found.sha256 == receipt(1).sha256 != receipt(2).sha256
    assert found.sha256 != replace(found, unranked="refused").sha256
