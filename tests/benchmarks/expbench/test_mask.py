"""Masking: nothing of an answer is left, in files and in history."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.benchmarks.expbench import ExpTask
from rubric_engine.benchmarks.expbench.masking import Masked, mask
from rubric_engine.errors import InputError, StorageError, UsageError
from tests.benchmarks.expbench.making import exp_task

ANSWER = "".join(
    f"result_{number} = secret_formula(alpha={number}, beta={number * 7})\n" for number in range(30)
)
MARKS = (b"secret_formula", b"secret of the module", b"secret of the readme")
README = "# How to answer\n\nsecret of the readme: run train.py with the settings of table 4\n"
MODULE = "def score(x):\n    return 'secret of the module', x\n" + "# the rest of it\n" * 3


def git(folder: Path, *words: str) -> bytes:
    """Run git as its owner would."""
    known = {
        "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
    }  # fmt: skip
    settings = ("-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", *settings, *words], cwd=folder, env=os.environ | known, capture_output=True,
        check=True,
    )  # fmt: skip
    return done.stdout


def write(folder: Path, **files: str | bytes) -> Path:
    """Write files; `__` in a name is a slash, `_DOT_` a dot."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def plain(tmp_path: Path, **files: str | bytes) -> Path:
    """A folder with the answer and more, without a history."""
    files = {"train_DOT_py": ANSWER, "keep_DOT_py": "print('keep')\n", **files}
    return write(tmp_path / "repo", **files)


def masked(repo: Path, task: ExpTask | None = None, **options: bool | list[str]) -> Masked:
    """Mask it beside itself."""
    question = exp_task() if task is None else task
    return mask(repo, question, repo.parent / "masked", **options)  # type: ignore[arg-type]


def leaks(folder: Path) -> list[str]:
    """Where a folder holds a mark: in the bytes of a file, or in an object of its history."""
    found = [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and any(mark in path.read_bytes() for mark in MARKS)
    ]
    objects = git(folder, "cat-file", "--batch-all-objects", "--batch", "--unordered")
    return found + ["an object"] * any(mark in objects for mark in MARKS)


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """What would show that a folder was written to."""
    return {
        str(path): (path.lstat().st_mtime_ns, path.lstat().st_size) for path in folder.rglob("*")
    }


def with_history(tmp_path: Path) -> Path:
    """A repository whose history holds the answer in every way that git knows."""
    lender = write(tmp_path / "lender", b_DOT_txt=ANSWER)
    module = write(tmp_path / "module", eval_DOT_py=MODULE, util_DOT_py="pass\n")
    for folder in (lender, module):
        git(folder, "init", "-q")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "one")
    repo = write(tmp_path / "repo", train_DOT_py=ANSWER, README_DOT_md=README, a_DOT_py="a = 1\n")
    git(repo, "init", "-q")
    git(repo, "submodule", "--quiet", "add", str(module), "sub/module")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "secret_formula is in train.py")
    git(repo, "tag", "-a", "v1", "-m", "secret_formula")
    git(repo, "notes", "add", "-m", "secret_formula")
    git(repo, "branch", "other")
    write(repo, train_DOT_py=ANSWER + "secret_formula(1)\n")
    git(repo, "stash")
    git(repo, "gc", "-q")
    git(repo, "worktree", "add", "-q", str(tmp_path / "tree"), "other")
    (repo / ".git/objects/info/alternates").write_text(f"{lender}/.git/objects\n")
    write(repo, _DOT_git__lfs__objects__aa__bb__secret=ANSWER)
    write(repo, _DOT_git__hooks__post_commit="#!/bin/sh\n# secret_formula\n")
    return repo


def test_nothing_of_the_answer_is_left_in_files_or_history(tmp_path: Path) -> None:
    repo = with_history(tmp_path)
    before = state(repo)
    task = exp_task(masked_files=("/workspace/train.py", "/workspace/sub/module/eval.py"))
    done = masked(repo, task)
    assert set(done.hidden) == {"train.py", "README.md", "sub/module/eval.py"}
    assert leaks(repo) != []
    assert leaks(done.folder) == []
    assert git(done.folder, "ls-files").split() == [b"a.py", b"sub/module/util.py"]
    assert git(done.folder, "status", "--porcelain", "--ignored") == b""
    assert git(done.folder, "log", "--all", "--format=%H %an %ad").count(b"\n") == 1
    assert git(done.folder, "rev-list", "--all", "--reflog").split() == [done.commit.encode()]
    assert {".git", "sub/module/.git", ".gitmodules"} <= set(done.left_out)
    assert state(repo) == before


