"""How a container of ours is made: what it may do, and what it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rubric_engine.isolation import Limits

if TYPE_CHECKING:
    from docker.types import DeviceRequest

USER = 1000
"""User and group of the script, who need not exist in the image."""

BOX = "/box"
"""Where the volume is; it belongs to root, so that nothing in it can be put in place of another."""

SUBMISSION, HOME, VENV = "submission", "home", "venv"
"""Names of folders on the volume."""

CDI = "nvidia.com/gpu="
"""How names of devices begin where the engine knows them by CDI."""

_GPU_SHM = 1 << 30
_FILES = 8192
_OOM_SCORE = 500


def container_options(
    limits: Limits, environment: Mapping[str, str], gpus: Sequence[str]
) -> dict[str, Any]:
    """Arguments for `client.containers.create`, all but what runs, where and under which name.

    Args:
        limits: What it may use.
        environment: All variables but those of the image.
        gpus: Device ids, as the engine knows them.
    """
    from docker.types import LogConfig, Ulimit

    return {
        "working_dir": f"{BOX}/{SUBMISSION}",
        "user": f"{USER}:{USER}",
        "init": True,
        "read_only": True,
        "tmpfs": {"/tmp": f"rw,nosuid,nodev,size={limits.tmp},mode=1777"},  # noqa: S108 (in it)
        "mem_limit": limits.memory,
        "memswap_limit": limits.memory,
        "nano_cpus": int(limits.cpus * 1e9),
        "pids_limit": limits.pids,
        "shm_size": limits.shm,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true"],
        "ulimits": [
            Ulimit(name="nofile", soft=_FILES, hard=_FILES),
            Ulimit(name="fsize", soft=limits.disk, hard=limits.disk),
            Ulimit(name="core", soft=0, hard=0),
        ],
        # Where the host itself runs out of memory, the script goes first.
        "oom_score_adj": _OOM_SCORE,
        "environment": dict(environment),
        # The client's settings may name proxies, with passwords in them.
        "use_config_proxy": False,
        # What is printed is read as it comes. A copy of the engine's own would be an entry for
        # every line: a flood of short ones takes it many minutes.
        "log_config": LogConfig(type="none"),
        "device_requests": _devices(gpus) if gpus else None,
    }


def _devices(gpus: Sequence[str]) -> list[DeviceRequest]:
    from docker.types import DeviceRequest

    # An engine that knows devices by CDI alone takes them from no other driver.
    driver = "cdi" if any(gpu.startswith(CDI) for gpu in gpus) else ""
    capabilities = [["gpu", "compute", "utility"]]
    return [DeviceRequest(device_ids=list(gpus), capabilities=capabilities, driver=driver)]


def shm_of(limits: Limits, gpus: Sequence[str]) -> int:
    """Bytes of shared memory; programs that use GPUs share batches through it."""
    return max(limits.shm, _GPU_SHM) if gpus else limits.shm


def bounded(command: Sequence[str], seconds: float) -> list[str]:
    """A command that ends itself should nobody be left to end it.

    The exit code and the signal stay those of the command.
    """
    return ["timeout", "-k", "10", f"{seconds + 60:.0f}", *command]
