"""How the page's scripts are written; a browser reads their grammar in the tests of each page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rubric_engine.page.scripts import ASSETS, ENTRIES, script

LONGEST = 120

SCRIPTS = {
    path.relative_to(ASSETS).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(ASSETS.rglob("*.js"))
    if "vendor" not in path.parts
}
_TESTS = "\n".join(path.read_text() for path in Path(__file__).parents[1].rglob("*.py"))

_MODULE = re.compile(r"^RE\.(\w+) = ", re.MULTILINE)
_GIVEN = re.compile(r"^  return \{ ([^{}]*) \};\n\}\)\(\);", re.MULTILINE)
_TAKEN = re.compile(r"\{([^{}]*)\} = RE\.(\w+)\b")


def exports(text: str) -> tuple[str, list[str]]:
    """The name of a script's module, and those of what it gives to others."""
    module, given = _MODULE.search(text), _GIVEN.search(text)
    if module is None or given is None:
        return "", []
    names = [each.partition(":")[0].strip() for each in given[1].split(",")]
    return module[1], [name for name in names if not name.startswith("...")]


def reads(text: str, module: str, name: str) -> bool:
    """Whether a text names what a module gives."""
    taken = (each[1] for each in _TAKEN.finditer(text) if each[2] == module)
    names = {one.partition(":")[0].strip() for each in taken for one in each.split(",")}
    return name in names or re.search(rf"\bRE\.{module}\.{name}\b", text) is not None


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_begins_with_what_it_is(name: str) -> None:
    assert re.match(r"// [A-Z\"].*[^.]*\.", SCRIPTS[name])


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_line_is_too_long_to_read(name: str) -> None:
    lines = enumerate(SCRIPTS[name].splitlines(), 1)
    assert [number for number, line in lines if len(line) > LONGEST] == []


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_a_script_gives_is_read_elsewhere(name: str) -> None:
    module, names = exports(SCRIPTS[name])
    others = "\n".join([*(text for other, text in SCRIPTS.items() if other != name), _TESTS])
    assert [one for one in names if not reads(others, module, one)] == []


def test_every_script_is_part_of_a_page() -> None:
    joined = "\n".join(map(script, ENTRIES))
    assert [name for name, text in SCRIPTS.items() if text not in joined] == []


def test_every_script_that_is_listed_is_there_and_listed_once() -> None:
    for files in ENTRIES.values():
        assert {*files} <= {*SCRIPTS}
        assert len({*files}) == len(files)


def test_what_is_not_read_is_found() -> None:
    assert exports("RE.one = (() => {\n  return { a, b: 1, ...c };\n})();") == ("one", ["a", "b"])
    assert reads("const { a: other, b } = RE.one;", "one", "a")
    assert reads("RE.one.b()", "one", "b")
    assert not reads("const { a } = RE.two; RE.one.bb", "one", "a")
    assert not reads("RE.one.bb", "one", "b")
