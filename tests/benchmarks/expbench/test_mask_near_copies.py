"""Masking: what holds nearly all of an answer goes as well, however it is written down."""

from __future__ import annotations

import bz2
import gzip
import html
import io
import json
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_engine.benchmarks.expbench.masking import mask
from rubric_engine.benchmarks.expbench.masking.decoding import as_utf8
from rubric_engine.benchmarks.expbench.masking.quoting import Answers
from rubric_engine.errors import UsageError
from tests.benchmarks.expbench.making import exp_task
from tests.benchmarks.expbench.repositories import git, masked, write

# No line is long, so that no four of them in a row are.
SHORT = """import torch
from model import Net

def main():
    net = Net(3)
    rate = 0.25
    for i in range(5):
        x = net(i)
        print(x, x * rate)

if __name__ == "__main__":
    main()
"""
LINES = SHORT.splitlines()


def _each(shape: str) -> str:
    return "".join(shape.format(line, number) for number, line in enumerate(LINES, start=1))


def _zip(name: str, content: str | bytes) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return raw.getvalue()


def _tar(mode: str) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode=mode) as archive:  # type: ignore[call-overload]
        info = tarfile.TarInfo("x.py")
        info.size = len(SHORT)
        archive.addfile(info, io.BytesIO(SHORT.encode()))
    return raw.getvalue()


def _document() -> str:
    said = "".join(f"<w:p><w:t>{html.escape(line)}</w:t></w:p>" for line in LINES)
    return f'<?xml version="1.0"?><w:document>{said}</w:document>'


REPEATED: dict[str, str | bytes] = {
    "one_line_more.py": SHORT + "# x\n",
    "added.patch": _each("+{0}\n"),
    "commented.c": _each("// {0}\n"),
    "quoted.md": _each("> {0}\n"),
    "numbered.txt": _each("{1:6}\t{0}\n"),
    "grepped.txt": _each("{1}:{0}\n"),
    "tabs.py": SHORT.replace("    ", "\t"),
    "notebook.ipynb": json.dumps({"cells": [{"source": SHORT.splitlines(True)}]}),
    "page.html": f"<!doctype html><pre>{html.escape(SHORT)}</pre>",
    "wide.txt": SHORT.encode("utf-16"),
    "wide_without_mark.txt": SHORT.encode("utf-16-be"),
    "wider.txt": SHORT.encode("utf-32-le"),
    "zero.py": SHORT.encode() + b"\0",
    "pickled.bin": b"\x80\x02X\x11\0\0\0" + SHORT.encode() + b"q\x00.",
    "arrays.npz": _zip("code.npy", b"\x93NUMPY\0" + SHORT.encode()),
    "report.docx": _zip("word/document.xml", _document()),
    "weights.pt": _zip("weights/data.pkl", SHORT),
    "zip_by_content": _zip("a", SHORT),
    "gzip_by_content": gzip.compress(SHORT.encode()),
    "zlib_by_content": zlib.compress(SHORT.encode()),
    "x.lzma": lzma.compress(SHORT.encode(), format=lzma.FORMAT_ALONE),
    "x.tbz": _tar("w:bz2"),
    "x.taz": _tar("w:gz"),
    "in_archives": _zip("inner.txz", lzma.compress(_tar("w"))),
    "twice": bz2.compress(gzip.compress(SHORT.encode())),
}


def _repository(tmp_path: Path, **files: str | bytes) -> Path:
    return write(tmp_path / "repo", train_DOT_py=SHORT, keep_DOT_py="print('keep')\n", **files)


