"""Labels: what humans say of leaves, tied to the texts that they read, in four formats.

    from rubric_engine.labels import fitted, load_labels

    labels = load_labels("expected_result.json")
    fit = fitted(labels, rubric)      # .labels by today's keys; .renamed; .lost are not used

Labels lie beside a submission and never inside it.
"""

from rubric_engine.labels.identity import Fit, fitted, leaf_hashes, shortened
from rubric_engine.labels.label import Label, Labels, Verdict, mark_of
from rubric_engine.labels.loading import load_label_rows, load_labels
from rubric_engine.labels.rows import SHOWN, LabelRow, LabelRows
from rubric_engine.labels.writing import FORMATS, Format, labels_text

__all__ = [
    "FORMATS",
    "SHOWN",
    "Fit",
    "Format",
    "Label",
    "LabelRow",
    "LabelRows",
    "Labels",
    "Verdict",
    "fitted",
    "labels_text",
    "leaf_hashes",
    "load_label_rows",
    "load_labels",
    "mark_of",
    "shortened",
]
