"""A task of a set as a person writes it: what is asked, what form is due, and how it is judged."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from rubric_engine.criterion import Weight
from rubric_engine.rubric_file.typed import converter

Form = Literal["text", "number", "list", "json", "table", "csv", "code"]
Method = Literal["rules", "llm", "rule_and_llm", "hybrid"]
Autonomy = Literal["L1", "L2", "L3", "L4"]
Scale = Literal["0-1", "0-10"]

FORMS: tuple[Form, ...] = get_args(Form)
AUTONOMY: tuple[Autonomy, ...] = get_args(Autonomy)

MOST_SAMPLES = 99
"""Most judgements of one dimension; as many as a judge of kind `repeat` makes."""

NonEmpty = Annotated[str, Field(min_length=1)]


class Value(BaseModel):
    """Base of what a task holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _each(key: str, model: type[BaseModel]) -> BeforeValidator:
    """Let a text in a list stand for a mapping with one key."""

    def read(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [_mapping(key, model, item) for item in value]

    return BeforeValidator(read)


def _mapping(key: str, model: type[BaseModel], item: Any) -> Any:
    if isinstance(item, BaseModel):
        return item
    return converter(model)({key: item} if isinstance(item, str) else item)


def _lines(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _reference(value: Any) -> Any:
    """A text is an answer, a list are points."""
    if isinstance(value, str):
        return {"answer": value}
    found = {"points": value} if isinstance(value, list) else value
    return converter(Reference)(found) if isinstance(found, dict) else found


class Point(Value):
    """One thing that an answer must say."""

    text: NonEmpty = Field(description="What it must say, in words.")
    weight: Weight = Field(default=1.0, description="Weight among all that is judged.")


class Reference(Value):
    """What a right answer is; no agent is shown it."""

    answer: NonEmpty | None = Field(default=None, description="A whole right answer.")
    points: Annotated[tuple[Point, ...], _each("text", Point)] = Field(
        default=(), description="What a right answer must say, point by point."
    )
    weight: Weight = Field(default=1.0, description="Weight of saying the same as `answer`.")


class Resource(Value):
    """A file that an agent is given."""

    path: NonEmpty = Field(description="Path within the folder of the set.")
    about: str = Field(default="", description="What it is.")


class ExpectedOutput(Value):
    """The form of an answer."""

    type: Form = Field(default="text", description="Kind of answer.")
    structure: Any = Field(
        default=None,
        description="What it must hold: names of keys or columns, a JSON schema, or words.",
    )


class Dimension(Value):
    """One side of an answer that a model gives a score."""

    name: NonEmpty = Field(description="Its name.")
    description: str = Field(default="", description="What a good answer is like.")
    weight: Weight = Field(default=1.0, description="Weight among all that is judged.")
    scale: Scale | None = Field(
        default=None, description="Steps of a quarter (0-1), or whole numbers from 0 to 10."
    )


class NamedRule(BaseModel):
    """A rule by its name; further keys are the rule's own."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: NonEmpty = Field(description="Name of the rule.")
    weight: Weight = Field(default=1.0, description="Weight among all that is judged.")

    @property
    def settings(self) -> dict[str, Any]:
        """The rule's own keys."""
        return dict(self.model_extra or {})


class Llm(Value):
    """What a model judges."""

    model: NonEmpty | None = Field(default=None, description="Model that judges.")
    dimensions: Annotated[tuple[Dimension, ...], _each("name", Dimension)] = Field(
        default=(), description="Sides of an answer."
    )
    sampling_times: int = Field(
        default=1, ge=1, le=MOST_SAMPLES, description="How often each is judged."
    )


class JudgeSpec(Value):
    """How an answer is judged."""

    method: Method = Field(description="By rules, by a model, or by both.")
    rules: Annotated[tuple[NamedRule, ...], _each("name", NamedRule)] = Field(
        default=(), description="Rules, by name."
    )
    llm: Llm | None = Field(default=None, description="What a model judges.")
    llm_system_prompt: str | None = Field(
        default=None, description="What the author tells a judging model."
    )

    @property
    def asks_model(self) -> bool:
        """Whether a model has its say."""
        return self.method != "rules"

    @property
    def has_rules(self) -> bool:
        """Whether rules have their say."""
        return self.method != "llm"


class SetTask(Value):
    """One task of a set."""

    task_id: NonEmpty = Field(description="Its name, unique in the set.")
    phase: NonEmpty = Field(description="Phase of research that it belongs to.")
    domain: NonEmpty = Field(description="Field of science.")
    difficulty: NonEmpty = Field(description="How hard it is.")
    autonomy: Autonomy | None = Field(default=None, description="How much an agent does alone.")
    version: str | None = Field(default=None, description="Version of the task.")
    background: str = Field(default="", description="What an agent should know.")
    question: NonEmpty = Field(description="What is asked.")
    resources: Annotated[tuple[Resource, ...], _each("path", Resource)] = Field(
        default=(), description="Files that an agent is given."
    )
    constraints: Annotated[tuple[str, ...], BeforeValidator(_lines)] = Field(
        default=(), description="What an answer must keep to."
    )
    expected_output: ExpectedOutput = Field(
        default=ExpectedOutput(), description="The form of an answer."
    )
    reference: Annotated[Reference | None, BeforeValidator(_reference)] = Field(
        default=None, description="What a right answer is."
    )
    judge: JudgeSpec = Field(description="How an answer is judged.")


FACTS = ("phase", "domain", "difficulty", "autonomy")
"""Keys by which tasks are chosen and figures are broken down."""


def fact_of(task: object, key: str) -> str:
    """A fact of a task, or of its results, as filters and groups name it."""
    return str(getattr(task, key) or "none")
