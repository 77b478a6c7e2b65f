"""Grades are dictionaries, so comparing two judges is dictionary work."""

from rubric_engine import grade, load_labels, load_submission, load_task

task = load_task("heavy-ball")
submission = load_submission("judgeeval/heavy-ball-wrong/submission")

rules = grade(task, submission, judge="rules").grades
human = load_labels("judgeeval/heavy-ball-wrong/labels.yaml").grades()

both = [key for key in rules if rules[key].score is not None and human[key].score is not None]
differ = [key for key in both if rules[key].score != human[key].score]
print(f"{len(both)} leaves graded by both, {len(differ)} differently: {differ}")
