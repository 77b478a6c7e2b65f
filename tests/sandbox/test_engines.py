"""Where no engine is reached: each error says why, and what mends it."""

from __future__ import annotations

import gc
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from docker import DockerClient

from rubric_engine.errors import SandboxError, UsageError
from rubric_engine.isolation import RunSpec
from rubric_engine.sandbox.address import find_address
from rubric_engine.sandbox.checkup import check_up
from rubric_engine.sandbox.docker import reap
from rubric_engine.sandbox.docker.ground import look_up
from rubric_engine.sandbox.engines import OLDEST_API, _in_time, connect
from rubric_engine.sandbox.recipes import load_recipe
from tests.sandbox.remote_engines import free_port


def failure(address: str | None) -> SandboxError:
    with pytest.raises(SandboxError) as caught:
        connect(address)
    assert caught.value.fix
    return caught.value


@pytest.fixture(autouse=True)
def no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DOCKER_HOST", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def serving(answer: object, moved: str = "", rest: object = None) -> Iterator[str]:
    """The address of a server that gives one answer to all that it is asked, or two.

    Args:
        answer: To what is asked first, the version.
        moved: Where it sends whoever asks.
        rest: To all else.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            first = self.path.endswith("/version") or rest is None
            body = json.dumps(answer if first else rest).encode()
            self.send_response(302 if moved else 200)
            self.send_header("Location", moved)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"tcp://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    "address",
    ["somewhere", "unix://", "tcp://", "tcp://host:99999", "ssh://host/path", "https://host:1",
     "npipe:////./pipe/docker_engine"],
)  # fmt: skip
def test_what_is_no_address_is_an_error_of_the_call(address: str) -> None:
    with pytest.raises(UsageError, match="no address"):
        connect(address)


@pytest.mark.parametrize("address", ["ssh://me:hunter2@host:22", "hunter2@", "tcp://hunter2@h:x"])
def test_what_may_be_a_password_is_never_repeated(address: str) -> None:
    with pytest.raises(UsageError) as caught:
        connect(address)
    assert "hunter2" not in str([caught.value, caught.value.looked, caught.value.fix])


@pytest.mark.parametrize(
    "address",
    ["unix:///run/d.sock", "tcp://host:2376", "tcp://host", "ssh://me@host:2222", "ssh://host",
     "tcp://[::1]:2376"],
)  # fmt: skip
def test_an_address_is_written_as_it_was_read(address: str) -> None:
    assert str(find_address(address)) == address


def test_the_environment_names_the_engine_where_nobody_else_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert str(find_address(None)) == "unix:///var/run/docker.sock"
    monkeypatch.setenv("DOCKER_HOST", "tcp://there:1")
    assert str(find_address(None)) == "tcp://there:1"
    assert str(find_address("ssh://here")) == "ssh://here"


def test_no_socket_and_a_dead_one(tmp_path: Path) -> None:
    fix, local = failure(f"unix://{tmp_path}/none.sock").fix
    assert "--engine" in fix
    assert "--sandbox local" in local
    assert "systemctl" not in fix, "no engine would listen there once it is started"
    (tmp_path / "file.sock").write_text("")
    assert failure(f"unix://{tmp_path}/file.sock").code == "E810"


def test_a_port_where_nobody_listens() -> None:
    port = free_port()
    error = failure(f"tcp://127.0.0.1:{port}")
    assert error.code == "E810"
    assert str(port) in error.message
    assert failure(f"ssh://nobody@127.0.0.1:{port}").code == "E813"


def test_certificates_that_are_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_CERT_PATH", str(tmp_path))
    error = failure("tcp://localhost:2376")
    assert error.code == "E812"
    assert str(tmp_path / "ca.pem") in error.message


def test_an_engine_that_is_too_old() -> None:
    with serving({"ApiVersion": "1.40", "Version": "19.03.1"}) as address:
        error = failure(address)
    assert error.code == "E815"
    assert "1.40" in error.message


def test_a_server_that_is_no_engine() -> None:
    with serving({"hello": "world"}) as address:
        assert failure(address).code == "E810"


@pytest.mark.parametrize("answer", [[1], {"ApiVersion": "1.x"}, {"ApiVersion": [1]}, "1.41"])
def test_a_version_that_is_none(answer: object) -> None:
    with serving(answer) as address:
        assert failure(address).code == "E810"


def test_no_engine_sends_us_elsewhere() -> None:
    good = {"ApiVersion": "1.41"}
    with serving(good) as there, serving({}, f"http{there.removeprefix('tcp')}/version") as address:
        assert failure(address).code == "E810"


@pytest.mark.parametrize("rest", [[], "text", {"Id": 5}, {"Id": "a", "Config": "text"}])
def test_answers_that_are_none_of_an_engine(rest: object) -> None:
    recipe = load_recipe("cpu")
    with serving({"ApiVersion": "1.41"}, rest=rest) as address:
        with closing(connect(address)) as client, pytest.raises(SandboxError) as caught:
            look_up(client, recipe, RunSpec())
        assert caught.value.code in ("E816", "E840")
        assert "fail" in [finding.state for finding in check_up(address, recipe, gpus=False)]
        with closing(connect(address)) as client, pytest.raises(SandboxError):
            reap(client)


def test_an_answer_that_drips_has_an_end() -> None:
    with pytest.raises(TimeoutError, match="no whole answer"):
        _in_time(lambda: str(threading.Event().wait(60)), 0.01)
    assert _in_time(lambda: "1.41", 60) == "1.41"


def test_ssh_without_its_library_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "paramiko.py").write_text("raise ImportError")
    code = (
        "from rubric_engine.sandbox.engines import connect\n"
        "from rubric_engine.errors import SandboxError\n"
        "try: connect('ssh://me@127.0.0.1:1')\n"
        "except SandboxError as error: print(error.code, *error.fix)"
    )
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "E814 pip install 'rubric-engine[ssh]'\n"


def test_a_user_whom_the_socket_refuses(ordinary_user: Path) -> None:
    path = ordinary_user / "d.sock"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        path.chmod(0)
        error = failure(f"unix://{path}")
    assert error.code == "E811"
    assert "usermod" in error.fix[0]


def test_the_environment_of_other_programs_changes_nothing(
    engine: DockerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert engine.ping()
    for name in ("CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "ALL_PROXY", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with closing(connect()) as client:
        assert client.ping()


def test_a_socket_that_the_client_drops_fails_no_test(tmp_path: Path) -> None:
    client = DockerClient(f"unix://{tmp_path}/none", version=OLDEST_API)
    with closing(client), pytest.raises(OSError, match="No such file"):
        client.ping()
    gc.collect()
