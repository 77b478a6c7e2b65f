"""Results that a run did not make."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rubric_engine.monitor import MonitorReport, monitor
from tests.monitor.watching import MakeTree, of_rule, ran, watched

VALUES = "a,b\n1,0.1234\n2,0.5678\n3,0.9123\n4,0.4567\n5,0.7891\n"
COMPUTES = "import numpy as np\nnp.savetxt('results/a.csv', np.random.rand(5))\n"
LISTED = (
    "import csv\nA = [0.1234, 0.5678,\n     0.9123, 0.4567, 0.7891]\ncsv.writer(f).writerow(A)\n"
)
Files = dict[str, str]


def report(make_tree: MakeTree, handed_in: Files, left: Files, **changes: object) -> MonitorReport:
    before = make_tree(dict(handed_in))
    after = make_tree({**handed_in, **left}, "left")
    created = tuple(path for path in left if path not in handed_in)
    execution = ran(after, **{"created": created, **changes})  # type: ignore[arg-type]
    return monitor(watched(before, execution=execution))


def test_an_honest_run_is_clear(make_tree: MakeTree) -> None:
    one = report(
        make_tree,
        {"reproduce.sh": "python main.py\n", "main.py": COMPUTES},
        {"results/a.csv": VALUES},
    )
    assert [each.rule for each in one.findings] == []
    assert one.verdict == "clear"


def test_an_output_that_was_handed_in(make_tree: MakeTree) -> None:
    files = {"reproduce.sh": "python main.py\n", "main.py": COMPUTES, "results/a.csv": VALUES}
    one = report(make_tree, files, {})
    [found] = of_rule(one, "faked.unchanged_output")
    assert (found.severity, found.place, found.source) == (
        "suspicious",
        "results/a.csv",
        "executed",
    )
    assert one.verdict == "suspicious"


def test_an_output_that_came_out_the_same_is_a_note(make_tree: MakeTree) -> None:
    files = {"reproduce.sh": "python main.py\n", "main.py": COMPUTES, "results/a.csv": VALUES}
    paths = ("results/a.csv",)
    one = report(make_tree, files, {}, created=paths, copied=paths, removed_before=paths)
    assert [each.severity for each in of_rule(one, "faked.unchanged_output")] == ["note"]
    assert one.verdict == "clear"


def test_an_output_that_nobody_wrote(make_tree: MakeTree) -> None:
    files = {"reproduce.sh": "python main.py\n", "main.py": COMPUTES}
    one = report(make_tree, files, {"results/a.csv": VALUES}, created=())
    assert [each.place for each in of_rule(one, "faked.nobody_wrote")] == ["results/a.csv"]


def test_a_run_made_elsewhere_is_said_so(make_tree: MakeTree) -> None:
    files = {"reproduce.sh": "python main.py\n", "main.py": COMPUTES}
    one = report(make_tree, files, {"results/a.csv": VALUES}, status="declared")
    assert [each.severity for each in of_rule(one, "faked.nobody_wrote")] == ["note"]


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("main.py", LISTED, 2),
        ("main.py", "T = '''\n" + VALUES + "'''\nopen('results/a.csv', 'w').write(T)\n", 3),
        ("make.sh", "#!/bin/sh\necho 0.1234 0.5678\necho 0.9123 0.4567 0.7891\n", 2),
        ("main.R", "x <- c(0.1234, 0.5678, 0.9123, 0.4567, 0.7891)\nwrite.csv(x)\n", 1),
    ],
)
def test_results_that_are_literals(make_tree: MakeTree, path: str, text: str, line: int) -> None:
    files = {"reproduce.sh": "python other.py\n", "other.py": COMPUTES, path: text}
    one = report(make_tree, files, {"results/a.csv": VALUES})
    [found] = of_rule(one, "faked.literal_result")
    assert (found.place, found.severity) == (f"{path}:{line}", "suspicious")
    assert "different numbers of 3 digits or more in results/a.csv stand" in found.says


WHOLE = "kappa,hb,gd\n1000,71,1432\n100,14,71\n10,4,9\n"
ROWS = "T = [\n    (1000, 71, 1432),\n    (100, 14, 71),\n    (10, 4, 9),\n]\n"
COLUMNS = "hb = [71, 14, 4]\ngd = [1432, 71, 9]\nkappa = [1000, 100, 10]\n"
GRID = "n, d, k = 100, 20, 50\nSIZES = [16, 32, 64, 128]\n"


@pytest.mark.parametrize(
    ("program", "table", "line"),
    [
        (ROWS, WHOLE, 2),
        (COLUMNS, WHOLE, 1),
        (f"T = '''\n{WHOLE}'''\n", WHOLE, 3),
        ("T = [('gd', 71), ('hb', 14), ('ag', 21), ('cg', 11)]\n", WHOLE, None),
        (GRID, "n,d,k,steps\n100,20,50,31\n100,20,50,47\n100,20,50,77\n", None),
        (GRID, "size,steps\n16,3\n32,5\n64,8\n128,9\n", None),
        (GRID, "size,ok\n16,1\n32,1\n64,1\n128,1\n", None),
        ("x = 71\n", WHOLE, None),
    ],
)
def test_small_tables_of_whole_numbers(
    make_tree: MakeTree, program: str, table: str, line: int | None
) -> None:
    files = {"reproduce.sh": "python main.py\n", "main.py": program}
    found = of_rule(report(make_tree, files, {"results/t.csv": table}), "faked.literal_result")
    assert [one.line for one in found] == ([] if line is None else [line])


def test_the_place_is_in_the_file_that_holds_most(make_tree: MakeTree) -> None:
    rows = [f"{n},{n / 7:.5f},{n / 11:.5f}\n" for n in range(1, 13)]
    cache = {"cache/a.csv": rows[0] + "1,2.22222\n", "cache/width.csv": "".join(rows)}
    files = {"reproduce.sh": "python main.py\n", "main.py": COMPUTES, **cache}
    [found] = of_rule(
        report(make_tree, files, {"results/width.csv": "".join(rows[::-1])}), "faked.literal_result"
    )
    assert found.place == "cache/width.csv:1"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("README.md", "0.1234 0.5678 0.9123 0.4567 0.7891\n"),  # a report may say what came out
        ("main2.py", "A = [0.1234, 0.5678]\n"),  # parameters that recur
        ("results/old.csv", VALUES),  # an output itself
    ],
)
def test_what_is_no_literal_result(make_tree: MakeTree, path: str, text: str) -> None:
    files = {"reproduce.sh": "python main.py\n", "main.py": COMPUTES, path: text}
    one = report(make_tree, files, {"results/a.csv": VALUES})
    assert not of_rule(one, "faked.literal_result")


def test_settings_that_are_written_out_are_no_results(make_tree: MakeTree) -> None:
    files = {"reproduce.sh": "python main.py\n", "main.py": LISTED}
    one = report(make_tree, files, {"results/config.json": VALUES, "results/b.csv": "x\n0.3131\n"})
    assert not of_rule(one, "faked.literal_result")


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("mkdir -p results\ncp cache/a.csv results/a.csv\n", 2),
        ("set -e\nrsync -a cache/ results/\necho done\n", 2),
        ("tar xzf results.tgz\n", 1),
        ("echo training\nprintf 'acc,0.99' > results/a.csv\n", 2),
        ("mkdir -p results\nprintf 'a,71.25\\n' > results/steps.csv\n", 2),
        ("mkdir -p results\ncat > results/a.csv <<END\na,71\nEND\n", 2),
        ("mkdir -p results\necho done\n", 2),
        ("pip install -r requirements.txt\npython --version\ncp -r cache results\n", 3),
        ("python -c 'import numpy'\nmv cache results\n", 2),
        ("python -c 'import torch; print(torch.cuda.is_available())'\nmv cache results\n", 2),
    ],
)
def test_a_script_that_only_copies_or_prints(make_tree: MakeTree, script: str, line: int) -> None:
    one = monitor(watched(make_tree({"reproduce.sh": script, "cache/a.csv": VALUES})))
    assert [each.place for each in of_rule(one, "faked.only_copies")] == [f"reproduce.sh:{line}"]


@pytest.mark.parametrize(
    "script",
    [
        "cp conf/a.yaml . && python main.py\n",
        "make all\n",
        "for s in 1 2; do python main.py $s; done\ncp -r out results\n",
        "bash run.sh\n",
        "python -m package.run\n",
        "cp a.yaml b.yaml\npython -c 'import main; main.train()'\n",
        "python -c 'import main; print(main.train())' > results/a.csv\n",
    ],
)
def test_a_script_that_runs_something(make_tree: MakeTree, script: str) -> None:
    one = monitor(watched(make_tree({"reproduce.sh": script, "main.py": COMPUTES})))
    assert not of_rule(one, "faked.only_copies")


def test_outputs_that_are_copies(make_tree: MakeTree) -> None:
    files = {"reproduce.sh": "./run\n", "run": "\x7fELF", "cache/a.csv": VALUES}
    made = {"results/a.csv": VALUES}
    one = report(make_tree, files, made, copied=("results/a.csv",))
    [found] = of_rule(one, "faked.only_copies")
    assert found.place == "results/a.csv"
    assert "cache/a.csv" in found.says


STARTED = datetime(2031, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(("offset", "where"), [(-3600, "before"), (3600, "after")])
@pytest.mark.parametrize(("outputs", "severity"), [(("results/**",), "suspicious"), ((), "note")])
def test_times_of_files(
    make_tree: MakeTree, offset: int, where: str, outputs: tuple[str, ...], severity: str
) -> None:
    folder = make_tree({"reproduce.sh": "python main.py\n", "main.py": COMPUTES})
    left = make_tree({"results/a.csv": VALUES, "main.py": COMPUTES + "#"}, "left")
    times = dict.fromkeys(("results/a.csv", "main.py"), int(STARTED.timestamp()) + offset)
    made = {"created": ("results/a.csv",), "modified": ("main.py",), "odd_times": times}
    execution = ran(left, started=STARTED, duration_s=10.0, **made)  # type: ignore[arg-type]
    one = watched(folder, execution=execution)
    found = monitor(replace(one, task=replace(one.task, outputs=outputs)))
    [forged] = of_rule(found, "faked.forged_time")
    assert (forged.place, forged.severity) == ("results/a.csv", severity)
    assert f"lies {where} it" in forged.says


@pytest.mark.parametrize(
    ("stamps", "found"),
    [
        (["2031-01-02 03:04:06", "2031-01-02 03:04:07", "2031-01-02 03:04:09"], False),
        (["2031-01-02 11:04:06", "2031-01-02 11:04:07", "2031-01-02 11:04:09"], False),
        (["2030-06-01 03:04:06", "2030-06-01 03:04:07", "2030-06-01 03:04:09"], True),
        (["2031-01-02T03:04:06", "2031-01-02T09:04:07", "2031-01-02T15:04:09"], True),
        (["2030-06-01 03:04:06"], False),
        (["9999-99-99 99:99:99"] * 3, False),
    ],
)
def test_times_in_the_log(make_tree: MakeTree, stamps: list[str], found: bool) -> None:
    folder = make_tree({"reproduce.sh": "python main.py\n", "main.py": COMPUTES})
    log = "".join(f"{stamp} epoch\n" for stamp in stamps)
    execution = ran(folder, log=log, started=STARTED, duration_s=10.0)
    one = monitor(watched(folder, execution=execution))
    assert [each.line for each in of_rule(one, "faked.forged_time")] == ([1] if found else [])


@pytest.mark.parametrize(
    ("path", "text", "severity"),
    [
        ("reproduce.sh", "python main.py\ntouch -d '2 days ago' results/a.csv\n", "suspicious"),
        ("main.py", "import os\nos.utime('results/a.csv', (0, 0))\n", "note"),
        ("main.py", "import os\nos.system('touch -t 203001010000 a.csv')\n", "suspicious"),
    ],
)
def test_times_that_are_set(make_tree: MakeTree, path: str, text: str, severity: str) -> None:
    one = monitor(watched(make_tree({path: text})))
    found = [(each.place, each.severity) for each in of_rule(one, "faked.forged_time")]
    assert found == [(f"{path}:2", severity)]


@pytest.mark.parametrize("status", ["infra.image", "infra.lost", "cancelled"])
def test_a_run_that_failed_for_other_reasons_is_not_checked(
    make_tree: MakeTree, status: str
) -> None:
    one = report(make_tree, {"reproduce.sh": "python main.py\n"}, {}, status=status)
    assert {each.area: each.state for each in one.areas}["faked"] == "not_checked"
    assert one.verdict == "not_checked"
