"""EXP-Bench: its files as tasks of ours, and repositories without the answers."""

from rubric_engine.benchmarks.expbench.csv_writer import dump_expbench_csv
from rubric_engine.benchmarks.expbench.finding import find_task
from rubric_engine.benchmarks.expbench.folder import read_record, to_task_folder
from rubric_engine.benchmarks.expbench.loading import load_expbench
from rubric_engine.benchmarks.expbench.masking import Masked, mask
from rubric_engine.benchmarks.expbench.rubric_of import rubric_of
from rubric_engine.benchmarks.expbench.task import Design, ExpFile, ExpTask

__all__ = [
    "Design",
    "ExpFile",
    "ExpTask",
    "Masked",
    "dump_expbench_csv",
    "find_task",
    "load_expbench",
    "mask",
    "read_record",
    "rubric_of",
    "to_task_folder",
]
