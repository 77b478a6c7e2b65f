"""Names in the table of judges: cut where room is short, told apart, and said in full."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Command
from tests.cli.saving import Save, cells, saved
from tests.judgeeval.judged import evaluation, wrong_on

__all__ = ["saved"]


def test_hostile_names_are_escaped_cut_and_told_apart(command: Command, saved: Save) -> None:
    name = "\x1b[31m\u202e" + "x" * 300
    cases = {"\x07" + "s" * 90: wrong_on([1])["a"]}
    categories = ["\u202ecode", "c" * 200, "c" * 201]
    one, other = (evaluation(name, cases, categories=categories) for _ in range(2))
    for by in ("submission", "category"):
        done = command("judgeeval", "report", saved(one, other), "--by", by)
        assert not set("\x1b\x07\u202e") & set(done.out)
        tables = done.out.split("\n! ")[0].split("\n- ")[0]
        said = [line for line in tables.splitlines() if len(line) > 120]
        assert all("…" in line.split(": ")[0] for line in said)
        shown = (line.split("  ")[0] for line in tables.split("\n\n")[1].splitlines())
        rows = {name for name in shown if name.startswith("\\u{1b}") and ": " not in name}
        assert len(rows) == 2


LONG = ("replay, like gpt-4o-mini at no heat", "replay, like o3-mini at no heat")


def explained(out: str, name: str) -> list[str]:
    """What lines below tables say that a name is short for."""
    return [line.split(": ")[0] for line in out.splitlines() if line.endswith(f": {name}")]


def test_a_name_that_was_cut_is_said_in_full(command: Command, saved: Save) -> None:
    judges = [evaluation(name, wrong_on([i])) for i, name in enumerate(LONG)]
    folder = saved(*judges, evaluation("plain", wrong_on([3])))
    out = command("judgeeval", "report", folder).out
    shown = [explained(out, name) for name in LONG]
    assert [len(one) for one in shown] == [1, 1]
    for (one,) in shown:
        assert len(cells(out, one)) == 3
    assert not explained(out, "plain")
    compared = command("judgeeval", "compare", folder / "0", folder / "1").out
    heads = next(line for line in compared.splitlines() if line.startswith("macro F1  leaves"))
    for name in LONG:
        assert all(one in heads for one in explained(compared, name))
        assert explained(compared, name)


@pytest.mark.parametrize("by", ["submission", "category"])
def test_submissions_and_categories_that_were_cut_are_said_in_full(
    command: Command, saved: Save, by: str
) -> None:
    names = ["a paper with a name as long as one of these " + end for end in ("one", "two")]
    cases = {name: wrong_on([1])["a"] for name in names}
    folder = saved(evaluation("x", cases, categories=[*names, ""]))
    out = command("judgeeval", "report", folder, "--by", by).out
    for name in names:
        assert explained(out, name)
    heads = [line for line in out.splitlines() if "leaves with a label" in line]
    assert len(set(heads)) == len(heads)
    assert ": (no category)" in out


def test_a_hostile_category_is_said_in_full(command: Command, saved: Save) -> None:
    names = ['/../../etc/passwd}"&', '/x/y/etc/passwd}"&', "Code Development"]
    out = command(
        "judgeeval", "report", saved(evaluation("x", wrong_on([1]), categories=names))
    ).out
    head = out.split("\n\n")[2].splitlines()[0]
    for name in names[:2]:
        (shown,) = explained(out, name)
        assert shown.removeprefix("F1 on ") in head
    assert "F1 on code: Code Development." in out


def test_what_is_called_like_another_is_told_apart(command: Command, saved: Save) -> None:
    names = ["code", "Code Development", "(coin)"]
    judged = evaluation("(coin)", wrong_on([1]), categories=names)
    out = command("judgeeval", "report", saved(judged)).out
    head = out.split("\n\n")[2].splitlines()[0].split()
    assert len(set(head)) == len(head)
    rows = [line[:19].strip() for line in out.split("\n\n")[1].splitlines()]
    assert len(set(rows)) == len(rows)


@pytest.mark.parametrize("count", [3, 5])
def test_categories_have_a_column_where_there_is_room(
    command: Command, saved: Save, count: int
) -> None:
    judged = evaluation("x", wrong_on([1]), categories=[f"kind {i}" for i in range(count)])
    out = command("judgeeval", "report", saved(judged)).out
    assert ("kind 0" in out) is (count == 3)
    assert ("F1 of the 5 categories: --by category" in out) is (count == 5)


def test_equal_names_are_told_apart_by_their_folders(command: Command, saved: Save) -> None:
    folder = saved(evaluation("x", wrong_on([1])), evaluation("x", wrong_on([1, 4])))
    for order in ("01", "10"):
        paths = [folder / name for name in order]
        rows = command("judgeeval", "report", *paths, "--json").json["leaf_sets"][0]["rows"]
        found = {row["name"]: row["result"] for row in rows if row["kind"] == "judge"}
        assert found == {f"x ({name})": str(folder / name) for name in "01"}


def test_names_have_what_room_there_is(command: Command, saved: Save) -> None:
    name = "a judge of 23 columns, x"
    out = command("judgeeval", "report", saved(evaluation(name, wrong_on([1]), usd=1.0))).out
    assert len(cells(out, name)) == 3
    assert max(map(len, out.split("\nresult")[0].splitlines())) <= 80


def test_many_results_are_named_by_their_folder(command: Command, saved: Save) -> None:
    folder = saved(*(evaluation(str(k), wrong_on([k])) for k in range(4)))
    whole = command("judgeeval", "report", *(folder / str(k) for k in range(4))).out
    assert f"next    rubric-engine judgeeval report {folder} --by submission\n" in whole
    part = command("judgeeval", "report", *(folder / str(k) for k in range(2))).out
    assert f"report {folder / '0'} {folder / '1'} --by submission\n" in part
