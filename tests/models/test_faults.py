"""What servers say, and what is made of it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import formatdate

import pytest

from rubric_engine.models.answer import read_answer, read_usage
from rubric_engine.models.faults import AttemptFault, of_status
from rubric_engine.models.waits import asked_wait

SENT = {
    "model": "m",
    "temperature": 0,
    "seed": 1,
    "reasoning_effort": "low",
    "max_tokens": 5,
    "form": "json_schema",
}


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
        (498, _error("Flex tier capacity exceeded"), "overload"),
        # What they say to a prompt that is too long.
        (400, _error("the request exceeds the available context size"), "overflow"),
        (400, _error("prompt is too long: 213462 tokens > 200000 maximum"), "overflow"),
        (
            400,
            _error("input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000"),
            "overflow",
        ),
        (
            422,
            _error(
                "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given:"
                " 80125 `inputs` tokens and 4096 `max_new_tokens`",
                param="max_tokens",
            ),
            "overflow",
        ),
        (400, _error("max_tokens must be at least 1, got -8123."), "overflow"),
        (
            400,
            {"code": "invalid-argument", "error": "This model's maximum prompt length is 131072"},
            "overflow",
        ),
        (400, _error("Your request exceeded model token limit: 262144"), "overflow"),
        (400, _error("Range of input length should be [1, 98304]"), "overflow"),
        # Used up for a minute, or for long: some use one wording for both.
        (
            429,
            [_error("You exceeded your current quota.", code=429, status="RESOURCE_EXHAUSTED")],
            "rate_limit",
        ),
        (429, _error("Rate limit exceeded: free-models-per-min."), "rate_limit"),
        (429, _error("Rate limit exceeded: free-models-per-day. Add 10 credits"), "quota"),
        (429, _error("You exceeded your current quota, please check your plan"), "quota"),
        (429, _error("Rate limit of 50 per 86400s exceeded for UserByModelByDay."), "quota"),
        (429, _error("suspended", type="exceeded_current_quota_error"), "quota"),
        (400, _error("Your credit balance is too low to access the Anthropic API."), "quota"),
        (400, _error("You have reached your specified API usage limits."), "quota"),
        (403, _error("Billing hard limit has been reached"), "quota"),
        # A key that is refused by another status.
        (400, [_error("API key not valid. Please pass a valid API key.", code=400)], "credentials"),
        (400, {"error": "Incorrect API key provided: xa***ey."}, "credentials"),
        # Filters.
        (400, _error("Output blocked by content filtering policy"), "refused"),
        (400, _error("may contain inappropriate", code="data_inspection_failed"), "refused"),
        (
            400,
            _error("No.", innererror={"code": "ResponsibleAIPolicyViolation"}),
            "refused",
        ),
        # Ends that are no answers.
        (400, _error("max_tokens or model output limit was reached."), "cut"),
        (
            400,
            _error("max completion tokens reached", code="json_validate_failed"),
            "cut",
        ),
        (400, _error("Failed to validate JSON.", code="json_validate_failed"), "unfit"),
        # What was asked of a gateway is in the words of the server behind it.
        (
            400,
            _error(
                "Provider returned error",
                code=400,
                metadata={
                    "raw": '{"error":{"message":"prompt is too long: 9 tokens > 5 maximum"}}'
                },
            ),
            "overflow",
        ),
        (400, _error('{"error": {"message": "prompt is too long"}}'), "overflow"),
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
        ("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", "", None),
        ("max_tokens: 9 > 5, which is the maximum allowed number of output tokens", "", None),
        (
            "`max_tokens` must be less than or equal to `5`, less than the `context_window`",
            "",
            None,
        ),
        ("'response_format.type' must be 'json_schema' or 'text'", "", "response_format"),
        ("`temperature` is deprecated for this model.", "", "temperature"),
        ('"small" does not support thinking', "", "reasoning_effort"),
        ('think value "low" is not supported for this model', "", "reasoning_effort"),
        ("Extra inputs are not permitted", "seed", "seed"),
        ("Argument not supported on this model: reasoning_effort", "", "reasoning_effort"),
        (
            "Unsupported value: 'temperature' does not support 0 with this model. Only the default"
            " (1) value is supported.",
            "temperature",
            "temperature",
        ),
        ("unknown field `seed`, expected one of `model`, `messages`", "", "seed"),
        # A wrong value says nothing against the name.
        ("temperature: Input should be less than or equal to 2, expected <= 2, got 3", "", None),
        ("`temperature` must be in [0, 2]", "temperature", None),
        ("Invalid 'temperature': decimal above maximum value. Expected <= 2.", "temperature", None),
        (
            "Invalid value: 'hgih'. Supported values are: 'low' and 'high'.",
            "reasoning_effort",
            None,
        ),
        (
            "Unsupported value: 'hgih' is not supported. Supported values are: 'low' and 'high'.",
            "reasoning_effort",
            None,
        ),
        ("unknown variant `hgih`, expected one of `low`, `high`", "reasoning_effort", None),
        ("seed: expected an integer", "", None),
    ],
)
def test_what_is_refused_is_found_by_the_words(
    message: str, named: str, parameter: str | None
) -> None:
    assert of_status(400, _error(message, param=named), {}, SENT).parameter == parameter


@pytest.mark.parametrize(
    "body",
    [
        {
            "detail": [
                {
                    "type": "extra_forbidden",
                    "loc": ["body", "seed"],
                    "msg": "Extra inputs are not permitted",
                    "input": 1,
                }
            ]
        },
        {
            "object": "error",
            "message": {
                "detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]
            },
        },
        _error(
            "[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': 'Extra', 'input': 1}]"
        ),
    ],
)
def test_what_a_validator_found_is_read(body: object) -> None:
    assert of_status(422, body, {}, SENT).parameter == "seed"


@pytest.mark.parametrize(
    "body",
    [
        {"detail": [{"loc": ["body", "n"], "msg": "No", "input": "flagged, context length, seed"}]},
        _error("[{'loc': ('body', 'n'), 'msg': 'No', 'input': 'flagged: context length, seed'}]"),
    ],
)
def test_a_prompt_that_an_error_repeats_does_not_speak_for_the_server(body: object) -> None:
    fault = of_status(422, body, {}, SENT)
    assert (fault.kind, fault.parameter) == ("rejected", None)
    assert "flagged" not in fault.message


def test_the_wait_may_stand_in_the_body() -> None:
    delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "41.5s"}
    body = [_error("Resource has been exhausted", status="RESOURCE_EXHAUSTED", details=[delay])]
    assert of_status(429, body, {}, SENT).wait == 41.5
    reset = str(int((time.time() + 100) * 1000))
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}
    wait = of_status(429, _error("no", metadata={"headers": headers}), {}, SENT).wait
    assert wait is not None
    assert 0 < wait <= 100


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
        ({}, "Please retry after 26 seconds.", 26.0),
        ({}, "Please try again in 9m38.016s. Need more tokens?", 578.016),
        (
            {"x-ratelimit-remaining-tokens-minute": "0", "x-ratelimit-reset-tokens-minute": "9.5"},
            "",
            9.5,
        ),
        ({"anthropic-ratelimit-tokens-remaining": "0"}, "", None),
        ({}, "Later.", None),
    ],
)
def test_the_wait_that_is_asked_for(
    headers: dict[str, str], message: str, seconds: float | None
) -> None:
    assert asked_wait(headers, message) == (seconds if seconds is None else pytest.approx(seconds))


def test_a_reset_may_be_a_moment() -> None:
    name = "anthropic-ratelimit-tokens-{}".format
    soon = datetime.now(UTC) + timedelta(seconds=100)
    wait = asked_wait({name("remaining"): "0", name("reset"): soon.isoformat()})
    assert wait is not None
    assert 0 < wait <= 100
    assert asked_wait({name("remaining"): "0", name("reset"): "2020-01-27T12:00:00Z"}) == 0


def test_a_wait_may_be_a_date() -> None:
    wait = asked_wait({"retry-after": formatdate(time.time() + 100, usegmt=True)})
    assert wait is not None
    assert 0 < wait <= 100
    assert asked_wait({"retry-after": formatdate(0, usegmt=True)}) == 0


@pytest.mark.parametrize(
    "body", [None, [], "text", {}, {"choices": None}, {"choices": [3]}, {"choices": [{}]}]
)
def test_what_is_no_answer_is_garbled(body: object) -> None:
    with pytest.raises(AttemptFault) as caught:
        read_answer(body, SENT)
    assert caught.value.kind == "garbled"


def test_an_error_inside_a_success_counts_as_the_error() -> None:
    with pytest.raises(AttemptFault) as caught:
        read_answer(_error("slow down", code=429), SENT)
    assert caught.value.kind == "rate_limit"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"message": "busy", "code": "429"}, "rate_limit"),
        ({"message": "too long", "code": "context_length_exceeded"}, "overflow"),
        ({"message": "?", "code": "content_filter"}, "refused"),
        ({"message": "?", "code": "odd"}, "server"),
        ("just words", "server"),
    ],
)
def test_an_error_inside_a_success_may_have_begun_to_cost(error: object, kind: str) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 2}
    for body in ({"error": error}, {"choices": [{"error": error, "message": {"content": "x"}}]}):
        with pytest.raises(AttemptFault) as caught:
            read_answer(body, SENT)
        assert (caught.value.kind, caught.value.usage) == (kind, None)
    with pytest.raises(AttemptFault) as caught:
        read_answer({"error": error, "usage": usage}, SENT)
    assert caught.value.usage is not None


@pytest.mark.parametrize(
    ("reason", "refused", "cut"),
    [
        ("stop", False, False),
        (None, False, False),
        ("content_filter", True, False),
        ("SAFETY", True, False),
        ("content_filter: RECITATION", True, False),
        ("length", False, True),
        ("MAX_TOKENS", False, True),
        ("model_context_window_exceeded", False, True),
    ],
)
def test_why_an_answer_ended(reason: str | None, refused: bool, cut: bool) -> None:
    body = {"choices": [{"finish_reason": reason, "message": {"content": "x"}}]}
    answer = read_answer(body, SENT)
    assert (answer.refusal is not None, answer.cut) == (refused, cut)


@pytest.mark.parametrize("reason", ["error", "abort", "insufficient_system_resource"])
def test_what_a_server_broke_off_is_no_answer(reason: str) -> None:
    body = {"choices": [{"finish_reason": reason, "message": {"content": '{"met": true}'}}]}
    with pytest.raises(AttemptFault) as caught:
        read_answer(body, SENT)
    assert caught.value.kind == "server"


def test_no_choices_are_an_empty_answer() -> None:
    assert read_answer({"choices": []}, SENT).text == ""


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
        ({"prompt_tokens": 10, "completion_tokens": 2, "cached_tokens": 4}, (10, 4, 2)),
        (
            {"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": None},
            (10, 0, 2),
        ),
        ({"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 50}, (10, 0, 40)),
        ({"prompt_tokens": -1, "completion_tokens": 2}, None),
        ({"prompt_tokens": "10", "completion_tokens": 2}, None),
        ({"prompt_tokens": 0, "completion_tokens": 0}, None),
        ({"prompt_tokens": 0, "completion_tokens": 2}, None),
        ({"prompt_tokens": 10**400, "completion_tokens": 2}, None),
        ({"prompt_tokens": 10, "completion_tokens": 10**4000}, None),
        ({"prompt_tokens": 2**53, "completion_tokens": 2}, (2**53, 0, 2)),
        ({"prompt_tokens": True, "completion_tokens": 2}, None),
        (None, None),
    ],
)
def test_usage_is_read_as_vendors_spell_it(
    usage: object, counts: tuple[int, int, int] | None
) -> None:
    read = read_usage(usage)
    assert (read and (read.input_tokens, read.cached_tokens, read.output_tokens)) == counts
