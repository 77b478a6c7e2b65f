"""A view is a rubric: the same grades score the whole tree and its code leaves alone."""

from rubric_engine import grade, load_submission, load_task, propagate

task = load_task("heavy-ball")
report = grade(task, load_submission("judgeeval/heavy-ball-partial/submission"))

code = task.rubric.subset(category="Code Development")
score = propagate(code, report.grades)[code.root]
print(f"code leaves: {len(code.leaves())} of {len(task.rubric.leaves())}")
print(f"code alone: between {score.low:.1%} and {score.high:.1%}")
