"""Who is let in: a token in the first address becomes a cookie and a key, and is void then.

A browser sends a cookie to every port of a machine, so whoever serves another one is given it. The
key lies in the storage of our own page, which no other port reads, and is sent by its script alone.
"""

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
        self._secret = secrets.token_bytes(32)

    def admit(self, token: str) -> str | None:
        """The value of a new cookie for who has the token; None for who has not."""
        if not self.fits(token):
            return None
        self._is_void = not self._stays
        session = secrets.token_urlsafe(32)
        self._sessions.add(_digest(session))
        return session

    def fits(self, token: str) -> bool:
        """Whether a token lets in now."""
        return hmac.compare_digest(token.encode(), self.token.encode()) and not self._is_void

    def key_of(self, session: str) -> str:
        """The key that goes with a cookie; given to who brings the token, and to nobody else."""
        return hmac.new(self._secret, session.encode(), hashlib.sha256).hexdigest()

    def unlocks(self, session: str, key: str) -> bool:
        """Whether a key is the one that goes with a cookie."""
        return hmac.compare_digest(key.encode(), self.key_of(session).encode())

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
