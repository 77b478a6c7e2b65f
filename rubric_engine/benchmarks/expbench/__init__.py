"""EXP-Bench: its files as tasks of ours, and repositories without the answers."""

from rubric_engine.benchmarks.expbench.csv_writer import dump_expbench_csv
from rubric_engine.benchmarks.expbench.loading import load_expbench
from rubric_engine.benchmarks.expbench.task import Design, ExpFile, ExpTask

__all__ = ["Design", "ExpFile", "ExpTask", "dump_expbench_csv", "load_expbench"]
