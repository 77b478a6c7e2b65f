"""On a real terminal: the question before money is spent, and the live block."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import subprocess
import sys
import termios
import threading
from pathlib import Path

import pytest

from rubric_engine.testing import Fault, ScriptedServer
from tests.cli.conftest import Command
from tests.cli.paying import LEAVES, Paying, paying

__all__ = ["paying"]

MAIN = [sys.executable, "-c", "from rubric_engine.cli import main; main()"]


def on_terminal(
    arguments: list[str], answer: str, cwd: Path, *, to: str = "[y/N]"
) -> tuple[int, str, str]:
    """Run with stdin and stderr on a terminal, and type an answer once something is shown.

    Args:
        arguments: Words of the command line.
        answer: What is typed; nothing where it is empty.
        cwd: The current folder.
        to: What is waited for.

    Returns:
        The exit code, stdout, and what the terminal showed.
    """
    ours, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in ("CI", "NO_COLOR")}
    environment |= {"TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen(
        [*MAIN, *arguments],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment,
        cwd=cwd,
        text=True,
        start_new_session=True,
        preexec_fn=_take_terminal,
    ) as process:
        os.close(theirs)
        guard = threading.Timer(60, process.kill)
        guard.start()
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
                if answer and to.encode() in shown:
                    os.write(ours, answer.encode())
                    answer = ""
        except OSError:  # the other end is closed
            pass
        out, _ = process.communicate()
        guard.cancel()
    os.close(ours)
    return process.returncode, out, shown.decode()


def _take_terminal() -> None:
    """Let the terminal's keys reach the process, Ctrl-C for one."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.mark.parametrize(
    ("answer", "code", "asked"),
    [("y\n", 0, LEAVES), ("n\n", 2, 0), ("\n", 2, 0), ("\x04", 2, 0), ("\x03", 130, 0)],
)
def test_much_money_is_asked_for(paying: Paying, answer: str, code: int, asked: int) -> None:
    with ScriptedServer() as server:
        arguments = paying.arguments(server.base_url, "--confirm-above", "0.001")
        found, out, shown = on_terminal(arguments, answer, paying.folder)
        assert len(server.requests) == asked
    assert found == code, shown
    assert re.search(r"Spend up to \$0\.0\d+\? \[y/N\]", shown)
    assert "[y/N]" not in out
    assert "Traceback" not in shown


def test_the_live_block_is_drawn_and_taken_away(paying: Paying) -> None:
    slow = Fault("slow", delay=0.4)
    with ScriptedServer(fault_at=dict.fromkeys(range(1, LEAVES + 1), slow)) as server:
        arguments = paying.arguments(server.base_url, "--max-cost", "1")
        code, out, shown = on_terminal(arguments, "", paying.folder)
    assert code == 0, shown
    announced = shown.partition("\x1b")[0].splitlines()
    assert any(re.search(r" bytes   sha [0-9a-f]{8}$", line) for line in announced)
    assert all(len(line) <= 80 or " " not in line[12:] for line in announced)
    assert re.search(r"\d%  \d/6  0:0\d", shown)
    for piece in ("graded   open 0   failed 0", "of $1.00", "replayed 0", "in flight "):
        assert piece in shown
    assert "in flight" not in out
    assert out.startswith("score ")
    assert shown.rstrip().endswith(("\x1b[2K", "\x1b[?25h"))


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 2)])
def test_a_resume_asks_and_shows_the_block_as_a_grading_does(
    paying: Paying, answer: str, code: int
) -> None:
    slow = Fault("slow", delay=0.4)
    with ScriptedServer(fault_at=dict.fromkeys(range(1, LEAVES + 2), slow)) as server:
        arguments = paying.arguments(server.base_url)
        assert on_terminal(arguments, "\x03", paying.folder, to="in flight 1/")[0] == 130
        asked = len(server.requests)
        resume = ["resume", "--confirm-above", "0.001"]
        found, out, shown = on_terminal(resume, answer, paying.folder)
        again = len(server.requests) - asked
    assert found == code, shown
    assert re.search(r"resuming    runs/20\S+   \d leaves kept, \d to do", shown)
    assert re.search(r"estimate    \d calls", shown)
    assert re.search(r"Spend up to \$0\.0\d+\? \[y/N\]", shown)
    assert bool(re.search(r"\d%  \d/6  0:0\d", shown)) == bool(again) == (code == 0)
    assert out.startswith("score ") == (code == 0)


@pytest.mark.parametrize(
    ("answer", "code"), [("y\n", 0), ("n\n", 2), ("\n", 2), ("\x04", 2), ("\x03", 130)]
)
def test_a_run_is_removed_on_a_yes_alone(
    command: Command, rubric: Path, submission: Path, answer: str, code: int
) -> None:
    assert command("grade", submission, "--rubric", rubric, "-q").code == 0
    (run,) = Path("runs").iterdir()
    found, out, shown = on_terminal(["runs", "rm", "latest"], answer, Path())
    assert f"Remove {run}? [y/N]" in shown
    assert (found, run.exists()) == (code, code != 0), shown
    assert out == (f"removed {run}\n" if code == 0 else "")
    assert ("nothing was removed" in shown) == (code == 2)
    assert "Traceback" not in shown


@pytest.mark.parametrize("flag", ["-q", "--json"])
def test_quiet_shows_no_block(paying: Paying, flag: str) -> None:
    with ScriptedServer(latency=0.2) as server:
        arguments = paying.arguments(server.base_url, "--max-cost", "1", flag)
        code, _, shown = on_terminal(arguments, "", paying.folder)
    assert (code, shown) == (0, "")


def test_ctrl_c_takes_the_block_away_and_keeps_the_run(paying: Paying) -> None:
    with ScriptedServer(latency=1.0) as server:
        arguments = paying.arguments(server.base_url, "--max-cost", "1")
        code, _, shown = on_terminal(arguments, "\x03", paying.folder, to="in flight 1/")
        assert len(server.requests) < LEAVES
    assert code == 130
    assert "interrupted" in shown
    assert shown.rfind("\x1b[?25h") > shown.rfind("\x1b[?25l")  # the cursor is back
    assert "Traceback" not in shown
    (run,) = (paying.folder / "runs").glob("20*")
    assert '"status": "stopped"' in (run / "run.json").read_text()
