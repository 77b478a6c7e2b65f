"""Blacklists are read tolerantly, and every spelling of a name is found on its boundaries."""

from __future__ import annotations

import base64
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.monitor.blacklist import mentions, parse_blacklist, shell_uses, unread
from rubric_engine.monitor.blacklist.views import views

SPELLINGS = [
    "https://github.com/Owner/Fre",
    "http://github.com/owner/fre/",
    "https://www.github.com/owner/fre.git",
    "github.com/owner/fre",
    "owner/fre",
    "git@github.com:owner/fre.git",
    "ssh://git@github.com:22/owner/fre.git",
    "git://github.com/owner/fre",
    "git+https://github.com/owner/fre@main#egg=fre",
    "https://github.com/owner/fre/tree/main/src",
    "https://github.com/owner/fre/blob/main/a.py#L3",
    "https://raw.githubusercontent.com/owner/fre/main/a.py",
    "https://api.github.com/repos/owner/fre/tarball",
    "- https://github.com/owner/fre  # the authors' code",
    "* <https://github.com/owner/fre>,",
    "[the code](https://github.com/owner/fre)",
    "\ufeffhttps://github.com/owner/fre\r",
    '"https://github.com/owner/fre"',
]
NOTHING = ["", "  ", "none", "None", " NONE.", "# https://github.com/a/b", "// a/b", "n/a"]


@pytest.mark.parametrize("line", SPELLINGS)
def test_every_spelling_is_the_same_reference(line: str) -> None:
    [one] = parse_blacklist([line])
    assert (one.kind, one.host, one.path) == ("repository", "github.com", "owner/fre")
    assert unread([line]) == ()


@pytest.mark.parametrize("line", NOTHING)
def test_lines_that_name_nothing(line: str) -> None:
    assert parse_blacklist([line]) == ()
    assert unread([line]) == ()


@pytest.mark.parametrize(
    ("line", "kind", "host", "path"),
    [
        ("huggingface.co", "host", "huggingface.co", ""),
        ("https://huggingface.co/datasets/a/b", "repository", "huggingface.co", "a/b"),
        ("https://gitlab.com/g/sub/p/-/tree/main", "repository", "gitlab.com", "g/sub/p"),
        ("arXiv:2401.01234v2", "paper", "arxiv.org", "2401.01234"),
        ("https://arxiv.org/pdf/2401.01234.pdf", "paper", "arxiv.org", "2401.01234"),
        ("https://github.com/owner", "repository", "github.com", "owner"),
    ],
)
def test_other_things_may_be_listed(line: str, kind: str, host: str, path: str) -> None:
    [one] = parse_blacklist(["none", line, "# end"])
    assert (one.kind, one.host, one.path) == (kind, host, path)


def test_what_is_no_reference_is_told() -> None:
    assert unread(["please be honest"]) == ("please", "be", "honest")


@pytest.mark.parametrize(
    ("listed", "text", "form"),
    [
        ("huggingface.co", "curl https://cdn.huggingface.co/x", "hosted"),
        ("huggingface.co", "curl https://nothuggingface.co/x", None),
        ("huggingface.co", "curl https://huggingface.com/x", None),
        ("https://huggingface.co/a/b", "https://hf-mirror.com/a/b/resolve/main/x", "hosted"),
        ("https://huggingface.co/a/b", "https://github.com/a/b", "elsewhere"),
        ("arxiv.org/abs/2401.01234", "wget https://export.arxiv.org/pdf/2401.01234v3", "hosted"),
        ("arxiv.org/abs/2401.01234", "2401.012345", None),
        ("https://github.com/owner", "git clone https://github.com/owner/anything", "hosted"),
        ("owner/fre", "/work/owner/fre/main.py", "path"),
        ("owner/fre", "see owner/fre.", "bare"),
        ("owner/fre", "owner/fre.github.io", None),
        ("owner/fre", "owner/fre_old", None),
        ("owner/fre", r"https:\/\/github.com\/owner\/fre", "hosted"),
        ("owner/fre", r"https://github.com\x2fowner\u002ffre", "hosted"),
        ("owner/fre", "https://github.com/owner%252Ffre", "hosted"),
        ("owner/fre", "https://github.com&#47;owner&sol;fre", "hosted"),
        ("owner/fre", '"https://github.com/" + "own" + "er/fre"', "hosted"),
        ("owner/fre", "'https://github.com/' . 'owner/fre'", "hosted"),
        ("owner/fre", '"https://github.com", "owner",\n    "fre"', "hosted"),
        ("owner/fre", base64.b64encode(b"https://github.com/owner/fre").decode(), "hosted"),
    ],
)
def test_forms(listed: str, text: str, form: str | None) -> None:
    found = {one.form for one in mentions(text, parse_blacklist([listed]))}
    assert found == ({form} if form else set())


def test_a_mention_knows_its_place_in_the_text() -> None:
    text = 'x = 1\ny = ("https://github.com/"\n     + "owner/%66re")\n'
    [one] = mentions(text, parse_blacklist(["owner/fre"]))
    assert text[one.start :].startswith("owner")


