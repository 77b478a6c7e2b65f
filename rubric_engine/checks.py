"""The checks that a leaf may carry: facts that a program can establish without a model.

In a rubric a check is a mapping with one key, its kind::

    checks:
      - python_defines: {file: "src/*.py", name: heavy_ball}
      - any:
          - file_exists: {file: results/table.csv}
          - log_contains: {text: "all runs finished"}

Here it is the value of one of the classes below. The rules judge evaluates them; this module only
says what they are. ``file`` is always a glob relative to the submission's root: ``src/*.py`` is
one level, ``**/*.py`` any depth, a folder's name means everything in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from rubric_engine.check_form import CheckModel, OneKey, kind_of
from rubric_engine.globs import Glob

FileGlob = Annotated[Glob, Field(description="Files, as a glob relative to the submission's root.")]
Regex = Annotated[str, Field(min_length=1, description="A google-re2 pattern, searched line-wise.")]


class _Search(CheckModel):
    """Fields shared by the checks that count occurrences of a text or a pattern."""

    text: str | None = Field(default=None, min_length=1, description="Text to find, as it stands.")
    regex: Regex | None = None
    min: int = Field(default=1, ge=0, description="At least so many occurrences.")
    max: int | None = Field(default=None, ge=0, description="At most so many occurrences.")

    @model_validator(mode="after")
    def _one_needle(self) -> Self:
        if (self.text is None) == (self.regex is None):
            raise ValueError("give exactly one of text and regex")
        if self.max is not None and self.max < self.min:
            raise ValueError(f"max ({self.max}) is less than min ({self.min})")
        return self


class FileExists(CheckModel):
    """A file is there: ``file_exists: {file: reproduce.sh}``."""

    kind: Literal["file_exists"] = "file_exists"
    file: FileGlob
    min: int = Field(default=1, ge=1, description="At least so many files match.")


class FileAbsent(CheckModel):
    """No such file is there: ``file_absent: {file: "**/*.ckpt"}``."""

    kind: Literal["file_absent"] = "file_absent"
    file: FileGlob


class Contains(_Search):
    r"""A file holds a text: ``contains: {file: "src/*.py", regex: 'beta\s*='}``."""

    kind: Literal["contains"] = "contains"
    file: FileGlob


class PythonDefines(CheckModel):
    """Python defines a name: ``python_defines: {file: "src/*.py", name: heavy_ball}``.

    Read from the syntax tree, so comments and strings do not count. A method is ``Class.method``.
    """

    kind: Literal["python_defines"] = "python_defines"
    file: FileGlob = "**/*.py"
    name: str = Field(min_length=1, description="The name, dotted for what lies in a class.")
    type: Literal["any", "function", "class", "constant"] = Field(
        default="any", description="What the name must be; a constant is an assigned name."
    )


class PythonCalls(CheckModel):
    """Python calls something: ``python_calls: {file: "**/*.py", name: np.linalg.solve}``.

    Import aliases are resolved; ``solve`` alone also matches ``np.linalg.solve``.
    """

    kind: Literal["python_calls"] = "python_calls"
    file: FileGlob = "**/*.py"
    name: str = Field(min_length=1, description="The called name, or its last dotted parts.")
    inside: str | None = Field(default=None, description="Only within this function or class.")


class ExitCode(CheckModel):
    """`reproduce.sh` ended so: ``exit_code: {equals: 0}``."""

    kind: Literal["exit_code"] = "exit_code"
    equals: int = Field(default=0, description="The exit code expected.")


class LogContains(_Search):
    """The log of the run holds a text: ``log_contains: {text: "all runs finished"}``."""

    kind: Literal["log_contains"] = "log_contains"


class Produced(CheckModel):
    """The run made or changed a file: ``produced: {file: "results/*.csv", min: 2}``."""

    kind: Literal["produced"] = "produced"
    file: FileGlob
    min: int = Field(default=1, ge=1, description="At least so many files match.")


class Number(CheckModel):
    """A number in a file or in the log is as it should be.

    ``number: {file: results/summary.json, json: "runs[0].steps", equals: 71, abs: 3}`` or
    ``number: {log: true, regex: "final loss ([0-9.e+-]+)", at_most: 0.01}``. The regex's first
    group (or the whole match) is the number.
    """

    kind: Literal["number"] = "number"
    file: FileGlob | None = None
    log: bool = Field(default=False, description="Read the log of the run, not a file.")
    regex: Regex | None = None
    json_path: str | None = Field(
        default=None, alias="json", min_length=1, description="Place in a JSON file: `a.b[0].c`."
    )
    equals: float | None = Field(default=None, allow_inf_nan=False, description="Expected value.")
    rel: float = Field(default=0.0, ge=0, allow_inf_nan=False, description="Relative tolerance.")
    abs: float = Field(default=0.0, ge=0, allow_inf_nan=False, description="Absolute tolerance.")
    at_least: float | None = Field(default=None, allow_inf_nan=False)
    at_most: float | None = Field(default=None, allow_inf_nan=False)
    pick: Literal["first", "last"] = Field(
        default="last", description="Which match of the regex counts."
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.file is None) != self.log:
            raise ValueError("give exactly one of file and log: true")
        if (self.regex is None) == (self.json_path is None):
            raise ValueError("give exactly one of regex and json")
        if self.log and self.json_path is not None:
            raise ValueError("json reads a file; for the log give a regex")
        if self.equals is None and self.at_least is None and self.at_most is None:
            raise ValueError("give equals, at_least or at_most")
        return self


class Sql(CheckModel):
    """One DuckDB query over the CSV, JSON, JSONL and Parquet files, giving one value.

    ``sql: {query: "select max(hb) * 3 <= min(gd) from 'results/steps.csv' where kappa = 1000"}``.
    The value is a truth value, or a number from 0 to 1 where the leaf gives partial credit.
    """

    kind: Literal["sql"] = "sql"
    query: str = Field(min_length=1, description="A single SELECT, one row and one column.")


class AnyOf(CheckModel):
    """At least one holds: ``any: [{file_exists: {file: a.csv}}, {file_exists: {file: b.csv}}]``."""

    kind: Literal["any"] = "any"
    checks: tuple[Check, ...] = Field(json_schema_extra={"minItems": 1})


class AllOf(CheckModel):
    """All hold: ``all: [{exit_code: {equals: 0}}, {produced: {file: results}}]``."""

    kind: Literal["all"] = "all"
    checks: tuple[Check, ...] = Field(json_schema_extra={"minItems": 1})


class Not(CheckModel):
    """It does not hold: ``not: {contains: {file: "**/*.py", text: "TODO"}}``."""

    kind: Literal["not"] = "not"
    check: Check


_Any = (
    FileExists | FileAbsent | Contains | PythonDefines | PythonCalls | ExitCode | LogContains
    | Produced | Number | Sql | AnyOf | AllOf | Not
)  # fmt: skip

CLASSES: Mapping[str, type[CheckModel]] = {kind_of(model): model for model in get_args(_Any)}
"""Every kind of check and its class, in the order of this page."""

Check = Annotated[Annotated[_Any, Field(discriminator="kind")], OneKey(*CLASSES)]

for _class in (AnyOf, AllOf, Not):
    _class.model_rebuild()


def reads_run(check: CheckModel) -> bool:
    """True where the check needs the log, the exit code or the files of a run."""
    match check:
        case ExitCode() | LogContains() | Produced():
            return True
        case Number():
            return check.log
        case AnyOf() | AllOf():
            return any(reads_run(inner) for inner in check.checks)
        case Not():
            return reads_run(check.check)
    return False
