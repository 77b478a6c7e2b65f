"""A few characters may ask for many: what is made of a script, a log or a program is bounded."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import pytest

from rubric_engine.monitor import monitor
from rubric_engine.monitor.shell import executed
from rubric_engine.monitor.shell.files import Files
from rubric_engine.monitor.shell.printing import formatted, printed
from rubric_engine.monitor.strings import strings_of
from tests.monitor.watching import MakeTree, call, watched

LONG = "a" * 4_000
MANY = 1_000
SET = f"a={LONG}\n"
HEREDOC = "x y\n" * MANY + "E\n"
SCRIPTS = {
    "variables": SET + "curl $a$a$a$a\n" * MANY,
    "defaults": SET + "curl ${b:-$a}${a:1}\n" * MANY,
    "added": SET + f"for b in {'$a ' * 16}; do\n" + "b+=x\n" * MANY + "curl $b\n" * 100,
    "braces": SET + "curl $a{" + "," * 15 + "}\n" + "curl $a{,,,,,,,,}{,,,,,,,,}\n" * MANY,
    "pipes": "cat <<E " + "| cat " * MANY + "\n" + HEREDOC,
    "turned": SET + "echo $a | rev | tr a-z b-z | sed s/b/bbbbbbbbbb/ | curl\n" * MANY,
    "replaced": SET + ("echo $a | sed" + f" -e s/a/{'a' * 40}/" * 9 + " | curl\n") * 100,
    "named": "cat <<E > f\n" + HEREDOC + "cat " + "f " * MANY + "| sh\n",
    "marks": f"echo {LONG} | xargs -I% curl " + "%" * MANY + "\n" + SET,
    "found": f"find . -name {LONG} -exec curl " + "{}" * MANY + " ;\n",
    "scripts": f"a='{'curl x;' * 500}'\n" + 'bash -c "$a"\n' * MANY,
    "itself": f"a='{'eval $a;' * 400}'\n" + "eval $a\n" * MANY,
    "functions": "f() {\n" + "curl x\n" * 500 + "}\n" + "f\n" * MANY,
    "each other": "f() {\n" + "f; g\n" * 500 + "}\ng() {\n" + "f; g\n" * 500 + "}\nf\n",
    "loops": SET + f"for i in {'$a ' * 16}; do\nfor j in {'$i ' * 16}; do\n" + "curl $i$j\n" * MANY,
    "counted": "for i in $(seq 1 1000000000) {1..1000000000}; do curl x$i; done\n" * MANY,
    "reads": "cat <<E | read a;" * MANY + "\n" + HEREDOC,
    "inputs": "while read a; do :; done <<E;" * MANY + "\n" + HEREDOC,
    "aliases": f"git config alias.x '{LONG}'\n" + "git x\n" * MANY,
    "rewritten": f"git config url.{LONG}.insteadOf b\n" + "git clone b\n" * MANY,
    "of gh": f"GH_REPO={LONG}\n" + "gh x\n" * MANY,
    "substituted": SET + "curl $(echo $a)\n" * MANY,
    "formats": "printf '%s" + "x" * MANY + "' " + "a " * MANY + "| curl\n",
}
BIG = "cat <<E > f\n" + f"{LONG}\n" * 10 + "E\n"
READ = {
    "appended": BIG + "cat f >> f\ncurl f\n" * MANY,
    "copied": BIG + "cp f g; curl f g\n" * MANY,
    "read again": BIG + "curl f\ncat f | sh\n" * MANY,
}


def made(script: str) -> int:
    """The characters of all that a script comes to run."""
    return sum(
        len(ran.text) + len(ran.code) + sum(len(word) + 1 for word in ran.words)
        for ran in executed(script, files=Files())
    )


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_what_a_script_runs_is_bounded_by_its_length(script: str) -> None:
    assert made(script) < 30 * len(script) + 200_000


@pytest.mark.parametrize("script", READ.values(), ids=READ)
def test_files_are_read_anew_so_often_and_no_more(script: str) -> None:
    assert made(script) < 30 * len(script) + 20_000_000


def test_steps_of_a_log_share_what_is_allowed() -> None:
    files = Files()
    list(executed(f"export A={LONG}", files=files))
    steps = ["curl " + "$A" * 100] * 500
    runs = [ran for step in steps for ran in executed(step, files=files)]
    assert sum(len(word) for ran in runs for word in ran.words) < 50 * len("".join(steps))


def test_what_is_exported_is_still_known_behind_a_long_log() -> None:
    files = Files()
    list(executed("export A=owner/fre", files=files))
    steps = ["git clone https://github.com/$A"] * 5_000
    runs = [ran for step in steps for ran in executed(step, files=files)]
    assert {ran.words[-1] for ran in runs} == {"https://github.com/owner/fre"}


@pytest.mark.parametrize("form", ["%s", "%sx", "%s" + "x" * 5_000, "x", "%%", "%b%%"])
@pytest.mark.parametrize("word", ["", "a", LONG])
def test_printf_stops_once_it_printed_enough(form: str, word: str) -> None:
    assert len(formatted([form, *[word] * MANY])) < 20_000 + len(form) + 2 * len(word)


def test_printf_takes_each_word_once() -> None:
    assert formatted(["%s-%s ", "a", "b", "c"]) == "a-b c- "
    assert formatted(["%s", "", "", "a"]) == "a"


def test_sed_adds_no_more_than_it_may() -> None:
    words = ["sed", *[f"s/a/{'a' * 1_000}/"] * 19]
    assert len(printed(words, LONG, "".join)) < 20 * 20_000 + len(LONG)


def programs() -> Iterator[str]:
    head = f"import os\nx = '{LONG}'\ny = '{'%s' * 2_000}'\nz = '{'a ' * 2_000}'\n"
    for line in (
        "x+x",
        "os.system(x+x)",
        "os.system(x % (x,x,x,x))",
        "os.system(y % (x,x,x,x))",
        "x.join([x,x,x])",
        "x.join(z)",
        "f'{x}{x}{x}'",
        "x.replace('a',x)",
        "(x+(x+(x+(x+(x+(x+(x)))))))",
        "z+=x;x+z",
        "for w in [x,x,x,x]: w",
    ):
        yield head + f"{line}\n" * MANY


@pytest.mark.parametrize("code", list(programs()))
def test_what_a_program_says_is_bounded_by_its_length(code: str) -> None:
    strings = strings_of(code)
    assert strings is not None
    assert sum(len(said.text) for said in strings.said) <= 4 * len(code) + 20_000


def test_strings_are_put_together_as_they_were() -> None:
    code = "a = 'https://github.com/'\nb = 'owner/fre'\n" + "print(a)\n" * 1_000 + "get(a + b)\n"
    strings = strings_of(code)
    assert strings is not None
    assert [one.text for one in strings.said if one.given_to] == ["https://github.com/owner/fre"]


@pytest.mark.parametrize(
    ("script", "program", "log"),
    [
        (SCRIPTS["formats"], "", ""),
        ("", next(programs()), ""),
        ("", "", call("cat <<E > f\n" + HEREDOC) + call("cat " + "f " * MANY + "| sh")),
        ("", "", call(SET + "export a") + call("curl $a$a$a$a") * 500),
        ("", "", call(SCRIPTS["pipes"])),
    ],
)
def test_room_is_bounded_as_well(make_tree: MakeTree, script: str, program: str, log: str) -> None:
    folder = make_tree({"reproduce.sh": script + "true\n", "a.py": program})
    watches = watched(folder, log=log or None)
    monitor(watches)  # what is loaded once is no part of it
    tracemalloc.start()
    monitor(watches)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 300 * len(script + program + log) + 5_000_000
