"""
Heavy ball vs gradient descent on diagonal quadratics, kappa = 10, 100, 1000.
Writes results/*.csv
"""
import csv
import json

import numpy as np

from optim import gradient_descent, heavy_ball

D = 100
SEEDS = [0, 1, 2]
KAPPAS = [10, 100, 1000]

# ---------------------------------------------------------------- problem


def problem(kappa, seed):
    lam = np.logspace(0, -np.log10(kappa), D)  # 1 ... 1/kappa
    np.random.seed(seed)
    xstar = np.random.randn(D)
    return lam, xstar


# ------------------------------------------------------------- parameters


def params(method, kappa):
    if method == "gd":
        return 2 / (1 + 1 / kappa), 0.0
    s = np.sqrt(kappa)
    return 4 / (1 + 1 / s) ** 2, ((s - 1) / (s + 1)) ** 2


def save(name, header, rows):
    with open("results/" + name, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(header)
        w.writerows(rows)
    print("saved", name, len(rows), "rows")


# ------------------------------------------------------------ experiment 1

step_rows, trace_rows = [], []
mean = {"gd": {}, "hb": {}}
for method in ["gd", "hb"]:
    for kappa in KAPPAS:
        alpha, beta = params(method, kappa)
        counts = []
        for seed in SEEDS:
            lam, xstar = problem(kappa, seed)
            grad = lambda x: lam * (x - xstar)
            if method == "gd":
                errs = gradient_descent(grad, xstar, alpha)
            else:
                errs = heavy_ball(grad, xstar, alpha, beta)
            counts.append(len(errs) - 1)
            step_rows.append([method, "diagonal", kappa, seed, counts[-1]])
            if seed == 0:
                for k, e in enumerate(errs):
                    trace_rows.append([method, "diagonal", kappa, seed, k, e])
        mean[method]["kappa_%d" % kappa] = float(np.mean(counts))

save("steps.csv", ["method", "basis", "kappa", "seed", "steps"], step_rows)
save("traces.csv", ["method", "basis", "kappa", "seed", "step", "error"], trace_rows)

speedup = {k: mean["gd"][k] / mean["hb"][k] for k in mean["gd"]}
with open("results/summary.json", "w") as f:
    json.dump({"mean_steps": mean, "speedup": speedup}, f, indent=1)
for kappa in KAPPAS:
    print("speedup kappa=%d: %.2f" % (kappa, speedup["kappa_%d" % kappa]))

# ------------------------------------- experiment 2: vary beta, kappa = 100

sweep_rows = []
for beta in [0, 0.5, 0.6694, 0.8, 0.9]:
    for seed in SEEDS:
        lam, xstar = problem(100, seed)
        alpha = (1 + np.sqrt(beta)) ** 2
        errs = heavy_ball(lambda x: lam * (x - xstar), xstar, alpha, beta)
        sweep_rows.append([beta, seed, len(errs) - 1])
save("sensitivity.csv", ["beta", "seed", "steps"], sweep_rows)
