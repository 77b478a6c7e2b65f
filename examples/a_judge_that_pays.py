"""A judge that asks a model: it hands over jobs, and the engine caps, retries and keeps them."""

from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import BaseModel

from rubric_engine import (
    Case,
    Completion,
    Criterion,
    Grade,
    Job,
    JudgeCard,
    JudgeContext,
    Message,
    ModelConfig,
    grade,
    load_task,
    run_jobs,
)
from rubric_engine.testing import ScriptedModel


class Verdict(BaseModel):
    """What the model answers."""

    why: str
    met: bool


class ReadmeReader:
    """Shows a model the README and asks whether a criterion is met."""

    def __init__(self, card: JudgeCard, context: JudgeContext) -> None:
        self.card = context.effective(card)  # --model takes the place of the card's
        assert context.connect is not None, "this judge asks a model"
        self._model = context.connect(ModelConfig.model_validate(self.card.settings["model"]))

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Ask about each leaf; a prompt is made when its call may start."""
        readme = Message(role="user", content=case.submission.read("README.md"))

        def ask(leaf: Criterion) -> list[Message]:
            return [readme, Message(role="user", content=f"Is this met? {leaf.requirements}")]

        def read(completion: Completion) -> Grade:
            verdict = Verdict.model_validate(completion.data)
            calls = (completion.key,)  # `show LEAF --prompt` finds the call by its key
            return Grade.graded(float(verdict.met), verdict.why, calls=calls)

        jobs = [
            Job(
                key=leaf.key, prefix="readme", render=partial(ask, leaf), parse=read, schema=Verdict
            )
            for leaf in leaves
        ]
        async for key, found in run_jobs(jobs, self._model, sample=sample):
            yield key, found


if __name__ == "__main__":
    card = JudgeCard.model_validate(
        {"kind": f"{__name__}:ReadmeReader", "name": "reader", "model": {"name": "some-model"}}
    )
    with TemporaryDirectory() as folder:
        report = grade(
            load_task("heavy-ball"),
            "judgeeval/heavy-ball-full/submission",
            judge=card,
            model=ScriptedModel(),  # or a name: then the endpoint of the card is asked
            run_dir=Path(folder) / "runs" / "one",
        )
    print(f"{report.statuses['graded']} leaves graded by {card.name}")
