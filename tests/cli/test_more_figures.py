"""`judgeeval report --figures all`: every figure, equal to the public statistics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rubric_engine.judgeeval import (
    HEADLINE,
    Evaluation,
    agreement,
    calibration,
    estimates,
    save_evaluation,
)
from tests.cli.conftest import Command
from tests.judgeeval.judged import LABELS, evaluation, wrong_on

O3_MINI = (1026, 302, 163, 1202)
"""Published: true positives, false positives, false negatives, true negatives."""


def blocks(out: str) -> list[list[str]]:
    return [block.splitlines() for block in out.split("\n\n")]


def table(out: str, *heads: str) -> dict[str, list[str]]:
    """The cells of the table with these headers, by the first cell of a line."""
    for lines in blocks(out):
        for at, line in enumerate(lines):
            if line.split()[1:] == list(heads):
                return dict(_rows(lines[at + 2 :], len(heads)))
    raise AssertionError(f"no table with {heads}")


def _rows(lines: list[str], count: int) -> Iterator[tuple[str, list[str]]]:
    for line in lines:
        words = line.split()
        if len(words) > count:
            yield " ".join(words[:-count]), words[-count:]


def report(command: Command, folder: Path, *judged: Evaluation, more: bool = True) -> str:
    for number, one in enumerate(judged):
        save_evaluation(one, folder / str(number))
    done = command("judgeeval", "report", folder, *(["--figures", "all"] if more else []))
    assert (done.code, done.err) == (0, "")
    return done.out


def test_the_published_counts_give_the_published_row(command: Command, tmp_path: Path) -> None:
    tp, fp, fn, tn = O3_MINI
    labels = [1.0] * tp + [0.0] * fp + [1.0] * fn + [0.0] * tn
    said = [1.0] * (tp + fp) + [0.0] * (fn + tn)
    out = report(command, tmp_path, evaluation("o3-mini-high", {"all": (labels, said)}))
    row = table(out, "acc", "prec", "rec", "F1", "tp", "fp", "fn", "tn")["o3-mini-high"]
    assert row == ["0.827", "0.827", "0.831", "0.827", "1,026", "302", "163", "1,202"]


def test_every_figure_equals_the_statistics(command: Command, tmp_path: Path) -> None:
    judged = evaluation("x", wrong_on([1, 4, 5]))
    out = report(command, tmp_path, judged)
    found = agreement(judged.pairs).pooled.headline
    classes = [getattr(one, part) for one in (found.met, found.not_met)
               for part in ("precision", "recall", "f1")]  # fmt: skip
    line = next(line for line in out.splitlines() if line.startswith("judge") and "P met" in line)
    assert line.split("  ")[-6:] == ["P met", "R met", "F1 met", "P not", "R not", "F1 not"]
    rows = out[out.index(line) :].splitlines()
    assert next(r for r in rows if r.startswith("x ")).split()[1:] == [f"{v:.3f}" for v in classes]
    assert table(out, "human", "judge", "bias", "AC1", "alpha")["x"] == [
        f"{found.human_rate:.1%}",
        f"{found.judge_rate:.1%}",
        f"{found.rate_bias:+.1%}",
        f"{found.ac1:.3f}",
        f"{found.alpha:.3f}",
    ]


def test_every_headline_figure_has_its_intervals(command: Command, tmp_path: Path) -> None:
    judges = [evaluation("x", wrong_on([1, 4, 5]), others={"bea": LABELS["a"]}),
              evaluation("y", wrong_on([7]))]  # fmt: skip
    out = report(command, tmp_path, *judges)
    names = ["macro F1", "accuracy", "balanced", "MCC", "kappa", "rate bias"]
    heads = ["figure", "all", "these", "worth", "these", "mean", "new"]
    for judged in judges:
        (block,) = [b for b in blocks(out) if b[0] == judged.name]
        assert block[1].split() == heads
        found = estimates(judged.pairs)
        assert len(found) == len(HEADLINE) == len(names)
        for name, words in zip(("f1", *(n for n in HEADLINE if n != "f1")), names, strict=True):
            (row,) = [line for line in block if line.startswith(f"{words} ")]
            one = found[name]
            for value in (one.pooled.value, one.by_worth.value, one.mean.value):
                assert f" {value:.2f}".replace("-0.00", "0.00") in row
            for interval in (one.pooled.here, one.by_worth.here, one.mean.anew):
                assert interval.low is not None
                assert f" {interval.low:.2f} to {interval.high:.2f}".replace("-0.00", "0.00") in row
    assert any(block[0] == "human bea vs ana" for block in blocks(out))


def test_probabilities_are_judged_where_there_are_some(command: Command, tmp_path: Path) -> None:
    plain = evaluation("plain", wrong_on([2]))
    sure = evaluation("sure", wrong_on([1, 4]))
    leaves = tuple(
        leaf.model_copy(update={"probability": 0.3 + 0.4 * (leaf.score or 0) + 0.01 * (i % 7)})
        for i, leaf in enumerate(sure.leaves)
    )
    sure = sure.model_copy(update={"leaves": leaves})
    out = report(command, tmp_path, plain, sure)
    found = calibration(sure.pairs)
    assert found.risk is not None
    assert found.risk_by_worth is not None
    lines = next(block for block in blocks(out) if "Brier" in block[0])
    assert [line.split() for line in lines[2:3]] == [
        ["sure", "30"]
        + [f"{value:.3f}" for value in (found.brier, found.ece, found.risk.aurc,
                                       found.risk_by_worth.aurc, found.risk.auroc)]
    ]  # fmt: skip
    document = command("judgeeval", "report", tmp_path, "--json").json
    assert list(document["leaf_sets"][0]["calibration"]) == ["sure"]
    kept = document["leaf_sets"][0]["calibration"]["sure"]
    assert (kept["brier"], kept["aurc"], len(kept["bins"])) == (found.brier, found.risk.aurc, 10)
    assert "Brier" not in report(command, tmp_path / "p", plain)


EDGES = {
    "no label": {"a": ([None] * 4, [1.0] * 4)},
    "no case": {},
    "one class": {"a": ([1.0] * 4, [1.0, 1.0, 0.0, 1.0])},
    "ungraded": {"a": ([1.0, 0.0, 1.0, 0.0], [None] * 4)},
    "holes": {"a": ([1.0, 0.0, 1.0, 0.0], [None, 0.0, 1.0, 1.0])},
    "plain": wrong_on([1]),
}


@pytest.mark.parametrize("edge", EDGES)
def test_what_is_undefined_is_a_dash_and_tables_fit(
    command: Command, tmp_path: Path, edge: str
) -> None:
    out = report(command, tmp_path, evaluation("a judge\x1b of long name", EDGES[edge]))  # type: ignore[arg-type]
    assert "nan" not in out.lower()
    assert "\x1b" not in out
    assert max(map(len, out.split("\n! ")[0].split("\n- ")[0].splitlines())) <= 80


def test_the_main_view_stays_as_it_is(command: Command, tmp_path: Path) -> None:
    out = report(command, tmp_path, evaluation("x", wrong_on([1])), more=False)
    assert "--figures all" in out
    assert "prec" not in out.split("--figures all")[1]
