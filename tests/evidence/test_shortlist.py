from __future__ import annotations

from rubric_engine.evidence import Planner, Room
from rubric_engine.rubric import Rubric
from tests.evidence.desk import CODE, EXECUTION, RESULTS, room, source, topics

NAMES = ["optimizer", "dataset", "sampler"]


def files(count: int = 4) -> dict[str, str | bytes]:
    found: dict[str, str | bytes] = {"README.md": "# Read me\n", "plot.png": b"\x89PNG\r\n\x1a\n"}
    for name in NAMES:
        for at in range(count):
            found[f"lib/{name}_{at}.py"] = f"def {name}_{at}():\n    return {at}\n" * 60
    return found


def planner(tree: Rubric, held: dict[str, str | bytes], within: Room) -> Planner:
    return Planner(tree, source(held), within, produced=["out.csv"], executed=source(RUN), log="ok")


RUN: dict[str, str | bytes] = {"out.csv": "x,y\n" * 3_000}


def test_where_all_fits_there_is_nothing_to_choose() -> None:
    assert not list(planner(topics(8, NAMES), files(), room()).shortlists())


def test_every_group_that_has_a_choice_has_a_list_and_all_lists_are_alike() -> None:
    made = planner(topics(8, NAMES, (CODE, EXECUTION)), files(), room(10_000))
    lists = list(made.shortlists())
    assert {(one.top, leaf) for one in lists for leaf in one.leaves} == {
        (group.top, leaf) for group in made.plan({}).groups for leaf in group.leaves
    }
    assert len(lists) > 1
    assert len({one.text for one in lists}) == 1
    assert set(lists[0].paths) == {path for path in files() if path != "plot.png"}


def test_a_list_holds_what_its_leaves_may_see() -> None:
    held = files() | {"docs/a.md": "# A\n" * 3_000, "docs/b.md": "# B\n" * 3_000}
    lists = planner(topics(4, ["results"], (RESULTS,)), held, room(10_000)).shortlists()
    assert [set(one.paths) for one in lists] == [
        {"README.md", "docs/a.md", "docs/b.md", "out.csv"},
    ]


def test_of_too_many_files_a_list_holds_those_closest_by_their_words() -> None:
    within = Room(4_000, len, 4_000)
    made = planner(topics(8, NAMES), files(60), within)
    lists = {one.top: one for one in made.shortlists()}
    assert len(lists) > 1
    for top, one in lists.items():
        assert len(one.text) <= 2_000
        if top in NAMES:
            assert sum(f"/{top}_" in path for path in one.paths) > len(one.paths) / 2


def test_an_order_that_is_given_keeps_the_groups() -> None:
    made = planner(topics(8, NAMES, (CODE, EXECUTION)), files(), room(10_000))
    plain = made.plan({})
    given = made.plan({one.top: ["lib/sampler_3.py"] for one in made.shortlists()})
    assert [group.leaves for group in given.groups] == [group.leaves for group in plain.groups]
    assert all("### lib/sampler_3.py" in group.shared[1].text for group in given.groups)
