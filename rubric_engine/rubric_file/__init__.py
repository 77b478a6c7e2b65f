"""Rubrics and other small files that people write: reading them strictly, writing them."""

from rubric_engine.rubric_file.graded import load_grades
from rubric_engine.rubric_file.models import load_model, parse_yaml
from rubric_engine.rubric_file.reader import RUBRIC_NAMES, criterion_places, load_rubric
from rubric_engine.rubric_file.schema import rubric_schema
from rubric_engine.rubric_file.writer import dump_rubric

__all__ = [
    "RUBRIC_NAMES",
    "criterion_places",
    "dump_rubric",
    "load_grades",
    "load_model",
    "load_rubric",
    "parse_yaml",
    "rubric_schema",
]
