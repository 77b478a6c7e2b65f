from __future__ import annotations

import gc
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.errors import SandboxError, UsageError
from rubric_engine.isolation import Execution, Sandbox
from rubric_engine.run_warnings import of_execution
from rubric_engine.sandbox import LocalSandbox, load_sandbox
from rubric_engine.sandbox.workspace import Workspace
from rubric_engine.submission import FolderSubmission, load_submission
from tests.sandbox.conftest import log_of

Run = Callable[..., Execution]


def test_it_is_a_sandbox_that_says_that_it_does_not_isolate() -> None:
    sandbox = load_sandbox("local")
    assert isinstance(sandbox, Sandbox)
    assert not sandbox.isolates
    assert "does not isolate" in LocalSandbox.warning


def test_an_unknown_sandbox_has_a_near_miss() -> None:
    with pytest.raises(UsageError, match="did you mean 'local'"):
        load_sandbox("locall")


def test_a_run_tells_what_it_made_changed_and_removed(run: Run, root: Path) -> None:
    (root / "old.csv").write_text("1")
    execution = run("echo a > new.csv; echo 2 > keep.txt; rm old.csv; mkdir d; echo x > 'd/a b'")
    assert execution.status == "ok"
    assert execution.exit_code == 0
    assert execution.created == ("d/a b", "new.csv")
    assert execution.modified == ("keep.txt",)
    assert execution.deleted == ("old.csv",)
    assert execution.submission is not None
    assert execution.submission.read("new.csv") == "a\n"
    assert execution.submission.name == "handed-in"


def test_the_submission_itself_is_never_changed(run: Run, root: Path) -> None:
    run("echo 2 > keep.txt; rm reproduce.sh; touch new")
    assert sorted(path.name for path in root.iterdir()) == ["keep.txt", "reproduce.sh"]
    assert (root / "keep.txt").read_text() == "1"


def test_names_that_are_no_utf8_survive(run: Run) -> None:
    assert run("echo 1 > $'bad\\xff\\nname'").created == ("bad\udcff\nname",)


@pytest.mark.parametrize("end", ["exit 3", "false | true; exit 3", "(exit 3)", "set -e; (exit 3)"])
def test_the_exit_code_is_kept(run: Run, end: str) -> None:
    execution = run(end)
    assert (execution.status, execution.exit_code, execution.signal) == ("failed", 3, None)


def test_a_signal_is_told(run: Run) -> None:
    execution = run("kill -9 $$")
    assert (execution.status, execution.exit_code, execution.signal) == ("killed", 137, 9)


def test_what_it_used_is_told(run: Run) -> None:
    program = "x = bytearray(100_000_000); [i for i in range(1_000_000)]"
    execution = run(f"python3 -c '{program}'")
    assert execution.peak_memory is not None
    assert 100_000_000 < execution.peak_memory < 500_000_000
    assert execution.cpu_s is not None
    assert execution.cpu_s > 0
    again = run("true").peak_memory
    assert again is not None
    assert again < 100_000_000


def test_no_variable_for_the_script_replaces_one_of_the_sandbox(run: Run) -> None:
    secrets = {"HOME": "/h", "PATH": "/p", "LC_ALL": "x", "RUBRIC_ENGINE_RUN": "1", "MINE": "1"}
    log = log_of(run("echo $HOME:$PATH:$LC_ALL:$RUBRIC_ENGINE_RUN; echo $MINE", secrets=secrets))
    assert log.text.endswith("\n1\n")
    assert not {"/h", "/p", "x", "1"} & set(log.text.splitlines()[0].split(":"))


def test_the_script_needs_neither_mode_nor_first_line(run: Run, root: Path) -> None:
    (root / "reproduce.sh").write_text('[[ $0 == reproduce.sh && "$(dirname "$0")" == . ]]')
    (root / "reproduce.sh").chmod(0o600)
    assert run().status == "ok"


def test_nothing_is_read_from_our_own_input(run: Run) -> None:
    assert log_of(run("cat; echo done")).text == "done\n"


def folder(script: Path) -> None:
    script.mkdir()


def link_out(script: Path) -> None:
    script.symlink_to("/bin/true")


def nothing(script: Path) -> None:
    assert not script.exists()


def link_nowhere(script: Path) -> None:
    script.symlink_to("missing.sh")


def link_round(script: Path) -> None:
    script.symlink_to("reproduce.sh")


@pytest.mark.parametrize("make", [folder, link_out, link_nowhere, link_round, nothing])
def test_without_a_regular_script_nothing_is_started(
    run: Run, root: Path, make: Callable[[Path], None]
) -> None:
    make(root / "reproduce.sh")
    execution = run()
    assert execution.status == "no_script"
    assert execution.exit_code is None
    assert execution.created == ()
    assert execution.submission is not None
    assert "keep.txt" in execution.submission.files


def test_no_key_of_ours_gets_in(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "BASH_ENV", "LD_PRELOAD_X", "PYTHONPATH"):
        monkeypatch.setenv(name, "secret")
    execution = run("env -0 | sort -z | cut -z -d= -f1 | tr '\\0' ' '")
    assert set(log_of(execution).text.split()) <= {
        "HOME", "LANG", "LC_ALL", "OLDPWD", "PATH", "PWD", "PYTHONDONTWRITEBYTECODE",
        "PYTHONUNBUFFERED", "RUBRIC_ENGINE_RUN", "SHLVL", "TMPDIR", "TZ", "VIRTUAL_ENV", "_",
    }  # fmt: skip


