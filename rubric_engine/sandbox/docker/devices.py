"""GPUs: whether an engine has them, how it is asked for them, and the memory in use on them."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from rubric_engine.errors import SandboxError
from rubric_engine.isolation import Device, Limits, Log
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.faults import Fault
from rubric_engine.sandbox.docker.options import CDI
from rubric_engine.sandbox.docker.probing import probe

_LOSS = (
    "failed to initialize nvml",
    "unable to determine the device handle",
    "gpu is lost",
    "device is lost",
    "has fallen off the bus",
    "gpu requires reset",
    "driver/library version mismatch",
    "no cuda-capable device is detected",
    "busy or unavailable",
    "cuda driver initialization failed",
    "cuda unknown error",
    "uncorrectable ecc error",
)
_ASK = ("nvidia-smi", "--query-gpu=uuid,name,memory.used", "--format=csv,noheader,nounits")
_MIB = 1 << 20
_LONGEST = 300


def tells_of_loss(log: Log) -> bool:
    """Whether something was printed that programs say where a device or its driver is gone.

    Anybody can print it.
    """
    printed = f"{log.head}\n{log.tail}".lower()
    return any(words in printed for words in _LOSS)


def has_gpus(info: Mapping[str, Any]) -> bool:
    """Whether an engine has NVIDIA's runtime, or knows NVIDIA's devices by CDI."""
    return "nvidia" in (info.get("Runtimes") or {}) or bool(_by_cdi(info))


def _by_cdi(info: Mapping[str, Any]) -> frozenset[str]:
    listed = (str(device.get("ID")) for device in info.get("DiscoveredDevices") or ())
    return frozenset(name for name in listed if name.startswith(CDI))


def engine_names(info: Mapping[str, Any], gpus: Sequence[str]) -> tuple[str, ...]:
    """The names by which an engine knows devices.

    Args:
        info: What the engine says of itself.
        gpus: Ids as they were asked for, such as `0` or `GPU-7a3f...`.

    Returns:
        The same where it has NVIDIA's runtime; where it has CDI alone, such as
        `nvidia.com/gpu=0`.

    Raises:
        SandboxError: It has neither, or says that it has no such device.
    """
    runtimes = info.get("Runtimes") or {}
    if not gpus or "nvidia" in runtimes:
        return tuple(gpus)
    there = _by_cdi(info)
    wanted = tuple(f"{CDI}{gpu.removeprefix(CDI)}" for gpu in gpus)
    if not has_gpus(info):
        raise _no_runtime(runtimes)
    if missing := [name for name in wanted if name not in there]:
        raise SandboxError(
            f"the engine has no device {missing[0]}",
            code="E842",
            looked=[f"it has: {', '.join(sorted(there))}"],
            fix=["--gpus ID   one of these", "nvidia-ctk cdi generate   lists them anew"],
        )
    return wanted


def look_at_devices(
    box: Box, limits: Limits, gpus: Sequence[str], stop: threading.Event
) -> tuple[Device, ...]:
    """Ask a container of its own how much memory is in use on devices.

    Args:
        box: Of the run, none of whose containers runs now.
        limits: Of the run.
        gpus: Names by which the engine knows them.
        stop: Set from another thread, ends it.

    Returns:
        The devices, with `before`; none where the image cannot tell.

    Raises:
        Fault: A device is lost (`infra.gpu`), or the engine failed.
    """
    answer = probe(box, _ASK, limits, stop, gpus=gpus)
    ended, printed = answer
    if answer.absent:
        return ()
    if ended.exit_code or tells_of_loss(printed):
        said = " ".join(printed.text.split()) or f"nvidia-smi ended with {ended.exit_code}"
        raise Fault("infra.gpu", f"a device cannot be looked at: {said[:_LONGEST]}")
    return tuple(filter(None, map(_device, printed.text.splitlines())))


def with_after(before: Sequence[Device], after: Sequence[Device]) -> tuple[Device, ...]:
    """What was seen before a run, and the same devices after it."""
    then = {device.id: device.before for device in after}
    return tuple(device.model_copy(update={"after": then.get(device.id)}) for device in before)


def _device(line: str) -> Device | None:
    """One line of the answer: id, name, and MiB in use, where the device can tell."""
    parts = [part.strip() for part in line.split(",")]
    if len(parts) < 3:
        return None
    used = int(parts[-1]) * _MIB if parts[-1].isdecimal() else None
    return Device(id=parts[0], name=", ".join(parts[1:-1]), before=used)


def _no_runtime(runtimes: Mapping[str, Any]) -> SandboxError:
    return SandboxError(
        "the engine has no NVIDIA runtime, and GPUs were asked for",
        code="E841",
        looked=[
            f"runtimes of the engine: {', '.join(sorted(runtimes))}",
            "devices that it lists by CDI: none of NVIDIA's",
        ],
        fix=[
            "install the NVIDIA driver and nvidia-container-toolkit on the engine's machine, then:"
            " nvidia-ctk runtime configure --runtime=docker && systemctl restart docker",
            "or run without --gpus",
        ],
    )
