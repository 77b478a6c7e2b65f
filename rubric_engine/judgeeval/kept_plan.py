"""The plan of an audit in a file: the draw as it was before anybody labelled."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rubric_engine.errors import InputError, UsageError
from rubric_engine.labels import load_label_rows
from rubric_engine.replacing import replace_text
from rubric_engine.rundir import storing

PLAN, SHEET = "audit.json", "audit-labels.jsonl"

MAX_SEED = 2**32 - 1
"""Largest seed of a draw."""


class PlannedRun(BaseModel):
    """The draw from one run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(description="Name of the run's folder.")
    path: str = Field(description="Where the run was.")
    rubric_sha256: str = Field(description="Hash of the rubric, or of the view that was graded.")
    submission_sha256: str | None = Field(description="None: not known.")
    chance: dict[str, float] = Field(description="Inclusion probability by key.")
    drawn: tuple[str, ...] = Field(description="Keys of what was drawn, in document order.")


class KeptPlan(BaseModel):
    """A draw from one run or from many."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    audit: Literal[1] = Field(default=1, description="Version of this format.")
    version: str = Field(default_factory=lambda: version("rubric-engine"))
    labels: Annotated[int, Field(ge=1)]
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)]
    runs: Annotated[tuple[PlannedRun, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        if len({run.name for run in self.runs}) < len(self.runs):
            raise ValueError("two runs have one name")
        return self

    def is_of(self, other: KeptPlan) -> bool:
        """Whether this is the same draw as another: seed, number and submissions."""
        return self._draw() == other._draw()

    def _draw(self) -> tuple[object, ...]:
        runs = [(run.name, run.rubric_sha256, run.submission_sha256) for run in self.runs]
        return self.labels, self.seed, runs


def sheet_beside(plan: Path) -> Path:
    """Where the lines to fill in are, by where the plan is."""
    return plan.with_name(SHEET if plan.name == PLAN else f"{plan.stem}-labels.jsonl")


def keep_plan(plan: KeptPlan, path: Path) -> KeptPlan:
    """Write a plan where none is kept yet.

    Args:
        plan: The plan.
        path: Its file.

    Returns:
        The plan as it is kept: this one, or the same one from an earlier time.

    Raises:
        UsageError: Another plan is kept there, which labels may answer.
        InputError: What is kept there is no plan.
        StorageError: It cannot be written.
    """
    if not path.exists():
        _write_new(path, plan.model_dump_json(indent=1) + "\n")
        return plan
    kept = load_plan(path)
    if not kept.is_of(plan):
        raise _another(kept, path)
    return kept


def keep_sheet(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Write the lines to fill in; what is there already stays, and only what it lacks is added.

    Args:
        path: Their file.
        rows: The lines as values, each with the key of its leaf and perhaps the name of its run.

    Raises:
        LabelsError: What is there cannot be read.
        StorageError: It cannot be written.
    """
    held = {(row.run, row.key) for row in load_label_rows(path).rows} if path.exists() else set()
    lacking = [row for row in rows if (row.get("run"), row["key"]) not in held]
    if not lacking:
        return
    before = _whole_lines(path) if held else ""
    # In ASCII, so that no character of a rubric can break a line in an editor.
    with storing(path, "name another place with -o"):
        path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, before + "".join(f"{json.dumps(row)}\n" for row in lacking))


def _whole_lines(path: Path) -> str:
    text = path.read_bytes().decode()
    return text if text.endswith("\n") else f"{text}\n"


def load_plan(path: Path) -> KeptPlan:
    """Get a plan back.

    Raises:
        InputError: There is none, or it is damaged.
    """
    try:
        return KeptPlan.model_validate_json(path.read_bytes())
    except OSError as error:
        why = error.strerror or str(error)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        why = f"{'.'.join(map(str, first['loc'])) or 'it'}: {first['msg']}"
    raise InputError(
        f"{path} is no plan of an audit that can be read: {why}",
        code="E508",
        looked=["the plan that `audit plan` keeps; without it the chances of a draw are not known"],
        fix=["rubric-engine audit plan RUN --labels 40   draws one, before anybody labels"],
    )


def _another(kept: KeptPlan, path: Path) -> UsageError:
    return UsageError(
        f"{path} already keeps another plan, and labels may answer it",
        code="E010",
        looked=[
            f"kept: {kept.labels} labels, seed {kept.seed}, "
            f"of {', '.join(run.name for run in kept.runs[:3])}"
            + (f" and {len(kept.runs) - 3} more" if kept.runs[3:] else "")
        ],
        fix=[
            f"add --labels {kept.labels} --seed {kept.seed}   to see that plan again",
            "add -o with another place   to keep a second plan",
            f"rm {path} {sheet_beside(path)}   if nobody has labelled by it",
        ],
    )


def _write_new(path: Path, text: str) -> None:
    with storing(path, "name another place with -o"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
