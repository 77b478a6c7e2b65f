"""One HTML text from shell, styles, scripts and data."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rubric_engine.page.packing import packed
from rubric_engine.page.plain import escaped, plain_page
from rubric_engine.page.scripts import script, shell, style

_MARKER = re.compile(r"\{\{(\w+)\}\}")


def assemble(
    page: Mapping[str, Any] | None,
    chunks: Sequence[Sequence[Mapping[str, Any]]] = (),
    *,
    api: str | None = None,
    entry: str = "report",
    title: str,
) -> str:
    """Put one page together; it holds all that it needs and asks nobody for more.

    Data lie in the text as `<script type="text/plain">` blocks of base64 over gzip over JSON:
    `page`, and `run-<i>-chunk-<k>` for the leaves' details, which are read when a leaf is opened.

    Args:
        page: What is shown, as plain JSON values; None where a server gives it.
        chunks: For each run of the page, its details in order, each a mapping from a node's index.
        api: Path below which a server answers, such as ``/api``; None for a file.
        entry: Kind of page, a name of `rubric_engine.page.scripts.ENTRIES`.
        title: Title of the window; any text.

    Returns:
        The page; it can be written as UTF-8.

    Raises:
        ValueError: A number of the data is NaN or infinite.
    """
    values = {
        "title": escaped(title),
        "policy": escaped(content_policy(entry, served=api is not None)),
        "style": style(entry),
        "entry": escaped(entry),
        "api": f' data-api="{escaped(api)}"' if api is not None else "",
        "plain": plain_page(page),
        "blocks": "\n".join(_blocks(page, chunks)),
        "script": script(entry),
    }
    # One pass: what is put in may hold the look of a marker and stays what it is.
    return _MARKER.sub(lambda marker: values[marker[1]], shell())


def content_policy(entry: str = "report", *, served: bool = False) -> str:
    """The page's Content-Security-Policy: nothing but its own script and style, by their hashes.

    Args:
        entry: Kind of page, as for `assemble`.
        served: Whether the page may ask the server that it came from.
    """
    allowed = [
        "default-src 'none'",
        f"script-src '{_hash(script(entry))}'",
        f"style-src '{_hash(style(entry))}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join([*allowed, "connect-src 'self'"] if served else allowed)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _blocks(
    page: Mapping[str, Any] | None, chunks: Sequence[Sequence[Mapping[str, Any]]]
) -> Iterator[str]:
    if page is None:
        return
    yield _block("page", page)
    for run, details in enumerate(chunks):
        for at, chunk in enumerate(details):
            yield _block(f"run-{run}-chunk-{at}", chunk)


def _block(name: str, value: Mapping[str, Any]) -> str:
    return f'<script type="text/plain" id="{name}">{packed(value)}</script>'
