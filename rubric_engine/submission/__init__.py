"""Reading submissions: a folder or an archive in, an index and safe reads out."""

from rubric_engine.submission.folder import FolderSubmission
from rubric_engine.submission.loading import load_submission
from rubric_engine.submission.snapshot import load_snapshot, save_snapshot
from rubric_engine.submission.walking import walk

__all__ = ["FolderSubmission", "load_snapshot", "load_submission", "save_snapshot", "walk"]
