"""Engines that are reached over SSH and over TLS."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox.engines import connect
from tests.sandbox.remote_engines import Remote, authority

pytestmark = pytest.mark.slow


def failure(address: str) -> SandboxError:
    with pytest.raises(SandboxError) as caught:
        connect(address)
    assert caught.value.fix
    return caught.value


def test_ssh(ssh_engine: str) -> None:
    with closing(connect(ssh_engine)) as client:
        assert client.ping()


def test_ssh_refuses_a_host_that_is_not_known(ssh_engine: str, sshd: Remote) -> None:
    known = sshd.folder / ".ssh" / "known_hosts"
    text = known.read_text()
    known.write_text("")
    try:
        error = failure(ssh_engine)
    finally:
        known.write_text(text)
    assert error.code == "E813"
    assert "known_hosts" in " ".join(error.looked)


def test_ssh_says_that_no_key_was_accepted(
    ssh_engine: str, sshd: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / ".ssh"
    own.mkdir()
    (own / "known_hosts").write_text((sshd.folder / ".ssh" / "known_hosts").read_text())
    monkeypatch.setenv("HOME", str(tmp_path))
    error = failure(ssh_engine)
    assert error.code == "E813"
    assert f"ssh -p {ssh_engine.rpartition(':')[2]}" in error.fix[0]


def test_tls_whatever_bundle_the_environment_names(
    tls_engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority(tmp_path)  # one that signed nothing here
    for name in ("CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"):
        monkeypatch.setenv(name, str(tmp_path / "ca.pem"))
    with closing(connect(tls_engine)) as client:
        assert client.ping()
        assert client.containers.list() == []


def test_tls_refuses_an_engine_of_another_authority(
    tls_engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority(tmp_path)
    monkeypatch.setenv("DOCKER_CERT_PATH", str(tmp_path))
    assert failure(tls_engine).code == "E812"


def test_an_engine_that_wants_certificates_says_so(
    tls_engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DOCKER_CERT_PATH")
    monkeypatch.delenv("DOCKER_TLS_VERIFY")
    error = failure(tls_engine)
    assert error.code == "E812"
    assert "DOCKER_CERT_PATH" in error.fix[0]


def test_a_second_engine_leaves_the_first_its_network(second_dockerd: Remote) -> None:
    with closing(connect()) as client:
        assert client.networks.list(names=["bridge"])
    assert Path("/sys/class/net/docker0").exists()
