"""Loading a task: a folder with a rubric, a paper and settings.

Two layouts load as they stand: ours (`rubric.yaml`, `task.yaml`, `paper.md`, ...) and a PaperBench
paper folder (`rubric.json`, `config.yaml`, `paper.md`, `judge.addendum.md`, `judge/`, ...).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from rubric_engine.case import Task
from rubric_engine.errors import PaperError, TaskError
from rubric_engine.files import SNIFF_BYTES, sniff
from rubric_engine.globs import Glob, matches
from rubric_engine.isolation import SCRIPT, Limits, Network
from rubric_engine.lookup import Lookup, inside, is_path
from rubric_engine.monitored import MonitorSettings
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import RUBRIC_NAMES, load_model, load_rubric


def _not_the_script(glob: str) -> str:
    if matches(glob, SCRIPT):
        raise ValueError(f"{glob!r} names {SCRIPT}; outputs are removed before the run")
    return glob


OutputGlob = Annotated[Glob, AfterValidator(_not_the_script)]
"""Glob of what a run should produce, and so never of what is run."""


class TaskFile(BaseModel):
    """The settings in `task.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str | None = Field(default=None, description="Title for people.")
    mode: str = Field(default="full", description="Name of the way of grading, kept in results.")
    skip: tuple[Glob, ...] | None = Field(
        default=None, description="What of a submission is skipped, as in .gitignore."
    )
    network: Network = Field(default="none", description="Network policy of a run.")
    outputs: tuple[OutputGlob, ...] = Field(
        default=(), description="Globs of what a run should produce."
    )
    attachments: tuple[str, ...] = Field(default=(), description="Files the judge also sees.")
    limits: Limits | None = Field(default=None, description="Limits of a run.")
    monitor: MonitorSettings = Field(
        default=MonitorSettings(), description="Whether a result was honestly come by."
    )


class _PaperBenchConfig(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow")

    id: str | None = None
    title: str | None = None


def load_task(name: str | Path, *, untrusted: Path | None = None) -> Task:
    """Load a task.

    Args:
        name: Path of a task folder, or a name: looked up in ./rubrics, entry points of the group
            `rubric_engine.rubrics`, `$PAPERBENCH_DATA_DIR/papers` and the shipped tasks.
        untrusted: A submission's root; nothing in it is found by name.

    Raises:
        TaskError: No such task, or wrong settings.
        RubricError: Its rubric does not load.
        PaperError: A text of it is missing, is no text, or is a Git LFS pointer.
    """
    look = Lookup("rubrics", RUBRIC_NAMES, untrusted)
    folder = look.find(str(name))
    if folder is None:
        raise look.missing(str(name), "task", TaskError)
    if not folder.is_dir():
        raise TaskError(f"{folder} is a file; a task is a folder with a rubric.yaml")
    settings = _settings(folder)
    return Task(
        name=folder.resolve().name,
        rubric=load_rubric(rubric_in(folder)),
        title=settings.title,
        paper=_optional_text(folder / "paper.md"),
        addendum=_optional_text(folder / "addendum.md"),
        judge_addendum=_optional_text(folder / "judge.addendum.md"),
        attachments=dict(_attachments(folder, settings)),
        blacklist=_blacklist(folder / "blacklist.txt"),
        mode=settings.mode,
        skip=settings.skip,
        network=settings.network,
        outputs=settings.outputs,
        limits=settings.limits,
        monitor=settings.monitor,
        found_in=None if is_path(str(name)) else folder,
    )


def checked_outputs(globs: Sequence[str]) -> tuple[str, ...]:
    """Check globs of outputs that were given outside a `task.yaml`.

    Raises:
        TaskError: One is malformed, or names `reproduce.sh`.
    """
    try:
        return TaskFile(outputs=tuple(globs)).outputs
    except ValidationError as error:
        words = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise TaskError(
            f"outputs: {words}", code="E417", fix=["quote a glob: 'results/**'"]
        ) from None


def task_of(rubric: Rubric, *, paper: str | None = None, name: str = "rubric") -> Task:
    """A task that is only a rubric, and perhaps the text of a paper."""
    return Task(name=name, rubric=rubric, title=rubric.title, paper=paper)


def rubric_in(folder: Path) -> Path:
    """Return the rubric file of a folder.

    Raises:
        TaskError: There is none.
    """
    for name in RUBRIC_NAMES:
        if (folder / name).is_file():
            return folder / name
    raise TaskError(
        f"{folder} holds no rubric",
        code="E412",
        looked=[f"tried {folder / name}" for name in RUBRIC_NAMES],
        fix=["rubric-engine rubric schema shows the format of a rubric"],
    )


def read_text(path: Path) -> str:
    """Read a text that a judge is shown: a paper, an addendum, an attachment.

    Raises:
        PaperError: It is missing, a PDF or another binary, not UTF-8, or a Git LFS pointer.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PaperError(f"{path} cannot be read: {error.strerror}", code="E401") from None
    if content.startswith(b"%PDF-"):
        raise PaperError(
            f"{path} is a PDF; a judge reads text",
            code="E403",
            fix=[f"pdftotext -layout {path.name} paper.md   and give that, or better a Markdown"],
        )
    if sniff(content[:SNIFF_BYTES]) == "lfs_pointer":
        raise PaperError(
            f"{path} is a Git LFS pointer, not the text itself", code="E402", fix=["git lfs pull"]
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PaperError(
            f"{path} is not UTF-8 text (byte {error.start})", code="E404", fix=["save it as UTF-8"]
        ) from None


def _settings(folder: Path) -> TaskFile:
    own = folder / "task.yaml"
    if own.is_file():
        return load_model(own, TaskFile, error=TaskError, code="E413")
    paperbench = folder / "config.yaml"
    if paperbench.is_file():
        config = load_model(paperbench, _PaperBenchConfig, error=TaskError, code="E413")
        return TaskFile(title=config.title)
    return TaskFile()


def _optional_text(path: Path) -> str | None:
    return read_text(path) if path.is_file() else None


def _attachments(folder: Path, settings: TaskFile) -> Iterator[tuple[str, str]]:
    for name in settings.attachments:
        if "\0" in name or not inside(folder / name, folder):
            raise TaskError(f"attachment {name!r} lies outside the task's folder", code="E414")
        yield name, read_text(folder / name)
    for path in sorted(folder.glob("judge/**/*.md")):
        yield path.relative_to(folder).as_posix(), read_text(path)


def _blacklist(path: Path) -> tuple[str, ...]:
    """Repositories, one a line; `#` starts a comment and `none` says that there are none."""
    lines = (line.split("#")[0].strip() for line in (_optional_text(path) or "").splitlines())
    return tuple(line for line in lines if line and line.lower() != "none")
