"""Who is let in: a token in the first address becomes a cookie, and is void from then on."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from pathlib import Path

from rubric_engine.errors import UsageError

SHORTEST = 20
"""Characters that the token of a file must have at least."""


class Access:
    """The token of one server, and the cookies that it has given out.

    Args:
        port: Port of the server. Cookies know no ports, so that of each server has its own name.
        token: A token that stays good, for servers that other machines may reach. Without it one is
            drawn that lets in once.
    """

    def __init__(self, port: int, token: str | None = None) -> None:
        self.cookie = f"rubric-engine-{port}"
        self.token = token or secrets.token_urlsafe(32)
        self._stays = token is not None
        self._is_void = False
        self._sessions: set[bytes] = set()

    def admit(self, token: str) -> str | None:
        """The value of a new cookie for who has the token; None for who has not."""
        fits = hmac.compare_digest(token.encode(), self.token.encode())
        if not fits or self._is_void:
            return None
        self._is_void = not self._stays
        session = secrets.token_urlsafe(32)
        self._sessions.add(_digest(session))
        return session

    def knows(self, session: str) -> bool:
        """Whether a cookie is one of ours."""
        return _digest(session) in self._sessions


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def token_in(file: Path) -> str:
    """The token that a file holds.

    Raises:
        UsageError: It cannot be read, others may read it, or its token is easy to guess.
    """
    draw = f"(umask 077; openssl rand -hex 32 > {file})"
    try:
        token = file.read_text(encoding="ascii").strip()
        shared = file.stat().st_mode & 0o077
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no plain text"
        raise UsageError(
            f"--token-file {file} cannot be read: {why}", code="E024", fix=[draw]
        ) from None
    if shared:
        why = f"--token-file {file} can be read by other users"
        raise UsageError(why, code="E024", fix=[f"chmod 600 {file}"])
    if len(token) < SHORTEST or not token.isalnum():
        raise UsageError(
            f"--token-file {file} holds no token: {SHORTEST} letters and digits at least",
            code="E024",
            fix=[draw],
        )
    return token
