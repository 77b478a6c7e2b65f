"""What `git` is asked once its aliases and the addresses that it rewrites are put in."""

from __future__ import annotations

from rubric_engine.monitor.shell.files import MOST_KEPT, Files
from rubric_engine.monitor.shell.words import MOST_LENGTH


def as_set_up(words: tuple[str, ...], files: Files) -> tuple[str, ...]:
    """The words of a command of git, as `-c` and earlier `git config` make it read them.

    Args:
        words: The words, `git` first.
        files: What commands before it set; what this one sets is put there.
    """
    settings = dict(files.settings)
    at = 1
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "-c" and at + 1 < len(words) and len(settings) < MOST_KEPT:
            key, _, value = words[at + 1].partition("=")
            settings[_key(key)] = value
        at += 2 if words[at] in ("-c", "-C") else 1
    asked = words[at:]
    if asked[:1] == ("config",):
        _configure([word for word in asked[1:] if not word.startswith("-")], files)
    elif asked and settings:
        alias = settings.get(f"alias.{asked[0].lower()}", asked[0])
        rewrites = _rewrites(settings)
        rest = tuple(_rewritten(word, rewrites) for word in asked[1:]) if rewrites else asked[1:]
        if not files.allowance.take((alias, *rest)):
            return words
        if not alias.startswith("!"):
            return ("git", *alias.split(), *rest)
        return ("bash", "-c", " ".join((alias[1:], *rest)))
    return words


def _configure(words: list[str], files: Files) -> None:
    if len(words) > 2 and words[0] in ("add", "set"):
        words = words[1:]
    if len(words) == 2 and words[0].lower().startswith(("alias.", "url.")):
        files.set_up(_key(words[0]), words[1])


def _key(key: str) -> str:
    """A key with what is no part of an address in small letters."""
    return key.lower() if key.lower().startswith("alias.") else key


def _rewrites(settings: dict[str, str]) -> dict[str, str]:
    """What an address begins with, and what stands instead of it."""
    told: dict[str, str] = {}
    for key, value in settings.items():
        low = key.lower()
        if low.startswith("url.") and low.endswith(".insteadof") and value:
            told.setdefault(value, key[4 : -len(".insteadof")][:MOST_LENGTH])
    return told


def _rewritten(word: str, rewrites: dict[str, str]) -> str:
    if not word.startswith(tuple(rewrites)):
        return word
    begins = next(one for one in rewrites if word.startswith(one))
    return rewrites[begins] + word[len(begins) :]
