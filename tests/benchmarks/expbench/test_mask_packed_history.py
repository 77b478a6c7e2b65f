"""Masking: no past in archives, and none under another name."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from pathlib import Path

from rubric_engine.benchmarks.expbench.masking.archives import MAX_DEPTH, parts
from tests.benchmarks.expbench.making import exp_task
from tests.benchmarks.expbench.repositories import ANSWER, git, leaks, masked, plain


def _tarred(folder: Path, name: str, mode: str = "w:gz") -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode=mode) as archive:  # type: ignore[call-overload]
        archive.add(folder, name)
    return raw.getvalue()


def _zipped(**members: bytes) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/"), content)
    return raw.getvalue()


def _histories(repo: Path) -> dict[str, bytes]:
    git(repo, "init", "-q")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "one")
    own = repo / ".git"
    blob = git(repo, "rev-parse", "HEAD:train.py").decode().strip()
    loose = (own / "objects" / blob[:2] / blob[2:]).read_bytes()
    git(repo, "bundle", "create", "-q", "../all.bundle", "main")
    bundle = (repo.parent / "all.bundle").read_bytes()
    return {
        "backup.tar.gz": _tarred(own, ".git"),
        "renamed.dat": _tarred(own, "saved", "w:xz"),
        "git.zip": _zipped(x__git__HEAD=b"", **{"x/.git/config": b"[core]"}),
        "nested.zip": _zipped(inner=_tarred(own, ".git")),
        "all.bundle.gz": gzip.compress(bundle),
        "bundle.bin": lzma.compress(bundle),
        "object.dat": loose,
        "object.raw": zlib.decompress(loose),
        "export.txt": git(repo, "fast-export", "--all"),
    }


def test_no_history_is_left_in_archives_or_under_other_names(tmp_path: Path) -> None:
    repo = plain(tmp_path, _DOT_gitignore="*.log\n")
    histories = _histories(repo)
    for name, content in histories.items():
        (repo / name).write_bytes(content)
    (repo / "fine.zip").write_bytes(_zipped(a__gitignore=b"*.log"))
    done = masked(repo)
    assert set(done.left_out) == {".git", *histories}
    assert ".git/" in done.left_out["backup.tar.gz"]
    assert git(done.folder, "ls-files").split() == [b".gitignore", b"fine.zip", b"keep.py"]
    assert leaks(done.folder) == []


def test_histories_go_also_where_no_file_is_hidden(tmp_path: Path) -> None:
    repo = plain(tmp_path)
    content = _histories(repo)["all.bundle.gz"]
    (repo / "all.bundle.gz").write_bytes(content)
    done = masked(repo, exp_task(kind=3, source_files=(), masked_files=()))
    assert "all.bundle.gz" in done.left_out


def test_archives_that_lie_too_deep_are_named() -> None:
    content = ANSWER.encode()
    for _ in range(MAX_DEPTH + 1):
        content = gzip.compress(content)
    told = [part.trouble for part in parts(content, "x") if part.trouble]
    assert told == ["archives lie too deep in each other"]


def test_what_is_damaged_is_named_and_the_rest_is_seen() -> None:
    whole = _zipped(a=b"text", b=gzip.compress(ANSWER.encode())[:40], c=b"more")
    found = [(part.name, part.trouble is None) for part in parts(whole, "x.zip")]
    assert found == [("a", True), ("b", True), ("b", False), ("c", True)]
