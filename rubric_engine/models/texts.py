"""What is worked out once for a text that many prompts share, and for others each time.

A shared text is one string object: Python keeps its hash, so that finding it here costs nothing.
"""

from __future__ import annotations

import functools
import json

from rubric_engine.tokens import estimate_tokens

_LONG = 8192
_MOST_KEPT = 32


def json_text(text: str) -> bytes:
    """A text as a JSON string in UTF-8."""
    return _long_json(text) if len(text) >= _LONG else _json(text)


def text_tokens(text: str) -> int:
    """Estimated tokens of a text."""
    return _long_tokens(text) if len(text) >= _LONG else estimate_tokens(text)


def _json(text: str) -> bytes:
    # A lone surrogate, which a file may hold, has no UTF-8 form.
    return json.dumps(text, ensure_ascii=False).encode("utf-8", "replace")


_long_json = functools.lru_cache(maxsize=_MOST_KEPT)(_json)
_long_tokens = functools.lru_cache(maxsize=_MOST_KEPT)(estimate_tokens)
