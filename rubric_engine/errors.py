"""Every error that this package raises on purpose, in one tree.

    RubricEngineError
    ├── UsageError          exit 2   the call asks for something that does not exist or does not fit
    ├── InputError          exit 3   a file that was handed in is wrong
    │   ├── RubricError              E2xx
    │   ├── SubmissionError          E3xx
    │   ├── PaperError               E4xx
     │   ├── TaskError                E41x, EXP-Bench E605-E619, sets of tasks E62x, E63x
    │   ├── LabelsError              E50x, labellings E55x, audits E56x
    │   ├── JudgeCardError           E51x
    │   ├── RunError                 E52x, audits E56x, comparisons E57x, monitor E58x
    │   ├── RecipeError              E53x
    │   └── CaseError                E54x
    ├── CredentialsError    exit 4   E1xx
    ├── BudgetError         exit 6   E6xx
    ├── ProviderError       exit 7   E7xx
    ├── SandboxError        exit 8   E8xx
    └── StorageError        exit 9   E9xx

An error says what is wrong, where, what was looked for, and which command mends it. The command
line prints it; the library only raises it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Place:
    """A position in a file that a person wrote: line and column count from 1."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        parts = [self.file, self.line, self.column]
        return ":".join(str(part) for part in parts if part is not None)


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong in a file, as the loader or lint found it.

    Attributes:
        code: Stable code, such as ``E204``.
        message: What is wrong, naming the offender.
        place: Where, if it has a position.
        key: Key of the criterion it belongs to, if any.
        path: Requirements of the criteria above it, from the root down.
        hint: What would mend it.
    """

    code: str
    message: str
    place: Place | None = None
    key: str | None = None
    path: tuple[str, ...] = ()
    hint: str | None = None


EXIT_INCOMPLETE = 5
"""Exit code where leaves failed that a judge had to grade: no error ends what goes on without."""


class RubricEngineError(Exception):
    """Base of all errors of this package.

    Args:
        message: What is wrong, in one line.
        code: Stable code; the class's own default where it is left out.
        place: File, line and column.
        key: Key of the criterion concerned.
        looked: What was looked at or tried, one line each.
        fix: Commands or edits that mend it, one line each.
        problems: Every single problem, where one input has several.
    """

    default_code: ClassVar[str] = "E990"
    exit_code: ClassVar[int] = 70
    kind: ClassVar[str] = "internal"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        place: Place | None = None,
        key: str | None = None,
        looked: Sequence[str] = (),
        fix: Sequence[str] = (),
        problems: Sequence[Problem] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code
        self.place = place
        self.key = key
        self.looked = tuple(looked)
        self.fix = tuple(fix)
        self.problems = tuple(problems)

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        return f"[{self.code}] {where}{self.message}"


class UsageError(RubricEngineError):
    """The call itself is wrong: an unknown name, options that exclude each other."""

    default_code = "E001"
    exit_code = 2
    kind = "usage"


class InputError(RubricEngineError):
    """A file or folder that was handed in cannot be used."""

    default_code = "E002"
    exit_code = 3
    kind = "input"


class RubricError(InputError):
    """The rubric is missing, unreadable or wrong; ``problems`` lists everything found."""

    default_code = "E202"
    kind = "rubric"


class SubmissionError(InputError):
    """The submission is missing, empty, or an archive that must not be unpacked."""

    default_code = "E301"
    kind = "submission"


class PaperError(InputError):
    """The paper is missing or is not text."""

    default_code = "E401"
    kind = "paper"


class TaskError(InputError):
    """The task is unknown or its settings are wrong."""

    default_code = "E411"
    kind = "task"


class LabelsError(InputError):
    """Labels do not parse or do not fit the rubric."""

    default_code = "E501"
    kind = "labels"


class JudgeCardError(InputError):
    """The judge card is unknown or wrong."""

    default_code = "E511"
    kind = "judge"


class RunError(InputError):
    """A run folder or an execution record cannot be found or read."""

    default_code = "E521"
    kind = "run"


class RecipeError(InputError):
    """The sandbox's recipe is unknown or wrong."""

    default_code = "E531"
    kind = "recipe"


class CaseError(InputError):
    """A labelled case, or an evaluation that was kept, is missing or wrong."""

    default_code = "E541"
    kind = "case"


class CredentialsError(RubricEngineError):
    """There is no key for the model's endpoint, or it was rejected."""

    default_code = "E101"
    exit_code = 4
    kind = "credentials"


class BudgetError(RubricEngineError):
    """The run stopped because the next call could pass the cap."""

    default_code = "E601"
    exit_code = 6
    kind = "budget"


class ProviderError(RubricEngineError):
    """The run stopped because the model's provider cannot be used now."""

    default_code = "E701"
    exit_code = 7
    kind = "provider"


class SandboxError(RubricEngineError):
    """A sandbox that was asked for could not do its work; never the submission's fault."""

    default_code = "E801"
    exit_code = 8
    kind = "sandbox"


class StorageError(RubricEngineError):
    """The disk is full, a folder is not writable, or another process holds the lock."""

    default_code = "E901"
    exit_code = 9
    kind = "storage"
