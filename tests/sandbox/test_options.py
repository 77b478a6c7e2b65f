"""How a container is made: every wall by its value, as an engine is asked for it."""

from __future__ import annotations

import time
from typing import Any

import pytest
from docker.types import Ulimit

from rubric_engine.isolation import Limits, RunSpec
from rubric_engine.sandbox.docker.ground import held
from rubric_engine.sandbox.docker.labels import labels_of
from rubric_engine.sandbox.docker.options import bounded, container_options, shm_of
from rubric_engine.sandbox.docker.phases import script_command, variables
from rubric_engine.sandbox.recipes import Recipe

MIB, GIB = 1 << 20, 1 << 30
LIMITS = Limits(memory=100 * MIB, cpus=1.5, pids=33, disk=7 * MIB, tmp=5 * MIB, shm=3 * MIB, time=5)
RECIPE = Recipe(name="mine", image="mine:1")


def test_walls() -> None:
    options = container_options(LIMITS, {"A": "1"}, ())
    assert options.pop("log_config") == {"Type": "none", "Config": {}}
    assert options == {
        "working_dir": "/box/submission",
        "user": "1000:1000",
        "init": True,
        "read_only": True,
        "tmpfs": {"/tmp": f"rw,nosuid,nodev,size={5 * MIB},mode=1777"},
        "mem_limit": 100 * MIB,
        "memswap_limit": 100 * MIB,  # memory and swap in one: there is none
        "nano_cpus": 1_500_000_000,
        "pids_limit": 33,
        "shm_size": 3 * MIB,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true"],
        "ulimits": [
            Ulimit(name="nofile", soft=8192, hard=8192),
            Ulimit(name="fsize", soft=7 * MIB, hard=7 * MIB),
            Ulimit(name="core", soft=0, hard=0),
        ],
        "oom_score_adj": 500,
        "environment": {"A": "1"},
        "use_config_proxy": False,
        "device_requests": None,
    }


@pytest.mark.parametrize(
    ("limits", "gpus", "shm"),
    [
        (Limits(), (), 64 * MIB),
        (Limits(), ("0",), GIB),
        (Limits(shm=2 * GIB), ("0",), 2 * GIB),
        (Limits(shm=2 * GIB), (), 2 * GIB),
    ],
)
def test_programs_on_gpus_share_more_memory(
    limits: Limits, gpus: tuple[str, ...], shm: int
) -> None:
    assert shm_of(limits, gpus) == shm
    assert held(RunSpec(limits=limits, gpus=gpus), RECIPE, {}).shm == shm


@pytest.mark.parametrize(
    ("recipe", "info", "cpus", "shm"),
    [
        ({}, {}, 4.0, 64 * MIB),
        ({}, {"NCPU": 2}, 2.0, 64 * MIB),
        ({}, {"NCPU": 8}, 4.0, 64 * MIB),
        ({"shm": 5 * GIB}, {"NCPU": 8}, 4.0, 5 * GIB),
        ({"shm": MIB}, {"NCPU": 8}, 4.0, 64 * MIB),
    ],
)
def test_what_an_engine_and_a_recipe_make_of_limits(
    recipe: dict[str, Any], info: dict[str, Any], cpus: float, shm: int
) -> None:
    limits = held(RunSpec(limits=Limits(cpus=4)), RECIPE.model_copy(update=recipe), info)
    assert (limits.cpus, limits.shm) == (cpus, shm)


def test_a_command_ends_by_itself_a_minute_after_its_time() -> None:
    assert bounded(["a", "b"], 5.4) == ["timeout", "-k", "10", "65", "a", "b"]
    assert script_command(RunSpec(limits=LIMITS))[:4] == ["timeout", "-k", "10", "65"]


def test_labels_say_whose_it_is_and_how_long_it_may_be_needed() -> None:
    before = int(time.time())
    labels = labels_of("run-1", "me/1", 100.0)
    assert labels["rubric-engine.run"] == "run-1"
    assert labels["rubric-engine.owner"] == "me/1"
    assert before + 100 <= int(labels["rubric-engine.deadline"]) <= int(time.time()) + 100


def test_variables_of_a_run() -> None:
    secrets = {"MINE": "1", "HOME": "/x", "PATH": "/x", "TMPDIR": "/x", "VIRTUAL_ENV": "/x"}
    shut_in = variables(RunSpec(secrets=secrets), {}, venv=False)
    assert shut_in["MINE"] == "1"
    assert (shut_in["HOME"], shut_in["TMPDIR"]) == ("/box/home", "/tmp")
    assert not {"PATH", "VIRTUAL_ENV"} & shut_in.keys()
    installed = variables(RunSpec(secrets=secrets), {"PATH": "/image"}, venv=True)
    assert installed["VIRTUAL_ENV"].startswith("/box/")
    assert "/x" not in installed.values()
