"""Paths of files in prose, as they stand between other words."""

from __future__ import annotations

import re
from collections.abc import Iterator

SUFFIX = (
    r"(?:csv|json|jsonl|tsv|png|jpe?g|svg|pdf|txt|log|py|sh|ya?ml|ipynb|np[yz]|pkl|pt|md|html|tex"
    r"|toml|r|jl|cpp|parquet|xlsx)"
)
"""How the names of files end that are told from other words."""

# A path begins where no longer word does, an address and an absolute path among them, and ends
# where no suffix, folder or wildcard follows.
_PATH = re.compile(
    rf"(?<![\w./\\:@~$%&=?#*{{}}<>+-])(?:\./)?((?:[\w.-]{{1,100}}/){{1,12}}[\w.-]{{0,100}}\w"
    rf"\.{SUFFIX})(?![\w/\\*{{}}@%-]|\.\w)",
    re.IGNORECASE | re.ASCII,  # a sentence in Chinese has no space before a path
)
_SUFFIXED = re.compile(rf"\.{SUFFIX}$", re.IGNORECASE)
_HOST = re.compile(r"[\w-]{1,60}\.(?:ai|app|cn|co|com|dev|edu|gov|io|me|net|org)", re.IGNORECASE)
_EXAMPLE = re.compile(r"(?:a|example|foo|my|path|some|to|your)(?:[_-].*)?", re.IGNORECASE)
_SOMEWHERE = re.compile(r"(?:\.|\.\.|www)")


def paths_in(text: str) -> Iterator[str]:
    """The paths of a text: with a folder, and a suffix that is known.

    Addresses are none, nor what stands for a path (`path/to/x.csv`, `your/x.csv`), nor one file
    or another (`train.py/test.py`).

    >>> list(paths_in("See results/a.csv, and http://a.org/b.csv or path/to/c.csv."))
    ['results/a.csv']
    """
    for match in _PATH.finditer(text):
        first, *more = match[1].split("/")[:-1]
        elsewhere = _HOST.fullmatch(first) or _EXAMPLE.fullmatch(first) or _SOMEWHERE.match(first)
        if not elsewhere and not any(map(_SUFFIXED.search, (first, *more))):
            yield match[1]
