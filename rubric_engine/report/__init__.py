"""What a run looks like to others: page data as plain JSON values, and files of other formats.

    from rubric_engine.report import page_of, page_run, read_run
    from rubric_engine.page import assemble

    run = page_run(read_run(Path("runs/2026-05-01-rice-7f3a2c")))
    html = assemble(page_of([run]), [run.chunks], title="rice")

reading.py   a run folder as values; the only place that reads it, with sources.py and calls.py
run_data.py  the page data; columns.py, commands.py, details.py, excerpts.py and flags.py
             make its parts
apart.py     names that stay different where what made them so is hidden
masking.py   secrets and what a person names, hidden in every text; secret_spans.py finds secrets
             by what known_secrets.py says (key_forms.py how keys begin, assigned.py how a value
             stands beside its name, secret_values.py which values are secrets), drawn.py tells
             keys from names, and joints.py puts together what stands in pieces; repeated.py hides
             what was hidden in a file where a reason repeats it
"""

from rubric_engine.report.calls import Asked, Said, calls_of
from rubric_engine.report.details import chunk_of
from rubric_engine.report.masking import Mask, Masked
from rubric_engine.report.reading import LABELS, RunMaterial, keep_labels, read_run
from rubric_engine.report.run_data import RunPage, page_of, page_run
from rubric_engine.report.so_far import paid, report_so_far, score_so_far

__all__ = [
    "LABELS",
    "Asked",
    "Mask",
    "Masked",
    "RunMaterial",
    "RunPage",
    "Said",
    "calls_of",
    "chunk_of",
    "keep_labels",
    "page_of",
    "page_run",
    "paid",
    "read_run",
    "report_so_far",
    "score_so_far",
]
