"""Grade a submission with the rules judge and read the score."""

from rubric_engine import grade, load_submission, load_task

report = grade(
    load_task("heavy-ball"),
    load_submission("judgeeval/heavy-ball-full/submission"),
    judge="rules",
)

score = report.score
print(f"between {score.low:.1%} and {score.high:.1%}, {score.coverage:.0%} of the weight graded")
for reason, count in report.reasons.items():
    print(f"{count} leaves without a grade: {reason}")