def test_whatever_repeats_an_answer_goes_with_it(tmp_path: Path) -> None:
    repo = _repository(tmp_path)
    for name, content in REPEATED.items():
        (repo / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    done = masked(repo)
    assert set(done.copies) == set(REPEATED)
    assert done.copies["one_line_more.py"].startswith("close to a copy of train.py (")
    assert "100% of it" in done.copies["one_line_more.py"]
    assert git(done.folder, "ls-files").split() == [b"keep.py"]
    assert done.warnings == ()


UNLIKE = {
    "common.py": 'import torch\n\ndef main():\n    x = 1\n\nif __name__ == "__main__":\n    main()',
    "power.txt": "x^2 is no zlib, nor is\n",
    "BZh.txt": "BZh is no archive\n",
    "markup.md": "<b>bold</b> & plain\n",
    "part.py": "".join(SHORT.splitlines(True)[:5]),
}


def test_lines_that_all_code_has_are_no_copy(tmp_path: Path) -> None:
    repo = _repository(tmp_path)
    for name, content in UNLIKE.items():
        (repo / name).write_text(content)
    done = masked(repo)
    assert (dict(done.copies), done.warnings) == ({}, ())


LICENCE = "/* Permission is granted to use this\n   for whatever you like, in any way\n*/\n"


def test_a_licence_at_the_head_is_no_part_of_an_answer(tmp_path: Path) -> None:
    task = exp_task(source_files=("a.c",), masked_files=("a.c",))
    repo = write(tmp_path / "repo", a_DOT_c=LICENCE + "int secret = 1;\n", b_DOT_c=LICENCE)
    assert masked(repo, task).copies == {}


def test_what_is_close_to_a_copy_stays_where_a_person_says_so(tmp_path: Path) -> None:
    repo = _repository(tmp_path, lib__twin_DOT_py=SHORT.replace("0.25", "0.5"))
    assert set(masked(repo).copies) == {"lib/twin.py"}
    for number, name in enumerate(("lib/twin.py", "/workspace/lib", "lib/")):
        done = mask(repo, exp_task(), tmp_path / str(number), keep=[name])
        assert (done.folder / "lib/twin.py").exists()
        (warning,) = done.warnings
        assert (warning.code, str(warning.place)) == ("W245", "lib/twin.py:4")


def test_a_notebook_is_what_was_written_in_it(tmp_path: Path) -> None:
    image = {"image/png": "".join(f"iVBORw0KGgo{number}" for number in range(900))}
    cells = [{"source": SHORT.splitlines(True), "outputs": [{"data": image}]}]
    task = exp_task(source_files=("a.ipynb",), masked_files=("a.ipynb",))
    text = json.dumps({"cells": cells}, indent=1)
    repo = write(tmp_path / "repo", a_DOT_ipynb=text, run_DOT_py=SHORT, keep_DOT_py="1\n")
    assert set(masked(repo, task).copies) == {"run.py"}


@pytest.mark.parametrize("lead", ["{", '{"cells": 3}', '{"cells": [{}]}', '{"cells": [3]}', "[]"])
def test_what_only_looks_like_a_notebook_is_a_text(tmp_path: Path, lead: str) -> None:
    repo = write(tmp_path / "repo", train_DOT_py=lead + SHORT, run_DOT_py=lead + SHORT + "# x\n")
    write(repo, keep_DOT_py="1\n")
    assert set(masked(repo).copies) == {"run.py"}


@pytest.mark.parametrize("name", ["lib/copy.py", "keep.py", "nothing"])
def test_nothing_else_is_kept_by_name(tmp_path: Path, name: str) -> None:
    repo = _repository(tmp_path, lib__copy_DOT_py=SHORT)
    with pytest.raises(UsageError, match=f"--keep {name}: only what is close to a copy"):
        masked(repo, keep=[name])
    assert not (tmp_path / "masked").exists()


_words = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=12, max_size=40)
_WRITTEN: list[Callable[[str], bytes]] = [
    str.encode, lambda text: text.encode("utf-16"), lambda text: text.encode() + b"\0",
    lambda text: text.encode("utf-8-sig"), lambda text: text.encode("utf-32"),
]  # fmt: skip


@settings(max_examples=40)
@given(
    st.lists(_words, min_size=5, max_size=12, unique=True).flatmap(
        lambda lines: st.tuples(st.just(lines), st.permutations(lines))
    ),
    st.sampled_from(["", "+", "> ", "# ", "    ", "12:"]),
    st.sampled_from(_WRITTEN),
)
def test_neither_order_nor_lead_nor_characters_hide_a_copy(
    both: tuple[list[str], list[str]], lead: str, written: Callable[[str], bytes]
) -> None:
    lines, mixed = both
    text = as_utf8(written("".join(f"{lead}{line}\n" for line in mixed))).decode()
    (found,) = Answers({"a": "\n".join(lines)}).quoted_in(text)
    assert (found.share, found.lines, found.near_copy) == (1.0, len(lines), True)
