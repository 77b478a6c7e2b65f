"""A key, whatever a server makes of it, is not in what the client returns, raises or logs."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import traceback
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rubric_engine.errors import CredentialsError, RubricEngineError
from rubric_engine.model import ModelConfig, ModelFault
from rubric_engine.models import find_key
from rubric_engine.models.mask import Mask
from rubric_engine.testing.wire import HttpResponse
from tests.models.answers import Asked, saying

KEY = "sk-live/AbC+dEf=0123456789xyzXYZ"
FORMS = (
    KEY,
    f"Bearer {KEY}",
    KEY.replace("/", "\\/"),
    quote(KEY, safe=""),
    base64.b64encode(KEY.encode()).decode(),
    base64.b64encode(f"Bearer {KEY}".encode()).decode(),
    base64.urlsafe_b64encode(f"u:{KEY}".encode()).decode(),
)
ECHO = " ".join(FORMS)
# Pieces of the forms that no masked text holds by chance.
TRACES = ("AbC+dEf", "AbC%2BdEf", "0123456789xyz", *(form[14:30] for form in FORMS[4:]))


def _answer(**message: Any) -> dict[str, Any]:
    choice = {"finish_reason": "stop", "message": message}
    return {"id": KEY, "model": f"m {ECHO}", "system_fingerprint": KEY, "choices": [choice]}


VERDICT = json.dumps({"expectation": ECHO, "citations": [{"path": KEY, "line": 1}], "met": True})
ERROR = {
    "message": f"bad {ECHO}",
    "code": KEY,
    "type": ECHO,
    "param": KEY,
    "metadata": {"raw": ECHO},
}
SAID: dict[str, tuple[int, Any]] = {
    "answer": (200, _answer(content=VERDICT)),
    "escaped": (200, _answer(content=VERDICT.replace("AbC", "\\u0041bC"))),
    "unreadable": (200, _answer(content=f"I say {ECHO}")),
    "refusal": (200, _answer(content=ECHO, refusal=ECHO)),
    "error in 200": (200, {"error": ERROR}),
    "no json": (200, ECHO),
    "unfit": (
        400,
        {"error": {"message": ECHO, "code": "json_validate_failed", "failed_generation": ECHO}},
    ),
    **{str(status): (status, {"error": ERROR}) for status in (400, 401, 403, 404, 413, 429, 500)},
    "cut short": (400, {"error": {"message": "x" * 480 + ECHO}}),
}


async def _told(said: tuple[int, Any]) -> str:
    """All that is left of a call to a server that says this."""
    status, body = said
    raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    headers = (("Retry-After", KEY), ("x-request-id", KEY))

    asked, told = Asked(), ""
    async with saying(lambda _: HttpResponse(status, raw, headers)) as config:
        try:
            told = repr(await asked.ask(config))
        except (ModelFault, RubricEngineError) as error:
            told = "".join(traceback.format_exception(error)) + repr(vars(error))
    return told + repr(asked)


@pytest.mark.parametrize("name", SAID)
def test_a_key_that_a_server_repeats_is_kept_nowhere(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("RUBRIC_TEST_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    told = asyncio.run(_told(SAID[name])) + caplog.text
    assert [trace for trace in TRACES if trace in told] == []


ENCODINGS: list[Callable[[bytes], bytes]] = [base64.b64encode, base64.urlsafe_b64encode]


@given(
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=12, max_size=60),
    st.binary(max_size=7),
    st.binary(max_size=7),
    st.sampled_from(ENCODINGS),
)
def test_a_key_is_hidden_wherever_base64_puts_it(
    key: str, before: bytes, after: bytes, encode: Callable[[bytes], bytes]
) -> None:
    hidden = Mask(key).of({"a": [encode(before + key.encode() + after).decode(), 1, None]})
    assert "***" in hidden["a"][0]
    assert len(hidden["a"][0]) < 3 + 4 * (len(before) + len(after)) / 3 + 8


def test_a_short_key_is_hidden_in_errors_and_leaves_answers_alone() -> None:
    mask = Mask("test")
    assert mask.of("the test passes") == "the test passes"
    assert mask.words("no key test") == "no key ***"
    assert Mask("none").words("none of it") == "none of it"


@pytest.mark.parametrize("field", [{"name": KEY}, {"base_url": f"http://localhost:1/{KEY}/v1"}])
def test_a_key_in_the_name_or_the_address_is_not_sent(
    field: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUBRIC_TEST_KEY", KEY)
    config = ModelConfig.model_validate({"name": "m", "key_env": "RUBRIC_TEST_KEY", **field})
    with pytest.raises(CredentialsError) as caught:
        find_key(config)
    assert caught.value.code == "E102"
    assert KEY not in str(caught.value) + str(caught.value.fix)


@pytest.mark.parametrize(
    "name", ["sk-live-0123456789", "gsk_0123456789abcdefghij", "hf_AbCdEfGhIjKlMnOpQrStUv", ""]
)
def test_a_key_is_no_name_of_a_variable(name: str) -> None:
    with pytest.raises(ValidationError, match="not the key itself"):
        ModelConfig(name="m", key_env=name)


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "_K2", "my_key", "A_VERY_LONG_NAME_OF_A_KEY_1"])
def test_names_of_variables_are_taken(name: str) -> None:
    assert ModelConfig(name="m", key_env=name).key_env == name
