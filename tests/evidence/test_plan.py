from __future__ import annotations

import pytest

from rubric_engine.categories import Category
from rubric_engine.errors import PaperError
from rubric_engine.evidence import Group, Room, own
from rubric_engine.files import File
from rubric_engine.rubric import Rubric
from tests.evidence.desk import (
    CODE,
    EXECUTION,
    RESULTS,
    before,
    leaf,
    plan,
    room,
    rubric,
    source,
    topics,
)  # fmt: skip

FILES: dict[str, str | bytes] = {
    "README.md": "# Read me\n",
    "src/a.py": "a = 1\n",
    "reproduce.sh": "python src/a.py\n",
    "results/out.csv": "x,y\n1,2\n",
    "plot.png": b"\x89PNG\r\n\x1a\n",
}
LOG = "starts\nloss 0.1\n"
THREE = (CODE, EXECUTION, RESULTS)


def parts(group: Group) -> list[str]:
    return [part.name for part in group.shared]


def text(group: Group) -> str:
    return "".join(part.text for part in group.shared)


def of_category(found: tuple[Group, ...], name: str) -> list[Group]:
    return [group for group in found if group.category == name]


@pytest.mark.parametrize(
    ("category", "names"),
    [
        (CODE, ["docs", "code", "receipt"]),
        (EXECUTION, ["docs", "code", "script", "log", "receipt"]),
        (RESULTS, ["docs", "produced", "log", "receipt"]),
        ("Ablation", ["docs", "code", "script", "produced", "log", "receipt"]),
    ],
)
def test_the_category_says_what_is_seen_and_in_which_order(category: str, names: list[str]) -> None:
    made = plan(
        rubric([leaf("a", category)]), source(FILES), room(), produced=["results/out.csv"], log=LOG
    )
    assert parts(made.group_of("a")) == names


@pytest.mark.parametrize(("category", "told"), [(CODE, False), (EXECUTION, True), (RESULTS, True)])
def test_who_judges_a_run_is_told_what_was_not_taken_of_it(category: str, told: bool) -> None:
    left = File("big.bin", 7, None, "binary", "left in the sandbox: too large")
    made = plan(rubric([leaf("a", category)]), source(FILES), room(), log=LOG, not_taken=[left])
    assert ("big.bin: 7 bytes: left in the sandbox: too large" in text(made.groups[0])) == told


def test_a_category_of_the_rubric_sees_what_it_says() -> None:
    own = {"Writing": Category(question="Is it clear?", sees=("docs",))}
    tree = rubric([leaf("a", "Writing")])
    tree = Rubric.build([(tree.parent(k), tree[k]) for k in tree.order], categories=own)
    assert parts(plan(tree, source(FILES), room()).group_of("a")) == ["docs", "receipt"]


def test_where_all_fits_a_category_shares_one_prefix_and_others_extend_it() -> None:
    tree = topics(6, ["optimizer", "dataset"], THREE)
    made = plan(tree, source(FILES), room(), produced=["results/out.csv"], log=LOG)
    assert len(made.groups) == 3
    code, execution = (of_category(made.groups, name)[0] for name in (CODE, EXECUTION))
    assert code.shared[:2] == execution.shared[:2]
    assert before(made)[execution.key] == code.key
    assert [key for key, after in before(made).items() if after is None] == [made.groups[0].key]


def big(names: list[str], files: int = 4) -> dict[str, str | bytes]:
    found: dict[str, str | bytes] = {"README.md": "# Read me\n"}
    for name in names:
        for at in range(files):
            found[f"lib/{name}_{at}.py"] = f"def {name}_{at}():\n    return {at}  # {name}\n" * 40
    return found


NAMES = ["optimizer", "dataset", "sampler", "network"]


def test_where_not_all_fits_a_subtree_sees_the_files_that_speak_of_it() -> None:
    made = plan(topics(8, NAMES, (CODE, EXECUTION)), source(big(NAMES)), room(12_000), log=LOG)
    for name in NAMES:
        shown = text(made.group_of(f"{name}-{CODE}-0"))
        assert f"### lib/{name}_0.py" in shown
        assert sum(f"### lib/{other}_0.py" in shown for other in NAMES) < len(NAMES)


def test_execution_extends_development_in_every_subtree() -> None:
    made = plan(topics(8, NAMES, (CODE, EXECUTION)), source(big(NAMES)), room(12_000), log=LOG)
    assert len(made.groups) > 2
    for name in NAMES:
        code, execution = (made.group_of(f"{name}-{kind}-0") for kind in (CODE, EXECUTION))
        assert code.shared[:2] == execution.shared[:2]
        assert before(made)[execution.key] == code.key


def test_a_file_that_a_leaf_hints_at_comes_before_all_others() -> None:
    tree = rubric([leaf("a", evidence=["lib/network_*.py"]), leaf("b")], root="the optimizer")
    shown = text(plan(tree, source(big(NAMES)), room(9_000)).group_of("b"))
    assert "### lib/network_0.py" in shown


