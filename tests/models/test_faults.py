"""What servers say, and what is made of it."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest

from rubric_engine.models.answer import read_answer, read_usage
from rubric_engine.models.faults import Fault, of_status
from rubric_engine.models.waits import asked_wait

SENT = {"model": "m", "temperature": 0, "seed": 1, "max_tokens": 5, "form": "json_schema"}


def _error(message: str, **more: object) -> dict[str, object]:
    return {"error": {"message": message, **more}}


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (429, _error("Too many requests"), "rate_limit"),
        (429, _error("You exceeded your current quota", code="insufficient_quota"), "quota"),
        (429, _error("Quota exceeded: GenerateRequestsPerDayPerProject"), "quota"),
        (429, _error("Request too large for gpt-4o on tokens per min (TPM)"), "overflow"),
        (402, _error("Insufficient credits"), "quota"),
        (400, _error("too long", code="context_length_exceeded"), "overflow"),
        (400, [_error("The input token count (9) exceeds the maximum")], "overflow"),
        (413, "nginx: entity too large", "overflow"),
        (400, _error("filtered", code="content_filter"), "refused"),
        (403, _error("Your input was flagged"), "refused"),
        (403, _error("no"), "credentials"),
        (401, "", "credentials"),
        (404, {"detail": "Not Found"}, "missing"),
        (400, _error("what?"), "rejected"),
        (408, None, "timeout"),
        (502, "<html>Bad gateway</html>", "server"),
        (503, _error("busy"), "overload"),
        (529, _error("Overloaded"), "overload"),
    ],
)
def test_an_error_is_one_of_a_few_kinds(status: int, body: object, kind: str) -> None:
    fault = of_status(status, body, {}, SENT)
    assert (fault.kind, fault.status) == (kind, status)


@pytest.mark.parametrize(
    ("message", "named", "parameter"),
    [
        ("Unsupported value: 'temperature' does not support 0", "temperature", "temperature"),
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.", "", "max_tokens"),
        ('Unknown name "seed": Cannot find field.', "", "seed"),
        ("This response_format type is unavailable now", "", "response_format"),
        ("guided decoding is off", "", "response_format"),
        ("Conversation roles must alternate user/assistant/user", "", "roles"),
        ("max_tokens is too large: 9. It supports at most 5.", "max_tokens", None),
        ("the seedling is unknown", "", None),
        ("Unsupported parameter: 'top_k'", "top_k", None),
    ],
)
def test_what_is_refused_is_found_by_the_words(
    message: str, named: str, parameter: str | None
) -> None:
    assert of_status(400, _error(message, param=named), {}, SENT).parameter == parameter


@pytest.mark.parametrize(
    ("headers", "message", "seconds"),
    [
        ({"retry-after": "2"}, "", 2.0),
        ({"retry-after": "0.5"}, "", 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, "", 0.25),
        ({"retry-after": "soon"}, "", None),
        ({"retry-after": "-1"}, "", None),
        ({"retry-after": "inf"}, "", None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m1s"}, "", 61.0),
        ({"x-ratelimit-remaining-tokens": "7", "x-ratelimit-reset-tokens": "6m0s"}, "", None),
        ({}, "Please try again in 6m0.5s.", 360.5),
        ({}, "Please retry in 20ms", 0.02),
        ({}, "Later.", None),
    ],
)
def test_the_wait_that_is_asked_for(
    headers: dict[str, str], message: str, seconds: float | None
) -> None:
    assert asked_wait(headers, message) == (seconds if seconds is None else pytest.approx(seconds))


def test_a_wait_may_be_a_date() -> None:
    wait = asked_wait({"retry-after": formatdate(time.time() + 100, usegmt=True)})
    assert wait is not None
    assert 0 < wait <= 100
    assert asked_wait({"retry-after": formatdate(0, usegmt=True)}) == 0


@pytest.mark.parametrize(
    "body", [None, [], "text", {}, {"choices": []}, {"choices": [3]}, {"choices": [{}]}]
)
def test_what_is_no_answer_is_garbled(body: object) -> None:
    with pytest.raises(Fault) as caught:
        read_answer(body, SENT)
    assert caught.value.kind == "garbled"


def test_an_error_inside_a_success_counts_as_the_error() -> None:
    with pytest.raises(Fault) as caught:
        read_answer(_error("slow down", code=429), SENT)
    assert caught.value.kind == "rate_limit"


def test_parts_of_a_text_are_joined_and_thoughts_left_out() -> None:
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}]
    body = {"choices": [{"message": {"content": [*parts, {"type": "text", "text": "b"}]}}]}
    assert read_answer(body, SENT).text == "ab"


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 2}, (10, 0, 2)),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 2,
                "prompt_tokens_details": {"cached_tokens": 8},
            },
            (10, 8, 2),
        ),
        ({"prompt_tokens": 10, "completion_tokens": 2, "prompt_cache_hit_tokens": 99}, (10, 10, 2)),
        ({"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 50}, (10, 0, 40)),
        ({"prompt_tokens": -1, "completion_tokens": 2}, None),
        ({"prompt_tokens": "10", "completion_tokens": 2}, None),
        ({"prompt_tokens": True, "completion_tokens": 2}, None),
        (None, None),
    ],
)
def test_usage_is_read_as_vendors_spell_it(
    usage: object, counts: tuple[int, int, int] | None
) -> None:
    read = read_usage(usage)
    assert (read and (read.input_tokens, read.cached_tokens, read.output_tokens)) == counts
