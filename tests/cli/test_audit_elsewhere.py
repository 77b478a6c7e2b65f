"""`audit` beyond one run: rates from other results, and a benchmark over several runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.judgeeval import (
    CaseResult,
    Evaluation,
    JudgeIdentity,
    LeafResult,
    save_evaluation,
)
from rubric_engine.judgeeval.audit_transport import corrected_elsewhere
from rubric_engine.judgeeval.auditing import AuditedRun
from tests.cli.auditing import (
    LEAVES,
    OPEN,
    Grade,
    fill,
    graded,
    rubric,
    rubric_text,
    submission,
    truth,
)
from tests.cli.conftest import Command

__all__ = ["graded", "rubric", "submission"]


def evaluation(
    judge: str,
    *,
    submission: str | None = None,
    per_class: int = 30,
    finished: bool = True,
    lost: int = 0,
    open_: int = 0,
) -> Evaluation:
    """What a judge that is right nine times of ten said of another submission."""
    leaves = tuple(
        LeafResult(
            case="other",
            key=f"{category[0]}{label}{i}",
            parent="root",
            category=category,
            worth=1 / (4 * per_class),
            label=label,
            status="graded",
            score=label if i % 10 else 1 - label,
        )
        for category in ("Code Development", "Result Analysis")
        for label in (0, 1)
        for i in range(per_class)
    )
    hole = {"status": "ungradeable", "score": None, "reason": "infra"}
    holes = tuple(leaf.model_copy(update=hole) for leaf in leaves[:open_])
    case = CaseResult(
        name="other",
        task="t",
        rubric_sha256="r",
        labels_sha256="l",
        annotator="a",
        submission_sha256=submission,
        leaves=len(leaves),
        labelled=len(leaves),
        asked=len(leaves),
        finished=finished,
    )
    return Evaluation(
        name="elsewhere",
        judge=JudgeIdentity(name="rules", fingerprint=judge),
        made_at="2026-01-01T00:00:00+00:00",
        version="0",
        cases=(case,),
        leaves=(*holes, *leaves[open_ + lost :]),
    )


@pytest.mark.parametrize(
    ("unchecked", "change", "refused"),
    [
        (0, {}, None),
        (OPEN, {}, "every leaf needs a grade, and 3 have none"),
        (0, {"judge": "another"}, "rates of judge another"),
        (0, {"submission": "this one"}, "case 'other' is this submission itself"),
        (0, {"per_class": 10}, "fewer than 20"),
        (0, {"finished": False}, "not complete, still to be judged: 'other'"),
        (0, {"lost": 1}, "not complete, leaves of 'other' are missing from the file"),
        (0, {"open_": 1}, "labelled leaves without a grade, which rates leave out: 1"),
    ],
)
def test_rates_from_elsewhere(
    command: Command,
    graded: Grade,
    rubric: Path,
    unchecked: int,
    change: dict[str, Any],
    refused: str | None,
) -> None:
    rubric.write_text(rubric_text(unchecked=unchecked))
    run = graded()
    facts = json.loads((run / "run.json").read_text())
    if "submission" in change:
        change = {"submission": facts["submission_sha256"]}
    made = evaluation(**{"judge": facts["judge"]["fingerprint"]} | change)
    save_evaluation(made, "elsewhere")
    command("audit", "plan", "latest", "--labels", "20")
    fill(run / "audit-labels.jsonl", truth)
    assert "transport" not in command("audit", "score", "latest").out
    done = command("audit", "score", "latest", "--transport", "elsewhere")
    found = command("audit", "score", "latest", "--transport", "elsewhere", "--json").json
    assert done.code == 0
    if refused is None:
        judged = found["judged"]["low"]
        assert found["transported"]["value"] == pytest.approx((judged - 0.1) / 0.8)
        assert (
            "by Rogan-Gladen, if the judge errs here as it did in\n            elsewhere\n"
            in done.out
        )
    else:
        assert "transport   refused" in done.out
        assert refused in done.out
        assert found["transported"]["value"] is None


def test_a_benchmark_spreads_labels_over_runs(
    command: Command, graded: Grade, submission: Path
) -> None:
    first = graded()
    (submission / "a.py").write_text("def f3():\n    return 3\n")
    second = graded()
    planned = command("audit", "benchmark", "plan", first, second, "--labels", "30", "-o", "bench")
    assert planned.code == 0
    assert planned.out.startswith("30 of 64 leaves of 2 runs to label, ")
    assert "next     rubric-engine audit benchmark score bench" in planned.out
    rows = [json.loads(line) for line in Path("bench/audit-labels.jsonl").read_text().splitlines()]
    assert {row["run"] for row in rows} == {first.name, second.name}
    fill(
        Path("bench/audit-labels.jsonl"),
        lambda row: (
            truth(row) if row["run"] == first.name else ("met" if row["key"] == "n3" else "not_met")
        ),
    )
    done = command("audit", "benchmark", "score", "bench")
    assert done.out.splitlines()[0].endswith(" audited   mean of 2 runs")
    found = command("audit", "benchmark", "score", "bench", "--json").json
    weights = [1 + i % 7 for i in range(LEAVES)]
    total = sum(weights) + 2
    human = (sum(w for i, w in enumerate(weights) if i % 3) + 2 + weights[3]) / total / 2
    assert found["audited"]["low"] <= human <= found["audited"]["high"]
    single = command("audit", "score", first, "--plan", "bench/audit.json")
    assert (single.code, "audit benchmark score bench" in single.err) == (2, True)
    plan = json.loads(Path("bench/audit.json").read_text())
    plan["runs"][0]["path"] = "no\0where"
    Path("bench/audit.json").write_text(json.dumps(plan))
    assert command("audit", "benchmark", "score", "bench").code == 0  # found by its name
    moved = first.with_name("moved") / first.name
    moved.parent.mkdir()
    shutil.move(first, moved)
    assert command("audit", "benchmark", "score", "bench").code == 3
    assert command("audit", "benchmark", "score", "bench", "--runs", moved.parent).code == 0


def test_a_benchmark_takes_each_run_once(command: Command, graded: Grade) -> None:
    run = graded()
    twice = command("audit", "benchmark", "plan", run, "latest", "-o", "bench")
    assert (twice.code, "two runs are called" in twice.err) == (2, True)
    assert not Path("bench").exists()


def test_rates_keep_the_threshold_of_their_results(command: Command, graded: Grade) -> None:
    run = AuditedRun.of(graded())
    judge = run.report.provenance["judge"]["fingerprint"]
    made = evaluation(judge)
    low = made.model_copy(update={"name": "low", "threshold": 0.3})
    assert any("from different scores on: 0.3, 0.5" in why
               for why in corrected_elsewhere(run, [made, low]).refused)  # fmt: skip
