"""A chart for a page: the drawing, what it shows in words, and its numbers in a table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rubric_engine.judgeeval.charts.marks import Cell, Chart, Figure, Table
from rubric_engine.judgeeval.charts.svg import to_svg
from rubric_engine.judgeeval.charts.words import plain


def to_html(figure: Figure) -> str:
    """Render a chart as a ``figure`` element with its caption and a table that opens."""
    return (
        f"<figure>\n{to_svg(figure)}\n"
        f"<figcaption>{_text(figure.description, 4_000)}</figcaption>\n"
        f"<details><summary>Show data</summary>\n{_table(figure.table)}\n</details>\n</figure>"
    )


def page(charts: Sequence[Chart]) -> str:
    """All charts as one HTML file that fetches nothing; it says what is not drawn, and why."""
    parts = [
        to_html(chart.figure)
        if chart.figure is not None
        else f"<section><h2>{_text(chart.title)}</h2><p>Not drawn: {_text(chart.why or '')}.</p>"
        "</section>"
        for chart in charts
    ]
    return _PAGE.format(body="\n".join(parts))


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>JudgeEval: charts</title>
<style>
body {{ background: #fff; color: #1f2328; font: 15px/1.5 system-ui, sans-serif;
  max-width: 920px; margin: 0 auto; padding: 16px }}
@media (prefers-color-scheme: dark) {{ body {{ background: #0d1117; color: #e6edf3 }} }}
h2 {{ font-size: 16px; margin: 0 20px 4px }}
section p {{ margin: 0 20px 40px }}
figure {{ margin: 0 0 40px }}
figcaption {{ overflow-wrap: anywhere }}
details {{ overflow-x: auto }}
summary {{ cursor: pointer }}
table {{ border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }}
th, td {{ padding: 2px 10px 2px 0; text-align: left; border-bottom: 1px solid #8886 }}
th {{ vertical-align: bottom }}
td {{ max-width: 24em; overflow-wrap: anywhere }}
td.n {{ text-align: right }}
</style>
</head>
<body>
<main>
<h1>JudgeEval: charts</h1>
{body}
</main>
</body>
</html>
"""


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col"><bdi>{_text(name)}</bdi></th>' for name in table.headers)
    rows = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return f"<td><bdi>{_text(cell)}</bdi></td>"
    if cell is None:
        return '<td class="n">-</td>'
    return f'<td class="n">{cell:,}</td>' if isinstance(cell, int) else _rounded(cell)


def _rounded(value: float) -> str:
    return f'<td class="n" title="{value!r}">{value:.4g}</td>'


def _text(text: str, limit: int = 300) -> str:
    return escape(plain(text, limit), quote=True)
