from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.evidence import Plan, Room
from rubric_engine.files import File
from rubric_engine.tokens import estimate_tokens
from tests.evidence.desk import CODE, EXECUTION, RESULTS, plan, source, topics

NAMES = ["optimizer", "dataset", "grád", "模型训练"]
TREE = topics(5, NAMES, (CODE, EXECUTION, RESULTS, "Other"))
SKIPPED = [File("node_modules", 10, None, "folder", "skipped by name")]

lines = st.one_of(
    st.sampled_from(
        ["def optimizer():", "dataset = 1", "训练模型", "\ud800 lone", "x\x00\x1b[31m"]
    ),
    st.text(max_size=30),
    st.integers(1, 3000).map(lambda n: "x" * n),
)
texts = st.builds(
    lambda some, times: "\n".join(some * times), st.lists(lines, max_size=6), st.integers(1, 30)
)
paths = st.builds(
    lambda folder, name, suffix: folder + name + suffix,
    st.sampled_from(["", "src/", "docs/deep/er/", "a b/", "\u202enl\n/"]),
    st.sampled_from(["a", "README", "optimizer", "模型", "\udcff", "reproduce"]),
    st.sampled_from([".py", ".md", ".csv", ".sh", ".ipynb", ".json", ".png", ""]),
)
submissions = st.dictionaries(paths, st.one_of(texts, texts, st.just(b"\x00\x01")), max_size=14)
rooms = st.builds(
    lambda tokens, chars: Room(tokens, estimate_tokens, chars),
    st.integers(2000, 60_000),
    st.one_of(st.none(), st.integers(0, 40_000)),
)


def planned(files: dict[str, str | bytes], room: Room, log: str | None) -> Plan:
    made = source(files, SKIPPED)
    produced = [path for path in files if path.endswith((".csv", ".png"))]
    return plan(TREE, made, room, produced=produced, log=log)


@given(submissions, rooms, st.one_of(st.none(), texts))
def test_shared_parts_keep_the_room(
    files: dict[str, str | bytes], room: Room, log: str | None
) -> None:
    for group in planned(files, room, log).groups:
        text = "".join(part.text for part in group.shared)
        assert room.max_chars is None or len(text) <= room.max_chars
        assert estimate_tokens(text) <= room.tokens
        text.encode()  # nothing that cannot be sent


@given(submissions, rooms)
def test_every_file_is_shown_or_on_the_receipt(files: dict[str, str | bytes], room: Room) -> None:
    for group in planned(files, room, "log\n").groups:
        receipt = group.receipt
        cut = {line.path for line in receipt.cut}
        left_out = [line.path for line in receipt.left_out]
        assert {*receipt.whole, *cut, *left_out} - {"reproduce.log"} == {*files, "node_modules"}
        assert not set(left_out) & ({*receipt.whole} | cut)
        assert len(left_out) == len(set(left_out))
        assert len(group.shared[-1].text) <= 4000


@given(submissions, rooms, st.randoms(use_true_random=False))
def test_the_order_of_what_comes_in_changes_nothing(
    files: dict[str, str | bytes], room: Room, chance: random.Random
) -> None:
    shuffled = list(files.items())
    chance.shuffle(shuffled)
    first, second = planned(files, room, "log\n"), planned(dict(shuffled), room, "log\n")
    assert first.groups == second.groups
    assert [group.receipt.sha256 for group in first.groups] == [
        group.receipt.sha256 for group in second.groups
    ]


@given(submissions, rooms)
def test_every_leaf_is_in_one_group(files: dict[str, str | bytes], room: Room) -> None:
    made = planned(files, room, None)
    assert sorted(leaf for group in made.groups for leaf in group.leaves) == sorted(TREE.leaves())
    for group in made.groups:
        assert {TREE[leaf].task_category for leaf in group.leaves} == {group.category}
        assert all(group.top in TREE.path(leaf) for leaf in group.leaves)