def test_our_interpreter_comes_first(run: Run) -> None:
    lines = log_of(
        run("echo $PATH; command -v python; touch $HOME/a $TMPDIR/b; ls")
    ).text.splitlines()
    ours = os.path.dirname(sys.executable)  # noqa: PTH120
    assert lines[0].split(":")[0] == ours
    assert lines[1] == f"{ours}/python"
    assert lines[2:] == ["keep.txt", "reproduce.sh"]


def test_the_log_keeps_head_and_tail(run: Run) -> None:
    execution = run("echo first; yes ä | head -c 3000000; echo; echo last >&2", log=1000)
    log = log_of(execution)
    assert log.head.startswith("first\nä\n")
    assert log.tail.endswith("ä\n\nlast\n")
    assert len(log.head.encode()) + len(log.tail.encode()) + log.omitted_bytes == 3_000_012
    assert "\ufffd" not in log.text


def test_a_log_that_is_no_text_is_kept(run: Run) -> None:
    assert log_of(run("printf 'a\\xff\\0b'")).text == "a\ufffd\0b"


@pytest.mark.parametrize(
    "script",
    [
        "mkdir d; echo 1 > d/f; chmod 000 d/f d",
        "mkdir d; echo 1 > d/f; chmod 000 d/f d; chmod 000 .",
        "mkdir d; echo 1 > d/f; chmod 000 d; chmod 000 .. .",
    ],
)
def test_modes_that_a_script_left_hide_nothing(ordinary_user: Path, script: str) -> None:
    (ordinary_user / "keep.txt").write_text("1")
    workspace = Workspace(load_submission(ordinary_user), None)
    subprocess.run(["bash", "-c", script], cwd=workspace.folder, check=True)
    executed = workspace.index()
    assert list(executed.files.readable) == ["d/f", "keep.txt"]
    assert executed.read("d/f") == "1\n"
    work = workspace.parent
    del workspace, executed
    gc.collect()
    assert not work.exists()


@pytest.mark.parametrize(
    "script",
    [
        'rm -rf "$PWD"',
        'rm -rf "$PWD"; ln -s /etc "$PWD"',
        'here=$PWD; cd ..; mv "$here" moved; mkdir "$here"; echo 1 > "$here/x"',
        'rm -rf "$(dirname "$PWD")"',
        'rm -rf "$(dirname "$PWD")"; touch "$(dirname "$PWD")"',
        'p=$PWD; mv "${p%/*}" "${p%/*}-moved"; mkdir -p "$p"; echo 1 > "$p/x"',
        'p=$(dirname "$PWD"); rm -rf "$(dirname "$p")"',
    ],
)
@pytest.mark.usefixtures("scratch")
def test_a_folder_that_the_script_took_away_is_empty(run: Run, script: str) -> None:
    execution = run(script)
    assert execution.deleted == ("keep.txt", "reproduce.sh")
    assert execution.created == ()
    assert execution.submission is not None
    assert not execution.submission.files.entries


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("place", ["$PWD", '$(dirname "$PWD")', "$HOME", '$(dirname "$HOME")'])
def test_what_a_script_puts_in_the_place_of_a_folder_is_not_followed(
    run: Run, tmp_path: Path, place: str
) -> None:
    precious = tmp_path / "precious"
    (precious / "submission").mkdir(parents=True)
    (precious / "submission/file").write_text("1")
    precious.chmod(0o755)
    execution = run(f'p={place}; rm -rf "$p"; ln -s {precious} "$p"')
    assert execution.status == "ok"
    del execution
    gc.collect()
    assert (precious / "submission/file").read_text() == "1"
    assert stat.S_IMODE(precious.stat().st_mode) == 0o755


def test_a_link_to_a_script_in_the_submission_is_run(run: Run, root: Path) -> None:
    (root / "scripts").mkdir()
    (root / "scripts/run.sh").write_text("touch ran")
    (root / "reproduce.sh").symlink_to("scripts/run.sh")
    execution = run()
    assert (execution.status, execution.created) == ("ok", ("ran",))


def test_the_executed_files_live_as_long_as_the_execution(run: Run) -> None:
    execution = run("echo 1 > new")
    assert isinstance(execution.submission, FolderSubmission)
    work = execution.submission.root
    assert work.stat().st_mode & 0o077 == 0
    assert work.is_dir()
    del execution
    gc.collect()
    assert not work.parent.exists()


def test_without_bash_the_sandbox_fails_and_not_the_submission(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxError, match="bash was not found") as caught:
        run("echo")
    assert caught.value.exit_code == 8
    assert caught.value.fix


def test_without_room_the_sandbox_fails_and_not_the_submission(run: Run, scratch: Path) -> None:
    scratch.rmdir()
    with pytest.raises(SandboxError, match="making a temporary folder failed"):
        run("echo")


@pytest.mark.parametrize("network", ["none", "install"])
def test_it_says_that_it_installs_nothing(run: Run, root: Path, network: str) -> None:
    (root / "setup.sh").write_text("touch installed")
    execution = run("true", network=network)
    assert execution.created == ()
    told = [warning.message for warning in of_execution(execution)]
    assert bool(told) == (network == "install")
    assert all("setup.sh was not run" in message for message in told)
