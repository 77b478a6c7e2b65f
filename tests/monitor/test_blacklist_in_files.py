"""The blacklist in a submission's own files, and in what its run printed."""

from __future__ import annotations

import base64
import json

import pytest

from rubric_engine.monitor import monitor
from rubric_engine.monitor.blacklist import parse_blacklist, python_uses
from tests.monitor.watching import LISTED, MakeTree, call, of_rule, on_blacklist, ran, watched

REFERENCES = parse_blacklist([LISTED])
CELL = {"cell_type": "code", "source": ["import os\n", f"!git clone {LISTED}\n"], "outputs": []}

USES = [
    ("reproduce.sh", f"set -e\ngit clone {LISTED}\n", 2),
    ("reproduce.sh", f"set -e\n\nREPO={LISTED}\npip install \\\n  git+$REPO\n", 4),
    ("scripts/get.sh", f"curl -L {LISTED}/archive/main.zip -o x.zip\n", 1),
    ("requirements.txt", f"numpy\nfre @ git+{LISTED}@v1\n", 2),
    ("requirements-dev.txt", f"-e git+ssh://git@github.com/owner/fre.git#egg=fre\n", 1),  # noqa: F541
    ("pyproject.toml", f'[project]\ndependencies = [\n  "fre @ git+{LISTED}",\n]\n', 3),
    ("setup.cfg", f"[options]\ninstall_requires =\n  fre @ git+{LISTED}\n", 3),
    (".gitmodules", f'[submodule "fre"]\n  path = fre\n  url = {LISTED}.git\n', 3),
    ("package.json", '{\n "dependencies": {\n  "fre": "github:owner/fre"\n }\n}\n', 3),
    ("environment.yml", f"dependencies:\n- pip:\n  - git+{LISTED}\n", 3),
    ("Dockerfile", f"FROM python\nRUN pip install x && \\\n    git clone {LISTED}\n", 3),
    ("Makefile", f"all:\n\t@git clone {LISTED}\n", 2),
    ("main.py", f'import requests\nU = "{LISTED}"\nrequests.get(U + "/raw/main/a.py")\n', 3),
    ("main.py", f'import subprocess\nsubprocess.run(["git", "clone", "{LISTED}"])\n', 2),
    ("main.py", 'import os\nfor r in ["a/b", "owner/fre"]:\n'
     '    os.system("git clone https://github.com/" + r)\n', 3),
    ("main.py", 'import torch\ntorch.hub.load("owner/fre", "m")\n', 2),
    ("main.py", 'import os\nimport requests\n'
     'requests.get("/".join(["https://github.com", "owner", "fre"]))\n', 3),
    ("run.R", f'x <- 1\ndownload.file("{LISTED}/x.csv", "x.csv")\n', 2),
    ("get.js", 'fetch("https://raw.githubusercontent.com/" + "owner/" + "fre/main/a")\n', 1),
    ("a.ipynb", json.dumps({"cells": [CELL]}, indent=1), 7),
]  # fmt: skip

NOTES = [
    ("README.md", f"We did not look at {LISTED}.\n"),
    ("README.md", f"```\ngit clone {LISTED}\n```\n"),
    ("main.py", f"# as in {LISTED}\nx = 1\n"),
    ("main.py", f'"""As in {LISTED}."""\nimport requests\nrequests.get("https://x.org")\n'),
    ("main.py", f'print("{LISTED}")\n'),
    ("reproduce.sh", f"# not {LISTED}\npython main.py\n"),
    ("reproduce.sh", f"echo 'without {LISTED}'\n"),
    ("requirements.txt", f"# git+{LISTED}\nnumpy\n"),
    ("pyproject.toml", f'[project.urls]\nHomepage = "{LISTED}"\n'),
    ("data.json", f'{{"seen": "{LISTED}"}}\n'),
    ("refs.bib", f"@misc{{fre, url = {{{LISTED}}}}}\n"),
    ("mine.R", f"# see {LISTED}\nx <- 1\n"),
]

