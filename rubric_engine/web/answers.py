"""Answers of our servers: JSON that holds any text, and pages with the policy that fits them."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import HTMLResponse, Response

from rubric_engine.page import assemble, content_policy


def json_answer(value: Any, status: int = 200) -> Response:
    """A value as JSON; names of files may hold what UTF-8 does not, so all is ASCII.

    Args:
        value: Plain values.
        status: The HTTP status.
    """
    text = json.dumps(value, allow_nan=False)
    return Response(text, status, media_type="application/json")


def problem(why: str, status: int) -> Response:
    """An answer that says no.

    Args:
        why: In words.
        status: The HTTP status.
    """
    return json_answer({"error": why}, status)


def page_answer(entry: str, title: str) -> Response:
    """A page that asks this server for its data.

    Args:
        entry: Kind of page, as `rubric_engine.page.assemble` names it.
        title: Title of the window.
    """
    policy = f"{content_policy(entry, served=True)}; frame-ancestors 'none'"
    text = assemble(None, api="/api", entry=entry, title=title)
    return HTMLResponse(text, headers={"content-security-policy": policy})