def test_the_commit_follows_from_the_files_alone(tmp_path: Path) -> None:
    first = masked(plain(tmp_path / "one"))
    second = masked(plain(tmp_path / "two"))
    assert first.commit == second.commit


def test_nothing_that_a_repository_brings_along_is_run(tmp_path: Path) -> None:
    repo = plain(tmp_path, _DOT_gitattributes="*.py filter=evil -text\n")
    git(repo, "init", "-q")
    run = f"touch {tmp_path}/pwned; cat"
    for name in ("core.fsmonitor", "filter.evil.clean", "core.sshCommand", "core.editor"):
        git(repo, "config", name, run)
    git(repo, "config", "core.hooksPath", "hooks")
    hook = write(repo, hooks__pre_commit=f"#!/bin/sh\n{run}\n") / "hooks/pre_commit"
    hook.rename(hook.with_name("pre-commit")).chmod(0o755)
    done = masked(repo)
    assert not (tmp_path / "pwned").exists()
    assert git(done.folder, "show", "HEAD:keep.py") == b"print('keep')\n"


@pytest.mark.parametrize(
    ("kind", "hidden"),
    [
        (1, {"train.py", "extra.py", "README.md"}),
        (2, {"train.py", "README.md"}),
        (3, {"README.md"}),
    ],
)
def test_what_is_hidden_depends_on_the_kind(tmp_path: Path, kind: int, hidden: set[str]) -> None:
    files = ("/workspace/train.py",) if kind < 3 else ()
    extra = ("/workspace/extra.py",) if kind == 1 else ()
    task = exp_task(kind=kind, source_files=files, masked_files=(*files, *extra))
    repo = plain(tmp_path, extra_DOT_py=MODULE, README_DOT_md=README)
    assert set(masked(repo, task).hidden) == hidden


def test_the_readme_may_stay(tmp_path: Path) -> None:
    done = masked(plain(tmp_path, Readme_DOT_rst=README), keep_readme=True)
    assert (done.folder / "Readme.rst").read_text() == README


@pytest.mark.parametrize(
    "name",
    [
        "/workspace/src/train.py", "src/train.py", "/src/train.py", "/tmp/repos/src/train.py",
        "/workspace/src/train.py:3-9", "/workspace/src", "/workspace/alias/train.py",
        "way/train.py",
    ],
)  # fmt: skip
def test_every_spelling_of_a_path_is_found(tmp_path: Path, name: str) -> None:
    repo = write(tmp_path / "repo", src__train_DOT_py=ANSWER, keep_DOT_py="1\n")
    (repo / "alias").symlink_to("src")
    (repo / "way").symlink_to("./alias")
    done = masked(repo, exp_task(source_files=(name,), masked_files=()))
    assert set(done.hidden) == {"src/train.py"}
    assert leaks(done.folder) == []


def _zip(name: str = "x.py", content: str = ANSWER) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return raw.getvalue()


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
    "release_DOT_zip": _zip(),
    "dist__pkg_DOT_whl": _zip("pkg/train.py"),
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


def test_histories_among_the_files_go(tmp_path: Path) -> None:
    repo = with_history(tmp_path)
    git(repo, "clone", "-q", "--bare", ".", "vendor/old.git")
    git(repo, "bundle", "create", "-q", "all.bundle", "main")
    pack = next((repo / ".git/objects/pack").glob("*.pack"))
    write(repo, saved_DOT_bin=pack.read_bytes())
    done = masked(repo, exp_task(masked_files=("train.py", "sub/module/eval.py")))
    assert {"vendor/old.git", "all.bundle", "saved.bin"} <= set(done.left_out)
    assert leaks(done.folder) == []