BASE64 = base64.b64encode(LISTED.encode()).decode()
HIDDEN = [
    f'os.system("git clone " + "{LISTED[::-1]}"[::-1])',
    f'u = "".join(reversed("{LISTED[::-1]}"))\nos.system(f"git clone {{u}}")',
    f'requests.get(base64.b64decode("{BASE64}").decode())',
    f'os.system(base64.b64decode(b"{base64.b64encode(b"git clone " + LISTED.encode()).decode()}"))',
    f'requests.get(bytes.fromhex("{LISTED.encode().hex()}").decode())',
    'requests.get(codecs.decode("uggcf://tvguho.pbz/bjare/ser", "rot13"))',
    'p = ["https://github.com", "owner", "fre"]\nrequests.get("/".join(p))',
    f'requests.get("".join(map(chr, {list(LISTED.encode())})))',
    f'requests.get("".join(chr(c) for c in {list(LISTED.encode())}))',
    f"requests.get(bytes({list(LISTED.encode())}).decode())",
    'u = "https://github.com/"\nu += "owner/"\nu += "fre"\nrequests.get(u)',
    'requests.get("https://github.com/ownXr/frX".replace("X", "e"))',
    'o, n = "owner", "fre"\nrequests.get(f"https://github.com/{o}/{n}")',
    f'from urllib.request import urlretrieve as take\ntake("{LISTED}")',
    f'take = requests.get\ntake("{LISTED}")',
    f'getattr(requests, "get")("{LISTED}")',
    f'subprocess.run("git clone {LISTED}".split())',
    f'subprocess.run(["git", "clone"] + ["{LISTED}"])',
    f'c = ["git", "clone"]\nc.append("{LISTED}")\nsubprocess.run(c)',
]
"""Ways to say an address that no search for it finds."""

CLEAN = [
    ("README.md", "A fresh-start, by owner/fresh and xowner/fre and owner/fre-start.\n"),
    ("main.py", 'import requests\nrequests.get("https://github.com/owner/fre-start")\n'),
    ("blacklist.txt", f"{LISTED}\n"),
]


@pytest.mark.parametrize(("path", "text", "line"), USES)
def test_code_that_fetches_it_is_a_violation(
    make_tree: MakeTree, path: str, text: str, line: int
) -> None:
    report = monitor(watched(make_tree({path: text})))
    used = of_rule(report, "blacklist.used")
    worst = [one for one in used if one.severity == "violation"]
    assert [one.place for one in worst] == [f"{path}:{line}"]
    assert worst[0].source == "submission"


LOOP = "mkdir x\nwhile read u; do\n  git clone $u\ndone < {}\n"
LIST = f"# the code of others\nhttps://github.com/a/b\n{LISTED}  main\n"


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("reproduce.sh", LOOP.format("data/list.txt"), 3),
        ("reproduce.sh", LOOP.format("<(cat ./data/list.txt)"), 3),
        ("run.sh", "xargs -n 1 git clone < data/list.txt\n", 1),
        ("get.sh", "set -e\nfor u in $(cat data/list.txt); do\n  git clone $u\ndone\n", 3),
        ("get.sh", "wget -i data/list.txt\n", 1),
        ("Makefile", "all:\n\tgit clone $$(tail -n 1 data/list.txt)\n", 2),
    ],
)
def test_a_script_that_fetches_what_a_list_names(
    make_tree: MakeTree, path: str, text: str, line: int
) -> None:
    report = monitor(watched(make_tree({path: text, "data/list.txt": LIST})))
    assert [one.place for one in of_rule(report, "blacklist.used")] == [f"{path}:{line}"]
    assert [one.place for one in of_rule(report, "blacklist.mentioned")] == ["data/list.txt:3"]


