"""The table of judges as one JSON document, and figures that are none."""

from __future__ import annotations

import math

import pytest

from rubric_engine.cli.output import print_json
from rubric_engine.cli.plain_values import plain
from tests.cli.conftest import Command
from tests.cli.saving import NONE, Save, cells, saved, strict
from tests.judgeeval.judged import LABELS, evaluation, wrong_on

__all__ = ["saved"]


EDGES = {
    "no label": (evaluation("x", {"a": ([None] * 4, [1.0] * 4)}), "no labelled leaf"),
    "no case": (evaluation("x", {}), "no labelled leaf"),
    "one class": (evaluation("x", {"a": ([1.0] * 4, [1.0, 1.0, 0.0, 1.0])}), "all labels are met"),
    "constant": (
        evaluation("x", {k: (v, [1.0] * len(v)) for k, v in LABELS.items()}),
        "says the same of every leaf",
    ),
    "ungraded": (evaluation("x", NONE), "gave no grade to 30 of 30 leaves"),
    "one submission": (
        evaluation("x", {"a": wrong_on([1])["a"]}),
        "no interval for new submissions (one submission says nothing of new ones)",
    ),
    "perfect": (evaluation("x", wrong_on([])), "nothing shows how sure it is"),
}


@pytest.mark.parametrize("edge", EDGES)
def test_what_is_undefined_is_a_dash_with_its_reason(
    command: Command, saved: Save, edge: str
) -> None:
    judged, words = EDGES[edge]
    folder = saved(judged)
    for by in ("submission", "category"):
        done = command("judgeeval", "report", folder, "--by", by)
        assert (done.code, done.err) == (0, "")
        assert words in done.out
        assert "nan" not in done.out.lower()
    document = strict(command("judgeeval", "report", folder, "--json").out)
    assert document["ok"] is True


def test_json_holds_every_figure(command: Command, saved: Save) -> None:
    cases = wrong_on([1, 4])
    folder = saved(
        evaluation("x", cases, usd=2.0, others={"bea": LABELS["a"]}), evaluation("y", cases)
    )
    found = strict(command("judgeeval", "report", folder, "--json").out)
    (leaves,) = found["leaf_sets"]
    rows = {row["name"]: row for row in leaves["rows"]}
    assert rows["x"]["result"] == str(folder / "0")
    assert rows["x"]["rank"] == rows["y"]["rank"] == 1
    figures = rows["x"]["agreement"]["pooled"]["headline"]
    assert {"accuracy", "f1", "mcc", "kappa", "ac1", "alpha", "why", "cells"} <= set(figures)
    anew = rows["x"]["intervals"]["f1"]["mean"]["anew"]
    assert (anew["about"], anew["method"], anew["units"]) == ("new submissions", "t", 3)
    assert rows["x"]["intervals"]["f1"]["pooled"]["anew"]["why"]
    assert rows["coin"]["kind"] == "baseline"
    assert rows["human bea vs ana"]["kind"] == "human"
    assert rows["x"]["agreement"]["cost"]["per_submission"] == pytest.approx(2.0)
    assert rows["x"]["evaluation"]["judge"]["fingerprint"] == "print of x"
    assert "leaves" not in rows["x"]["evaluation"]


def test_an_unknown_price_is_no_zero(command: Command, saved: Save) -> None:
    judged = evaluation("x", wrong_on([1]), usd=1.0)
    blind = judged.leaves[0].model_copy(update={"cost": None})
    half = judged.model_copy(update={"leaves": (blind, *judged.leaves[1:])})
    out = command("judgeeval", "report", saved(half)).out
    assert cells(out, "x")[0][-1] == "unpriced"
    assert "$ x cost $2.92 and 1 unpriced leaf" in out


def test_json_takes_any_text(command: Command, saved: Save) -> None:
    broken = "bad\udcff"
    folder = saved(
        evaluation(broken, wrong_on([1]), categories=[broken]),
        evaluation("y", wrong_on([2]), categories=[broken]),
    )
    done = command("judgeeval", "report", folder, "--json")
    assert done.code == 0
    assert {row["name"] for row in strict(done.out)["leaf_sets"][0]["rows"]} > {broken}
    compared = command("judgeeval", "compare", folder / "0", folder / "1", "--json")
    assert compared.code == 0
    assert strict(compared.out)["comparisons"][0]["first"] == "bad\\u{dcff}"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_never_printed(value: float) -> None:
    assert plain({"x": [value, 1.5]}) == {"x": [None, 1.5]}
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"x": value})
