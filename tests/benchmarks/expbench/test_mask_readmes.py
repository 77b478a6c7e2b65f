"""Masking: the README at the root goes, whatever its ending and its language."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.expbench.repositories import masked, plain

NAMES = (
    "README", "readme.md", "README.org", "README.adoc", "Readme.html", "README.ipynb",
    "README.zh-CN.md", "README_CN.md", "readme-de.rst", "README.md.in",
)  # fmt: skip


@pytest.mark.parametrize(("keep", "there"), [(False, False), (True, True)])
def test_all_readmes_at_the_root_go_or_stay(tmp_path: Path, keep: bool, there: bool) -> None:
    repo = plain(tmp_path)
    for number, name in enumerate(NAMES):
        (repo / name).write_text(f"how to do it, version {number}\n")
    done = masked(repo, keep_readme=keep)
    assert set(done.hidden) == {"train.py", *(NAMES if not keep else ())}
    assert {(done.folder / name).exists() for name in NAMES} == {there}


@pytest.mark.parametrize("name", ["readme_maker.py", "READMEs.md", "docs/README.org", "read.me"])
def test_other_files_stay(tmp_path: Path, name: str) -> None:
    repo = plain(tmp_path)
    (repo / name).parent.mkdir(exist_ok=True)
    (repo / name).write_text("something else\n")
    assert (masked(repo).folder / name).exists()
