from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.isolation import Execution
from tests.sandbox.conftest import log_of

Run = Callable[..., Execution]


def test_times_of_files_prove_nothing(run: Run, root: Path) -> None:
    (root / "forged.csv").write_text("1")
    os.utime(root / "forged.csv", (4e9, 4e9))
    execution = run("touch keep.txt forged.csv; echo 1 > real.csv; touch -d @1 real.csv")
    assert execution.produced == {"real.csv"}
    assert execution.odd_times == {"real.csv": 1}
    assert execution.rewritten == ("forged.csv", "keep.txt")


def test_what_is_written_anew_with_the_same_content_is_told(run: Run, root: Path) -> None:
    (root / "same.csv").write_text("1\n")
    (root / "left.csv").write_text("1\n")
    execution = run("sleep 0.02; echo 1 > same.csv; cat left.csv; echo 1 > new.csv")
    assert execution.rewritten == ("same.csv",)
    assert execution.produced == {"new.csv"}


def test_outputs_that_were_shipped_are_removed_first(run: Run, root: Path) -> None:
    for path in ("results/steps.csv", "results/deep/more.csv", "results/notes.md"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("shipped")
    (root / "results/link.csv").symlink_to("../keep.txt")
    execution = run("ls results; echo shipped > results/steps.csv", outputs=("results/**/*.csv",))
    assert execution.removed_before == (
        "results/deep/more.csv", "results/link.csv", "results/steps.csv",
    )  # fmt: skip
    assert log_of(execution).text == "deep\nnotes.md\n"
    assert execution.created == ("results/steps.csv",)


RESULTS = "step,loss\n" + "".join(f"{step},{1 / step:.6f}\n" for step in range(1, 20))


@pytest.mark.parametrize("how", ["mv", "cp", "ln", "cat keep.csv >"])
def test_what_was_handed_in_and_moved_is_not_produced(run: Run, root: Path, how: str) -> None:
    (root / "keep.csv").write_text(RESULTS)
    (root / "stale.csv").write_text("old")
    words = ["new.csv", "stale.csv"] if how.endswith(">") else ["keep.csv new.csv"]
    execution = run("\n".join(f"{how} {word}" for word in words) + "\necho 1 > one; cp one two")
    assert "new.csv" in execution.copied
    assert set(execution.copied) <= set(execution.created) | set(execution.modified)
    assert execution.produced == {"one", "two"}


def test_copies_of_what_the_patterns_skip_are_told_too(run: Run, root: Path) -> None:
    (root / "data").mkdir()
    (root / "data/keep.csv").write_text(RESULTS)
    execution = run("cp data/keep.csv new.csv", skip=("/data/",))
    assert (execution.copied, execution.produced) == (("new.csv",), frozenset())


def test_results_that_come_out_as_those_removed_before_are_produced(run: Run, root: Path) -> None:
    (root / "new.csv").write_text(RESULTS)
    (root / "make.txt").write_text(RESULTS[:-1])
    execution = run("(cat make.txt; echo) > new.csv", outputs=("new.csv",))
    assert execution.removed_before == ("new.csv",)
    assert execution.produced == {"new.csv"}


def test_huge_files_that_a_run_leaves_are_not_read(run: Run, root: Path) -> None:
    (root / "huge.bin").touch()
    os.truncate(root / "huge.bin", 2**40)
    execution = run("ls; truncate -s 1T x.bin keep.txt")
    assert "huge.bin" not in log_of(execution).text
    assert execution.submission is not None
    reasons = {file.path: file.skipped for file in execution.submission.files.skipped}
    assert reasons == dict.fromkeys(("x.bin", "keep.txt"), "too large: 1,099,511,627,776 bytes")
    assert (execution.modified, execution.deleted) == (("keep.txt",), ())
