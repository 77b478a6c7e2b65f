"""The openai SDK, told everything and left nothing to guess. Import it where it is first needed."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import logging
from typing import Any

import openai
from typing_extensions import override

from rubric_engine.models.wire import ENCODINGS, Guarded

# It would log prompts and what servers put into headers: where OPENAI_LOG asks for it, as soon as
# it is imported, and else where the program around it logs everything.
logging.getLogger("openai").setLevel(logging.WARNING)
for _below in map(logging.getLogger, ("httpcore", "httpcore2")):
    if _below.level == logging.NOTSET:
        _below.setLevel(logging.WARNING)

_CONNECT = 20.0  # seconds to open a connection


# What the SDK gained within the versions that are supported.
_HAS_ADMIN_KEY = "admin_api_key" in inspect.signature(openai.AsyncOpenAI).parameters
_HAS_CONTENT = "content" in inspect.signature(openai.AsyncOpenAI.post).parameters


class SdkClient(openai.AsyncOpenAI):
    """The SDK's client without what it takes from the environment: headers, organisation, keys."""

    async def send(self, url: str, body: bytes) -> str:
        """Post an encoded body, and return the text of the answer."""
        encoded: dict[str, Any] = {"content" if _HAS_CONTENT else "body": body}
        answer: str = await self.post(url, cast_to=str, **encoded)
        return answer

    @property
    @override
    def default_headers(self) -> dict[str, str | openai.Omit]:
        return {
            "Accept": "application/json",
            "Accept-Encoding": ENCODINGS,
            "Content-Type": "application/json",
            "User-Agent": self.user_agent,
            "Authorization": f"Bearer {self.api_key}",
        }


def make_client(base_url: str, key: str) -> SdkClient:
    """Return a client that sends each request once, over aiohttp where that is installed."""
    more: dict[str, Any] = {"admin_api_key": ""} if _HAS_ADMIN_KEY else {}
    return SdkClient(
        api_key=key,
        organization="",
        project="",
        webhook_secret="",
        base_url=base_url,
        max_retries=0,
        # The caller limits an attempt as a whole, however slowly its bytes drip in.
        timeout=openai.Timeout(None, connect=_CONNECT),
        http_client=_http_client(),
        **more,
    )


class _OverAiohttp(Guarded, openai.DefaultAioHttpClient):
    pass


class _Plain(Guarded, openai.DefaultAsyncHttpxClient):
    pass


def _http_client() -> openai.DefaultAsyncHttpxClient:
    if importlib.util.find_spec("aiohttp") is not None:
        with contextlib.suppress(RuntimeError):  # the SDK needs an adapter for it, too
            return _OverAiohttp()
    return _Plain()
