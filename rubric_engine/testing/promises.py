"""The promises of sandboxes: the core that all make, and isolation."""

from __future__ import annotations

from collections.abc import Callable

from rubric_engine.isolation import Execution, Limits
from rubric_engine.testing.conformance import Promise

_MIB = 1 << 20
_BIG = "head -c 200000000 /dev/zero | tail"

_KEY = {"PLANTED_API_KEY": "sesame"}

_Holds = Callable[[Execution], None]


def _ends(status: str, exit_code: int | None = None, signal: int | None = None) -> _Holds:
    def holds(run: Execution) -> None:
        ended = (run.status, run.exit_code, run.signal)
        assert ended == (status, exit_code, signal), f"it ended as {ended}"

    return holds


def _files(
    created: tuple[str, ...] = (), modified: tuple[str, ...] = (), deleted: tuple[str, ...] = ()
) -> _Holds:
    def holds(run: Execution) -> None:
        told = (run.created, run.modified, run.deleted)
        assert told == (created, modified, deleted), f"it tells {told}"

    return holds


def _prints(text: str) -> _Holds:
    def holds(run: Execution) -> None:
        assert run.log is not None, "it has a log"
        assert run.log.text == text, f"the log is {run.log.text[:200]!r}"

    return holds


def _in_time(run: Execution) -> None:
    assert run.status == "timeout", f"it ended as {run.status}"
    assert run.duration_s is not None, "it has a duration"
    assert 1.0 <= run.duration_s < 30.0, f"it took {run.duration_s} s"


def _bounded(run: Execution) -> None:
    assert run.log is not None, "it has a log"
    kept = len(run.log.head.encode()) + len(run.log.tail.encode())
    assert kept <= 1000, f"{kept} bytes of log are kept"
    assert kept + run.log.omitted_bytes == 1_000_008, "all bytes are accounted for"
    assert run.log.tail.endswith("x\nthe end\n"), "the end is kept"


def _removed(run: Execution) -> None:
    assert run.removed_before == ("kept.txt",), f"it removed {run.removed_before}"
    assert run.created == ("kept.txt",), f"it created {run.created}"


def _reads(run: Execution) -> None:
    assert run.submission is not None, "there is an executed submission"
    assert run.submission.read("folder/made.txt") == "made\n", "the files can be read"


def _no_link(run: Execution) -> None:
    assert run.submission is not None, "there is an executed submission"
    assert not {"passwd", "up/kept.txt"} & set(run.submission.files.readable), "no link is followed"


def _few(run: Execution) -> None:
    assert run.log is not None, "it has a log"
    assert "temporarily unavailable" in run.log.text, "no process was refused"


def _online(run: Execution) -> None:
    assert run.network == "open", f"it tells the network {run.network}"
    _ends("ok", 0)(run)


def _saved(run: Execution) -> None:
    _in_time(run)
    assert run.created == ("saved",), f"it created {run.created}"


def _oom_survived(run: Execution) -> None:
    assert (run.status, run.oom_seen) == ("ok", True), f"{run.status}, seen: {run.oom_seen}"


