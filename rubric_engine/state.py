"""The user's own folder for state, and the secret in it that nobody else can know.

Keyed hashes made with the secret tell what this user's engine wrote from what somebody handed in,
and make the code of the fences around what somebody handed in.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from rubric_engine.errors import StorageError

_BYTES = 32


def state_folder() -> Path:
    """Where state lives, after the XDG base directory specification.

    A user without a home, as in some containers, has a folder among the temporary ones.
    """
    base = os.environ.get("XDG_STATE_HOME")
    if base is None:
        try:
            base = str(Path.home() / ".local" / "state")
        except RuntimeError:
            base = str(Path(tempfile.gettempdir()) / f"state-{os.getuid()}")
    return Path(base) / "rubric-engine"


def seal(*facts: str) -> str | None:
    """Keyed hash of facts; None where the secret can neither be read nor made."""
    secret = _secret(state_folder())
    if secret is None:
        return None
    text = "\0".join(facts).encode("utf-8", "surrogatepass")
    return hmac.new(secret, text, hashlib.sha256).hexdigest()


def fence_code(submission_sha256: str) -> str:
    """The code of fences: the same for a submission, and unknown to its author.

    Raises:
        StorageError: No secret can be kept.
    """
    code = seal("fence", submission_sha256)
    if code is None:
        raise StorageError(
            f"no secret can be kept in {state_folder()}, and fences around untrusted text need one",
            code="E905",
            fix=["set XDG_STATE_HOME to a folder that you can write"],
        )
    return code[:16]


@cache
def _secret(folder: Path) -> bytes | None:
    path = folder / "secret"
    with suppress(OSError):
        return _usable(path.read_bytes())
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if folder.stat().st_uid != os.getuid():
            return None
        new = secrets.token_bytes(_BYTES)
        own = folder / f".secret-{secrets.token_hex(4)}"
        descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(new)
        with suppress(FileExistsError):
            os.link(
                own, path
            )  # of two processes that come first, one wins and both read its secret
        own.unlink()
        return _usable(path.read_bytes())
    except OSError:
        return None


def _usable(secret: bytes) -> bytes | None:
    return secret if len(secret) == _BYTES else None
