"""Who removes a temporary folder, and who must not."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from rubric_engine.submission.scratch import Scratch
from rubric_engine.submission.sweeping import UNLOCKED, prefix, sweep

FORKED = """
import os, sys
from rubric_engine.submission.scratch import Scratch
scratch = Scratch()
(scratch.path / "file").touch()
if os.fork() == 0:
    {end}
    sys.exit()
os.wait()
print(scratch.in_place, os.listdir(scratch.path))
"""

# The kernel itself is made to answer "no locks available" to `flock`: a filter of system calls.
NO_LOCKS = """
import ctypes, errno, os, struct, sys
from rubric_engine.submission.scratch import Scratch
number = int(sys.argv[1])
steps = b"".join(struct.pack("HBBI", *step) for step in [
    (0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x50000 | errno.ENOLCK),
    (0x06, 0, 0, 0x7FFF0000),
])
held = ctypes.create_string_buffer(steps)
program = struct.pack("HxxxxxxP", 4, ctypes.addressof(held))
libc = ctypes.CDLL(None, use_errno=True)
zero = ctypes.c_ulong(0)
assert libc.prctl(38, ctypes.c_ulong(1), zero, zero, zero) == 0
assert libc.prctl(22, ctypes.c_ulong(2), ctypes.c_char_p(program), zero, zero) == 0
scratch = Scratch()
print(os.listdir(scratch.path.parent), flush=True)
os._exit(0)
"""

FLOCK = {"x86_64": 73, "aarch64": 32}.get(platform.machine())


def output_of(program: str, *arguments: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


@pytest.mark.parametrize("end", ["", "scratch.remove()", "del scratch"])
def test_a_forked_process_leaves_it_to_its_owner(scratch: Path, end: str) -> None:
    assert output_of(FORKED.format(end=end)) == "True ['file']\n"
    assert not list(scratch.iterdir())


def test_only_folders_of_this_machine_that_nobody_holds_are_swept(scratch: Path) -> None:
    held = Scratch()
    assert held.path.name.startswith(prefix())
    others = [f"rubric-engine-scratch-{'0' * 12}-a", f"{UNLOCKED}a", "mine"]
    for name in [*others, f"{prefix()}dead"]:
        (scratch / name).mkdir()
    sweep(str(scratch), older_than=-1)
    assert {path.name for path in scratch.iterdir()} == {*others, held.path.name}
    held.remove()


@pytest.mark.skipif(
    sys.platform != "linux" or FLOCK is None, reason="no way to make the system refuse locks"
)
def test_a_folder_that_cannot_be_locked_is_never_swept(scratch: Path) -> None:
    output_of(NO_LOCKS, str(FLOCK))
    left = list(scratch.iterdir())
    assert [path.name.startswith(UNLOCKED) for path in left] == [True]
    sweep(str(scratch), older_than=-1)
    assert list(scratch.iterdir()) == left