@pytest.mark.parametrize(
    "script",
    [
        "cat data/list.txt\nwc -l < data/list.txt\npip install numpy\n",
        "python main.py --seen data/list.txt\ngit add data/list.txt\nrsync data/list.txt out/\n",
        "while read u; do echo $u; done < data/list.txt\ncurl https://example.org\n",
        "bash data/list.txt\n. ./data/list.txt\n",
    ],
)
def test_a_script_that_only_names_or_prints_a_list(make_tree: MakeTree, script: str) -> None:
    report = monitor(watched(make_tree({"reproduce.sh": script, "data/list.txt": LIST})))
    assert on_blacklist(report) == {"note"}


@pytest.mark.parametrize("code", HIDDEN)
def test_an_address_that_code_puts_together_is_found(code: str) -> None:
    worst = [use for use in python_uses(code, REFERENCES) if use.severity == "violation"]
    assert [use.line for use in worst] == [code.count("\n") + 1]


@pytest.mark.parametrize(
    "code",
    [
        "x = [] + [[]] + f[::-1] + g()[::-1]\n",
        "bytes([10**30, -1, 0, 2.5, 'a'])\nchr(55296)\nbytes.fromhex('zz')\nb64decode('é')\n",
        "''.join()\n''.join(*a)\n'a'.replace('', 'b')\n''.replace('a')\ngetattr(x)('y')\n",
        "a, *b = 1, 2\na, b = b, (c, d) = 1, (2, 3)\nx += 1\nx.append()\n",
        f"u = '{'a' * 3000}'\n" + "u = u.replace('a', u)\n" * 300,
    ],
)
def test_no_program_is_too_odd(code: str) -> None:
    assert list(python_uses(code + "requests.get(u)\n", REFERENCES)) == []


def test_a_mention_behind_escapes_stays_one_at_its_own_line(make_tree: MakeTree) -> None:
    script = 'fetch("/api");\n' * 100 + "// \\u4e2d\\u6587 %20 %E4\n" * 60 + f"// see {LISTED}\n"
    [one] = monitor(watched(make_tree({"get.js": script}))).findings
    assert (one.severity, one.place) == ("note", "get.js:161")
    assert one.excerpt == f"// see {LISTED}"


def test_what_python_is_suspected_of_is_quoted_itself(make_tree: MakeTree) -> None:
    others = "".join(f'U{n} = "https://example.org/%20%E4%B8%AD/{n}"\n' for n in range(59))
    fetched = 'V = "https://github.com/owner/%66re"\nimport requests\nrequests.get(U1)\n'
    code = f'Q = "it is `quoted`"\n{others}{fetched}'
    [one] = monitor(watched(make_tree({"main.py": code}))).findings
    assert (one.severity, one.place) == ("suspicious", "main.py:61")
    assert one.excerpt == "https://github.com/owner/%66re"


@pytest.mark.parametrize(("path", "text"), NOTES)
def test_a_mention_is_a_note(make_tree: MakeTree, path: str, text: str) -> None:
    assert on_blacklist(monitor(watched(make_tree({path: text})))) == {"note"}


@pytest.mark.parametrize(("path", "text"), CLEAN)
def test_other_names_are_nothing(make_tree: MakeTree, path: str, text: str) -> None:
    assert on_blacklist(monitor(watched(make_tree({path: text})))) == set()


@pytest.mark.parametrize(
    ("log", "severity"),
    [
        (f"+ git clone {LISTED}\nCloning into 'fre'...\n", "violation"),
        (f"Collecting fre@ git+{LISTED}\n  Cloning {LISTED} to /tmp/x\n", "violation"),
        (f"--2031-01-02 03:04:05--  {LISTED}/archive/main.zip\n", "violation"),
        (f"fatal: unable to access '{LISTED}/': Could not resolve host\n", "suspicious"),
        (f"see {LISTED} for the original\n", "note"),
    ],
)
def test_the_log_of_the_run_is_read(make_tree: MakeTree, log: str, severity: str) -> None:
    folder = make_tree({"reproduce.sh": "python main.py\n"})
    report = monitor(watched(folder, execution=ran(folder, log=log)))
    assert on_blacklist(report) == {severity}
    assert {one.source for one in report.findings if one.area == "blacklist"} == {"run_log"}