def test_links_are_not_followed_out(tmp_path: Path) -> None:
    repo = plain(tmp_path)
    secret = write(tmp_path, secret_DOT_txt=ANSWER) / "secret.txt"
    for name, target in (
        ("out", secret), ("up", Path("../secret.txt")), ("to_answer", Path("train.py")),
        ("kept", Path("keep.py")), ("folder", Path("/")), ("loop", Path("loop")),
    ):  # fmt: skip
        (repo / name).symlink_to(target)
    os.mkfifo(repo / "pipe")
    done = masked(repo)
    assert {"out", "up", "to_answer", "folder", "loop", "pipe"} == set(done.left_out)
    assert (done.folder / "kept").readlink() == Path("keep.py")
    assert leaks(done.folder) == []
    with pytest.raises(InputError, match="E616"):
        mask(repo, exp_task(masked_files=("out",)), tmp_path / "second")


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        ("# Guide\n\n" + "".join(ANSWER.splitlines(True)[3:9]), "W246", 3),
        (ANSWER.replace("result_2 ", "result ").replace("result_9", "y"), "W245", 4),
        ('{"source": [\n' + "".join(f' "{line}\\n",\n' for line in ANSWER.split("\n")), "W245", 2),
    ],
)
def test_quotations_are_named(tmp_path: Path, content: str, code: str, line: int) -> None:
    repo = plain(tmp_path, docs__guide_DOT_md=content)
    (warning,) = masked(repo).warnings
    assert (warning.code, str(warning.place)) == (code, f"docs/guide.md:{line}")
    again = mask(repo, exp_task(), tmp_path / "second", also=["docs/guide.md"])
    assert again.warnings == ()
    assert leaks(again.folder) == []


def test_quotations_in_archives_and_archives_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    done = masked(
        plain(
            tmp_path, a_DOT_zip=_zip("x.md", "# a\n" + ANSWER[:600]), b_DOT_zip=b"PK\3\4broken",
            c_DOT_rar=b"Rar!", d_DOT_zip=_zip("inner.zip", "text"), e_DOT_gz=b"none",
        )
    )  # fmt: skip
    assert sorted((one.code, str(one.place)) for one in done.warnings) == [
        ("W246", "a.zip"), ("W248", "b.zip"), ("W248", "c.rar"), ("W248", "d.zip"),
        ("W248", "e.gz"),
    ]  # fmt: skip


def test_files_that_moved_are_told_with_where_they_may_be(tmp_path: Path) -> None:
    repo = write(tmp_path / "repo", new__train_DOT_py=ANSWER, keep_DOT_py="1\n")
    write(repo, _DOT_gitmodules='[submodule "m"]\n\tpath = sub/m\n\turl = x\n')
    with pytest.raises(InputError, match="E616") as caught:
        masked(repo)
    assert "did you mean new/train.py?" in caught.value.looked[0]
    assert "sub/m holds nothing" in caught.value.looked[1]
    assert "--also new/train.py" in caught.value.fix[-1]
    done = masked(repo, allow_missing=True, also=["new/train.py"])
    assert [one.code for one in done.warnings] == ["W244", "W247"]
    assert set(done.hidden) == {"new/train.py"}


def test_names_that_git_cannot_hold_are_told(tmp_path: Path) -> None:
    repo = plain(tmp_path)
    (repo / "git~1").write_text("no name for git\n")
    (repo / os.fsdecode(b"caf\xe9.py")).write_text("a name that is no UTF-8\n")
    done = masked(repo)
    assert [one.code for one in done.warnings] == ["W249"]
    assert "cannot hold 1 of its names" in done.warnings[0].message
    assert (done.folder / "git~1").exists()
    assert git(done.folder, "ls-files", "-z").split(b"\0")[:2] == [b"caf\xe9.py", b"keep.py"]


def _inside(tmp_path: Path) -> object:
    return mask(plain(tmp_path), exp_task(), tmp_path / "repo" / "masked")


def _around(tmp_path: Path) -> object:
    return mask(plain(tmp_path), exp_task(), tmp_path)


def _taken(tmp_path: Path) -> object:
    write(tmp_path / "masked", mine="1")
    return masked(plain(tmp_path))


def _bare(tmp_path: Path) -> object:
    (tmp_path / "repo").mkdir()
    git(tmp_path / "repo", "init", "-q", "--bare")
    return masked(tmp_path / "repo")


def _absent(tmp_path: Path) -> object:
    return masked(tmp_path / "repo")


@pytest.mark.parametrize(
    ("make", "error", "code"),
    [
        (_inside, UsageError, "E001"),
        (_around, UsageError, "E001"),
        (_taken, StorageError, "E617"),
        (_bare, InputError, "E615"),
        (_absent, InputError, "E615"),
    ],
)
def test_what_cannot_be_masked_is_an_error_and_writes_nothing(
    tmp_path: Path, make: Callable[[Path], object], error: type[Exception], code: str
) -> None:
    with pytest.raises(error, match=code):
        make(tmp_path)
    assert not (tmp_path / "masked" / ".git").exists()
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".masked")] == []
