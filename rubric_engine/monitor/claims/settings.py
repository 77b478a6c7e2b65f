"""Numbers behind `=` or `<` that say how something was run, and not what came of it."""

from __future__ import annotations

import re

from rubric_engine.monitor.numbers import Number

_SIGN = re.compile(r"[=<>~^\u2248\u2264\u2265-]")
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*`?[= ]\s?$")
_PINNED = re.compile(r"(?:[=!~]=|,\s?[<>]=?|[\w\])][<>]|[<>]=)\s?$")
_POWER = re.compile(r"\^\{?\s?$")
_LISTED = re.compile(r"(?:[-+]?[\d.]+(?:e[-+]?\d+)?(?:\s?,|\s?/|\s(?:or|and|to)(?=\s))+\s?)+$")
_COMPARED = re.compile(
    r"(?:([\w-]+)[ ])?([\w\\{}^-]+)[$)*_}`]*\s?(:?=|[<>]=?|[~\u2248\u2264\u2265])\s?[$({]?$"
)
_PARTS = re.compile(r"[^\W\d_]+")

_SYMBOLS = frozenset(
    {"alpha", "beta", "betas", "gamma", "delta", "epsilon", "eps", "eta", "theta", "lambda", "lam"}
    | {"lr", "mu", "nu", "sigma", "tau", "wd"}
    | set("\u03b1\u03b2\u03b3\u03b4\u03b5\u03b7\u03b8\u03bb\u03bc\u03bd\u03c3\u03c4\u03f5")
)
"""Names of settings, whatever stands behind them in the name: `lr_actor`, `beta_1`."""

_SETTINGS = _SYMBOLS | frozenset(
    {"batch", "budget", "clip", "cuda", "cutoff", "decay", "depth", "dim", "dropout", "epoch"}
    | {"epochs", "iterations", "iters", "jitter", "learning", "momentum", "noise", "patience"}
    | {"penalty", "python", "quantile", "regularisation", "regularization", "sampling", "seed"}
    | {"seeds", "smoothing", "step", "steps", "stepsize", "temp", "temperature", "threshold"}
    | {"timeout", "tol", "tolerance", "version", "warmup", "width"}
)
"""Last words in the names of settings, in small letters."""

_GENERAL = frozenset({"coefficient", "factor", "parameter", "rate", "scale", "size", "value"})
"""Words that are a setting's where the word before them is: a learning rate, no error rate."""

_LETTERS = frozenset("bcghklmnsCKMNT")
"""Names of one letter that are settings: `p`, `r`, `t`, `d`, `z`, `F`, `R` are statistics."""

_LEVELS = frozenset({0.1, 0.05, 0.01, 0.005, 0.001, 0.0005, 0.0001})
"""What a p-value is compared with by custom."""


def is_setting(before: str, number: Number, *, has_unit: bool) -> bool:
    """Whether a number is set or bounded by its name, and is no result.

    Flags (`--tau 0.3`), versions (`numpy==1.26.4`, `torch>=2.1`), powers (`10^3.5`), settings by
    their names (`lr = 0.001`, also a list of them), whole numbers without a unit (`n = 1000`) and
    levels of significance (`p < 0.05`) are; `accuracy = 0.91` and `p < 0.0321` are none.

    Args:
        before: The end of what stands before it on its line.
        number: The number.
        has_unit: Whether a unit or a percent sign stands behind it.
    """
    if _SIGN.search(before) is None:
        return False
    if _FLAG.search(before) or _POWER.search(before):
        return True
    is_pin = not has_unit and _PINNED.search(before)
    if is_pin and (number.value >= 1 or before.rstrip().endswith("==")):
        return True
    compared = _COMPARED.search(before if has_unit else _LISTED.sub("", before))
    if compared is None:
        return False
    earlier, name, sign = compared.groups()
    is_about = sign in ("~", "\u2248")
    if not is_about and number.places <= 0 and not has_unit:
        return True
    if name in ("p", "P") and number.value in _LEVELS and sign != "=":
        return True
    return _names_setting(earlier or "", name) or (not is_about and _is_letter(name))


def _names_setting(earlier: str, name: str) -> bool:
    own = [part.lower() for part in _PARTS.findall(name)]
    if not own:
        return False
    if own[-1] in _GENERAL:
        before = [*_PARTS.findall(earlier.lower()), *own[:-1]]
        return not _SETTINGS.isdisjoint(before[-1:])
    return own[-1] in _SETTINGS or own[0] in _SYMBOLS


def _is_letter(name: str) -> bool:
    return not _LETTERS.isdisjoint(_PARTS.findall(name)[:1])
