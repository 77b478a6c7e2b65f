"""Running `reproduce.sh` in containers of a Docker engine."""

from rubric_engine.sandbox.docker.reaper import Reaped, reap
from rubric_engine.sandbox.docker.sandbox import DockerSandbox
from rubric_engine.sandbox.docker.watching import OnProgress, Progress

__all__ = ["DockerSandbox", "OnProgress", "Progress", "Reaped", "reap"]
