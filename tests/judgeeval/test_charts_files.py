"""Charts as files: what is written, where, and that a real browser shows it."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.errors import StorageError
from rubric_engine.judgeeval import Evaluation, draw_charts, to_svg, write_charts
from rubric_engine.judgeeval.charts.marks import Circle, Figure, Mark, Rect, Table, Text, line
from rubric_engine.judgeeval.charts.plots import save
from tests.judgeeval.conftest import Tree
from tests.judgeeval.evaluations import HOSTILE, planted

NAMES = ["1-judges", "2-confusion", "3-cost", "4-reliability", "5-scores", "6-submissions"]


@pytest.fixture(scope="module")
def judges(trees: dict[str, Tree]) -> list[Evaluation]:
    """Two judges of one tree with hostile names, one with a price and probabilities."""
    small = {name: tree for name, tree in trees.items() if name.startswith("semantic")}
    return [
        planted(small, HOSTILE[0], 0.1, usd=1.0, probabilities=True),
        planted(small, HOSTILE[8], 0.2),
    ]


def test_each_chart_has_its_numbers_beside_it(judges: list[Evaluation], tmp_path: Path) -> None:
    folder = tmp_path / "new" / "charts"
    written = write_charts(judges, folder)
    assert sorted(written) == sorted(folder.iterdir())
    assert [path.name for path in written] == [
        *(f"{name}.{end}" for name in NAMES for end in ("svg", "csv")),
        "charts.html",
    ]
    with (folder / "1-judges.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    # A spreadsheet must not take a judge's name for a formula.
    assert [row["judge"] for row in rows[:2]] == [HOSTILE[0], f"'{HOSTILE[8]}"]
    assert 0 < float(rows[0]["macro F1"]) < 1
    again = tmp_path / "again"
    write_charts(judges, again)
    assert all((again / path.name).read_bytes() == path.read_bytes() for path in written)


def test_a_chart_that_cannot_be_drawn_is_said_on_the_page_and_leaves_no_old_file(
    judges: list[Evaluation], tmp_path: Path
) -> None:
    write_charts(judges, tmp_path)
    written = write_charts(judges[1:], tmp_path)
    assert sorted(written) == sorted(tmp_path.iterdir())
    assert not {path.name for path in written} & {"3-cost.svg", "4-reliability.csv"}
    page = (tmp_path / "charts.html").read_text()
    assert "Not drawn: no judge gave a probability with its grades." in page
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="file"):
        write_charts([], tmp_path / "file")


MARKS: tuple[Mark, ...] = (
    Rect(0, 0, 60, 40, "paper"),
    Rect(5, 5, 20, 20, "here", 0.4),
    Rect(5, 5, 20, 20, "grid", hollow=True),
    line(0, 0, 60, 40, "anew", dashed=True),
    Circle(30, 20, 5, "bad", hollow=True),
    Text(30, 30, f"$\\frac{{ {HOSTILE[4]} 提", anchor="middle", bold=True),
)


@pytest.mark.parametrize(("end", "head"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_matplotlib_draws_the_same_marks(tmp_path: Path, end: str, head: bytes) -> None:
    figure = Figure("t", "d", 60, 40, MARKS, Table((), ()))
    files = [tmp_path / f"{name}.{end}" for name in "ab"]
    for file in files:
        save(figure, file)
    assert files[0].read_bytes().startswith(head)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_without_matplotlib_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError")
    code = (
        "from pathlib import Path\n"
        "from rubric_engine.errors import UsageError\n"
        "from rubric_engine.judgeeval import write_charts\n"
        "try: write_charts([], Path('out'), format='pdf')\n"
        "except UsageError as error: print(error, error.fix[0], Path('out').exists())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout == (
        "[E009] PNG and PDF need matplotlib, which is not installed "
        "pip install 'rubric-engine[plots]' False\n"
    )


Browse = Callable[[Path], subprocess.CompletedProcess[str]]


@pytest.fixture
def browse(tmp_path: Path) -> Browse:
    """Open a page in Chromium; stdout is the page as it ends up, stderr has its console."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium on PATH")
    quiet = [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        f"--user-data-dir={tmp_path / 'profile'}", "--enable-logging=stderr", "--dump-dom",
    ]  # fmt: skip

    def run(page: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [chromium, *quiet, page.as_uri()], capture_output=True, text=True, check=True,
            timeout=60,
        )  # fmt: skip

    return run


def test_a_browser_shows_the_page_without_a_complaint(
    judges: list[Evaluation], tmp_path: Path, browse: Browse
) -> None:
    """The page forbids whatever is fetched or run, so that an attempt would be a complaint."""
    page = write_charts(judges, tmp_path / "charts")[-1]
    shown = browse(page)
    assert shown.stdout.count("<svg") == len(NAMES)
    assert "CONSOLE" not in shown.stderr
    page.write_text(page.read_text().replace("</main>", "<img src='x.png'></main>"))
    assert "Content Security Policy" in browse(page).stderr


MEASURE = """<script>
for (const svg of document.querySelectorAll("svg")) {
  const {width, height} = svg.viewBox.baseVal
  for (const mark of svg.querySelectorAll("text, circle, rect, polyline")) {
    const box = mark.getBBox()
    const inside = box.x >= -1 && box.y >= -1 && box.x + box.width <= width + 1
    if (!inside || box.y + box.height > height + 1)
      console.error("outside", mark.outerHTML)
  }
}
console.log("measured", document.querySelectorAll("svg").length)
</script>"""


def test_in_a_browser_s_fonts_every_mark_lies_inside(
    judges: list[Evaluation], tmp_path: Path, browse: Browse
) -> None:
    wide = [judges[0].model_copy(update={"name": name}) for name in HOSTILE]
    figures = [chart.figure for chart in draw_charts(wide)]
    page = tmp_path / "measure.html"
    drawn = "".join(to_svg(figure) for figure in figures if figure is not None)
    page.write_text(f'<!doctype html><meta charset="utf-8">{drawn}{MEASURE}', encoding="utf-8")
    said = re.findall(r'CONSOLE[^"]*"(.*)', browse(page).stderr)
    assert [line.split('"')[0] for line in said] == [f"measured {len(NAMES)}"]
