"""Which addresses lie on this machine or in a private network."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

_PRIVATE_NAMES = (".local", ".localhost", ".internal", ".lan")


def is_local(url: str) -> bool:
    """Whether a URL points to this machine or into a private network.

    Servers there need no key, and anything may hide behind a model's name. What is no address
    points nowhere else either.
    """
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(_PRIVATE_NAMES)
