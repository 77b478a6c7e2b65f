"""Masking: copies of an answer go with it, and what quotes it is named."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

from rubric_engine.benchmarks.expbench.masking import mask
from tests.benchmarks.expbench.making import exp_task
from tests.benchmarks.expbench.repositories import (
    ANSWER,
    git,
    leaks,
    masked,
    plain,
    write,
    zipped,
)


def _tar() -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as archive:
        info = tarfile.TarInfo("deep/x.py")
        info.size = len(ANSWER)
        archive.addfile(info, io.BytesIO(ANSWER.encode()))
    return raw.getvalue()


COPIES: dict[str, str | bytes] = {
    "build__lib__train_DOT_py": ANSWER,
    "other_name_DOT_txt": ANSWER,
    "windows_DOT_py": "\ufeff" + ANSWER.replace("\n", " \r\n"),
    "_DOT_ipynb_checkpoints__train-checkpoint_DOT_py": "an older state",
    "__pycache____train_DOT_cpython-311_DOT_pyc": b"\x00\x01",
    "build____pycache____train_DOT_cpython-311_DOT_opt-1_DOT_pyc": b"\x00\x01",
    "train_DOT_pyc": b"\x00\x01",
    "train_DOT_cpython-311-x86_64-linux-gnu_DOT_so": b"\x7fELF",
    "train_DOT_py~": "an older state",
    "_DOT_train_DOT_py_DOT_swp": b"b0VIM",
    "train_DOT_py_DOT_orig": "an older state",
    "release_DOT_zip": zipped(),
    "dist__pkg_DOT_whl": zipped("pkg/train.py"),
    "release_DOT_tar_DOT_gz": _tar(),
    "train_DOT_py_DOT_gz": gzip.compress(ANSWER.encode()),
}


def test_copies_go_with_the_answer(tmp_path: Path) -> None:
    # Two underscores are a slash in these names, but not where Python writes them.
    names = {name.replace("__pycache__", "PYCACHE"): text for name, text in COPIES.items()}
    repo = plain(tmp_path, **names)
    for path in list(repo.rglob("PYCACHE")):
        path.rename(path.with_name("__pycache__"))
    done = masked(repo)
    assert len(done.copies) == len(COPIES)
    assert git(done.folder, "ls-files").split() == [b"keep.py"]
    assert leaks(done.folder) == []
    assert done.warnings == ()


def test_what_only_looks_like_a_copy_stays(tmp_path: Path) -> None:
    task = exp_task(source_files=("train.py", "src/__init__.py"), masked_files=())
    repo = plain(tmp_path, lib__train_DOT_py="def other(): pass\n")
    write(repo / "src", a_DOT_py="1\n")
    for path in ("src/__init__.py", "lib/__init__.py", "lib/empty.py"):
        (repo / path).touch()
    cache = repo / "lib" / "__pycache__"
    cache.mkdir()
    (cache / "train.cpython-311.pyc").write_bytes(b"of lib/train.py")
    done = masked(repo, task)
    assert done.copies == {}
    assert (done.folder / "lib/__pycache__/train.cpython-311.pyc").exists()


def test_quotations_are_named(tmp_path: Path) -> None:
    quotation = "# Guide\n\n" + "".join(ANSWER.splitlines(True)[3:9])
    repo = plain(tmp_path, docs__guide_DOT_md=quotation)
    (warning,) = masked(repo).warnings
    assert (warning.code, str(warning.place)) == ("W246", "docs/guide.md:3")
    again = mask(repo, exp_task(), tmp_path / "second", also=["docs/guide.md"])
    assert again.warnings == ()
    assert leaks(again.folder) == []


def test_quotations_in_archives_and_archives_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    done = masked(
        plain(
            tmp_path, a_DOT_zip=zipped("x.md", "# a\n" + ANSWER[:600]), b_DOT_zip=b"PK\3\4broken",
            c_DOT_rar=b"Rar!", d_DOT_zip=zipped("inner.zip", "text"), e_DOT_gz=b"none",
        )
    )  # fmt: skip
    assert sorted((one.code, str(one.place)) for one in done.warnings) == [
        ("W246", "a.zip"), ("W248", "b.zip"), ("W248", "c.rar"), ("W248", "d.zip"),
        ("W248", "e.gz"),
    ]  # fmt: skip
