"""What made the difference between two runs?"""

from rubric_engine import grade, load_submission, load_task
from rubric_engine.comparing import compare, said_of_test

task, submission = load_task("heavy-ball"), load_submission("judgeeval/heavy-ball-full/submission")
first = grade(task, submission, judge="random")
second = grade(task, submission, judge="all-met")

found = compare(first, second)
print(f"{found.gap.value:+.1f} points. {said_of_test(found)}")
for row in found.kinds:
    print(f"{row.kind}: {row.leaves} leaves, {row.points:+.1f} points")
