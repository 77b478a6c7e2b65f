"""`rubric-engine sandbox` and what `doctor` says of Docker."""

from __future__ import annotations

from pathlib import Path

import pytest
from docker import DockerClient

from rubric_engine.sandbox.images import find_image
from rubric_engine.sandbox.recipes import load_recipe
from tests.cli.conftest import Command
from tests.sandbox.conftest import engine

__all__ = ["engine"]

DEAD = ("--engine", "unix:///nowhere/docker.sock")


@pytest.fixture
def docker(command: Command, engine: DockerClient, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, where an engine and the image of `cpu` are there."""
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    return command


@pytest.mark.parametrize("words", [("list",), ("build", "cpu"), ("gc",)])
def test_no_engine_is_a_sandbox_that_failed(command: Command, words: tuple[str, ...]) -> None:
    done = command("sandbox", *words, *DEAD)
    assert done.code == 8
    assert "E810" in done.err
    assert "fix: --engine" in done.err
    assert command("sandbox", *words, *DEAD, "--json").json["error"]["code"] == "E810"


def test_doctor_names_the_command_that_mends_it(command: Command) -> None:
    done = command("sandbox", "doctor", *DEAD)
    assert done.code == 1
    assert done.out.startswith("fail  no Docker engine answers at unix:///nowhere/docker.sock")
    assert "fix: --engine" in done.out
    assert command("sandbox", "doctor", *DEAD, "--json").json["ok"] is False


def test_the_general_doctor_only_warns_of_no_engine(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", DEAD[1])
    done = command("doctor")
    assert done.code == 0
    assert "warn  --sandbox docker cannot run: no Docker engine answers" in done.out


def test_an_unknown_recipe_is_a_wrong_input(command: Command) -> None:
    done = command("sandbox", "build", "cpus")
    assert done.code == 3
    assert "did you mean 'cpu'?" in done.err


def test_an_address_that_is_none_is_a_wrong_call(command: Command) -> None:
    assert command("sandbox", "list", "--engine", "nowhere").code == 2


def test_what_the_engine_has(docker: Command, engine: DockerClient) -> None:
    digest = find_image(engine, load_recipe("cpu"))
    rows = docker("sandbox", "list", "--json").json["recipes"]
    assert {row["recipe"]: row["digest"] for row in rows}["cpu"] == digest
    out = docker("sandbox", "list").out
    assert digest.removeprefix("sha256:")[:12] in out
    assert max(map(len, out.splitlines())) <= 80


def test_nothing_is_lacking(docker: Command) -> None:
    done = docker("sandbox", "doctor")
    assert done.code == 0, done.out
    assert "the image rubric-engine/cpu:1 is there" in done.out
    assert "ok    --sandbox docker can run" in docker("doctor").out


def test_a_missing_image_and_runtime_are_told_at_once(
    docker: Command, engine: DockerClient, tmp_path: Path
) -> None:
    if "nvidia" in engine.info()["Runtimes"]:
        pytest.skip("this engine has the runtime; whether that is set is not for this test")
    (tmp_path / "recipe.yaml").write_text("image: rubric-engine/nowhere:1\ngpu: true\n")
    done = docker("sandbox", "doctor", "--recipe", tmp_path)
    assert done.code == 1
    assert "fix: docker pull rubric-engine/nowhere:1" in done.out
    assert "fix: sudo apt-get install nvidia-container-toolkit" in done.out
    assert "no NVIDIA runtime" in docker("sandbox", "doctor", "--gpus", "1").out
    assert docker("sandbox", "doctor", "--gpus", "all").code == 2


def test_a_submission_s_own_recipe_is_passed_over(command: Command) -> None:
    own = Path("sandbox/cpu")
    own.mkdir(parents=True)
    (own / "recipe.yaml").write_text("image: evil:1\n")
    (own / "build.sh").write_text("touch evil; exit 1\n")
    Path("reproduce.sh").write_text("")
    command("sandbox", "build", "cpu", *DEAD)
    assert "evil" not in command("sandbox", "doctor").out
    assert not Path("evil").exists()


def test_nothing_is_left_to_remove(docker: Command) -> None:
    done = docker("sandbox", "gc")
    assert done.code == 0
    assert done.out.startswith("removed ")
    assert "containers" in docker("sandbox", "gc", "--json").json["removed"]


@pytest.mark.parametrize("words", [(), ("build",), ("list",), ("doctor",), ("gc",)])
def test_help_is_there(command: Command, words: tuple[str, ...]) -> None:
    done = command("sandbox", *words, "--help")
    assert done.code == 0
    assert "Usage:" in done.out
