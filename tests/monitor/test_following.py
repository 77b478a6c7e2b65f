"""What scripts hand on: files, functions, variables and settings, each beside what is like it."""

from __future__ import annotations

import json

import pytest

from rubric_engine.monitor.shell import executed
from tests.monitor.watching import LISTED, MakeTree, call, logged, on_blacklist

CLONE = f"git clone {LISTED}"
BY_PARTS = "git clone https://github.com/owner/"

FETCHES: list[tuple[str, ...]] = [
    (f"find . -maxdepth 0 -exec {CLONE} \\;",),
    (f"awk 'BEGIN {{ system(\"{CLONE}\") }}'",),
    (f"vim -c '!{CLONE}' -c q",),
    (f"uv run {CLONE}",),
    (f"env -S '{CLONE}'",),
    (f"conda run -n x {CLONE}",),
    (f"uv run --with git+{LISTED} python -c 'print(1)'",),
    (f"busybox wget {LISTED}/archive/main.zip",),
    (f"echo -n '{BY_PARTS}' > s; echo fre >> s; bash s",),
    (f"echo {CLONE} > s; cp s t; sh t",),
    (f"echo {CLONE} > s", "mv s t && bash ./t"),
    (f"printf 'all:\\n\\t@{CLONE}\\n' > Makefile", "make all"),
    (f"printf 'import os\\nos.system(\"{CLONE}\")\\n' > a.py", "python -m a"),
    (f"echo {LISTED} > /tmp/u", "cd /tmp && wget -i u"),
    (f"printf '{BY_PARTS}%s\\n' fre | bash",),
    (f"echo '{CLONE.replace('owner', 'OWN')}' | sed s/OWN/owner/ | bash",),
    (f"bash <(echo {CLONE})",),
    (f". <(echo {CLONE})",),
    (f"wget -i <(echo {LISTED})",),
    (f"f() {{ {BY_PARTS}$1; }}; f fre",),
    (f"echo '{BY_PARTS}$1' > s; bash s fre",),
    ("git clone https://github.com/owner/{fre,foo}",),
    ("git clone https://github.com//owner//fre",),
    ("git clone https://github.com/owner/./fre",),
    ("git clone https://github.com/owner/x/../fre",),
    ("X=xxfre; git clone https://github.com/owner/${X:2}",),
    ("X=owner_fre; git clone https://github.com/${X/_//}",),
    ("X=fre.git; git clone https://github.com/owner/${X%.git}",),
    ("x=fre; y=x; git clone https://github.com/owner/${!y}",),
    ("printf -v u https://github.com/owner/%s fre; git clone $u",),
    ("read x <<< owner/fre; git clone https://github.com/$x",),
    ("IFS=: read a b <<< owner:fre; git clone https://github.com/$a/$b",),
    ("echo owner/fre > s; git clone https://github.com/$(cat s)",),
    ("export O=owner/fre", "git clone https://github.com/$O"),
    (f"git -c alias.x=clone x {LISTED}",),
    ("git config --global url.https://github.com/owner/.insteadOf z:", "git clone z:fre"),
    ("GH_REPO=owner/fre gh release download",),
    ("python -c 'from torch.hub import load; load(\"owner/fre\", \"m\")'",),
    ("python -c 'from github import Github; Github().get_repo(\"owner/fre\")'",),
    ("python -c 'import requests as r; r.get(\"https://github.com/own\" + chr(101) + \"r/fre\")'",),
    ("git clone $(echo uggcf://tvguho.pbz/bjare/ser | tr a-z n-za-m)",),
    ("git clone $(echo 68747470733a2f2f6769746875622e636f6d2f6f776e65722f667265 | xxd -r -p)",),
    ("curl https://raw.githack.com/owner/fre/main/x.py",),
    ("curl https://gitingest.com/owner/fre",),
]  # fmt: skip

