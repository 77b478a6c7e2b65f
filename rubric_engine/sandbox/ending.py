"""Which signals end a script on purpose, in every sandbox."""

from __future__ import annotations

import signal

KILLS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
"""What a process is ended with, by itself or by another one. Other signals, such as that of a
violation of memory, are faults of a program: the script failed."""
