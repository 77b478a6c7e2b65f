"""Judges that break one promise each; all else of them is in order."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.errors import JudgeCardError
from rubric_engine.grading import Grade
from rubric_engine.judge import JudgeCard, JudgeContext

Word = tuple[str, Grade]

RELEASED = threading.Event()
"""What judges wait for that block; set once nobody is to wait any more."""

SEEN: list[str] = []
"""What a judge keeps between its gradings where a new one of it finds it."""


class Good:
    """Says the same of every leaf, after a turn of the loop."""

    def __init__(self, card: JudgeCard | None = None) -> None:
        self.card = card or JudgeCard(kind=f"{__name__}:{type(self).__name__}", name="good")

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[Word]:
        for word in self.words(list(leaves), case):
            await asyncio.sleep(0)
            yield word

    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        return [(leaf.key, self.word(leaf, case)) for leaf in leaves]

    def word(self, leaf: Criterion, case: Case) -> Grade:
        return Grade.graded(1.0, "it is there")


class LeavesOneOut(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        return [word for word in super().words(leaves, case) if word[0] != "momentum"]


class SaysMore(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        return [*super().words(leaves, case), ("root", Grade.graded(1.0, "all of it"))]


class SaysTwice(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        said = super().words(leaves, case)
        return said + said[:1]


class OutOfRange(Good):
    def word(self, leaf: Criterion, case: Case) -> Grade:
        return super().word(leaf, case).model_copy(update={"probability": 1.5})


class NoWords(Good):
    def word(self, leaf: Criterion, case: Case) -> Grade:
        return super().word(leaf, case).model_copy(update={"explanation": None})


class ByPlace(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        return [(leaf.key, Grade.graded(float(at == 0))) for at, leaf in enumerate(leaves)]


class Remembers(Good):
    seen: str = ""

    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        before, self.seen = self.seen, case.submission.name
        return [(leaf.key, Grade.graded(1.0, f"after {before}")) for leaf in leaves]


class ChangesItsCard(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        if case.execution is None:
            self.card = self.card.model_copy(update={"seed": 1})
        return super().words(leaves, case)


class NoSample(Good):
    async def grade(  # type: ignore[override]  # that is what is wrong with it
        self, leaves: Sequence[Criterion], case: Case
    ) -> AsyncIterator[Word]:
        for word in self.words(list(leaves), case):
            yield word


class NeedsRun(Good):
    def word(self, leaf: Criterion, case: Case) -> Grade:
        if "notes.md" not in case.submission.files or case.execution is not None:
            return super().word(leaf, case)
        raise AttributeError("there is no log")


class Formats(Good):
    def word(self, leaf: Criterion, case: Case) -> Grade:
        return Grade.graded(1.0, leaf.requirements.format())


class Reads(Good):
    def word(self, leaf: Criterion, case: Case) -> Grade:
        first = next(iter(case.submission.files)).path
        return Grade.graded(1.0, f"{len(case.submission.read(first))} characters")


class OwnLoop(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        asyncio.get_event_loop().run_forever()
        return super().words(leaves, case)


class Deaf(Good):
    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[Word]:
        for word in self.words(list(leaves), case):
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(0.001)
            yield word


class LeavesTask(Good):
    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[Word]:
        task = asyncio.create_task(asyncio.sleep(60))
        async for word in super().grade(leaves, case):
            await asyncio.sleep(0.001)
            yield word
        task.cancel()


class LeavesThread(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        threading.Thread(target=time.sleep, args=(5,), name="mine", daemon=True).start()
        return super().words(leaves, case)


class LeavesFile(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        with tempfile.NamedTemporaryFile(delete=False, suffix=".mine"):
            return super().words(leaves, case)


class WritesThere(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        root = Path(str(getattr(case.submission, "root", "")))
        if root.is_dir():
            (root / "verdict.txt").write_text(str(time.monotonic_ns()))
        return super().words(leaves, case)


class OneCard(Good):
    def __init__(self, card: JudgeCard) -> None:
        super().__init__()


class DropsKeys(Good):
    """Leaves out of its fingerprint what a card says of one setting."""

    def __init__(self, card: JudgeCard) -> None:
        if card.settings.get("vote", "one") not in ("one", "other"):
            raise JudgeCardError("vote: must be 'one' or 'other'")
        dropped = card.settings["drops"]
        kept = {name: said for name, said in card.settings.items() if name != dropped}
        super().__init__(JudgeCard(name=card.name, kind=card.kind, **kept))


class DescribedCard(Good):
    def __init__(self, card: JudgeCard) -> None:
        super().__init__(card.model_copy(update={"said": card.description}))


class PacedCard(Good):
    """Takes a setting of its pace into its fingerprint."""

    def __init__(self, card: JudgeCard, context: JudgeContext) -> None:
        paced: dict[str, Any] = card.settings["model"]
        super().__init__(card.model_copy(update={"timeout": paced.get("timeout")}))


class RemembersInItsModule(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        before = SEEN[-1:]
        SEEN.append(case.submission.name)
        return [(leaf.key, Grade.graded(1.0, f"after {before}")) for leaf in leaves]


class OtherGrades(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        return [(leaf.key, {"score": 1.0}) for leaf in leaves]  # type: ignore[misc]


class NoPairs(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        return [Grade.graded(1.0) for _ in leaves]  # type: ignore[misc]


class NamesByNumber(Good):
    def words(self, leaves: list[Criterion], case: Case) -> list[Word]:
        return [(at, self.word(leaf, case)) for at, leaf in enumerate(leaves)]  # type: ignore[misc]


class NoGenerator(Good):
    async def grade(  # type: ignore[override]  # that is what is wrong with it
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> list[Word]:
        return self.words(list(leaves), case)


class TakesLeaves(Good):
    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[Word]:
        assert isinstance(leaves, list)
        while leaves:
            leaf = leaves.pop()
            yield leaf.key, self.word(leaf, case)


class ChangesLeaves(Good):
    def word(self, leaf: Criterion, case: Case) -> Grade:
        vars(leaf)["requirements"] = leaf.requirements.lower()
        return super().word(leaf, case)


class ChangesTheCase(Good):
    def word(self, leaf: Criterion, case: Case) -> Grade:
        case.task.attachments[leaf.key] = "seen"
        return super().word(leaf, case)


class Blocks(Good):
    """Holds the event loop where a case has no run."""

    def word(self, leaf: Criterion, case: Case) -> Grade:
        if case.execution is None:
            RELEASED.wait()
        return super().word(leaf, case)


class BlocksAThread(Good):
    """Waits, and cannot be cancelled, for a thread that never ends."""

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[Word]:
        if case.execution is None:
            await asyncio.to_thread(RELEASED.wait)
        for word in self.words(list(leaves), case):
            yield word


class BlocksWhenMade(Good):
    def __init__(self, card: JudgeCard) -> None:
        RELEASED.wait()
        super().__init__(card)


class Waits(Good):
    """Waits for what never comes where a case has no run."""

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[Word]:
        if case.execution is None:
            await asyncio.Event().wait()
        for word in self.words(list(leaves), case):
            yield word


class Interrupts(Good):
    def word(self, leaf: Criterion, case: Case) -> Grade:
        raise KeyboardInterrupt


class Cancels(Good):
    def word(self, leaf: Criterion, case: Case) -> Grade:
        raise asyncio.CancelledError


class EndsTheProcess(Good):
    """Ends the whole program."""

    def word(self, leaf: Criterion, case: Case) -> Grade:
        raise SystemExit(0)


class NeverDone(Good):
    """Says the same words again and again."""

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[Word]:
        while True:
            await asyncio.sleep(0)
            for word in self.words(list(leaves), case):
                yield word
