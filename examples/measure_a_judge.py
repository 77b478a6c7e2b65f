"""How far can a judge be trusted? Leaves without a grade count as wrong."""

from rubric_engine.judgeeval import agreement, baselines, estimates, evaluate, load_cases

# As it stands, leaves that need a run stay open: sandbox="local" or "docker" runs the submissions.
evaluation = evaluate("rules", load_cases("judgeeval"), runs=None)
pairs = evaluation.pairs

found = agreement(pairs, roots=evaluation.roots)
cover = found.pooled.coverage
print(f"{cover.graded} of {cover.labelled} labelled leaves graded")
print(f"macro F1 {found.pooled.headline.f1:.3f}, without the others {found.pooled.graded.f1:.3f}")
for name, row in baselines(pairs).items():
    print(f"{name}: macro F1 {row.pooled.f1:.3f}")

for interval in (estimates(pairs)["f1"].mean.here, estimates(pairs)["f1"].mean.anew):
    print(f"{interval.about}: {interval.low:.2f} to {interval.high:.2f} ({interval.method})")
