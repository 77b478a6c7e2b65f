"""The openai SDK, told everything and left nothing to guess. Import it where it is first needed."""

from __future__ import annotations

import importlib.util
import logging

import openai
from typing_extensions import override

# OPENAI_LOG makes the SDK log each request as soon as it is imported.
logging.getLogger("openai").setLevel(logging.NOTSET)

_CONNECT = 20.0  # seconds to open a connection


class SdkClient(openai.AsyncOpenAI):
    """The SDK's client without what it takes from the environment: headers, organisation, keys."""

    @property
    @override
    def default_headers(self) -> dict[str, str | openai.Omit]:
        return {
            "Accept": "application/json",
            "Content-Type": "application/json",
            "User-Agent": self.user_agent,
        }


def make_client(base_url: str, key: str) -> SdkClient:
    """Return a client that sends each request once, over aiohttp where that is installed."""
    return SdkClient(
        api_key=key,
        admin_api_key="",
        organization="",
        project="",
        webhook_secret="",
        base_url=base_url,
        max_retries=0,
        # The caller limits an attempt as a whole, however slowly its bytes drip in.
        timeout=openai.Timeout(None, connect=_CONNECT),
        http_client=_http_client(),
    )


def _http_client() -> openai.DefaultAsyncHttpxClient:
    if importlib.util.find_spec("aiohttp") is not None:
        return openai.DefaultAioHttpClient()
    return openai.DefaultAsyncHttpxClient()
