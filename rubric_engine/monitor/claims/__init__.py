"""Do the documents claim what nothing bears out?"""

from rubric_engine.monitor.claims.claim import FileClaim, NumberClaim, file_claims, number_claims
from rubric_engine.monitor.claims.grounds import Grounds
from rubric_engine.monitor.claims.reports import file_of, quoted, reports_of
from rubric_engine.monitor.claims.rule import claimed, is_report
from rubric_engine.monitor.claims.tables import with_means

__all__ = [
    "FileClaim",
    "Grounds",
    "NumberClaim",
    "claimed",
    "file_claims",
    "file_of",
    "is_report",
    "number_claims",
    "quoted",
    "reports_of",
    "with_means",
]
