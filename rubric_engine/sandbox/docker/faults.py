"""What it means that an engine refused something or stopped answering."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from rubric_engine.errors import SandboxError

InfraStatus = Literal["infra.image", "infra.engine", "infra.gpu", "infra.lost"]

_GPU = ("could not select device driver", "unknown runtime specified nvidia", "nvidia-container",
        "libnvidia", "failed to initialize nvml")  # fmt: skip
_REFUSED = 400

MISSHAPEN = (LookupError, TypeError, AttributeError, ValueError)
"""What the client, or reading what it gave, raises where an answer is not of an engine's shape."""


class Fault(SandboxError):  # noqa: N818 (as `ModelFault`: raised and caught in here)
    """The engine failed a run; the submission is not to blame.

    Attributes:
        status: What the execution says if nothing helps.
        again: Whether a fresh sandbox may do better.
    """

    default_code = "E840"

    def __init__(self, status: InfraStatus, message: str, *, again: bool = True) -> None:
        super().__init__(message, fix=["rubric-engine sandbox doctor"])
        self.status: InfraStatus = status
        self.again = again


def engine_errors() -> tuple[type[BaseException], ...]:
    """All that a call of the engine's client may raise."""
    from docker.errors import DockerException
    from requests.exceptions import RequestException
    from urllib3.exceptions import HTTPError

    ssh = sys.modules.get("paramiko")  # there only if an address needed it
    more = (ssh.SSHException,) if ssh is not None else ()
    return (
        DockerException,
        RequestException,
        HTTPError,
        ConnectionError,
        TimeoutError,
        EOFError,
        *more,
    )


@contextmanager
def engine_fault(doing: str) -> Iterator[None]:
    """Turn what the engine's client raises into a fault.

    Args:
        doing: Such as "starting the container".
    """
    try:
        yield
    except Fault:
        raise
    except engine_errors() as error:
        raise _fault(error, doing) from error
    except MISSHAPEN as error:
        message = f"{doing} failed: the engine's answer is none of an engine"
        raise Fault("infra.engine", message) from error


def is_gone(error: BaseException) -> bool:
    """Whether the engine answered that there is no such thing."""
    from docker.errors import NotFound

    return isinstance(error, NotFound)


def _fault(error: BaseException, doing: str) -> Fault:
    from docker.errors import APIError, ImageNotFound

    why = error.explanation if isinstance(error, APIError) else error
    message = f"{doing} failed: {' '.join(str(why or error).split())}"
    if isinstance(error, ImageNotFound) or "no such image" in message.lower():
        return Fault("infra.image", message, again=False)
    if any(words in message.lower() for words in _GPU):
        return Fault("infra.gpu", message)
    if is_gone(error):
        return Fault("infra.lost", message)
    refused = isinstance(error, APIError) and error.status_code == _REFUSED
    return Fault("infra.engine", message, again=not refused)
