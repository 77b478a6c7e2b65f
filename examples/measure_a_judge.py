"""How far does a judge agree with human labels? Leaves without a grade count as wrong."""

from pathlib import Path

from rubric_engine import grade, load_labels, load_submission, load_task
from rubric_engine.judgeeval import Pairs, agreement, baselines, estimates, pair_up

task = load_task("heavy-ball")
rows = []
for case in sorted(Path("judgeeval").glob("heavy-ball-*")):
    labels = load_labels(case / "labels.yaml", task.rubric).grades()
    grades = grade(task, load_submission(case / "submission"), judge="rules").grades
    rows += pair_up(task.rubric, labels, grades, submission=case.name)

pairs = Pairs.of(rows)
found = agreement(pairs).pooled
print(f"{found.coverage.graded} of {found.coverage.labelled} labelled leaves graded")
print(f"macro F1 {found.headline.f1:.3f}, without the others {found.graded.f1:.3f}")
for name, row in baselines(pairs).items():
    print(f"{name}: macro F1 {row.pooled.f1:.3f}")

for interval in (estimates(pairs)["f1"].mean.here, estimates(pairs)["f1"].mean.anew):
    print(f"{interval.about}: {interval.low:.2f} to {interval.high:.2f} ({interval.method})")
