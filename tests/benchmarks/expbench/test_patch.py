"""Patches: what is refused, what applies, and that nothing outside the copy is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.benchmarks.expbench.grading.answer import ExpAnswer, read_answer
from rubric_engine.benchmarks.expbench.grading.patch import why_refused
from rubric_engine.benchmarks.expbench.grading.submitting import submit_answer

NEW = "diff --git a/{0} b/{0}\nnew file mode {1}\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+{2}\n"
RENAME = "diff --git a/x b/{0}\nsimilarity index 100%\nrename from x\nrename to {0}\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (NEW.format("../out.py", "100644", "1"), "leaves the tree"),
        (NEW.format("a/../../out.py", "100644", "1"), "leaves the tree"),
        ("--- a/x\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n", "leaves the tree"),
        (NEW.format(".git/hooks/post-checkout", "100755", "1"), "into .git"),
        (NEW.format("lib/.GIT/config", "100644", "1"), "into .git"),
        ('--- /dev/null\n+++ "b/.gi\\164/config"\n@@ -0,0 +1 @@\n+1\n', "into .git"),
        (RENAME.format("../y"), "leaves the tree"),
        (RENAME.format(".git/config"), "into .git"),
        (NEW.format("link", "120000", "/etc/passwd"), "a link"),
        ("diff --git a/x b/x\nold mode 100644\nnew mode 120000\n", "a link"),
        (NEW.format("sub", "160000", "Subproject commit 1"), "a submodule"),
        ("diff --git a/x.png b/x.png\nindex 1..2 100644\nGIT binary patch\n", "binary"),
        ("@@ -1,9 +1,9 @@\n--- a/x\n+++ b/../y\n@@ -1 +1 @@\n-1\n+2\n", "leaves the tree"),
        (
            "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\ndiff --git a/l b/l\nnew file mode 120000\n",
            "a link",
        ),
        ("Binary files a/x.png and b/x.png differ\n", "binary"),
    ],
)
def test_what_is_refused(text: str, why: str) -> None:
    assert why in (why_refused(text) or "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        NEW.format("a b/ü.py", "100644", "1"),
        NEW.format(".github/run.yml", "100644", "1"),
        RENAME.format("y"),
        '--- a/x\n+++ "b/\\303\\274.py"\n@@ -1 +1 @@\n-1\n+2\n',
        # What looks like a header is the content of a hunk.
        "--- a/x\n+++ b/x\n@@ -1,2 +1,4 @@\n--- a/../y\n+++ b/.git/z\n+GIT binary patch\n+1\n 2\n",
    ],
)
def test_what_is_let_pass(text: str) -> None:
    assert why_refused(text) is None


def base(folder: Path) -> Path:
    repo = folder / "base"
    (repo / ".git" / "hooks").mkdir(parents=True)
    (repo / ".git" / "config").write_text("[apply]\n\twhitespace = error\n[core]\n\tbare = maybe\n")
    (repo / "x").write_text("1\n")
    return repo


def test_a_patch_is_applied_to_a_copy_and_the_script_gets_our_name(tmp_path: Path) -> None:
    patch = NEW.format("reproduce_exp_bench.sh", "100755", "python x ") + (
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n"
    )
    answer = ExpAnswer(design={"a": 1}, conclusion="Yes.", patch=patch.encode())
    repo = base(tmp_path)
    done = submit_answer(answer, repo, "a-1")
    assert (done.applied, done.failed, done.lacking) == (True, None, None)
    assert (done.folder / "x").read_text() == "2\n"
    assert (done.folder / "reproduce.sh").read_text() == "python x \n"
    assert '"conclusion": "Yes."' in (done.folder / "answer.json").read_text()
    assert (done.folder / ".git" / "HEAD").is_file()  # a new history of one commit
    assert "bare = maybe" not in (done.folder / ".git" / "config").read_text()
    assert (repo / "x").read_text() == "1\n"


def test_what_calls_our_script_itself_leaves_it_in_place(tmp_path: Path) -> None:
    patch = NEW.format("reproduce_exp_bench.sh", "100755", "bash reproduce.sh")
    patch += NEW.format("reproduce.sh", "100755", "echo real")
    done = submit_answer(ExpAnswer(patch=patch.encode()), base(tmp_path), "a-1")
    assert (done.folder / "reproduce.sh").read_text() == "echo real\n"


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        (NEW.format("../out.py", "100644", "1"), "refused: it leaves the tree"),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-9\n+2\n", "does not apply: error: patch failed: x:1"),
        ("not a patch\n", "does not apply"),
    ],
)
def test_what_fails_is_shown_to_the_judge_and_changes_nothing(
    tmp_path: Path, patch: str, why: str
) -> None:
    done = submit_answer(ExpAnswer(patch=patch.encode()), base(tmp_path), "a-1")
    assert not done.applied
    assert why in (done.failed or "")
    assert patch in (done.folder / "changes.md").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["base"]


def test_a_link_of_the_base_leads_no_patch_out(tmp_path: Path) -> None:
    repo = base(tmp_path)
    (tmp_path / "outside").mkdir()
    (repo / "way").symlink_to(tmp_path / "outside")
    (repo / "inner").mkdir()
    (repo / "near").symlink_to("inner")
    for name in ("way", "near"):
        patch = NEW.format(f"{name}/new.py", "100644", "1")
        submit_answer(ExpAnswer(patch=patch.encode()), repo, "a-1")
    assert list((tmp_path / "outside").iterdir()) == []
    assert list((repo / "inner").iterdir()) == []


def test_folders_in_the_way_of_our_files_give_way(tmp_path: Path) -> None:
    patch = NEW.format("answer.json/x", "100644", "1") + NEW.format("reproduce.sh/x", "100644", "1")
    patch += NEW.format("reproduce_exp_bench.sh", "100755", "true")
    done = submit_answer(ExpAnswer(patch=patch.encode()), base(tmp_path), "a-1")
    assert (done.folder / "answer.json").is_file()
    assert (done.folder / "reproduce.sh").read_text() == "true\n"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "no answer.json"),
        (b"", "is no JSON"),
        (b"\xff\xfe", "is no JSON"),
        (b"[1]", "is no mapping"),
        (b"[" * 100_000, "is no JSON"),
        (b'{"design": ' + b"[" * 990 + b"]" * 990 + b"}", "is no JSON"),
        (b'{"design": "' + b"a" * 200_000 + b'"}', "larger than 200 kB"),
        (b'{"design": {}, "conclusion": " "}', "has no design"),
        (b'{"design": 3}', "has no design"),
        (b" " * 1_000_001, "larger than 1 MB"),
    ],
)
def test_a_malformed_answer_is_none_and_says_why(
    tmp_path: Path, content: bytes | None, why: str
) -> None:
    if content is not None:
        (tmp_path / "answer.json").write_bytes(content)
    found = read_answer(tmp_path)
    assert found.is_empty
    assert why in found.missing["D"]
    assert set(found.missing) == {"D", "I", "C", "M"}


def test_links_in_an_answer_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text('{"design": {"a": "b"}, "conclusion": "c"}')
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "answer.json").symlink_to(tmp_path / "secret")
    assert "cannot be read" in read_answer(tmp_path / "a").missing["D"]


def test_a_long_answer_is_a_document_that_a_judge_is_shown_whole(tmp_path: Path) -> None:
    for size, names in ((10_000, {"answer.json"}), (30_000, {"answer.json", "answer.md"})):
        done = submit_answer(ExpAnswer(conclusion="a" * size), None, "a-1")
        assert {path.name for path in done.folder.iterdir()} == names
