from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import pytest

from rubric_engine.sandbox.shielding import shielded

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shields a process")


def shows_itself() -> bool:
    """What the kernel says of this process; root reads it all the same."""
    shown: int = ctypes.CDLL(None).prctl(3, *[ctypes.c_ulong(0)] * 4)
    if os.getuid() != 0:
        environ = f"/proc/{os.getpid()}/environ"
        read = subprocess.run(["cat", environ], capture_output=True, check=False)
        assert (read.returncode == 0) is bool(shown)
    return bool(shown)


def test_nobody_reads_our_environment_while_a_script_runs() -> None:
    ctypes.CDLL(None).prctl(4, ctypes.c_ulong(1), *[ctypes.c_ulong(0)] * 3)
    assert shows_itself()
    with shielded():
        assert not shows_itself()
        with shielded():
            assert not shows_itself()
        assert not shows_itself()
    assert shows_itself()
