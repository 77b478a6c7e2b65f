"""What an endpoint says no to before its model reads a word."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rubric_engine.testing.error_forms import OVERFLOW_CODE, UNKNOWN_CODE, Problem
from rubric_engine.testing.values import Request
from rubric_engine.testing.vendors import BOTH_LIMITS, Vendor

INVALID = "invalid_request_error"


def first_refusal(
    vendor: Vendor, request: Request, refuses: tuple[str, ...], window: int | None, tokens: int
) -> Problem | None:
    """The first reason to refuse a request, if there is one.

    Args:
        vendor: Whose rules hold.
        request: What came.
        refuses: Parameters that are refused on top of the vendor's.
        window: Tokens of the context window; None is endless.
        tokens: Tokens of the prompt.
    """
    reasons = chain(
        _parameters(vendor, request, refuses),
        _formats(vendor, request),
        _roles(vendor, request),
        _length(vendor, window, tokens),
    )
    return next(reasons, None)


def _parameters(vendor: Vendor, request: Request, refuses: tuple[str, ...]) -> Iterator[Problem]:
    limits = BOTH_LIMITS if vendor.other_limits == "refused" else ()
    others = [name for name in limits if name not in vendor.output_limits]
    for name in (*others, *vendor.refuses, *refuses):
        if name in request.body:
            yield unknown_parameter(vendor, name)


def unknown_parameter(vendor: Vendor, name: str) -> Problem:
    """The refusal of a parameter."""
    message = vendor.unknown.format(name=name)
    return Problem(vendor.unknown_status, message, INVALID, UNKNOWN_CODE, name)


def _formats(vendor: Vendor, request: Request) -> Iterator[Problem]:
    support = {"json_schema": vendor.json_schema, "json_object": vendor.json_object}
    if support.get(request.format) == "refused":
        message = "This response_format type is unavailable now"
        yield Problem(400, message, INVALID, None, "response_format")


def _roles(vendor: Vendor, request: Request) -> Iterator[Problem]:
    roles = [message.get("role") for message in request.body["messages"]]
    if "system" in roles and not vendor.system_role:
        yield Problem(400, "System role not supported", INVALID)


def _length(vendor: Vendor, window: int | None, tokens: int) -> Iterator[Problem]:
    if window is not None and tokens > window and vendor.overflow is not None:
        yield overflow(vendor, window, tokens)


def overflow(vendor: Vendor, window: int, tokens: int) -> Problem:
    """The refusal of a prompt that is longer than the window."""
    message = (vendor.overflow or "").format(window=window, tokens=tokens)
    return Problem(400, message, INVALID, OVERFLOW_CODE, "messages")