ESCAPES = ["%20", "%E4%B8%AD", "%2520", "\\u4e2d", "\\u{4e2d}", "\\x41", "\\101", "&#47;", "&sol;"]
FILLERS = [
    *ESCAPES,
    '"a" + "b"',
    "'a', 'b'",
    'fetch("/api");\n',
    "\\\n",
    "`$IFS`",
    " ",
    "\n",
    "plain",
]
SPELLED = [
    "{0}",
    "%{1:02x}",
    "\\x{1:02x}",
    "\\u{1:04x}",
    "\\{1:03o}",
    "&#{1};",
    '{0}" + "',
    "{0}''",
]


@given(
    st.lists(st.sampled_from(FILLERS), max_size=30),
    st.lists(st.sampled_from(SPELLED), min_size=9, max_size=9),
    st.lists(st.sampled_from(FILLERS), max_size=5),
)
def test_a_place_is_that_of_the_name_whatever_stands_before_it(
    before: list[str], forms: list[str], behind: list[str]
) -> None:
    letters = [form.format(one, ord(one)) for form, one in zip(forms, "owner/fre", strict=True)]
    lead, name = "".join(before) + "\nx ", "".join(letters)
    text = f"{lead}{name} {''.join(behind)}"
    assert {one.start for one in mentions(text, parse_blacklist(["owner/fre"]))} == {len(lead)}
    for view in views(text, lambda _: True):
        at = view.text.find("owner/fre")
        assert at < 0 or text[view.source(at) :].startswith(name)
        assert list(view.marks) == sorted(view.marks)


NAMES = st.from_regex(r"[a-z][a-z0-9_-]{1,9}", fullmatch=True)


@given(NAMES, NAMES, st.text("abz09_-", min_size=1, max_size=3))
def test_a_longer_name_is_another(owner: str, name: str, more: str) -> None:
    listed = parse_blacklist([f"https://github.com/{owner}/{name}"])
    url = "git clone https://github.com/{}/{}"
    assert [use.severity for use in shell_uses(url.format(owner, name), listed)] == ["violation"]
    assert not list(mentions(url.format(owner, name + more), listed))
    assert not list(mentions(url.format(more + owner, name), listed))


@given(NAMES, NAMES, st.integers(0, 3), st.booleans())
def test_quoting_changes_no_name(owner: str, name: str, at: int, single: bool) -> None:
    quote = "'" if single else '"'
    url = f"https://github.com/{owner}/{name}.git"
    cut = 8 + at
    dressed = f"{url[:cut]}{quote}{url[cut:-3]}{quote}{url[-3:]}"
    uses = shell_uses(f"git clone {dressed}", parse_blacklist([f"{owner}/{name}"]))
    assert [use.severity for use in uses] == ["violation"]


@given(st.text("owner/fre%2+\"' \\\n#x:@.", max_size=80))
def test_any_text_can_be_searched(text: str) -> None:
    listed = parse_blacklist(["owner/fre"])
    assert all(0 <= one.start <= len(text) for one in mentions(text, listed))
    assert all(use.line >= 1 for use in shell_uses(text, listed))


FORMS = [
    "git clone {url}",
    "git clone {url}.git",
    "git clone ssh://git@github.com/{path}",
    "git clone ssh://git@github.com:22/{path}.git",
    "git clone git@github.com:{path}",
    "git clone git@github.com:{path}.git",
    "curl -L https://codeload.github.com/{path}/zip/main",
    "curl -L https://codeload.github.com/{path}/tar.gz/refs/heads/main | tar xz",
    "curl https://raw.githubusercontent.com/{path}/main/README.md",
    "curl -L https://api.github.com/repos/{path}/tarball",
    "curl -L https://api.github.com/repos/{path}/tarball/main | tar xz",
    "wget https://api.github.com/repos/{path}/zipball/main",
    "pip install git+{url}",
    "pip install git+{url}.git@main#egg=x",
    "pip install git+ssh://git@github.com/{path}.git",
    "gh repo clone {path}",
    "gh repo clone {url}",
    "gh api repos/{path}/tarball",
    "aria2c {url}/archive/main.zip",
    "git -C /tmp clone {url}",
    "git -C /tmp clone git@github.com:{path}.git",
    "python -c 'import urllib.request as u; u.urlopen(\"{url}\")'",
    'python3 -c \'from urllib.request import urlretrieve as g; g("{url}.git", "x")\'',
]
"""Every form that a repository is fetched in."""

CASES: tuple[Callable[[str], str], ...] = (str, str.lower, str.upper)


def test_the_repositories_of_real_blacklists_are_found_in_every_form(
    paperbench_papers: Path,
) -> None:
    seen = 0
    for file in sorted(paperbench_papers.glob("*/blacklist.txt")):
        lines = file.read_text().splitlines()
        for one in parse_blacklist(lines):
            seen += 1
            url = one.written
            path = url.removeprefix("https://github.com/")
            for form, case in product(FORMS, CASES):
                command = form.format(url=case(url), path=case(path))
                [use] = shell_uses(command, [one])
                assert use.severity == "violation", command
            assert not list(mentions(f"git clone {url}-extra", [one]))
        assert unread(lines) == ()
    assert seen >= 5
