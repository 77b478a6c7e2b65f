"""E in Docker: the patch on the masked base, run afresh, without a network."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.benchmarks.expbench.grading import grade_answers
from rubric_engine.isolation import RunSpec
from tests.benchmarks.expbench.test_patch import NEW
from tests.benchmarks.expbench.twenty import Known, question, write_twenty
from tests.sandbox.conftest import engine as engine

SCRIPTS = {
    "python keep.py > out.csv": (True, ""),
    "true": (False, "ok: the run made no file **"),
    "echo 1 > out.csv; exit 3": (False, "failed: exit code 3"),
    "sleep 60": (False, "timeout: "),
    "python -c 'import urllib.request as u; u.urlopen(\"https://example.org\")' && echo 1 > o": (
        False, "failed",
    ),
    "echo 1 > /tmp/elsewhere": (False, "ok: the run made no file **"),
}  # fmt: skip
"""By script of an answer, what E is, and what its reason begins with."""


@pytest.mark.slow
@pytest.mark.usefixtures("engine")
def test_answers_run_in_fresh_containers(tmp_path: Path) -> None:
    known = tuple(Known(f"p{at}") for at in range(len(SCRIPTS)))
    write_twenty(tmp_path, known)
    for number, script in enumerate(SCRIPTS):
        folder = question(number, known[number]).folder
        patch = NEW.format("reproduce_exp_bench.sh", "100755", script)
        (tmp_path / "answers" / folder / "changes.patch").write_text(patch)
        # What the agent left behind is no part of the answer.
        (tmp_path / "answers" / folder / "out.csv").write_text("left\n")
    results = grade_answers(
        tmp_path / "answers",
        tmp_path / "tasks",
        judge="rules",
        repos=tmp_path / "repos",
        sandbox="docker",
        spec=_short,
        runs=tmp_path / "runs",
        out=tmp_path / "out",
    )
    assert results.exit_code == 0
    found = [one.execution for one in results.answers]
    for (value, why), mark in zip(SCRIPTS.values(), found, strict=True):
        assert mark.value is value, mark
        assert mark.why.startswith(why)
    assert results.answers[0].monitor.value is True
    for number, one in enumerate(known):
        base = tmp_path / "repos" / question(number, one).folder
        assert [path.name for path in base.iterdir()] == ["keep.py"]


def _short(spec: RunSpec) -> RunSpec:
    assert (spec.limits.time, spec.network) == (2400.0, "none")
    return spec.model_copy(update={"limits": spec.limits.model_copy(update={"time": 5.0})})
