"""The error for a submission without a single file that a judge can read."""

from __future__ import annotations

from collections import Counter

from rubric_engine.errors import SubmissionError
from rubric_engine.files import File, FileIndex


def empty_error(place: str, files: FileIndex) -> SubmissionError:
    """Say what was found and why all of it was skipped.

    Args:
        place: The path that was given.
        files: The index, without readable files.
    """
    fix = ["check the path", "to record a 0 anyway: --allow-empty"]
    if any(file.kind == "lfs_pointer" for file in files.skipped):
        fix.insert(0, "git lfs pull")
    return SubmissionError(
        f"{place} has no files that a judge can read", looked=[_found(files.skipped)], fix=fix
    )


def _found(skipped: tuple[File, ...]) -> str:
    if not skipped:
        return "found nothing: no files at all"
    only_files = all(file.kind != "folder" for file in skipped)
    total = _count(len(skipped), *(("file", "files") if only_files else ("entry", "entries")))
    groups = Counter(_group(file) for file in skipped)
    parts = [
        _count(number, one, many) + reason for (one, many, reason), number in groups.most_common()
    ]
    return f"found {total}, all skipped: {', '.join(parts)}"


def _group(file: File) -> tuple[str, str, str]:
    """Singular, plural and reason of what this entry is counted as."""
    match file.kind:
        case "lfs_pointer":
            return "Git LFS pointer", "Git LFS pointers", ""
        case "link":
            return "link", "links", ""
        case "special":
            return "special file", "special files", ""
        case "folder":
            return "folder", "folders", f" {file.skipped}"
        case _:
            return "file", "files", f" {file.skipped}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
