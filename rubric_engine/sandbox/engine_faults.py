"""What is said where no Docker engine answers, and what mends it."""

from __future__ import annotations

import os
import shutil

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox.address import LOCAL, Address

PEM = ("ca.pem", "cert.pem", "key.pem")
"""The certificates of one side, as Docker calls them."""


def mend_socket(where: Address) -> str:
    """What makes an engine answer at a socket; by itself, one listens at the usual place alone."""
    if str(where) != LOCAL:
        return f"--engine, or DOCKER_HOST, with the path of its socket; else {LOCAL} is asked"
    installed = shutil.which("dockerd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    return "sudo systemctl start docker" if installed else "sudo apt-get install docker.io"


def distrust(where: Address, error: Exception) -> SandboxError:
    """One side does not accept the certificates of the other."""
    return SandboxError(
        f"the engine at {where} and this machine do not accept each other's certificates",
        code="E812",
        looked=[f"DOCKER_CERT_PATH or ~/.docker: {', '.join(PEM)}", plain_words(error)],
        fix=["openssl verify -CAfile ca.pem cert.pem   (one authority must have signed both sides,"
             " and the engine's certificate must name its host)"],
    )  # fmt: skip


def wants_certificates(where: Address) -> SandboxError:
    """The engine wants certificates, and none are set."""
    return SandboxError(
        f"the engine at {where} wants certificates, and none are set",
        code="E812",
        looked=["DOCKER_TLS_VERIFY and DOCKER_CERT_PATH are unset"],
        fix=[f"export DOCKER_CERT_PATH=FOLDER   (it holds {', '.join(PEM)})"],
    )


def nobody_answers(where: Address, error: Exception, mend: str) -> SandboxError:
    """Nobody answers at an address; `mend` is what may bring one up."""
    return SandboxError(
        f"no Docker engine answers at {where}",
        code="E810",
        looked=[
            plain_words(error),
            "asked: --engine, else DOCKER_HOST, else the local socket; contexts are not followed",
        ],
        fix=[
            mend,
            "rubric-engine reproduce SUBMISSION -o DIR --sandbox local   runs here, NOT isolated",
        ],
    )


def plain_words(error: Exception) -> str:
    """The system's own words of an error, in one line."""
    words = error.strerror if isinstance(error, OSError) else None
    return " ".join((words or str(error) or type(error).__name__).split())
