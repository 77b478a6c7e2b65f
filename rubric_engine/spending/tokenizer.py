"""OpenAI's tokenizer, where it is installed and its file is at hand. Nothing is downloaded."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

_FILES = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
"""SHA-256 of the file of each encoding: with any other file tiktoken would ask the network."""

_SOURCE = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
_FOLDERS = ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")


def tokenizer(model: str) -> Callable[[str], int] | None:
    """What counts the tokens of a text for a model; None where tiktoken cannot without a network.

    Args:
        model: Name of the model, such as gpt-4o.
    """
    try:
        import tiktoken
    except ImportError:
        return None
    try:
        name = tiktoken.encoding_name_for_model(model)
    except KeyError:
        return None
    if not _is_at_hand(name):
        return None
    encoding = tiktoken.get_encoding(name)
    return lambda text: len(encoding.encode_ordinary(text))


def _is_at_hand(encoding: str) -> bool:
    """Whether the file lies where tiktoken keeps what it has downloaded, and is whole."""
    folder = next((os.environ[name] for name in _FOLDERS if name in os.environ), None)
    if folder is None:
        folder = str(Path(tempfile.gettempdir()) / "data-gym-cache")
    if not folder or encoding not in _FILES:
        return False
    # The name that tiktoken gives the file; nothing secret depends on it.
    name = hashlib.sha1(_SOURCE.format(encoding).encode(), usedforsecurity=False).hexdigest()
    try:
        content = (Path(folder) / name).read_bytes()
    except OSError:
        return False
    return hashlib.sha256(content).hexdigest() == _FILES[encoding]
