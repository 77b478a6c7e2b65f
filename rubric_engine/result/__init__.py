"""What a grading gives back: the `Report`, a value that needs no judging to be recomputed.

report.py  the value
plain.py   the same as plain JSON values, as `report.json` holds it
"""

from rubric_engine.grading import grade_dict
from rubric_engine.result.plain import score_dict, words_of
from rubric_engine.result.report import Report, Stop, Verdict

__all__ = ["Report", "Stop", "Verdict", "grade_dict", "score_dict", "words_of"]
