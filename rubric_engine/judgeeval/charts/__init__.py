"""Charts of JudgeEval: judges side by side, drawn in Python as SVG, PNG or PDF.

    from rubric_engine.judgeeval import load_evaluation
    from rubric_engine.judgeeval.charts import write_charts

    write_charts([load_evaluation("results/a"), load_evaluation("results/b")], Path("charts"))

Drawing is pure: a chart is a value (`marks`), renderers turn it into text, and only
`write_charts` touches files.
"""

from rubric_engine.judgeeval.charts.marks import Chart, Figure
from rubric_engine.judgeeval.charts.plots import to_matplotlib
from rubric_engine.judgeeval.charts.svg import to_svg
from rubric_engine.judgeeval.charts.web import to_html
from rubric_engine.judgeeval.charts.writing import draw_charts, write_charts

__all__ = [
    "Chart",
    "Figure",
    "draw_charts",
    "to_html",
    "to_matplotlib",
    "to_svg",
    "write_charts",
]
