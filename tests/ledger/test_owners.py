"""Whether the owner of a claim lives, also where this process may not look at it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from rubric_engine.ledger.process import lives, new_owner, of_this_boot, retire

# As another user, in a view of the process table that hides everybody else's processes.
HIDDEN = """
import os, subprocess, sys
from rubric_engine.ledger.process import lives
subprocess.run(["mount", "-t", "proc", "-o", "hidepid=2", "proc", "/proc"], check=True)
lives(sys.argv[1])  # reads all of Python that it needs, which the other user may not
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
assert not os.path.exists(f"/proc/{os.getppid()}/stat"), "it is not hidden"
print(*(lives(owner) for owner in sys.argv[1:]))
"""


@pytest.fixture
def owner() -> Iterator[str]:
    owner = new_owner()
    yield owner
    retire(owner)


@pytest.fixture
def ended() -> int:
    """Process id of a process that ended."""
    with subprocess.Popen(["true"]) as process:
        return process.pid


def with_pid(owner: str, pid: int) -> str:
    boot, _, started, nonce = owner.split("/")
    return f"{boot}/{pid}/{started}/{nonce}"


@pytest.mark.parametrize(
    "change",
    [
        lambda owner: owner.replace("/", "-again/", 1),
        lambda owner: "/".join([*owner.split("/")[:2], "1", "x"]),
    ],
    ids=["another boot", "another start"],
)
def test_a_process_id_alone_is_nobody(owner: str, change: Callable[[str], str]) -> None:
    assert lives(owner)
    assert not lives(change(owner))
    assert of_this_boot(owner)


def test_who_ended_is_dead(owner: str, ended: int) -> None:
    assert not lives(with_pid(owner, ended))
    retire(owner)
    assert not lives(owner)


def test_who_may_not_be_looked_at_lives(owner: str, ended: int) -> None:
    if os.getuid() != 0 or not shutil.which("unshare"):
        pytest.skip("another view of the process table needs root and unshare")
    asked = [sys.executable, "-c", HIDDEN, owner, with_pid(owner, ended)]
    done = subprocess.run(["unshare", "--mount", *asked], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "True False\n"), done.stderr
