# variance reduction, as far as I got
# sections 4 and 6 (c = 2, 3, 4). see README for what is missing
import csv
import json
import math
import os
from statistics import NormalDist

import numpy as np

np.random.seed(12345)
os.makedirs("results", exist_ok=True)

REPS = 200
inv = np.vectorize(NormalDist().inv_cdf)


# --- integrands: f(u), and for the control variate g(u) with its mean

def f_exp(u):
    return np.exp(u)


def g_exp(u):
    return u


def g_call(u):
    # S_T, u uniform
    return 100 * np.exp(0.05 - 0.2 ** 2 / 2 + 0.2 * inv(u))


def f_call(u):
    return math.exp(-0.05) * np.maximum(g_call(u) - 100, 0)


PROBLEMS = {
    "exp": (f_exp, g_exp, 0.5),
    "call": (f_call, g_call, 100 * math.exp(0.05)),
}


# --- estimators. u has shape (reps, n): all repetitions at once, one estimate per row

def plain(problem, n):
    f, _, _ = PROBLEMS[problem]
    return f(np.random.rand(REPS, n)).mean(axis=1)


def antithetic(problem, n):
    f, _, _ = PROBLEMS[problem]
    u = np.random.rand(REPS, n // 2)
    return 0.5 * (f(u) + f(1 - u)).mean(axis=1)


def control_variate(problem, n):
    f, g, mu = PROBLEMS[problem]
    u = np.random.rand(REPS, n)
    y, x = f(u), g(u)
    ybar, xbar = y.mean(axis=1), x.mean(axis=1)
    b = ((y - ybar[:, None]) * (x - xbar[:, None])).sum(axis=1) / ((x - xbar[:, None]) ** 2).sum(axis=1)
    return ybar - b * (xbar - mu)


def importance(c, theta, n):
    z = theta + np.random.randn(REPS, n)
    return ((z > c) * np.exp(theta ** 2 / 2 - theta * z)).mean(axis=1)


# TODO stratified


def save(name, header, rows):
    with open("results/" + name, "w", newline="") as fh:
        w = csv.writer(fh)
        w.writerow(header)
        w.writerows(rows)


# --- section 4

rows, var = [], {}
for problem in PROBLEMS:
    for name, method in [("plain", plain), ("antithetic", antithetic), ("control", control_variate)]:
        for n in [256, 1024]:
            est = method(problem, n)
            rows += [[problem, name, n, r, "%.8g" % e] for r, e in enumerate(est)]
        var[problem, name] = est.var(ddof=1)  # of the last n, 1024
save("estimates.csv", ["problem", "method", "n", "rep", "estimate"], rows)

ratios = {}
for (problem, name), v in var.items():
    ratios.setdefault(problem, {})[name] = var[problem, "plain"] / v
    print("variance ratio %s %s: %.1f" % (problem, name, ratios[problem][name]))
save("ratios.csv", ["problem", "method", "ratio"],
     [[p, m, r] for p in ratios for m, r in ratios[p].items()])
with open("results/summary.json", "w") as fh:
    json.dump({"ratios": ratios}, fh, indent=1)

# --- section 6

rows = []
for c in [2, 3, 4]:
    for name, theta in [("plain", 0), ("importance", c)]:
        rows += [[c, name, r, "%.8g" % e] for r, e in enumerate(importance(c, theta, 10000))]
save("tail.csv", ["c", "method", "rep", "estimate"], rows)
