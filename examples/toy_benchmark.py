"""A benchmark of its own: a table of tasks, a rubric with metrics, and a judge of its own."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rubric_engine import Case, Criterion, Grade, JudgeCard, Report, Rubric, grade, metric_means

TASKS = {  # question; right answer and a word of a right method; what somebody handed in
    "mean": ("What is the mean of 2, 4 and 9?", ("5", "sum"), ("5", "The sum by their number")),
    "median": ("What is the median of 2, 4 and 9?", ("4", "sort"), ("4", "It looked right")),
    "mode": ("What is the mode of 1, 2 and 2?", ("2", "count"), ("two", "Count each of them")),
}
PARTS = {"Answer": "answer.txt", "Method": "method.txt"}
METRICS = {"A": "Answer", "M": "Method", "All": "A and M", "lucky": "A and not M"}


def rubric_of(name: str) -> Rubric:
    """The rubric of a task: a leaf for the answer, and one for the method."""
    question, wanted, _ = TASKS[name]
    root = Criterion(key=name, id=name, requirements=question)
    leaves = [
        Criterion(key=file, id=file, requirements=says, task_category=part)
        for (part, file), says in zip(PARTS.items(), wanted, strict=True)
    ]
    pairs = [(None, root), *((name, leaf) for leaf in leaves)]
    return Rubric.build(pairs, title=question, metrics=METRICS)


class ExactJudge:
    """Compares numbers, and looks for words; an answer that is no number it cannot read."""

    card = JudgeCard(kind="toy_benchmark:ExactJudge", name="exact")

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Yield a grade for every leaf."""
        for leaf in leaves:
            said = case.submission.read(leaf.key).strip()
            if leaf.task_category == "Answer" and not said.isdecimal():
                yield leaf.key, Grade.ungradeable("unparseable", f"{said!r} is no number")
            else:
                yield leaf.key, Grade.graded(float(leaf.requirements in said.lower().split()))


def graded(name: str) -> Report:
    """Grade what was handed in for a task."""
    *_, said = TASKS[name]
    with TemporaryDirectory() as folder:
        for file, text in zip(PARTS.values(), said, strict=True):
            Path(folder, file).write_text(text)
        return grade(rubric_of(name), folder, judge=ExactJudge())


reports = {name: graded(name) for name in TASKS}
for name, report in reports.items():
    print(name, {metric: found.value for metric, found in report.metrics.items()})
for metric, mean in metric_means(report.metrics for report in reports.values()).items():
    print(f"{metric}: {mean.true} of {mean.defined} tasks, {mean.undefined} undefined")
