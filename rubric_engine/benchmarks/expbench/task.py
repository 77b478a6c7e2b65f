"""One question of EXP-Bench as a value, and what was read of a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.errors import Problem

Kind = Literal[1, 2, 3]
"""1: of the paper, answered by files of its repository. 2: of the repository. 3: no such file."""

Values = str | tuple[str, ...]
"""What a variable of a design is said to be: one text, or several values."""

Variables = dict[str, Values]

PLAIN_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$"
"""What a conference and a paper may be called: their names become names of folders."""

PlainName = Annotated[str, Field(pattern=PLAIN_NAME)]


class Design(BaseModel):
    """The variables of an experiment, by what becomes of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    constant: Variables = Field(default_factory=dict, description="Kept the same.")
    independent: Variables = Field(default_factory=dict, description="Varied.")
    dependent: Variables = Field(default_factory=dict, description="Measured.")

    def groups(self) -> Iterator[tuple[str, Variables]]:
        """Each group that has variables, by its name."""
        for name in type(self).model_fields:
            if variables := getattr(self, name):
                yield name, variables

    def __len__(self) -> int:
        return sum(len(variables) for _, variables in self.groups())


class ExpTask(BaseModel):
    """A question with all that is known of it, the answer included."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    conference: PlainName
    paper_id: PlainName
    paper_title: str = ""
    index: int = Field(ge=0, description="Place among the questions of the paper, from 0.")
    kind: Kind
    question: str
    method: str = Field(default="", description="Empty where it stands in the instructions.")
    agent_instructions: str = ""
    requirements: tuple[str, ...] = ()
    expected_outcome: str
    source_files: tuple[str, ...] = Field(default=(), description="Files that answer it.")
    masked_files: tuple[str, ...] = Field(default=(), description="Files that are to be hidden.")
    github_url: str = ""
    design: Design = Design()
    subtask_count: int | None = Field(default=None, ge=0, description="As the file says it.")
    extra: dict[str, Any] = Field(default_factory=dict, description="What else the file says.")

    @property
    def id(self) -> str:
        """Its id, such as ``iclr2024/19008/0``."""
        return f"{self.conference}/{self.paper_id}/{self.index}"

    @property
    def folder(self) -> str:
        """Name of its task's folder, such as ``iclr2024-19008-0``."""
        return f"{self.conference}-{self.paper_id}-{self.index}"

    @property
    def hidden_files(self) -> tuple[str, ...]:
        """Files that must not be seen, the README aside, as the source spells them.

        Of kind 1 those to be masked and those that answer it, of kind 2 those that answer it, of
        kind 3 none.
        """
        return tuple(dict.fromkeys((*self.masked_files, *self.source_files)))


@dataclass(frozen=True)
class ExpFile:
    """What was read.

    Attributes:
        tasks: The questions, in the order of their files.
        warnings: What was let pass, each with its place.
    """

    tasks: tuple[ExpTask, ...]
    warnings: tuple[Problem, ...] = ()
