"""What the Docker sandbox does besides what every sandbox does."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from docker import DockerClient

from rubric_engine.errors import SandboxError
from rubric_engine.isolation import Limits, RunSpec
from rubric_engine.ledger.process import new_owner, retire
from rubric_engine.sandbox.docker import DockerSandbox, Progress
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.faults import Fault
from rubric_engine.sandbox.docker.labels import labels_of
from rubric_engine.sandbox.docker.printed import Printed
from rubric_engine.sandbox.docker.watching import Watch
from rubric_engine.sandbox.images import find_image
from rubric_engine.sandbox.recipes import load_recipe
from rubric_engine.sandbox.run_log import RunLog
from rubric_engine.submission import load_snapshot, load_submission, save_snapshot
from tests.sandbox.conftest import Run, left_by, log_of


def test_what_is_recorded(boxed: Run) -> None:
    script = "sleep 1; echo 1 > new; echo 2 > old; touch -d @60 old; touch keep.txt"
    run = boxed(script, memory=64 << 20, cpus=64.0)
    assert run.image is not None
    assert run.image.startswith("sha256:")
    assert run.engine.startswith("Docker ")
    assert (run.network, run.gpus, run.attempts) == ("none", (), 1)
    assert run.limits is not None
    assert run.limits.memory == 64 << 20
    assert run.limits.cpus <= (os.cpu_count() or 1)
    assert run.started is not None
    assert run.duration_s is not None
    assert run.duration_s >= 1.0
    assert run.peak_memory is not None
    assert 0 < run.peak_memory < 64 << 20
    assert run.cpu_s is not None
    assert run.submission is not None
    assert run.submission.read("new") == "1\n"
    assert run.odd_times == {"old": 60}
    assert run.rewritten == ("keep.txt",)


def test_variables_are_an_allow_list(boxed: Run) -> None:
    run = boxed("env | sort | cut -d= -f1", secrets={"TOKEN": "sesame"})
    assert set(log_of(run).text.split()) == {
        "HOME", "HOSTNAME", "LANG", "LC_ALL", "PATH", "PWD", "PYTHONDONTWRITEBYTECODE",
        "PYTHONUNBUFFERED", "SHLVL", "TMPDIR", "TOKEN", "TZ", "_",
    }  # fmt: skip
    assert "sesame" not in run.model_dump_json()


def test_progress_is_told(boxed: Run) -> None:
    told: list[Progress] = []
    boxed("printf 'a\\n\\033[1mlast\\r\\n'; sleep 2", sandbox=DockerSandbox(tell=told.append))
    assert told
    assert told[-1].last_line == "[1mlast"
    assert told[-1].memory
    assert [one.elapsed_s for one in told] == sorted(one.elapsed_s for one in told)


@pytest.fixture
def service() -> Iterator[int]:
    """Port of a service of this machine that answers ``here``."""
    with socket.create_server(("0.0.0.0", 0)) as server:

        def answer() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.sendall(b"here\n")

        threading.Thread(target=answer, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


ASK = """
gateway=$(awk '$2 == "00000000" { print $3 }' /proc/net/route)
address=$((16#${gateway:6:2})).$((16#${gateway:4:2})).$((16#${gateway:2:2})).$((16#${gateway:0:2}))
"""


def ask(port: int) -> str:
    return f"{ASK}exec 3<>/dev/tcp/$address/{port} && cat <&3"


def test_what_installs_is_online_and_the_script_is_not(
    boxed: Run, root: Path, service: int
) -> None:
    (root / "setup.sh").write_text(f"({ask(service)}) > fetched.csv; echo tool > ~/tool; ls")
    run = boxed("ls /sys/class/net; cat ~/tool fetched.csv; echo 1 > made", network="install")
    assert run.status == "ok", log_of(run).text
    assert log_of(run).text.endswith("lo\ntool\nhere\n")
    assert run.created == ("made",), "what setup.sh fetched is not what reproduce.sh made"
    assert run.network == "install"


def test_what_setup_fetched_is_not_produced_by_a_copy(boxed: Run, root: Path) -> None:
    (root / "setup.sh").write_text(
        "seq 50 > ~/fetched; mkfifo ~/pipe; mkdir ~/deep; seq 60 > ~/deep/more"
    )
    script = "cp ~/fetched a.csv; cp ~/deep/more b.csv; seq 70 > made"
    run = boxed(script, network="install")
    assert run.created == ("a.csv", "b.csv", "made")
    assert run.produced == {"made"}
    assert run.notes == ()
    much = boxed(script, network="install", out_files=4)
    assert "not all of it is known" in "".join(much.notes)


def test_a_setup_that_fails_ends_the_run(boxed: Run, root: Path) -> None:
    (root / "setup.sh").write_text("echo no; exit 9")
    run = boxed("echo 1 > made", network="install")
    assert (run.status, run.exit_code, run.created) == ("infra.install", 9, ())
    assert run.fault == "setup.sh failed with exit code 9; reproduce.sh was not run"
    assert not run.usable
    assert run.attempts == 1, "what fails to install is not tried again unasked"
    assert log_of(run).text == "no\n"


def test_open_is_online(boxed: Run, service: int) -> None:
    run = boxed(ask(service), network="open")
    assert (run.status, run.network) == ("ok", "open")
    assert log_of(run).text == "here\n"


def test_without_a_runtime_gpus_are_refused_before_anything_is_made(
    boxed: Run, engine: DockerClient
) -> None:
    if "nvidia" in engine.info()["Runtimes"]:
        pytest.skip("this engine has the runtime")
    with pytest.raises(SandboxError, match="no NVIDIA runtime") as caught:
        boxed("true", gpus=("0",))
    assert caught.value.fix


def test_devices_that_the_engine_cannot_give_are_no_fault_of_the_script(
    engine: DockerClient,
) -> None:
    if "nvidia" in engine.info()["Runtimes"]:
        pytest.skip("this engine has the runtime")
    owner = new_owner()
    image = find_image(engine, load_recipe("cpu"))
    with Box(engine, "rubric-engine-test-gpu", labels_of("test", owner, 60.0), image) as box:
        limits = Limits(cpus=1.0)
        container = box.create(["true"], limits, {}, gpus=("0",))
        with closing(RunLog(limits)) as log:
            watch = Watch(box, container, limits, log, threading.Event(), None)
            with pytest.raises(Fault, match="device driver") as caught:
                watch.run()
    assert caught.value.status == "infra.gpu"
    retire(owner)
    assert left_by(engine, os.getpid()) == []


@pytest.fixture(params=["bash", "timeout"])
def lacking(engine: DockerClient, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A recipe whose image lacks a command."""
    image = f"rubric-engine/test-without-{request.param}:1"
    remove = ["sh", "-c", f"rm $(command -v {request.param})"]
    container = engine.containers.create(load_recipe("cpu").image, remove, user="root")
    container.start()
    container.wait()
    container.commit(*image.split(":"), changes='CMD ["true"]')
    container.remove()
    (tmp_path / "recipe.yaml").write_text(f"image: {image}\n")
    yield str(tmp_path)
    engine.images.remove(image)


def test_an_image_without_what_a_run_needs_is_no_fault_of_the_script(
    boxed: Run, lacking: str
) -> None:
    run = boxed("echo 1 > new", sandbox=DockerSandbox(recipe=lacking))
    assert (run.status, run.attempts) == ("infra.image", 1)
    assert "lacks bash or timeout" in log_of(run).text


def test_what_was_deleted_cannot_be_hidden(boxed: Run) -> None:
    run = boxed("rm keep.txt; ln -s x '**'")
    assert [entry.path for entry in run.omitted] == ["**"]
    assert (run.deleted, run.notes) == (("keep.txt",), ())


def test_what_was_deleted_is_unknown_where_too_much_was_left(boxed: Run) -> None:
    run = boxed("rm keep.txt; for i in $(seq 1001); do echo link$i; done | xargs -n1 ln -s x")
    assert run.deleted == ()
    assert "nobody can tell" in "".join(run.notes)


def test_what_was_lost_of_a_log_is_marked(engine: DockerClient) -> None:
    owner, limits = new_owner(), Limits(cpus=1.0)
    image = find_image(engine, load_recipe("cpu"))
    labels = labels_of("test", owner, 60.0)
    with (
        Box(engine, "rubric-engine-test-gap", labels, image) as box,
        closing(RunLog(limits)) as log,
    ):
        container = box.create(["sh", "-c", "echo printed; sleep 2"], limits, {})
        printed = Printed(engine, container, log)
        engine.api.start(container)
        printed.ended.wait()
        assert log.gaps == 0
        engine.api.start(container)
        printed.again()
        printed.close()
        assert log.gaps == 1
        assert log.finish().log.text.startswith("printed\n\n[... something may be missing")
    retire(owner)


def test_eight_at_once(root: Path, engine: DockerClient) -> None:
    (root / "reproduce.sh").write_text("echo 1 > new")
    spec = RunSpec(limits=Limits(time=120.0))

    async def all_of_them() -> list[str]:
        box, submission = DockerSandbox(), load_submission(root)
        runs = await asyncio.gather(*(box.run(submission, spec) for _ in range(8)))
        return [run.status for run in runs]

    assert asyncio.run(all_of_them()) == ["ok"] * 8
    assert left_by(engine, os.getpid()) == []


def test_what_grew_too_large_to_take_out_was_changed_and_not_deleted(
    boxed: Run, root: Path
) -> None:
    (root / "same.bin").write_bytes(b"0" * 2000)
    (root / "gone.txt").write_text("1")
    run = boxed("truncate -s 2M keep.txt; rm gone.txt", out_bytes=1 << 20)
    assert (run.modified, run.deleted) == (("keep.txt",), ("gone.txt",))
    assert [entry.path for entry in run.omitted] == ["keep.txt"]


@pytest.mark.parametrize("kept", [False, True])
def test_no_recipe_of_a_submission_is_taken_by_name(
    root: Path, engine: DockerClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kept: bool
) -> None:
    (root / "sandbox/cpu").mkdir(parents=True)
    (root / "sandbox/cpu/recipe.yaml").write_text("image: rubric-engine/planted:1\n")
    (root / "reproduce.sh").write_text("true")
    monkeypatch.chdir(root)
    submission = load_submission(root)
    if kept:  # it knows no root any more
        save_snapshot(submission, tmp_path, "kept")
        submission = load_snapshot(tmp_path, "kept")
    assert asyncio.run(DockerSandbox().run(submission, RunSpec())).status == "ok"
    found = asyncio.run(DockerSandbox().conditions(submission, RunSpec()))
    assert "planted" not in found.image
    run = asyncio.run(DockerSandbox(untrusted=root.parent).run(submission, RunSpec()))
    assert run.status == "ok"


def test_a_recipe_that_a_submission_brings_is_no_ground(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: DockerClient
) -> None:
    monkeypatch.chdir(tmp_path)
    recipe = tmp_path / "sandbox" / "cpu"
    recipe.mkdir(parents=True)
    (recipe / "recipe.yaml").write_text("image: planted:1\n")
    (tmp_path / "sandbox" / "reproduce.sh").write_text("true")
    submission, spec = load_submission(tmp_path / "sandbox"), RunSpec(limits=Limits(cpus=1000))
    conditions = asyncio.run(DockerSandbox().conditions(submission, spec))
    assert conditions.image == find_image(engine, load_recipe("cpu", untrusted=tmp_path))
    assert conditions.limits.cpus < 1000
    run = asyncio.run(DockerSandbox().run(submission, spec))
    assert (run.image, run.limits) == (conditions.image, conditions.limits)
