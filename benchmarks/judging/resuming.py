"""Resuming a finished run in a process of its own: `python -m benchmarks.judging.resuming RUN`.

The clock runs over all that `resume` does in a fresh process that has imported the engine: it reads
the run and its inputs, finds that nothing is left to ask, and gives the report back.
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path

from benchmarks.judging.figures import Figures, peak_mb
from rubric_engine.resuming import resume


def main() -> None:
    """Resume once and print the figures."""
    run = Path(sys.argv[1])
    gc.collect()
    begun, cpu = time.perf_counter(), time.process_time()
    report = resume(run)
    wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
    leaves = len(report.rubric.leaves())
    print(Figures(wall, wall, cpu, peak_mb(), leaves, report.statuses["graded"]).to_json())


if __name__ == "__main__":
    main()