@pytest.mark.parametrize("hint", ["lib/**/x_*.py", "./lib", "lib/*"])
def test_a_hint_is_a_glob_or_a_folder(hint: str) -> None:
    files = big(NAMES) | {"lib/deep/x_1.py": "x = 1\n"}
    tree = rubric([leaf("a", evidence=[hint])], root="unrelated")
    shown = text(plan(tree, source(files), room(6_000)).group_of("a"))
    assert "### lib/" in shown


@pytest.mark.parametrize(("category", "seen"), [(CODE, True), (RESULTS, False)])
def test_data_that_was_handed_in_is_shown_where_a_leaf_points_at_it(
    category: str, seen: bool
) -> None:
    files = source({"a.py": "a = 1\n", "data/classes.csv": "cat,dog\n"})
    tree = rubric([leaf("a", category, evidence=["data/*.csv"]), leaf("b", CODE)])
    assert ("### data/classes.csv" in text(plan(tree, files, room()).group_of("b"))) == seen


def test_a_ranking_from_elsewhere_comes_before_our_own_and_keeps_the_groups() -> None:
    tree, files = topics(8, NAMES), source(big(NAMES))
    ours = plan(tree, files, room(9_000))
    ranked = {"optimizer": ["lib/network_3.py", "lib/network_2.py"]}
    theirs = plan(tree, files, room(9_000), ranked=ranked)
    assert "### lib/network_3.py" not in text(ours.group_of(f"optimizer-{CODE}-0"))
    assert "### lib/network_3.py" in text(theirs.group_of(f"optimizer-{CODE}-0"))
    assert [group.leaves for group in ours.groups] == [group.leaves for group in theirs.groups]


def test_thousands_of_files_give_a_plan_and_a_folded_receipt() -> None:
    files: dict[str, str | bytes] = {
        f"pkg{at % 50}/m{at}.py": f"value_{at} = {at}\n" * 9 for at in range(3000)
    }
    group = plan(rubric([leaf("a", text="value 77")]), source(files), room(8_000)).group_of("a")
    assert "### pkg27/m77.py" in text(group)
    assert len(group.receipt.left_out) > 2900
    assert "- pkg0/: " in group.shared[-1].text or "not: " in group.shared[-1].text


def test_another_text_of_a_leaf_changes_no_shared_part() -> None:
    tree = topics(8, NAMES)
    edited = Rubric.build(
        (tree.parent(key), tree[key].model_copy(update={"requirements": "dataset sampler"}))
        if key == f"optimizer-{CODE}-3"
        else (tree.parent(key), tree[key])
        for key in tree.order
    )
    files = source(big(NAMES))
    first, second = (plan(one, files, room(12_000)) for one in (tree, edited))
    assert [group.shared for group in first.groups] == [group.shared for group in second.groups]


def test_code_comes_from_what_was_handed_in_and_results_from_the_run() -> None:
    handed_in = source({"a.py": "old = 1\n", "out.csv": "x\nforged\n"})
    executed = source({"a.py": "new = 1\n", "out.csv": "x\nmeasured\n"})
    tree = rubric([leaf("a", CODE), leaf("r", RESULTS)])
    made = plan(tree, handed_in, room(), executed=executed, produced=["out.csv"], log=LOG)
    assert "old = 1" in text(made.group_of("a"))
    assert "measured" in text(made.group_of("r"))
    assert "forged" not in text(made.group_of("r"))


def test_a_long_readme_and_a_long_file_leave_room_for_others() -> None:
    files: dict[str, str | bytes] = {
        "README.md": "word\n" * 3000,
        "all.py": "optimizer = 1\n" * 3000,
        "small.py": "tiny = 1\n",
    }
    group = plan(rubric([leaf("a", text="optimizer")]), source(files), room(9_000)).group_of("a")
    assert {line.path for line in group.receipt.cut} == {"README.md", "all.py"}
    assert group.receipt.whole == ("small.py",)
    assert "### small.py" in text(group)


def test_no_room_for_files_is_an_error_before_anything_is_sent() -> None:
    with pytest.raises(PaperError) as error:
        Room(-500, len)
    assert error.value.code == "E405"
    assert "larger window" in error.value.fix[0]


def test_own_text_is_the_path_the_nearest_siblings_and_what_it_depends_on() -> None:
    leaves = [leaf(f"l{at}") for at in range(9)] + [leaf("last", depends_on=["l0"])]
    found = own(rubric(leaves), "last")
    assert found.criterion.key == "last"
    assert [one.key for one in found.ancestors] == ["root"]
    assert [one.key for one in found.siblings_before] == ["l4", "l5", "l6", "l7", "l8"]
    assert [one.key for one in found.depends_on] == ["l0"]


def test_a_rubric_that_is_a_single_leaf() -> None:
    tree = Rubric.build([(None, leaf("only"))])
    made = plan(tree, source(big(NAMES)), room(5_000))
    assert own(tree, "only").ancestors == ()
    assert made.group_of("only").leaves == ("only",)


def test_two_categories_that_see_the_same_have_one_prefix() -> None:
    tree = rubric([leaf("a", "One"), leaf("b", "Two")])
    made = plan(tree, source(FILES), room())
    assert made.group_of("a").key == made.group_of("b").key
    assert before(made) == {made.groups[0].key: None}
