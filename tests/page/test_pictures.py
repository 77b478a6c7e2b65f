"""The pictures of the documentation: all are made by the script, small, and shown somewhere."""

from __future__ import annotations

from tests.page.pictures import IMAGES, MOST, PICTURES, ROOT


def test_every_picture_is_made_small_and_shown() -> None:
    files = {path.stem: path.stat().st_size for path in IMAGES.iterdir()}
    assert set(files) == {picture.name for picture in PICTURES}
    assert {name for name, size in files.items() if size > MOST} == set()
    texts = "".join(path.read_text() for path in (ROOT / "docs").glob("*.md"))
    assert {name for name in files if f"(images/{name}.png)" not in texts} == set()