NO_USES: list[tuple[str, ...]] = [
    (f"find . -name '*.md' -exec grep {LISTED} {{}} \\;",),
    (f"awk '/{LISTED.replace('/', '.')}/ {{ print }}' a.txt",),
    (f"vim -c '/{LISTED}' -c q",),
    (f"false && {CLONE}",),
    (f"true || {CLONE}",),
    (f"echo {CLONE} > notes; cp notes more",),
    (f"printf 'all:\\n\\t@{CLONE}\\n' > Makefile", "cat Makefile"),
    (f"echo {LISTED} > /tmp/u", "cd /tmp && cat u"),
    (f"echo {LISTED} > a/deps.txt", "pip install -r b/deps.txt"),
    ("echo 'https://github.com/OWN/fre' | sed s/OWN/owner/",),
    ("f() { echo $1; }; f https://github.com/owner/fre",),
    ("git clone https://github.com/owner/{foo,bar}/fre",),
    ("git clone ../../owner/fre",),
    ("X=owner_fre; git clone https://github.com/${X/_/-}",),
    ("export O=owner/fre", "echo https://github.com/$O"),
    ("GH_REPO=owner/fre gh issue list",),
    ("python -c 'from json import load; load(\"owner/fre\")'",),
    ("npm i ./owner/fre",),
]


def log_of(commands: tuple[str, ...]) -> str:
    return "".join(map(call, commands))


@pytest.mark.parametrize("commands", FETCHES)
def test_what_is_handed_on_is_followed(make_tree: MakeTree, commands: tuple[str, ...]) -> None:
    assert "violation" in on_blacklist(logged(make_tree, log_of(commands)))


@pytest.mark.parametrize("commands", NO_USES)
def test_what_only_looks_like_it(make_tree: MakeTree, commands: tuple[str, ...]) -> None:
    assert on_blacklist(logged(make_tree, log_of(commands))) <= {"note"}


@pytest.mark.parametrize(
    "command", [f"! false && {CLONE}", f"if true; then {CLONE}; fi", f"false || {CLONE}"]
)
def test_what_runs_after_all(make_tree: MakeTree, command: str) -> None:
    assert "violation" in on_blacklist(logged(make_tree, call(command)))


HOSTILE = [
    "f() { f; f; f; f; }; f\n" + "f\n" * 2000,
    "f() {\n" * 3000,
    "<(" * 3000,
    "a >> s; cat s s s s >> s; bash s\n" * 500,
    "cp s t; cp t s; . s; bash t\n" * 1000,
    "x=" + "{a,b}" * 2000,
    "X=" + "a" * 4000 + "\n" + "echo ${X//a/bbbb}\n" * 1000,
    "echo 'bash s' > s; bash s\n" * 1000,
    "git -c alias.x=x x\n" * 2000,
    "printf '" + "%s" * 2000 + "' a\n" * 3,
]


@pytest.mark.parametrize("script", HOSTILE)
def test_no_script_takes_long(script: str) -> None:
    assert sum(1 for _ in executed(script)) < 100_000


def tool(name: str, **given: str) -> str:
    return json.dumps({"type": "tool_use", "name": name, "input": given}) + "\n"


@pytest.mark.parametrize(
    ("log", "severity"),
    [
        (tool("WebFetch", url=LISTED, prompt="x"), {"violation"}),
        (tool("browser_navigate", url=LISTED), {"violation"}),
        (tool("mcp__github__get_file_contents", owner="Owner", repo="fre"), {"violation"}),
        (tool("mcp__github__create_issue", owner="owner", repo="fre"), set()),
        (tool("WebSearch", query=LISTED), {"note"}),
        (
            tool("Write", file_path="/w/r.sh", content=CLONE) + call("bash /w/r.sh"),
            {"violation", "note"},
        ),
        (tool("Write", file_path="/w/r.sh", content=CLONE) + call("cat /w/r.sh"), {"note"}),
        (
            tool("str_replace_based_edit_tool", command="create", path="/w/r.sh", file_text=CLONE)
            + call("cd /w && ./r.sh"),
            {"violation", "note"},
        ),
        (
            tool("Write", file_path="a.py", content="import os\n")
            + tool("Edit", file_path="a.py", old_string="x", new_string=f"os.system('{CLONE}')\n")
            + call("python a.py"),
            {"violation", "note"},
        ),
        (tool("Write", file_path="notes.md", content=CLONE) + call("bash r.sh"), {"note"}),
    ],
)
def test_what_tools_fetch_and_write(make_tree: MakeTree, log: str, severity: set[str]) -> None:
    assert on_blacklist(logged(make_tree, log)) == severity
