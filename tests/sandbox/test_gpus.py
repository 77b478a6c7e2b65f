"""GPUs without one: an engine that takes itself to have them, and an image that answers for one."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from docker import DockerClient

from rubric_engine.errors import SandboxError
from rubric_engine.isolation import Device, Execution, Limits, Log
from rubric_engine.run_warnings import of_execution
from rubric_engine.sandbox.docker import DockerSandbox
from rubric_engine.sandbox.docker.devices import engine_names, has_gpus, tells_of_loss
from rubric_engine.sandbox.docker.options import container_options
from rubric_engine.sandbox.engines import connect
from rubric_engine.sandbox.recipes import load_recipe
from tests.sandbox.conftest import Run
from tests.sandbox.remote_engines import copy_image

MIB = 1 << 20
IMAGE = "rubric-engine/test-gpu:1"

# It sees the volume as a probe does: what the script left there says how the device is.
SMI = """#!/bin/sh
if [ -e /box/submission/lost ]; then echo 'Unable to determine the device handle'; exit 15; fi
if [ -e /box/submission/held ]; then used=900; else used=3; fi
echo "GPU-7a3f, NVIDIA Test, 1, $used"
"""


@pytest.fixture
def gpu(
    boxed: Run, tls_engine: str, engine: DockerClient, tmp_path: Path
) -> Callable[..., Execution]:
    """Run a script on the engine with a device."""
    base = load_recipe("cpu").image
    copy_image(base, tls_engine)
    with closing(connect(tls_engine)) as client:
        if not client.images.list(IMAGE):
            _make_image(client, base)
    recipe = tmp_path / "gpu"
    recipe.mkdir()
    (recipe / "recipe.yaml").write_text(f"image: {IMAGE}\n")
    box = DockerSandbox(tls_engine, str(recipe))
    return lambda script: boxed(script, sandbox=box, gpus=("0",))


def _make_image(client: DockerClient, base: str) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        member = tarfile.TarInfo("usr/bin/nvidia-smi")
        member.size, member.mode = len(SMI), 0o755
        tar.addfile(member, io.BytesIO(SMI.encode()))
    container = client.containers.create(base, ["true"])
    container.put_archive("/", made.getvalue())
    container.commit(*IMAGE.split(":"))
    container.remove()


@pytest.mark.slow
def test_devices_are_looked_at_before_and_after(gpu: Callable[..., Execution]) -> None:
    run = gpu("touch held")
    assert run.status == "ok"
    assert run.gpus == ("0",)
    assert run.devices == (
        Device(id="GPU-7a3f", name="NVIDIA Test, 1", before=3 * MIB, after=900 * MIB),
    )
    warnings = [warning for warning in of_execution(run) if warning.code == "W315"]
    assert "still holds 943,718,400 bytes" in warnings[0].message


@pytest.mark.slow
def test_a_device_that_is_lost_is_no_fault_of_the_script(gpu: Callable[..., Execution]) -> None:
    failed = gpu("touch lost; exit 1")
    assert (failed.status, failed.attempts) == ("infra.gpu", 3)
    assert failed.log is not None
    assert "Unable to determine the device handle" in failed.log.text
    succeeded = gpu("touch lost")
    assert succeeded.status == "ok"
    assert [device.after for device in succeeded.devices] == [None]


@pytest.mark.slow
def test_who_only_says_that_a_device_is_lost_gets_one_more_attempt(
    gpu: Callable[..., Execution],
) -> None:
    run = gpu("echo 'Failed to initialize NVML: Unknown Error'; exit 1")
    assert (run.status, run.exit_code, run.attempts) == ("failed", 1, 2)


@pytest.mark.parametrize(
    ("device", "words"),
    [
        (Device(id="0", before=0, after=0), ""),
        (Device(id="0"), ""),
        (Device(id="0", before=900 * MIB, after=900 * MIB), "in use before the run"),
        (Device(id="0", before=900 * MIB, after=2000 * MIB), "still holds"),
    ],
)
def test_busy_devices_are_warned_of(device: Device, words: str) -> None:
    run = Execution(status="ok", devices=(device,))
    told = [warning.message for warning in of_execution(run)]
    assert bool(told) == bool(words)
    assert words in "".join(told)


CDI: dict[str, Any] = {
    "Runtimes": {"runc": {}},
    "DiscoveredDevices": [
        {"Source": "cdi", "ID": f"nvidia.com/gpu={name}"} for name in ("0", "all")
    ],
}


OTHER: dict[str, Any] = {"DiscoveredDevices": [{"Source": "cdi", "ID": "vendor.com/nvidia=0"}]}


def test_engines_that_know_devices_by_cdi_alone_are_asked_so() -> None:
    names = engine_names(CDI, ("0",))
    assert names == ("nvidia.com/gpu=0",)
    (request,) = container_options(Limits(), {}, names)["device_requests"]
    assert (request.driver, request.device_ids) == ("cdi", ["nvidia.com/gpu=0"])
    assert engine_names({"Runtimes": {"nvidia": {}}}, ("0",)) == ("0",)


@pytest.mark.parametrize(
    ("info", "gpu", "code"),
    [
        ({"Runtimes": {"runc": {}}}, "0", "E841"),
        ({}, "0", "E841"),
        (OTHER, "0", "E841"),
        (CDI, "7", "E842"),
    ],
)
def test_what_an_engine_has_not_is_said_at_once(info: dict[str, Any], gpu: str, code: str) -> None:
    assert has_gpus(info) == (code == "E842")  # as the doctor sees it
    with pytest.raises(SandboxError) as caught:
        engine_names(info, (gpu,))
    assert caught.value.code == code


@pytest.mark.parametrize("at", ["head", "tail"])
def test_what_drivers_say_of_a_lost_device(at: str) -> None:
    for said in ("Failed to initialize NVML: Unknown Error", "No CUDA-capable device is detected"):
        assert tells_of_loss(Log.model_validate({at: f"x\n{said}\n"}))
    assert not tells_of_loss(Log.model_validate({at: "CUDA out of memory"}))
