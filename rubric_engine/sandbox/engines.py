"""Reaching a Docker engine: the local socket, TCP with TLS, or SSH.

    connect()                                  # DOCKER_HOST, else the local socket
    connect("tcp://gpu-vm:2376")               # certificates from DOCKER_CERT_PATH
    connect("ssh://user@gpu-vm:22")            # keys from the agent or ~/.ssh

Docker's contexts are not followed: an address is given, or it is in DOCKER_HOST. What is sent to
an engine goes as an iterator of chunks: over SSH, the time of one large value is quadratic.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox.address import Address, find_address
from rubric_engine.sandbox.engine_faults import (
    PEM,
    distrust,
    mend_socket,
    nobody_answers,
    plain_words,
    wants_certificates,
)

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.tls import TLSConfig

OLDEST_API = "1.41"
"""The API of Docker 20.10; older engines were never tried."""

_KNOCK_S = 20
"""Seconds until an address that stays silent counts as dead."""


def connect(address: str | None = None) -> DockerClient:
    """Connect to an engine and make sure that it answers.

    Args:
        address: `unix:///path`, `tcp://host:port` or `ssh://user@host:port`; None is DOCKER_HOST,
            else the local socket. TCP is encrypted where DOCKER_TLS_VERIFY or DOCKER_CERT_PATH is
            set, and the engine's certificate is then always verified.

    Returns:
        A client; whoever asked for it closes it.

    Raises:
        UsageError: The address is none of these.
        SandboxError: The engine does not answer (E810), refuses this user (E811) or these
            certificates (E812), SSH fails (E813) or has no client here (E814), or the engine is
            too old (E815).
    """
    where = find_address(address)
    client = {"unix": _unix, "tcp": _tcp, "ssh": _ssh}[where.scheme](where)
    # Variables for other programs, such as a bundle of certificates or a proxy, would replace
    # what this address asks for.
    client.api.trust_env = False
    client.api.max_redirects = 0  # an engine never redirects: whoever does leads astray
    _check_age(client)
    return client


def _unix(where: Address) -> DockerClient:
    try:
        with socket.socket(socket.AF_UNIX) as knock:
            knock.settimeout(_KNOCK_S)
            knock.connect(where.path)
    except PermissionError:
        raise SandboxError(
            f"no permission to use the Docker engine at {where.path}",
            code="E811",
            looked=[f"user id {os.getuid()} may not write to the socket"],
            fix=["sudo usermod -aG docker $USER   (root in all but name; then log in again)"],
        ) from None
    except OSError as error:
        raise nobody_answers(where, error, mend_socket(where)) from None
    return _client(where, None, "sudo systemctl restart docker")


def _tcp(where: Address) -> DockerClient:
    tls = _certificates()
    port = where.port or (2376 if tls else 2375)
    where = Address("tcp", host=where.host, port=port)
    mend = "sudo systemctl status docker   (on that machine; is its port open to this one?)"
    try:
        socket.create_connection((where.host, port), timeout=_KNOCK_S).close()
    except OSError as error:
        raise nobody_answers(where, error, mend) from None
    return _client(where, tls, mend)


def _ssh(where: Address) -> DockerClient:
    try:
        import paramiko
    except ImportError:
        raise SandboxError(
            f"{where} needs an SSH client for Python, and paramiko is not installed",
            code="E814",
            fix=["pip install 'rubric-engine[ssh]'"],
        ) from None
    port = where.port or 22
    mend = f"ssh -p {port} {where.login} docker version   (once by hand: it says what is wrong)"
    try:
        return _client(where, None, mend)
    except (paramiko.SSHException, EOFError, OSError) as error:
        raise SandboxError(
            f"no SSH connection to {where}: {plain_words(error)}",
            code="E813",
            looked=[
                f"port {port}, keys from the agent and ~/.ssh, and the host's key in"
                " ~/.ssh/known_hosts: a host that is not in it is refused"
            ],
            fix=[mend],
        ) from None


def _certificates() -> TLSConfig | None:
    """The certificates that the environment names, as Docker's own client reads them."""
    folder = os.environ.get("DOCKER_CERT_PATH")
    if not folder and not os.environ.get("DOCKER_TLS_VERIFY"):
        return None
    from docker.tls import TLSConfig

    place = Path(folder) if folder else Path.home() / ".docker"
    ca, certificate, key = (place / name for name in PEM)
    missing = [str(path) for path in (ca, certificate, key) if not os.access(path, os.R_OK)]
    if missing:
        raise SandboxError(
            f"certificates for the engine cannot be read: {', '.join(missing)}",
            code="E812",
            looked=[f"DOCKER_CERT_PATH or ~/.docker holds {', '.join(PEM)}"],
            fix=["export DOCKER_CERT_PATH=FOLDER, or unset DOCKER_TLS_VERIFY DOCKER_CERT_PATH"],
        )
    return TLSConfig(client_cert=(str(certificate), str(key)), ca_cert=str(ca), verify=True)


def _client(where: Address, tls: TLSConfig | None, mend: str) -> DockerClient:
    from docker import DockerClient
    from docker.errors import DockerException

    try:
        version = _version(where, tls) if where.scheme == "tcp" else None
        return DockerClient(base_url=str(where), version=version, tls=tls or False)
    except ValueError as error:  # its version is no number
        raise nobody_answers(where, error, mend) from None
    except DockerException as error:
        if tls is not None and "SSL" in str(error):
            raise distrust(where, error) from None
        if "HTTPS server" in str(error):
            raise wants_certificates(where) from None
        raise nobody_answers(where, error, mend) from None


def _version(where: Address, tls: TLSConfig | None) -> str:
    """The engine's version of the API, asked of it apart from the environment.

    A client asks by itself while it is being made, but then a bundle of certificates that the
    environment names still replaces the engine's own.
    """
    from docker import DockerClient
    from docker.errors import DockerException

    asking = DockerClient(
        base_url=str(where), version=OLDEST_API, tls=tls or False, timeout=_KNOCK_S
    )
    asking.api.trust_env = False
    asking.api.max_redirects = 0
    try:
        return _in_time(lambda: str(asking.api.version(api_version=False)["ApiVersion"]), _KNOCK_S)
    except (OSError, LookupError, TypeError, ValueError) as error:  # requests' errors are OSErrors
        raise DockerException(str(error)) from error
    finally:
        asking.close()


def _in_time(ask: Callable[[], str], seconds: float) -> str:
    """The answer. The client's own limit is on each read alone: an answer may drip for ever."""
    answer = Future[str]()

    def work() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:  # noqa: BLE001 (raised where it is waited for)
            answer.set_exception(error)

    threading.Thread(target=work, name="rubric-engine-knock", daemon=True).start()
    try:
        return answer.result(seconds)
    except FutureTimeout:
        raise TimeoutError(f"no whole answer within {seconds:g} seconds") from None


def _check_age(client: DockerClient) -> None:
    from docker.utils import version_lt

    version = client.api.api_version
    if version_lt(version, OLDEST_API):
        client.close()
        raise SandboxError(
            f"the Docker engine is too old: its API is {version}, and {OLDEST_API} is needed",
            code="E815",
            fix=["sudo apt-get install docker.io   (20.10 or newer, where the engine is)"],
        )
