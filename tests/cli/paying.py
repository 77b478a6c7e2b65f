"""A card whose model is a scripted server with a price, and a rubric for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Command, Outcome

LEAVES = 6

CARD = """\
judge: 1
kind: simple
model:
  name: small
  base_url: {url}
  key_env: {key_env}
  price: {{input: 1, cached: 0.1, output: 10}}
  max_output_tokens: {most}
  max_connections: 2
  max_wait: 0
prompts: {{system: {prompts}/system.jinja2, paper: {prompts}/paper.jinja2,
  part: {prompts}/part.jinja2, leaf: {prompts}/leaf.jinja2,
  rank: {prompts}/rank.jinja2, topic: {prompts}/topic.jinja2}}
"""


def write_card(folder: Path, url: str, *, key_env: str = "SMALL_KEY", most: int = 1000) -> Path:
    """A judge card of a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    card = folder / "judge.yaml"
    prompts = ROOT / "judges" / "simple"
    card.write_text(CARD.format(url=url, key_env=key_env, most=most, prompts=prompts))
    return card


def write_rubric(path: Path) -> Path:
    """A rubric of leaves that weigh the same."""
    leaf = (
        "    - id: leaf-{0}\n      requirements: Thing {0} of the paper is there\n"
        "      task_category: Code Development\n"
    )
    leaves = "".join(leaf.format(number) for number in range(LEAVES))
    path.write_text(f"rubric: 1\nroot:\n  id: root\n  requirements: All\n  sub_tasks:\n{leaves}")
    return path


class Paying:
    """Grades with a card whose model costs.

    Attributes:
        card_more: More lines of the card.
    """

    def __init__(self, command: Command, submission: Path, folder: Path) -> None:
        self.command = command
        self.folder = folder
        self.rubric = write_rubric(folder / "paid.yaml")
        self.submission = submission
        self.card_more = ""

    def arguments(self, url: str, *more: str, most: int = 1000) -> list[str]:
        """Words of the command line."""
        card = write_card(self.folder / "card", url, most=most)
        card.write_text(card.read_text() + self.card_more)
        flags = ["--rubric", str(self.rubric), "--judge", str(card)]
        return ["grade", str(self.submission), *flags, *more]

    def __call__(self, url: str, *more: str, most: int = 1000) -> Outcome:
        return self.command(*self.arguments(url, *more, most=most))


@pytest.fixture
def paying(command: Command, submission: Path, tmp_path: Path) -> Paying:
    """Grade six leaves with a model of a price."""
    return Paying(command, submission, tmp_path)


LONG = {
    "expectations": "it is there",
    "findings": "word " * 600,
    "citations": [],
    "searched": [],
    "met": True,
}
"""An answer whose length costs most of what is reserved for it."""


def long(_: object) -> dict[str, object]:
    return LONG


def runs(paying: Paying) -> list[Path]:
    return sorted((paying.folder / "here" / "runs").glob("20*"))
