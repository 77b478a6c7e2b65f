"""Scripts and styles: which files an entry is made of, in which order, joined into one text each.

A file is joined as it stands, so that what a browser runs is what lies under `assets/`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ASSETS = Path(__file__).parent / "assets"

_LIBRARY = (
    "lib/own.js",
    "lib/kept.js",
    "lib/text.js",
    "lib/ui.js",
    "lib/theme.js",
    "lib/head_tools.js",
    "lib/keys.js",
    "lib/key_help.js",
    "lib/hash.js",
    "lib/asking.js",
    "lib/events.js",
    "lib/follow.js",
    "lib/data.js",
    "lib/rows.js",
    "lib/list.js",
    "lib/search.js",
    "lib/beside.js",
    "lib/paper.js",
)

ENTRIES: dict[str, tuple[str, ...]] = {
    "comparison": (
        "report/marks.js",
        "comparison/words.js",
        "comparison/differ.js",
        "comparison/head.js",
        "comparison/kinds.js",
        "comparison/changes.js",
        "comparison/sought.js",
        "comparison/panel.js",
        "comparison/print.js",
        "comparison/main.js",
    ),
    "evaluation": (
        "evaluation/words.js",
        "evaluation/behind.js",
        "evaluation/table.js",
        "evaluation/columns.js",
        "evaluation/judges.js",
        "evaluation/place.js",
        "evaluation/list.js",
        "evaluation/leaf.js",
        "evaluation/explorer.js",
        "evaluation/leaves.js",
        "evaluation/charts.js",
        "evaluation/main.js",
    ),
    "report": (
        "report/tree.js",
        "report/query.js",
        "report/marks.js",
        "report/filters.js",
        "report/row.js",
        "report/grid.js",
        "report/chooser.js",
        "report/monitor.js",
        "report/head.js",
        "report/notes.js",
        "report/points.js",
        "report/icicle.js",
        "report/citations.js",
        "report/votes.js",
        "report/receipt.js",
        "report/leaf.js",
        "report/panel.js",
        "report/help.js",
        "report/print.js",
        "report/folding.js",
        "report/moves.js",
        "report/view.js",
        "report/actions.js",
        "report/run.js",
        "report/live.js",
        "report/shelf.js",
        "report/main.js",
    ),
    "label": (
        "label/desk.js",
        "label/asking.js",
        "label/held.js",
        "label/news.js",
        "label/near.js",
        "label/section.js",
        "label/paper.js",
        "label/parts.js",
        "label/selection.js",
        "label/lines.js",
        "label/opened.js",
        "label/hits.js",
        "label/files.js",
        "label/reader.js",
        "label/context.js",
        "label/form.js",
        "label/drafts.js",
        "label/change.js",
        "label/moves.js",
        "label/marking.js",
        "label/help.js",
        "label/head.js",
        "label/ended.js",
        "label/actions.js",
        "label/main.js",
    ),
}
"""Scripts of each kind of page, after the library; the last one draws."""

_STYLES = ("css/base.css",)
_ENTRY_STYLES: dict[str, tuple[str, ...]] = {
    "comparison": ("css/beside.css", "css/list.css", "css/comparison.css", "css/paper.css"),
    "evaluation": ("css/beside.css", "css/list.css", "css/evaluation.css"),
    "report": (
        "css/report.css",
        "css/beside.css",
        "css/panel.css",
        "css/print.css",
        "css/paper.css",
    ),
    "label": ("css/label.css",),
}

_EXPORT = re.compile(r"export\{([^{}]*)\};?\s*$")


@cache
def script(entry: str) -> str:
    """All scripts of an entry as one text, the vendored module among them.

    Args:
        entry: A name of `ENTRIES`.
    """
    files = (*_LIBRARY, *ENTRIES[entry])
    return "\n".join(['"use strict";\nconst RE = {};', _vendored(), *map(_read, files)])


@cache
def style(entry: str) -> str:
    """All styles of an entry as one text.

    Args:
        entry: A name of `ENTRIES`.
    """
    return "\n".join(map(_read, (*_STYLES, *_ENTRY_STYLES.get(entry, ()))))


@cache
def shell() -> str:
    """The page with `{{markers}}` for what is put into it."""
    return _read("shell.html")


def _vendored() -> str:
    """The vendored module as a value; its one-letter names stay inside a function."""
    code = _read("vendor/htm-preact.js")
    found = _EXPORT.search(code)
    assert found is not None, "the vendored module ends with one export"
    names = (pair.split(" as ") for pair in found[1].split(","))
    given = ", ".join(f"{public}: {private}" for private, public in names)
    return f"RE.preact = (() => {{\n{code[: found.start()]}\nreturn {{{given}}};\n}})();"


def _read(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")
