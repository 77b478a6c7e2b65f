"""Evidence: what a judge is shown of a submission, chosen without a model and without a file read.

`Planner` takes the rubric, the index of the submission and a way to get a text, and says which
leaves share which blocks of a prompt. All here is a pure function: same inputs, same bytes.
"""

from rubric_engine.evidence.excerpt import Cut, Excerpt
from rubric_engine.evidence.group import Group, Part, PartName, Plan
from rubric_engine.evidence.lines import shown_path, split
from rubric_engine.evidence.notebook import render_notebook
from rubric_engine.evidence.own import Own, own
from rubric_engine.evidence.planner import Planner
from rubric_engine.evidence.receipt import Omission, Receipt
from rubric_engine.evidence.room import Room
from rubric_engine.evidence.shelf import Source
from rubric_engine.evidence.shortlist import Shortlist

__all__ = [
    "Cut",
    "Excerpt",
    "Group",
    "Omission",
    "Own",
    "Part",
    "PartName",
    "Plan",
    "Planner",
    "Receipt",
    "Room",
    "Shortlist",
    "Source",
    "own",
    "render_notebook",
    "shown_path",
    "split",
]
