"""One request over HTTP: bytes out, an answer or an `AttemptFault` back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from rubric_engine.model import ModelConfig, Usage
from rubric_engine.models.answer import Answer, read_answer, written
from rubric_engine.models.faults import AttemptFault, of_status
from rubric_engine.models.mask import Mask

if TYPE_CHECKING:
    import openai

    from rubric_engine.models.sdk import SdkClient

# Errors of the libraries below the SDK, by name: which library it is depends on its version.
_NEVER_CONNECTED = {"ConnectError", "UnsupportedProtocol", "ProxyError"}
_BELOW = {"ClientConnectorError", "ConnectionTimeoutError", "ConnectTimeout", "ConnectError"}


class Transport:
    """Sends request bodies to one endpoint.

    Args:
        config: The endpoint.
        key: Its key; it is sent, and shown nowhere.

    Attributes:
        mask: Hides the key; what `post` returns and raises has been through it.
    """

    def __init__(self, config: ModelConfig, key: str) -> None:
        self._config = config
        self._key = key
        self.mask = Mask(key)
        # Whole: the SDK would join a path to its base, and parse the result, for each call.
        self._url = config.base_url + "/chat/completions"
        self._client: SdkClient | None = None

    async def post(self, body: bytes, sent: Mapping[str, Any]) -> Answer:
        """Send one request, and read what comes back.

        Args:
            body: The encoded body.
            sent: Its parameters, to tell which of them a server refuses.

        Raises:
            AttemptFault: There is no answer.
        """
        try:
            received = await self.send(lambda client: client.send(self._url, body), sent)
            return read_answer(received, sent)
        except AttemptFault as fault:
            fault.message = self.mask.words(fault.message)
            if fault.kind != "unfit":
                raise
            return written(fault.generation)

    async def models(self) -> object:
        """Ask for the list of models.

        Raises:
            AttemptFault: There is no answer.
        """
        url = self._config.base_url + "/models"
        return await self.send(lambda client: client.get(url, cast_to=str), {})

    async def send(
        self, send: Callable[[SdkClient], Awaitable[str]], sent: Mapping[str, Any]
    ) -> object:
        """Let the SDK send a request, and decode what comes back.

        Args:
            send: Sends it once, and returns the text of the answer, which is decoded as JSON.
            sent: Its parameters, to tell which of them a server refuses.

        Raises:
            AttemptFault: There is no answer.
        """
        fault: AttemptFault
        try:
            client = self._opened()
            async with asyncio.timeout(self._config.timeout):
                answer = await send(client)
            # Not by the SDK: some servers do not call it JSON, and a number may be too long for it.
            return self.mask.of(json.loads(answer, parse_int=_integer))
        except TimeoutError:
            fault = AttemptFault("timeout", f"no answer within {self._config.timeout:g} s")
        except (ValueError, RecursionError):
            fault = AttemptFault("garbled", "the response is not JSON", status=200)
        except Exception as error:  # noqa: BLE001  # its words may hold the key
            fault = self._fault(error, sent)
        fault.message = self.mask.words(fault.message)
        raise fault  # outside the handlers: the SDK's error holds the request, and so the key

    async def aclose(self) -> None:
        """Close every connection."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    def _opened(self) -> SdkClient:
        if self._client is None:
            from rubric_engine.models.sdk import make_client

            self._client = make_client(self._config.base_url, self._key)
        return self._client

    def _fault(self, error: Exception, sent: Mapping[str, Any]) -> AttemptFault:
        import openai

        # Some versions of the SDK wrap what its client raises.
        for own in (error, error.__cause__):
            if isinstance(own, AttemptFault):
                return own
        if isinstance(error, openai.APIStatusError):
            return self._of_status(error, sent)
        if isinstance(error, openai.APIConnectionError):
            cause = error.__cause__
            never = _never_connected(cause)
            return AttemptFault(
                "connection",
                str(cause) or error.message,
                refused_connection=never,
                usage=Usage() if never else None,
            )
        if isinstance(error, openai.OpenAIError):
            return AttemptFault("garbled", str(error), status=200)
        if type(error).__module__.startswith("aiohttp"):  # the SDK lets some of its errors through
            return AttemptFault("connection", str(error))
        # Whatever else broke stays with its call, and its words may repeat the key.
        return AttemptFault("garbled", f"{type(error).__name__}: {error}")

    def _of_status(self, error: openai.APIStatusError, sent: Mapping[str, Any]) -> AttemptFault:
        headers = {name.lower(): value for name, value in error.response.headers.items()}
        # Hidden before it is shortened: half a key is hard to find.
        return of_status(error.status_code, self.mask.of(error.body), headers, sent)


def _integer(digits: str) -> int | float:
    """A whole number; one of more digits than Python reads is as good as infinite."""
    try:
        return int(digits)
    except ValueError:
        return float(digits)


def _never_connected(cause: BaseException | None) -> bool:
    """Whether no connection was made; a lost one goes by the name of a timeout, too."""
    below = cause.__cause__ if cause is not None else None
    return type(cause).__name__ in _NEVER_CONNECTED or any(
        kind.__name__ in _BELOW for kind in type(below).__mro__
    )
