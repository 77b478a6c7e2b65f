"""Scripts that go wrong and scripts that mean harm, each with the ending that it must have."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.isolation import Execution, ExecutionStatus
from tests.sandbox.conftest import Run, log_of

MIB = 1 << 20


@dataclass(frozen=True)
class Row:
    """One row of the table in docs/sandbox.md.

    Attributes:
        what: The first column, which the page must hold with the status beside it.
        script: The content of `reproduce.sh`.
        status: The ending.
        exit_code: Exit code.
        limits: Limits and other settings of the run.
        prints: Expression that the log must match.
        created: What it made.
        omitted: Of what was not taken out, some that must be listed.
        oom_seen: Whether the kernel killed for memory.
        slow: Whether it takes long.
    """

    what: str
    script: str
    status: ExecutionStatus
    exit_code: int | None = None
    limits: dict[str, Any] = field(default_factory=dict)
    prints: str = ""
    created: tuple[str, ...] | None = ()
    omitted: tuple[str, ...] = ()
    oom_seen: bool = False
    slow: bool = False

    def check(self, run: Execution) -> None:
        """Assert that a run ended as it must."""
        printed = log_of(run).text
        assert run.status == self.status, printed[-300:]
        if self.exit_code is not None:
            assert run.exit_code == self.exit_code
        assert re.search(self.prints, printed, re.DOTALL), printed[-300:]
        if self.created is not None:
            assert run.created == self.created
        left_out = {entry.path for entry in run.omitted}
        assert left_out >= set(self.omitted)
        assert bool(left_out) == bool(self.omitted)
        assert run.oom_seen == self.oom_seen
        assert run.modified == ()


BIG = "head -c 300000000 /dev/zero | tail"
SMALL = {"memory": 64 * MIB}
PROBE = "for f in /proc/[0-9]*/environ; do tr '\\0' '\\n' < $f; done 2>/dev/null"

UNLINKED = """
for n in $(seq 10 19); do
    eval "exec $n> f$n"; rm f$n
    head -c 20M /dev/zero >& $n
