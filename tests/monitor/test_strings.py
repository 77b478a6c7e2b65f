"""What a program's strings come to, and which programs call out at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.monitor.strings import calls_out, strings_of

CALLS = [
    "requests.get(url)",
    "get (url)",
    "requests.get \\\n (url)",
    "(requests.get\n(url))",
    "(requests.get # why # not\n # so\n   (url))",
    "s = '#'; get(url)",
    "x.download_all(url)",
    "clone(url)",
    "os.system(cmd)",
    "torch.hub.load(name)",
    "from urllib.request import urlretrieve as take\ntake(url)",
    "take = requests.get  # so\ntake(url)",
    "take = requests.get; take(url)",
    'getattr(requests, "get")(url)',
    "requests.\uff47\uff45\uff54(url)",  # read as `get`
]
QUIET = ["x = 1", "print(url)", "forget(x)", "getter(x)", "get = 3", "f(get)", "np.mean(x[::-1])"]


@pytest.mark.parametrize("code", CALLS)
def test_programs_that_call_out(code: str) -> None:
    assert calls_out(code)


@pytest.mark.parametrize("code", QUIET)
def test_programs_that_do_not(code: str) -> None:
    assert not calls_out(code)


NAMES = st.sampled_from(["get", "system", "download_it", "print", "hub.load", "a.b", "fetch", "x"])
BETWEEN = st.sampled_from(["", " ", "\\\n", "\t", "  # a # b\n"])


@given(st.lists(st.tuples(NAMES, BETWEEN), max_size=4))
def test_no_call_with_a_role_is_passed_over(calls: list[tuple[str, str]]) -> None:
    code = "".join(f"x = ({name}{between}('a'))\n" for name, between in calls)
    strings = strings_of(code)
    assert strings is not None
    assert calls_out(code) or not strings.fetches


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("'cba'[::-1]", "abc"),
        ("'xabcx'[1:-1]", "abc"),
        ("'a-b-c'[::2]", "abc"),
        ("''.join(reversed('cba'))", "abc"),
        ("'aXc'.replace('X', 'b')", "abc"),
        ("bytes.fromhex('616263').decode()", "abc"),
        ("base64.b64decode('YWJj').decode()", "abc"),
        ("bytes.fromhex('zz')", ""),
        ("bytes([97, 98, 99]).decode()", "abc"),
        ("''.join(map(chr, [97, 98, 99]))", "abc"),
        ("''.join(chr(c) for c in (97, 98, 99))", "abc"),
        ("''.join([chr(c) for c in [97, 98, 99]])", "abc"),
        ("chr(97) + 'bc'", "abc"),
        ("codecs.decode('nop', 'rot_13')", "abc"),
        ("'a bc'.split()", "a bc"),
        ("['a'] + ['b', 'c']", "a b c"),
        ("'a' * 3", ""),
    ],
)
def test_strings_that_are_undone(expression: str, text: str) -> None:
    strings = strings_of(f"get({expression})")
    assert strings is not None
    assert [one.text for one in strings.said if one.given_to] == ([text] if text else [])
