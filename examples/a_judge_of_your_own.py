"""A judge is a card and one method that yields a grade for every leaf it is asked about."""

from collections.abc import AsyncIterator, Sequence

from rubric_engine import Case, Criterion, Grade, JudgeCard, grade, load_submission, load_task


class ReadmeJudge:
    """Says "met" where the README shares a long word with the requirement."""

    card = JudgeCard(kind="my_package:ReadmeJudge", name="readme")

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Yield a grade for every leaf."""
        readme = set(case.submission.read("README.md").lower().split())
        for leaf in leaves:
            shared = readme & {w for w in leaf.requirements.lower().split() if len(w) > 6}
            yield leaf.key, Grade.graded(float(bool(shared)), f"shared words: {sorted(shared)}")


report = grade(
    load_task("heavy-ball"),
    load_submission("judgeeval/heavy-ball-full/submission"),
    judge=ReadmeJudge(),
)
print(f"{report.statuses['graded']} leaves graded by {ReadmeJudge.card.name}")
