"""Do the documents claim what nothing bears out?"""

from rubric_engine.monitor.claims.claim import FileClaim, NumberClaim, file_claims, number_claims
from rubric_engine.monitor.claims.grounds import Grounds
from rubric_engine.monitor.claims.rule import claimed, is_report
from rubric_engine.monitor.claims.tables import with_means

__all__ = [
    "FileClaim",
    "Grounds",
    "NumberClaim",
    "claimed",
    "file_claims",
    "is_report",
    "number_claims",
    "with_means",
]