done
sleep 30
"""
DEEP = """
name=$(printf 'd%.0s' $(seq 250))
for n in $(seq 20); do mkdir $name; cd $name; done
for n in $(seq 10); do head -c 5M /dev/zero > big.$n; done
sleep 50
"""
# Cgroups of version 1, or of version 2: swap and memory in one, or swap alone; CPU time.
READ = """
cat /proc/self/oom_score_adj
cat /sys/fs/cgroup/memory/memory.memsw.limit_in_bytes || cat /sys/fs/cgroup/memory.swap.max
cat /sys/fs/cgroup/cpu/cpu.cfs_quota_us || cat /sys/fs/cgroup/cpu.max
"""
READ = f"{{ {READ} }} 2> /dev/null"

TABLE = [
    Row("it succeeds", "echo 1 > new; echo done", "ok", 0, prints="^done\n$", created=("new",)),
    Row("it fails with a code", "exit 7", "failed", 7),
    Row("a pipe hides that a step failed", "false | true", "ok", 0),
    Row(
        "its time is over, and children are detached and ignore TERM",
        "trap '' TERM HUP; setsid sleep 900 & nohup sleep 900 & while true; do sleep 900; done",
        "timeout",
        137,
        limits={"time": 1.0},
    ),
    Row(
        "fork bomb",
        # Waits by a builtin: a command of its own would want a process, and may get none.
        "mkfifo /tmp/wait; exec 3<>/tmp/wait; :(){ :|:& };:; read -t 2 -u 3; echo survived",
        "ok",
        0,
        limits={"pids": 64, "time": 30.0},
        prints="temporarily unavailable",
    ),
    Row("memory bomb in the script itself", f"exec bash -c '{BIG}'", "oom", 137, SMALL,
        oom_seen=True),
    Row("memory bomb in a child, and the script goes on", f"{BIG}; echo on", "ok", 0, SMALL,
        prints="on\n$", oom_seen=True),
    Row("memory bomb in /tmp", "head -c 300M /dev/zero > /tmp/big", "oom", 137,
        {**SMALL, "tmp": 512 * MIB}, oom_seen=True),
    Row("it fills /tmp", "head -c 300M /dev/zero > /tmp/big", "failed", 1, {"tmp": 16 * MIB},
        prints="No space left on device"),
    Row("it fills shared memory",
        "df -k --output=size /dev/shm | tail -1; head -c 300M /dev/zero > /dev/shm/big", "failed",
        1, {"shm": 16 * MIB}, prints="^ *16384\n.*No space left on device"),
    Row("it asks for more open files, or a core file",
        "ulimit -Hn; ulimit -Hc; ulimit -n 10000 || ulimit -c unlimited", "failed", 1,
        prints="^8192\n0\n.*cannot modify limit.*cannot modify limit"),
    Row("it reads what it may use", READ, "ok", 0, {"memory": 64 * MIB, "cpus": 0.5},
        prints="^500\n(67108864|0)\n50000\\b"),
    Row("it fills the image's file system", "head -c 1G /dev/zero > /big", "failed", 1,
        prints="Read-only file system"),
    Row("it fills the volume with many files",
        "while true; do n=$((n + 1)); head -c 5M /dev/zero > big.$n; done", "disk_full", 137,
        {"disk": 32 * MIB}, created=None),
    Row("it fills the volume with open files that it deleted", UNLINKED, "disk_full", 137,
        {"disk": 32 * MIB}),
    Row("it fills the volume with one file", "head -c 1G /dev/zero > big", "disk_full", 153,
        {"disk": 32 * MIB}, created=("big",)),
    Row("1 GB of log", "yes | head -c 1G; echo the end", "ok", 0, {"time": 300.0},
        prints="the end\n$", slow=True),
    Row("a line of 5 MB", "head -c 5000000 /dev/zero | tr '\\0' x; echo; echo the end", "ok", 0,
        {"log_bytes": 10_000}, prints="^x{5000}\n.*bytes left out.*\nx*\nthe end\n$"),
    Row("an endless line", "yes | tr -d '\\n'", "timeout", None, {"time": 2.0, "log_bytes": 1000},
        prints="bytes left out"),
    Row("a log that is no text", "head -c 100000 /dev/urandom; echo; echo the end", "ok", 0,
        prints="\nthe end\n$"),
    Row("kill -9 -1", "kill -9 -1; sleep 60", "killed", 137),
    Row("it deletes itself", "rm reproduce.sh; echo 1 > new", "ok", 0, created=("new",)),
    Row("it deletes the submission", 'rm -rf "$PWD"', "failed", 1),
    Row("a sparse file of 3 GB", "truncate -s 3G sparse; echo 1 > new", "ok", 0, {"out_bytes": MIB},
        created=("new",), omitted=("sparse", "**"), slow=True),
    Row("200,000 small files", "mkdir d; seq 200000 | (cd d; xargs touch)", "ok", 0,
        {"out_files": 1000}, created=None, omitted=("**",), slow=True),
    Row("links to /etc/shadow and ..", "ln -s /etc/shadow shadow; ln -s .. up", "ok", 0,
        omitted=("shadow", "up")),
    Row("FIFO, device, setuid", "mkfifo fifo; mknod null c 1 3; cp /bin/true su; chmod 4755 su",
        "ok", 0, prints="Operation not permitted", created=("su",), omitted=("fifo",)),
    Row("names with newlines", "echo 1 > $'a\\nb'; echo 1 > $'\\xff'", "ok", 0,
        created=("a\nb", "\udcff")),
    Row("forged times", "touch -d @-99999999999 keep.txt; touch -d @99999999999 keep.txt", "ok", 0),
    Row("it sets the clock", "date -s 2020-01-01", "failed", 1, prints="Operation not permitted"),
    Row("network", "ls /sys/class/net; exec 3<>/dev/tcp/192.0.2.1/80", "failed", 1,
        prints="^lo\n.*unreachable"),
    Row("the cloud's metadata address", "exec 3<>/dev/tcp/169.254.169.254/80", "failed", 1,
        prints="unreachable"),
    Row("the host's gateway", "exec 3<>/dev/tcp/172.17.0.1/22", "failed", 1, prints="unreachable"),
    Row("the engine's socket", "ls /var/run/docker.sock", "failed", 2, prints="No such file"),
    Row("keys in the environment", f"{PROBE} | grep HOST_SECRET", "failed", 1),
    Row("it blames the image", "echo 'timeout: failed to run command'; exit 127", "failed", 127),
    Row("another user, more rights", "su -c id || unshare -r id || chroot / id", "failed", None,
        prints="."),
]  # fmt: skip


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=row.what, marks=[pytest.mark.slow] * row.slow) for row in TABLE],
)
def test_hostile(row: Row, boxed: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST_SECRET", "sesame")
    run = boxed(row.script, **row.limits)
    row.check(run)
    assert run.attempts == 1


def test_a_volume_that_cannot_be_measured_is_full(boxed: Run) -> None:
    assert boxed(DEEP, disk=32 * MIB).status == "disk_full"


def test_the_page_has_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs/sandbox.md").read_text()
    rows = re.findall(r"^\| (.+?) \| `(\w+)`", page, re.MULTILINE)
    assert rows == [(row.what, row.status) for row in TABLE]
