"""A run's page data as text for other programs, and for a pull request.

All but JSON take what `page_run` gives, so that they say the same and hide the same.
"""

from rubric_engine.report.formats.junit import to_junit
from rubric_engine.report.formats.markdown import to_markdown
from rubric_engine.report.formats.rows import to_csv
from rubric_engine.report.formats.values import to_json

__all__ = ["to_csv", "to_json", "to_junit", "to_markdown"]
