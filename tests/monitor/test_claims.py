"""Claims that nothing bears out, and their share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.monitor import MonitorReport, monitor
from rubric_engine.monitor.claims import Grounds, file_claims, number_claims
from rubric_engine.monitor.claims.tables import means
from tests.monitor.watching import MakeTree, of_rule, ran, watched

RESULT = "method,accuracy\na,0.1234\nb,0.98765\nc,1234.5\nd,45.67\n"
SCRIPT = "python main.py --rate 0.003\n"


def report(make_tree: MakeTree, readme: str) -> MonitorReport:
    files = {"reproduce.sh": SCRIPT, "README.md": readme, "main.py": "x = 1\n"}
    folder = make_tree(dict(files))
    left = make_tree({**files, "results/a.csv": RESULT}, "left")
    return monitor(watched(folder, execution=ran(left, created=("results/a.csv",))))


@pytest.mark.parametrize(
    "claim",
    [
        "12.3 %",
        "12.34%",
        "0.12",
        "0.1234",
        "98.8 %",
        "99 %",
        "0.99",
        "1,234.5",
        "1234.5 seconds",
        "| a | 0.123 |",
        "a rate of 0.003",
        "a share of 0.457",
        "0.4567",
        "0.46",
    ],
)
def test_what_a_file_bears_out(make_tree: MakeTree, claim: str) -> None:
    one = report(make_tree, f"We reach {claim}.\n")
    assert one.claims is not None
    assert (one.claims.claims, one.claims.ungrounded, one.claims.share) == (1, 0, 0.0)


@pytest.mark.parametrize(
    "claim",
    [
        "12.5 %",
        "0.13",
        "0.1235",
        "97 %",
        "1,234.7",
        "| a | 777 |",
        "88x faster",
        "42 s",
        "0.458",
        "4.57",
        "0.5",
    ],
)
def test_what_nothing_bears_out(make_tree: MakeTree, claim: str) -> None:
    one = report(make_tree, f"# Results\n\nWe reach {claim}.\n")
    [found] = of_rule(one, "claims.number")
    assert (found.place, found.severity) == ("README.md:3", "note")
    assert one.claims is not None
    assert one.claims.share == 1.0
    assert one.verdict == "clear"  # a claim alone is no deceit


@pytest.mark.parametrize(
    "text",
    [
        "In 2031 we began.",
        "Python 3.11 and numpy v1.26.4",
        "see section 4.2 and Table 3.1",
        "- 1. first\n2. second",
        "numpy>=1.24",
        "`0.777`",
        "```\n0.777\n```",
        "on 2031-01-02",
        "https://example.org/0.777",
        "## 4.2 Method",
        "5 seeds and 3 methods",
    ],
)
def test_what_is_no_claim(text: str) -> None:
    assert not list(number_claims(text + "\n"))


@pytest.mark.parametrize(
    "text",
    [
        "Accuracy = 91.23%",
        "score=0.9123",
        "p < 0.0321",
        "R\u00b2 = 0.77",
        "$R^2 = 0.77$",
        "speedup = 21.74x",
        "~0.123",
        "a gain of \u2248 0.91",
        "`acc` = 0.91",
        "**accuracy** = 0.91",
        "error rate = 0.12",
        "F_1 = 0.83",
        "precision_at_k = 0.81",
        "noise_floor = 0.11",
        "Cohen's kappa = 0.62",
        "t = 2.31",
        "| accuracy = 0.91 |",
        "accuracy >= 0.91",
        "at c = 4 and 0.25 % elsewhere",
        "\u51c6\u786e\u7387 = 91.2%",
    ],
)
def test_a_result_behind_a_sign_is_a_claim(text: str) -> None:
    assert len(list(number_claims(f"It says {text}\n"))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "lr = 0.001",
        "`lr` = 0.001",
        "learning_rate=0.001",
        "learning rate = 0.001",
        "dropout rate = 0.1",
        "\u03b2 = 0.9",
        "$\\beta_1 = 0.9, 0.99$",
        "beta = 0.5, 0.9 and 0.99",
        "Adam(lr=0.001, eps=1e-8)",
        "T = 0.7",
        "sigma = 0.001",
        "| n = 1000 |",
        "seed=1.0",
        "numpy==1.26.4",
        "numpy==0.9",
        "torch >= 2.1",
        "numpy>=1.24,<2.0",
        "--tau 0.3",
        "`--tau` 0.3",
        "--tau=0.3",
        "-p 0.5",
        "version = 1.2",
        "10^3.5",
        "p < 0.05",
        "momentum ~ 0.9",
    ],
)
def test_a_setting_behind_a_sign_is_no_claim(text: str) -> None:
    assert not list(number_claims(f"It has {text}\n"))


def test_files_that_are_named(make_tree: MakeTree) -> None:
    readme = (
        "See `results/a.csv`, `main.py` and ![plot](figures/loss.png).\n"
        "[table](./results/a.csv), `results/missing.csv`, `numpy.random`, `a.b()`.\n"
    )
    one = report(make_tree, readme)
    assert [each.line for each in of_rule(one, "claims.file")] == [1, 2]
    assert one.claims is not None
    assert (one.claims.claims, one.claims.ungrounded) == (5, 2)
    assert one.claims.share == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("See results/nothing.csv.", ["results/nothing.csv"]),
        ("`weights.npy` and out/weights.npy", ["weights.npy", "out/weights.npy"]),
        ("`fit.R` and src/fit.R", ["fit.R", "src/fit.R"]),
        ("And see figures/plot.png", ["figures/plot.png"]),
        ("(results/plot.png), out/b.json: all", ["results/plot.png", "out/b.json"]),
        ("\u7ed3\u679c\u89c1results/a.csv\u3002", ["results/a.csv"]),
        ('<img src="figures/loss.png" width="80%">', ["figures/loss.png"]),
        ("[results/a.csv](results/a.csv)", ["results/a.csv"]),  # one citation, written twice
        ("./src/run.py writes it", ["src/run.py"]),
        ("https://example.org/results/a.csv", []),
        ("[a](https://example.org/results/a.csv)", []),
        ("github.com/owner/repo/main.py, www.x.org/a.csv", []),
        ("/data/a.csv, ~/a/b.csv, ../other/a.csv, $HOME/x/a.csv, {out}/a.csv", []),
        ("path/to/a.csv, your_folder/a.csv, results/*.csv, <name>/a.csv", []),
        ("train.py/eval.py, and/or, results/a.csv.gz, user@host:a/b.csv", []),
        ("results.csv alone", []),
    ],
)
def test_which_files_a_line_names(text: str, named: list[str]) -> None:
    assert [claim.path for claim in file_claims(text + "\n")] == named


def test_a_finding_names_the_claims_of_its_line(make_tree: MakeTree) -> None:
    far = "x" * 300
    one = report(make_tree, f"We reach 0.13, 0.1234 and 97 %.\n\n{far} is 0.777 and 0.777.\n")
    first, second = of_rule(one, "claims.number")
    assert "has 0.13 or 97 %, at" in first.says
    assert "has 0.777, at" in second.says
    assert "is 0.777" in second.excerpt
    assert one.claims is not None
    assert (one.claims.claims, one.claims.ungrounded) == (5, 4)


def test_of_many_claims_of_a_line_the_first_are_named(make_tree: MakeTree) -> None:
    row = " | ".join(f"{value}.5" for value in range(200, 212))
    [found] = of_rule(report(make_tree, f"| {row} |\n"), "claims.number")
    assert "200.5, 201.5" in found.says
    assert "207.5 or 4 more, at" in found.says


def test_without_a_run_no_share_is_made_up(make_tree: MakeTree) -> None:
    one = monitor(
        watched(make_tree({"README.md": "We reach 12.5 %, see `x.csv` and `results/a.csv`.\n"}))
    )
    assert one.claims is not None
    assert one.claims.share is None
    assert one.claims.ungrounded == 1  # what a run would make is not missing yet
    assert of_rule(one, "claims.file")
    assert not of_rule(one, "claims.number")


def test_without_claims_there_is_no_share(make_tree: MakeTree) -> None:
    one = report(make_tree, "Nothing is claimed.\n")
    assert one.claims is not None
    assert (one.claims.claims, one.claims.share) == (0, None)


RUNS = "method,size,seed,error\n" + "".join(
    f"{method},{size},{seed},{error}\n"
    for method, size, seed, error in (
        ("a", 10, 0, 1.13), ("a", 10, 1, 2.35), ("a", 20, 0, 4.12), ("a", 20, 1, 8.92),
        ("b", 10, 0, 16.21), ("b", 10, 1, 32.47), ("b", 20, 0, 64.73), ("b", 20, 1, 128.55),
    )
)  # fmt: skip
TABLE_CLAIMS = [
    ("32.31", True),  # of all
    ("4.13", True),  # of a: (1.13 + 2.35 + 4.12 + 8.92) / 4
    ("13.04", True),  # of size 10
    ("1.74", False),  # of a at size 10: two columns
    ("28.18", False),  # of a less that of all
    ("7.8x", False),  # a ratio
    ("12.565", False),  # the median
    ("0.375", False),  # a share of rows
]


@pytest.mark.parametrize(("claim", "is_borne"), TABLE_CLAIMS)
def test_means_of_a_produced_table_bear_a_claim_out(
    make_tree: MakeTree, claim: str, is_borne: bool
) -> None:
    files = {"reproduce.sh": SCRIPT, "README.md": f"It is {claim}.\n", "main.py": "x = 1\n"}
    left = make_tree({**files, "results/a.csv": RUNS}, "left")
    execution = ran(left, created=("results/a.csv",))
    one = monitor(watched(make_tree(files), execution=execution))
    assert one.claims is not None
    assert (one.claims.claims, one.claims.ungrounded) == (1, 1 - is_borne)


def test_of_a_table_that_was_handed_in_no_mean_is_taken(make_tree: MakeTree) -> None:
    files = {"reproduce.sh": SCRIPT, "README.md": "It is 32.31.\n", "data/a.csv": RUNS}
    one = monitor(watched(make_tree(files), execution=ran(make_tree(files, "left"))))
    assert one.claims is not None
    assert one.claims.ungrounded == 1


@pytest.mark.parametrize(
    "text", ["", "a,b\n", "a,b\n1\n", "1,2,3", "a\nx\ny\n", 'a,b\n"1,2\n', "a\n1e308\n1e308\n"]
)
def test_what_is_no_table_has_no_means(text: str) -> None:
    assert [*means(text)] == []


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.floats(-1e6, 1e6)), min_size=2, max_size=30))
def test_a_mean_lies_within_its_column(rows: list[tuple[str, float]]) -> None:
    table = "group,value\n" + "".join(f"{group},{value!r}\n" for group, value in rows)
    values = [value for _, value in rows]
    slack = 1e-9 * max(map(abs, values))
    assert all(min(values) - slack <= mean <= max(values) + slack for mean in means(table))


VALUES = st.floats(1e-3, 1e6)


@given(VALUES, st.integers(0, 6), st.booleans())
def test_whatever_is_rounded_right_is_borne_out(value: float, places: int, percent: bool) -> None:
    shown = f"{100 * value:.{places}f} %" if percent else f"{value:.{max(places, 1)}f}"
    grounds = Grounds.of([f"a,{value!r}\n"], [])
    assert all(grounds.bears(claim) for claim in number_claims(f"is {shown} here"))


@given(st.lists(VALUES, max_size=20), VALUES)
def test_more_files_bear_out_no_less(values: list[float], value: float) -> None:
    few = Grounds.of([f"{value!r}"], [])
    many = Grounds.of([f"{value!r}", *map(repr, values)], [])
    claims = list(number_claims(f"is {value:.2f} and {value + 1:.3f} here"))
    assert all(many.bears(claim) for claim in claims if few.bears(claim))