def test_code_that_the_run_wrote_is_read(make_tree: MakeTree) -> None:
    folder = make_tree({"reproduce.sh": "python main.py\n"})
    left = make_tree({"reproduce.sh": "python main.py\n", "b.sh": f"git clone {LISTED}\n"}, "left")
    report = monitor(watched(folder, execution=ran(left, created=("b.sh",))))
    [used] = of_rule(report, "blacklist.used")
    assert (used.source, used.place) == ("executed", "b.sh:1")


FOLLOWED = [
    ("bash blacklist.txt", "blacklist.txt", f"git clone {LISTED}\n"),
    (". setup/Blacklist.TXT", "setup/Blacklist.TXT", f"git clone {LISTED}\n"),
    ("cd setup && bash run.txt fre", "setup/run.txt", "git clone https://github.com/owner/$1\n"),
    ("git clone $(cat u.txt)", "u.txt", f"{LISTED}\n"),
    ("git clone https://github.com/$(<u.txt)", "u.txt", "owner/fre\n"),
    ("pip install -r deps.txt", "deps.txt", f"numpy\ngit+{LISTED}\n"),
    ("wget --input-file=urls.txt", "urls.txt", f"{LISTED}/archive/main.zip\n"),
    ("xargs -n1 git clone < blacklist.txt", "blacklist.txt", f"{LISTED}\n"),
    ("xargs -a repos.txt -n1 git clone", "repos.txt", f"{LISTED}\n"),
    ("while read u; do git clone $u; done < repos.txt", "repos.txt", f"https://a.org/b\n{LISTED}\n"),
    (". ./env.sh && git clone $U", "env.sh", f"U={LISTED}\n"),
    ("O=owner; . ./get.sh", "get.sh", "git clone https://github.com/$O/fre\n"),
    ("cp notes.txt x.sh; sh x.sh", "notes.txt", f"git clone {LISTED}\n"),
]  # fmt: skip

UNFOLLOWED = [
    ("grep -f blacklist.txt README.md", "blacklist.txt", f"{LISTED}\n"),
    ("python check.py --against blacklist.txt", "blacklist.txt", f"{LISTED}\n"),
    ("cat u.txt", "u.txt", f"{LISTED}\n"),
    ("pip install -r deps.txt", "deps.txt", f"numpy  # and not git+{LISTED}\n# {LISTED}\n"),
    ("pip install -r deps.txt", "other/deps.txt.md", f"git+{LISTED}\n"),
    ("scp README.md host:", "README.md", f"We did not use {LISTED}\n"),
    ("bash run.txt", "run.txt", "bash run.txt\n. run.txt\n"),
    (". ./env.sh && echo $U", "env.sh", f"U={LISTED}\n"),
]


@pytest.mark.parametrize(("script", "path", "text"), FOLLOWED)
def test_files_that_a_script_runs_or_reads_are_followed(
    make_tree: MakeTree, script: str, path: str, text: str
) -> None:
    report = monitor(watched(make_tree({"reproduce.sh": f"set -e\n{script}\n", path: text})))
    used = of_rule(report, "blacklist.used")
    assert [(one.place, one.severity) for one in used] == [("reproduce.sh:2", "violation")]


@pytest.mark.parametrize(("script", "path", "text"), UNFOLLOWED)
def test_files_that_are_only_looked_at_are_no_use(
    make_tree: MakeTree, script: str, path: str, text: str
) -> None:
    report = monitor(watched(make_tree({"reproduce.sh": f"set -e\n{script}\n", path: text})))
    assert on_blacklist(report) <= {"note"}


def test_a_list_that_was_handed_in_is_known_to_the_log(make_tree: MakeTree) -> None:
    folder = make_tree({"blacklist.txt": f"{LISTED}\n", "reproduce.sh": "python main.py\n"})
    log = call("cat blacklist.txt") + call("xargs -n1 git clone < blacklist.txt")
    report = monitor(watched(folder, log=log))
    assert [one.place for one in of_rule(report, "blacklist.used")] == ["agent.log:2"]
