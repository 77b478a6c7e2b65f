"""Why leaves of answers failed: insights of each, merged into causes.

failures.py    what failed, and in which batches it is asked about
prompts.py     the prompts of both passes, and what is read of their answers
values.py      insights, causes, and the table; merging.py puts answers together
finding.py     the two passes, through the ledger; foreseeing.py prices them
"""

from rubric_engine.benchmarks.expbench.taxonomy.finding import afind_taxonomy, find_taxonomy
from rubric_engine.benchmarks.expbench.taxonomy.values import Taxonomy, load_taxonomy

__all__ = ["Taxonomy", "afind_taxonomy", "find_taxonomy", "load_taxonomy"]
