"""Makes the pictures of the documentation anew: `python -m tests.page.pictures [NAME...]`.

What `pictured` opens is photographed in Chromium: all pictures, or those that are named.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs

from tests.chromium import running
from tests.page.conftest import PHONE, WIDE
from tests.page.pictured import CHINESE, GOES_ON, PARTIAL, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.page.pictured import Shown

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
COLOURS = 256  # pages have few; a palette makes a picture a third as large
MOST = 120_000
"""Bytes that a picture may have."""


class Picture(NamedTuple):
    """A picture of a page.

    Attributes:
        name: Its file, without the ending.
        page: What is opened, a name of `pages`.
        address: What stands behind `#`.
        size: Of the window.
        theme: Light or dark.
        presses: What is pressed before it is taken, in order.
    """

    name: str
    page: str
    address: str = ""
    size: tuple[int, int] = WIDE
    theme: str = "light"
    presses: tuple[str, ...] = ()


WRONG_LEAVES = "judge=sparrow-cascade&cell=wrong"
LOST = "q=verdict%3Anot&sort=lost&view=flat"
LEAF = "n=orthogonal-matrix"
CHANGE = "n=counts-complete"
PHONE_LEAF = "judge=sparrow-cascade&cell=fp"
CODE = ("button.file >> text=optim.py",)
LIVE = f"run={GOES_ON}"

PICTURES: Sequence[Picture] = (
    Picture("report", PARTIAL, LEAF),
    Picture("report-dark", PARTIAL, LOST, theme="dark"),
    Picture("report-phone", PARTIAL, size=PHONE),
    Picture("report-phone-leaf", PARTIAL, LEAF, PHONE, "dark"),
    Picture("report-chinese", CHINESE, "q=verdict%3Anot"),
    Picture("evaluation", "evaluation"),
    Picture("evaluation-leaves", "evaluation", WRONG_LEAVES, theme="dark"),
    Picture("evaluation-phone", "evaluation", "judge=rules&cell=wrong", PHONE),
    Picture("evaluation-phone-leaf", "evaluation", PHONE_LEAF, PHONE, "dark", (".row",)),
    Picture("compare", "compare"),
    Picture("compare-dark", "compare", "kind=down", theme="dark"),
    Picture("compare-phone", "compare", size=PHONE),
    Picture("compare-phone-change", "compare", size=PHONE, theme="dark", presses=(".row",)),
    Picture("view", "view", LIVE),
    Picture("view-phone", "view", LIVE, PHONE, "dark"),
    Picture("label", "label", presses=(*CODE, "#line-21", "button:has-text('cite lines')")),
    Picture("label-phone", "label", size=PHONE),
    Picture("adjudicate", "adjudicate", theme="dark", presses=CODE),
    Picture("adjudicate-phone", "adjudicate", size=PHONE),
)


DRAWN = """() => !/(^|\\n)(…|\\d*…|reading …|searching …)(\\n|$)/.test(document.body.innerText)
  && [...document.images].every((image) => image.complete)"""
"""Whether all has come that was asked for: a page says so of what has not."""

SETTLED = """async () => {
  await document.fonts.ready;
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  await Promise.all(document.getAnimations().map((moving) => moving.finished));
}"""
"""Ends once nothing moves any more."""


def main(names: Sequence[str]) -> None:
    """Make the pages and photograph them.

    Args:
        names: Pictures to make; all where none is named.
    """
    with tempfile.TemporaryDirectory() as folder, running() as browser:
        os.chdir(ROOT)
        shown = pages(Path(folder))
        for picture in PICTURES:
            if not names or picture.name in names:
                _photograph(browser, shown[picture.page], picture)


def _photograph(browser: Browser, shown: Shown, picture: Picture) -> None:
    width, height = picture.size
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if picture.theme == "dark" else "light",
    )
    with shown() as address:
        page.goto(f"{address}#{picture.address}" if picture.address else address)
        page.wait_for_selector("body[data-ready]")
        for press in picture.presses:
            page.click(press)
        if "n" in parse_qs(picture.address):
            page.wait_for_selector("#evidence, .checks, #panel h3")
        page.wait_for_function(DRAWN)
        page.evaluate(SETTLED)
        _keep(page.screenshot(), picture.name)
        page.close()


def _keep(taken: bytes, name: str) -> None:
    """Write a picture with so few colours as it needs to be small."""
    from PIL import Image

    colours = COLOURS
    with Image.open(io.BytesIO(taken)) as image:
        while True:
            kept = io.BytesIO()
            method = Image.Quantize.MAXCOVERAGE
            small = image.convert("RGB").quantize(colours, method, dither=Image.Dither.NONE)
            small.save(kept, "png", optimize=True)
            if len(kept.getvalue()) <= MOST or colours <= 16:
                break
            colours //= 2
    (IMAGES / f"{name}.png").write_bytes(kept.getvalue())


if __name__ == "__main__":
    main(sys.argv[1:])
