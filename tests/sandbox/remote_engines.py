"""Engines at other addresses: the local one over SSH, and a second one over TCP with TLS.

Both are real: an sshd and a dockerd of our own, with keys made here, that end with the tests.
"""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox.engines import connect


@dataclass(frozen=True)
class Remote:
    """An engine, and what the environment must say for it to be reached."""

    address: str
    environment: dict[str, str]
    folder: Path


@pytest.fixture(scope="session")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    """The local engine, reached through an sshd on loopback."""
    program = _program("sshd")
    try:
        connect().close()
    except SandboxError as error:
        pytest.skip(error.message)
    folder = tmp_path_factory.mktemp("sshd")
    port = free_port()
    config = _ssh_files(folder, port)
    Path("/run/sshd").mkdir(exist_ok=True)
    with _running([program, "-D", "-e", "-f", str(config)], "Server listening"):
        address = f"ssh://{getpass.getuser()}@127.0.0.1:{port}"
        yield Remote(address, {"HOME": str(folder)}, folder)


@pytest.fixture
def ssh_engine(sshd: Remote, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the local engine over SSH."""
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    return _enter(sshd, monkeypatch)


@pytest.fixture(scope="session")
def second_dockerd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    """A second engine, which listens on TCP, wants certificates, and takes itself to have GPUs."""
    program = _program("dockerd")
    if os.getuid() != 0:
        pytest.skip("a second engine needs root")
    folder = tmp_path_factory.mktemp("dockerd")
    authority(folder)
    port = free_port()
    # Such an engine asks this program for the devices; a runtime of that name tells that it has it.
    hook = folder / "nvidia-container-runtime-hook"
    hook.write_text("#!/bin/sh\nexit 0\n")
    hook.chmod(0o755)
    with _bridge() as bridge, _running(
        [
            program, f"--host=tcp://127.0.0.1:{port}", f"--host=unix://{folder}/docker.sock",
            f"--data-root={folder}/root", f"--exec-root={folder}/exec",
            f"--pidfile={folder}/pid", f"--bridge={bridge}", "--iptables=false",
            "--tlsverify", f"--tlscacert={folder}/ca.pem", f"--tlscert={folder}/server.pem",
            f"--tlskey={folder}/server-key.pem", "--add-runtime=nvidia=runc",
        ],
        "API listen on 127.0.0.1",
        more_path=folder,
    ):  # fmt: skip
        environment = {"DOCKER_CERT_PATH": str(folder), "DOCKER_TLS_VERIFY": "1"}
        yield Remote(f"tcp://localhost:{port}", environment, folder)
    shutil.rmtree(folder / "root", ignore_errors=True)


@pytest.fixture
def tls_engine(second_dockerd: Remote, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the second engine; its certificates are in the environment."""
    return _enter(second_dockerd, monkeypatch)


def copy_image(image: str, address: str) -> None:
    """Give the engine at an address an image of the local one."""
    with closing(connect()) as here, closing(connect(address)) as there:
        if there.images.list(image):
            return
        with tempfile.TemporaryFile() as file:
            file.writelines(here.images.get(image).save(named=True))
            file.seek(0)
            there.images.load(file)


def authority(folder: Path) -> None:
    """Make an authority, and certificates of it for a server on localhost and for a client."""
    constraints = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n"
    (folder / "ca.cnf").write_text(f"[req]\ndistinguished_name=dn\n[dn]\n[ca]\n{constraints}")
    _openssl(
        folder, "req", "-x509", *_KEY, "-days", "2", "-subj", "/CN=test authority",
        "-config", "ca.cnf", "-extensions", "ca", "-keyout", "ca-key.pem", "-out", "ca.pem",
    )  # fmt: skip
    _certificate(folder, "server", "server-key.pem", "server.pem", "serverAuth")
    _certificate(folder, "client", "key.pem", "cert.pem", "clientAuth")


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def _certificate(folder: Path, name: str, key: str, out: str, usage: str) -> None:
    (folder / "extensions").write_text(
        f"extendedKeyUsage={usage}\nsubjectAltName=DNS:localhost,IP:127.0.0.1\n"
        "authorityKeyIdentifier=keyid\n"
    )
    _openssl(folder, "req", "-new", *_KEY, "-subj", f"/CN={name}", "-config", "ca.cnf",
             "-keyout", key, "-out", "request.pem")  # fmt: skip
    _openssl(folder, "x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca-key.pem",
             "-CAcreateserial", "-days", "2", "-extfile", "extensions", "-out", out)  # fmt: skip


def _openssl(folder: Path, *arguments: str) -> None:
    subprocess.run([_program("openssl"), *arguments], cwd=folder, check=True, capture_output=True)


def _ssh_files(folder: Path, port: int) -> Path:
    """Keys of a host and a user, and the settings of an sshd that takes just them."""
    own = folder / ".ssh"
    own.mkdir(mode=0o700)
    for key in (own / "id_ed25519", folder / "host"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True, timeout=60
        )
    host = " ".join((folder / "host.pub").read_text().split()[:2])
    (own / "known_hosts").write_text(f"[127.0.0.1]:{port} {host}\n")
    config = folder / "sshd_config"
    config.write_text(
        f"ListenAddress 127.0.0.1\nPort {port}\nHostKey {folder}/host\nPidFile none\n"
        f"AuthorizedKeysFile {own}/id_ed25519.pub\nStrictModes no\nUsePAM no\n"
        "PasswordAuthentication no\nPermitRootLogin prohibit-password\n"
        "LoginGraceTime 3\n"  # what never logged in would keep the server from ending
    )
    return config


def _enter(remote: Remote, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, value in remote.environment.items():
        monkeypatch.setenv(name, value)
    return remote.address


def _program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@contextmanager
def _bridge() -> Iterator[str]:
    """A bridge for the second engine: told to have none, it would take away the first one's."""
    ip, process = _program("ip"), os.getpid()
    name, address = f"rubric{process}", f"192.168.{200 + process % 50}.1/24"
    subprocess.run([ip, "link", "add", name, "type", "bridge"], check=True)
    try:
        subprocess.run([ip, "addr", "add", address, "dev", name], check=True)
        yield name
    finally:
        subprocess.run([ip, "link", "del", name], check=True)


@contextmanager
def _running(command: list[str], ready: str, more_path: Path | None = None) -> Iterator[None]:
    """A server, from the moment that it says it is ready."""
    path = f"{more_path}:{os.environ['PATH']}" if more_path is not None else os.environ["PATH"]
    with subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**os.environ, "PATH": path},
    ) as server:
        assert server.stderr is not None
        said: list[str] = []
        try:
            for line in server.stderr:
                said.append(line)
                if ready in line:
                    break
            else:
                pytest.fail(f"{command[0]} did not start:\n{''.join(said)}")
            threading.Thread(target=_drain, args=(server.stderr,), daemon=True).start()
            yield
        finally:
            server.terminate()
            server.wait(timeout=60)


def _drain(stream: Iterator[str]) -> None:
    for _ in stream:
        pass
