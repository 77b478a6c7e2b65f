"""One grading in a process of its own: `python -m benchmarks.judging.grading`, figures as JSON."""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import time
from pathlib import Path
from typing import Any

from benchmarks.judging.bare import import_sdk
from benchmarks.judging.figures import Figures, peak_mb
from benchmarks.judging.inputs import load_inputs
from rubric_engine import grade

LAZY = ("jinja2.sandbox", "genai_prices")
"""Imported by the engine when a run first needs them; here before the clock starts."""


def main() -> None:
    """Grade once and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--rubric", "--inputs", "--run-dir", "--judge", "--model"):
        parser.add_argument(name, required=True)
    given = vars(parser.parse_args())
    figures = measure(
        Path(given["rubric"]),
        Path(given["inputs"]),
        judge=given["judge"],
        model=json.loads(given["model"]),
        run_dir=given["run_dir"],
    )
    print(figures.to_json())


def measure(rubric: Path, inputs: Path, **how: Any) -> Figures:
    """Grade once; the clock runs from the loaded judge to the last grade, as for the reference."""
    task, submission, execution = load_inputs(rubric, inputs)
    for name in LAZY:
        importlib.import_module(name)
    import_sdk()
    gc.collect()  # what the imports left is not the grading's cost
    begun, cpu = time.perf_counter(), time.process_time()
    marks: list[float] = []

    def mark(*_: object) -> None:
        marks.append(time.perf_counter())

    report = grade(task, submission, execution=execution, on_start=mark, on_grade=mark, **how)
    return Figures(
        wall=marks[-1] - marks[0],
        whole=time.perf_counter() - begun,
        cpu=time.process_time() - cpu,
        peak_mb=peak_mb(),
        leaves=len(task.rubric.leaves()),
        graded=report.statuses["graded"],
    )


if __name__ == "__main__":
    main()