CORE = (
    Promise("a script that succeeds is ok", "true", _ends("ok", 0)),
    Promise("a script that fails says with which code", "exit 3", _ends("failed", 3)),
    Promise("a signal is told", "kill -9 $$", _ends("killed", 137, 9)),
    Promise(
        "a child's signal counts as the script's", "bash -c 'kill $$'", _ends("killed", 143, 15)
    ),
    Promise("an exit code stands for its signal", "exit 129", _ends("killed", 129, 1)),
    Promise("so does that of a file too large", "exit 153", _ends("disk_full", 153, 25)),
    Promise("a program's own fault is a failure", "exit 139", _ends("failed", 139, 11)),
    Promise("no signal has the number", "exit 255", _ends("failed", 255)),
    Promise("without a script nothing runs", None, _ends("no_script")),
    Promise(
        "files are told by content",
        "mkdir folder; echo made > folder/made.txt; echo more >> kept.txt; rm reproduce.sh",
        _files(("folder/made.txt",), ("kept.txt",), ("reproduce.sh",)),
    ),
    Promise(
        "forged times change nothing", "touch -d @1 kept.txt; touch -d @9999999999 .", _files()
    ),
    Promise("a script may rewrite what it finds", "echo kept > kept.txt", _files()),
    Promise("results can be read", "mkdir folder; echo made > folder/made.txt", _reads),
    Promise(
        "links lead nowhere", "ln -s /etc/passwd passwd; ln -s .. up; ln kept.txt hard", _no_link
    ),
    Promise("outputs are removed first", "echo new > kept.txt", _removed, outputs=("kept.txt",)),
    Promise("the log is both streams in order", "echo 1; echo 2 >&2; echo 3", _prints("1\n2\n3\n")),
    Promise(
        "a log is bounded, and its end is kept",
        "yes x | head -n 500000; echo the end",
        _bounded,
        limits=Limits(time=60.0, log_bytes=1000),
    ),
    Promise("a log may hold any bytes", "printf 'a\\xff\\0b'", _prints("a\ufffd\0b")),
    Promise(
        "time ends a run and all it started",
        "trap '' TERM; setsid sleep 600 & while true; do sleep 600; done",
        _in_time,
        limits=Limits(time=1.0),
    ),
    Promise(
        "a run whose time is over may still write what it has",
        "trap 'echo 1 > saved; exit 0' TERM; sleep 600 & wait",
        _saved,
        limits=Limits(time=1.0),
    ),
    Promise("standard input is empty", "cat", _ends("ok", 0)),
    Promise(
        "no variable of this process gets in", "! env | grep PLANTED", _ends("ok", 0), planted=_KEY
    ),
    Promise(
        "variables for the script get in, and replace none of the sandbox's own",
        'test "$MINE" = "a b" && test "$HOME" != /x',
        _ends("ok", 0),
        secrets={"MINE": "a b", "HOME": "/x"},
    ),
)
"""What every sandbox promises."""

ISOLATION = (
    Promise(
        "nobody is root, and nothing can be gained",
        "[ $(id -u) != 0 ] && ! grep -E 'Cap(Eff|Bnd):.*[1-9a-f]' /proc/self/status",
        _ends("ok", 0),
    ),
    Promise(
        "only the submission, home and temporary folders can be written",
        "touch here ~/home /tmp/tmp && ! touch /etc/x && ! touch /usr/x && ! touch /x",
        _ends("ok", 0),
    ),
    Promise(
        "there is no network but the loopback",
        'test "$(ls /sys/class/net)" = lo && ! (exec 3<>/dev/tcp/169.254.169.254/80)',
        _ends("ok", 0),
    ),
    Promise(
        "what is to be online has a network",
        'test "$(ls /sys/class/net)" != lo',
        _online,
        network="open",
    ),
    Promise(
        "what installed online runs without a network",
        'test "$(ls /sys/class/net)" = lo',
        _ends("ok", 0),
        network="install",
    ),
    Promise(
        "no variable of another process can be seen",
        "cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n' > seen; ! grep PLANTED seen",
        _ends("ok", 0),
        planted=_KEY,
    ),
    Promise("there is no engine", "! ls /var/run/docker.sock", _ends("ok", 0)),
    Promise(
        "processes are few",
        ":(){ :|:& };:; sleep 1",
        _few,
        limits=Limits(time=20.0, pids=50),
    ),
    Promise(
        "memory that runs out is told",
        f"exec {_BIG}",
        _ends("oom", 137, 9),
        limits=Limits(time=60.0, memory=64 * _MIB),
    ),
    Promise(
        "memory that ran out is told where the script went on",
        f"{_BIG}; true",
        _oom_survived,
        limits=Limits(time=60.0, memory=64 * _MIB),
    ),
    Promise(
        "a disk that is full is told",
        "while true; do n=$((n + 1)); head -c 5000000 /dev/zero > big.$n; done",
        _ends("disk_full", 137, 9),
        limits=Limits(time=60.0, disk=32 * _MIB),
    ),
)
"""What a sandbox promises besides that says that it isolates."""
