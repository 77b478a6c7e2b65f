"""The page of runs as one HTML file, and the one that every grading leaves in its run's folder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.report import RunPage
    from rubric_engine.result import Report

PAGE = "report.html"


def page_text(pages: Sequence[RunPage]) -> str:
    """Runs as one HTML text that fetches nothing."""
    from rubric_engine.page import assemble
    from rubric_engine.report import page_of

    first = pages[0].run
    title = f"{first['task']}: {first['submission']}" if len(pages) == 1 else f"{len(pages)} runs"
    return assemble(page_of(pages), [page.chunks for page in pages], title=title)


def keep_page(report: Report, submission: Path | None = None) -> None:
    """Write the page of a run into its folder; what goes wrong is told, and fails no grading.

    Args:
        report: Its report; one without a folder leaves no page.
        submission: Where the submission lies: labels that lie beside it are shown as well.
    """
    from rubric_engine.cli.output import note, printable
    from rubric_engine.report import page_run, read_run

    if report.run is None:
        return
    run = Path(report.run)
    try:
        if submission is not None:
            _keep_labels(report, run, submission)
        text = page_text([page_run(read_run(run, report=report))])
        write_page(run / PAGE, text)
    except Exception as error:  # noqa: BLE001  # a page is no part of what was asked for
        note(f"warning: {printable(str(run / PAGE))} was not written: {printable(str(error))}")
        with suppress(OSError):
            (run / PAGE).unlink()  # one of an earlier time would tell of that


def write_page(path: Path, text: str) -> None:
    """Write a page, whole or not at all; what is no file, such as a pipe, is written to."""
    from rubric_engine.cli.inputs import write
    from rubric_engine.lookup import is_file
    from rubric_engine.replacing import replace_text

    put = replace_text if is_file(path) or not path.exists() else write
    put(path, text)


def page_file(report: Report) -> dict[str, str]:
    """The page's file by its name, where the run has one."""
    from rubric_engine.lookup import is_file

    if report.run is None or not is_file(Path(report.run) / PAGE):
        return {}
    return {PAGE: str(Path(report.run) / PAGE)}


def _keep_labels(report: Report, run: Path, submission: Path) -> None:
    """Keep the labels of the case that a submission belongs to; others' are told, and left."""
    from rubric_engine.cli.output import note, printable
    from rubric_engine.errors import InputError
    from rubric_engine.judgeeval.cases import labels_beside
    from rubric_engine.report import keep_labels

    found = labels_beside(submission)
    if found is None:
        return
    sha256 = report.provenance.get("submission_sha256")
    try:
        keep_labels(found, run, sha256)
    except InputError as error:
        note(f"warning: the report shows no labels: {printable(error.message)}")
