"""Text in a submission that speaks to its judge: found and listed, never removed, never scored.

Pure: texts in, findings out, in time linear in the text.
"""

from rubric_engine.injection.finding import KINDS, Finding, Kind, Scan
from rubric_engine.injection.listing import Listing, fair
from rubric_engine.injection.texts import scan_name, scan_text

__all__ = ["KINDS", "Finding", "Kind", "Listing", "Scan", "fair", "scan_name", "scan_text"]
