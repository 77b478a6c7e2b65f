"""`rubric-engine report`: runs as one page, or as text for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from rubric_engine.cli.hiding import Redact

if TYPE_CHECKING:
    from rubric_engine.report import RunMaterial

Format = Literal["html", "md", "csv", "json", "junit"]

STDOUT = "-"


def report(
    names: Annotated[
        list[str],
        typer.Argument(metavar="RUN...", help="Runs: paths, ends of names, or latest."),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to, - for stdout; html goes to report.html of the run, the rest to stdout.",
        ),
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="What it is written as.")] = "html",
    labels: Annotated[
        Path | None,
        typer.Option(help="Labels to show beside the grades: a file, or a case's folder."),
    ] = None,
    redact: Redact = None,
    prompts: Annotated[
        bool, typer.Option("--prompts", help="Put prompts and answers into the page.")
    ] = False,
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Write what became of runs: a page to look at, or a table, summary or test report."""
    from rubric_engine.cli.hiding import tell_hidden
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.output import print_json
    from rubric_engine.report import read_run
    from rubric_engine.runs import find_run

    bases = run_bases(runs)
    folders = list(dict.fromkeys(find_run(name, bases) for name in names))
    target = _target(output, form, folders, as_json=as_json)
    given = _labels(labels, folders)
    materials = [read_run(folder, given) for folder in folders]
    if given is not None:
        _require_same(given, materials)
    text, hidden = _text(materials, form, redact or (), prompts=prompts)
    _deliver(text, target, is_told=not as_json)
    if as_json:
        document = {"ok": True, "file": str(target), "bytes": len(text.encode())}
        print_json(document | {"hidden": hidden, "exit_code": 0})
    else:
        tell_hidden(hidden, redact, "this report")


def _target(
    output: str | None, form: Format, folders: Sequence[Path], *, as_json: bool
) -> Path | None:
    """The file that is written; None for stdout.

    Raises:
        UsageError: Nothing says where to, or it would replace what a run keeps.
    """
    from rubric_engine.cli.report_page import PAGE
    from rubric_engine.errors import UsageError
    from rubric_engine.lookup import inside

    if output is None and form == "html":
        if len(folders) > 1:
            raise UsageError(
                f"{len(folders)} runs go into one page; say where to",
                fix=["rubric-engine report RUN RUN -o report.html"],
            )
        return folders[0] / PAGE
    if output is None or output == STDOUT:
        if as_json:
            raise UsageError("--json goes with a file, for both are written to stdout: -o FILE")
        return None
    path = Path(output)
    own = {one.resolve() / PAGE for one in folders}
    if path.resolve() not in own and any(inside(path, one) for one in folders):
        raise UsageError(
            f"{path} lies in the run's folder, where only {PAGE} is written",
            fix=["-o ANOTHER/FILE"],
        )
    return path


def _labels(given: Path | None, folders: Sequence[Path]) -> Path | None:
    """The file of labels that `--labels` names."""
    from rubric_engine.errors import LabelsError, UsageError
    from rubric_engine.judgeeval.cases import labels_in

    if given is None or not given.is_dir():
        return given
    if len(folders) > 1:
        raise UsageError("--labels is of one submission; give one run")
    found = labels_in(given)
    if found is None:
        raise LabelsError(
            f"{given} is no folder of a case with labels",
            code="E510",
            looked=["case.yaml beside labels.yaml, labels.jsonl or labels/gold.jsonl"],
            fix=["--labels FILE"],
        )
    return found


def _require_same(labels: Path, materials: Sequence[RunMaterial]) -> None:
    """Refuse labels of a case whose submission is not what the runs graded."""
    from rubric_engine.errors import LabelsError
    from rubric_engine.judgeeval.cases import submission_hash

    labelled = submission_hash(labels)
    for one in materials:
        graded = one.report.provenance.get("submission_sha256")
        if labelled and graded and labelled != graded:
            raise LabelsError(
                f"{labels}: its case labels another submission than the run graded",
                code="E510",
                looked=[f"case: {labelled[:12]}", f"run: {str(graded)[:12]}"],
                fix=["give the labels of the submission that was graded"],
            )


def _text(
    materials: Sequence[RunMaterial], form: Format, redact: Sequence[str], *, prompts: bool
) -> tuple[str, dict[str, int]]:
    """What is written, and how many places of it were hidden."""
    from rubric_engine.cli.report_page import page_text
    from rubric_engine.report import Masked, page_run
    from rubric_engine.report.formats import to_csv, to_json, to_junit, to_markdown

    if form == "json":
        return to_json(materials, redact)
    pages = [page_run(one, redact=redact, prompts=prompts) for one in materials]
    hidden = Masked()
    for page in pages:
        hidden.add(page.masked)
    write = {"html": page_text, "md": to_markdown, "csv": to_csv, "junit": to_junit}[form]
    return write(pages), hidden.to_dict()


def _deliver(text: str, target: Path | None, *, is_told: bool) -> None:
    """Write a text where it goes; the name of its file is told on stdout."""
    from rubric_engine.cli.output import printable, put, say
    from rubric_engine.cli.report_page import write_page

    if target is None:
        put(text)
        return
    write_page(target, text)
    if is_told:
        say(printable(str(target)))
