"""What is installed online for a script that then runs without a network."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from docker import DockerClient

from rubric_engine.isolation import RunSpec
from rubric_engine.sandbox.docker import DockerSandbox
from rubric_engine.sandbox.docker.phases import venv_command
from rubric_engine.sandbox.recipes import load_recipe
from tests.sandbox.conftest import Run, log_of


@pytest.fixture
def another_image(engine: DockerClient, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Makes an image from that of `cpu` by a command, and a recipe of it; returns its path."""
    name = f"rubric-engine/test-{secrets.token_hex(6)}"

    def make(command: str) -> str:
        base = load_recipe("cpu").image
        container = engine.containers.create(
            base, ["sh", "-c", command], user="0", network_mode="none"
        )
        container.start()
        assert container.wait()["StatusCode"] == 0, container.logs()
        container.commit(name, "1")
        container.remove()
        recipe = tmp_path / "another"
        recipe.mkdir()
        (recipe / "recipe.yaml").write_text(f"image: {name}:1\n")
        return str(recipe)

    yield make
    engine.images.remove(f"{name}:1")


WHEEL = {
    "in_wheel.py": "WHO = 'installed'",
    "in_wheel-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: in_wheel\nVersion: 1\n",
    "in_wheel-1.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "in_wheel-1.dist-info/RECORD": "",
}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("setup.sh", "set -e; pip install ./in_wheel-1-py3-none-any.whl; echo done"),
        ("requirements.txt", "./in_wheel-1-py3-none-any.whl\n"),
    ],
)
def test_what_was_installed_is_there_without_a_network(
    boxed: Run, root: Path, name: str, content: str
) -> None:
    with ZipFile(root / "in_wheel-1-py3-none-any.whl", "w") as wheel:
        for path, text in WHEEL.items():
            wheel.writestr(path, text)
    (root / name).write_text(content)
    (root / "venv.py").write_text("raise SystemExit('no module of a submission is run for it')")
    script = """
    set -e
    ls /sys/class/net
    python3 -c 'import in_wheel, numpy, sys; print(in_wheel.WHO, sys.prefix)'
    echo "$VIRTUAL_ENV $(command -v pip)"
    """
    run = boxed(script, network="install")
    assert run.status == "ok", log_of(run).text
    assert log_of(run).text.endswith("lo\ninstalled /box/venv\n/box/venv /box/venv/bin/pip\n")


def test_a_python_that_makes_no_environment_is_no_fault_of_the_submission(
    boxed: Run, root: Path, another_image: Callable[[str], str]
) -> None:
    broken = "printf '#!/bin/sh\\necho no venv here; exit 1' > /usr/bin/python3"
    (root / "setup.sh").write_text("echo never")
    run = boxed("true", sandbox=DockerSandbox(recipe=another_image(broken)), network="install")
    assert (run.status, run.attempts) == ("infra.image", 1)
    assert run.fault.endswith("makes no virtual environment: no venv here")


def test_an_image_without_python_installs_what_it_can(
    boxed: Run, root: Path, another_image: Callable[[str], str]
) -> None:
    (root / "setup.sh").write_text("echo tool > ~/tool")
    box = DockerSandbox(recipe=another_image("rm -f /usr/bin/python3*"))
    run = boxed('cat ~/tool; echo "${VIRTUAL_ENV-none}"', sandbox=box, network="install")
    assert (run.status, log_of(run).text) == ("ok", "tool\nnone\n")
    assert "has no Python" in run.notes[0]


def test_packages_of_an_image_whose_python_stands_in_an_environment_are_seen(
    tmp_path: Path,
) -> None:
    images = tmp_path / "image"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", images], check=True)
    (packages,) = images.glob("lib/python*/site-packages")
    (packages / "in_image.py").write_text("")
    command = venv_command(RunSpec(), str(tmp_path / "venv"))
    subprocess.run(command, check=True, env={"PATH": f"{images / 'bin'}:/usr/bin:/bin"})
    subprocess.run([tmp_path / "venv/bin/python", "-c", "import in_image, pip"], check=True)
