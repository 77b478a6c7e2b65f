"""Makes the pictures of the documentation anew: `python -m tests.page.pictures`.

Shipped submissions are graded by `rules`, and their pages, and that of the shipped evaluations,
are photographed in Chromium. `docs/images/label*.png` show a labelling and are not made here.
"""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.cli.app import run
from tests.chromium import running
from tests.page.conftest import PHONE, WIDE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
COLOURS = 256  # pages have few; a palette makes a picture a third as large

Picture = tuple[str, str, str, tuple[int, int], str, str | None]
"""File, page, address, size, theme, and what is scrolled to the top."""

WRONG = "judge=sparrow-cascade&cell=wrong"
PARTIAL, CHINESE = "heavy-ball-partial", "count-min-partial"
LOST = "q=verdict%3Anot&sort=lost&view=flat"

PICTURES: Sequence[Picture] = (
    ("report", PARTIAL, "n=orthogonal-matrix", WIDE, "light", None),
    ("report-dark", PARTIAL, LOST, WIDE, "dark", None),
    ("report-phone", PARTIAL, "", PHONE, "light", None),
    ("report-phone-leaf", PARTIAL, "n=orthogonal-matrix", PHONE, "dark", None),
    ("report-chinese", CHINESE, "q=verdict%3Anot", WIDE, "light", None),
    ("evaluation", "evaluation", "", WIDE, "light", None),
    ("evaluation-leaves", "evaluation", WRONG, WIDE, "dark", "#explorer"),
    ("evaluation-phone", "evaluation", "judge=rules&cell=wrong", PHONE, "light", ".tools"),
)  # fmt: skip


def main() -> None:
    """Grade, write the pages and photograph them."""
    with tempfile.TemporaryDirectory() as folder, running() as browser:
        os.chdir(ROOT)
        _write_pages(Path(folder))
        for picture in PICTURES:
            _photograph(browser, Path(folder), picture)


def _write_pages(folder: Path) -> None:
    for name in (PARTIAL, CHINESE):
        case, task = f"judgeeval/{name}/submission", name.rpartition("-")[0]
        runs = str(folder / "runs" / name)
        run(
            [
                "grade",
                case,
                "--task",
                task,
                "--judge",
                "rules",
                "--sandbox",
                "local",
                "--runs",
                runs,
            ]
        )
        run(["report", "latest", "--runs", runs, "-o", str(folder / f"{name}.html")])
    run(["judgeeval", "report", "judgeeval/results", "--html", str(folder / "evaluation.html")])


def _photograph(browser: Browser, folder: Path, picture: Picture) -> None:
    from PIL import Image

    name, shown, address, (width, height), theme, top = picture
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
    )
    page.goto(f"{(folder / f'{shown}.html').as_uri()}#{address}")
    page.wait_for_selector("body[data-ready]")
    if "n=" in address:
        page.wait_for_selector("#evidence, .checks, #panel h3")
    if top is not None:
        page.evaluate("name => document.querySelector(name).scrollIntoView()", top)
    page.wait_for_timeout(300)
    with Image.open(io.BytesIO(page.screenshot())) as taken:
        small = taken.convert("RGB").quantize(
            COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
        )
        small.save(IMAGES / f"{name}.png", optimize=True)
    page.close()


if __name__ == "__main__":
    main()
