"""One grading by a chat model, and the bare loop that sends the same prompts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.judging.figures import Figures
from benchmarks.judging.prompts import sent_prompts
from benchmarks.judging.serving import CONNECTIONS, measured, serving
from rubric_engine.testing import Stats

CARD = """\
judge: 1
kind: simple
description: The shipped card with another room for files.
model: {{name: gpt-5.6, context_tokens: {context}, max_connections: {connections}}}
evidence: {{max_chars: {max_chars}}}
prompts: {{system: {prompts}/system.jinja2, paper: {prompts}/paper.jinja2,
  part: {prompts}/part.jinja2, leaf: {prompts}/leaf.jinja2}}
"""

PROMPTS = Path(__file__).parents[2] / "judges" / "simple"


@dataclass(frozen=True)
class Room:
    """How much a prompt may hold.

    Attributes:
        max_chars: Characters of files, or `all`.
        context: Tokens of the model's window.
    """

    max_chars: int | str
    context: int = 272_000


@dataclass(frozen=True)
class Trial:
    """What came out.

    Attributes:
        run: The run's folder.
        ours: The grading.
        bare: The bare loop; None where it was not asked for.
        resumed: Resuming the finished run; None where it was not asked for.
        stats: What the server saw of the grading alone.
        calls_resumed: Calls of resuming it.
        kept: Whether its grades are the same to the byte after that.
    """

    run: Path
    ours: Figures
    stats: Stats
    bare: Figures | None = None
    resumed: Figures | None = None
    calls_resumed: int = 0
    kept: bool = True

    @property
    def uncovered(self) -> int:
        """Characters not covered by a prefix that an already answered request had."""
        return self.stats.prompt_chars - self.stats.shared_answered_chars


def trial(
    rubric: Path, inputs: Path, folder: Path, room: Room, *, bare: bool, resumed: bool
) -> Trial:
    """Grade with one server, then what is asked for beside it.

    Args:
        rubric: The rubric's file.
        inputs: What `make_inputs` wrote.
        folder: Where to, empty.
        room: Room of the prompts.
        bare: Whether to send the same prompts by a bare loop.
        resumed: Whether to resume the finished run.
    """
    card = folder / "judge.yaml"
    card.write_text(
        CARD.format(
            context=room.context, connections=CONNECTIONS, max_chars=room.max_chars,
            prompts=json.dumps(str(PROMPTS))[1:-1],
        )
    )  # fmt: skip
    run = folder / "runs" / "first"
    with serving() as server:
        how = ["--rubric", rubric, "--inputs", inputs, "--judge", card]
        how += ["--model", json.dumps({"base_url": server.base_url})]
        ours = measured("grading", *how, "--run-dir", run)
        stats = server.stats()
        grades = _grades(run)
        second = measured("resuming", run) if resumed else None
        calls_resumed = server.stats().requests - stats.requests
    loop = None
    if bare:
        with serving() as server:
            loop = measured("bare", run, server.base_url, CONNECTIONS)
    return Trial(run, ours, stats, loop, second, calls_resumed, _grades(run) == grades)


def _grades(run: Path) -> tuple[bytes, ...]:
    """The files of a run that hold its grades."""
    return tuple((run / name).read_bytes() for name in ("grades.jsonl", "report.json"))


def least_chars(run: Path, inputs: Path) -> int:
    """Paper, addendum and files once, and each leaf's own text."""
    papers = [inputs / "paper.md", inputs / "addendum.md"]
    files = [path for path in (inputs / "submission").rglob("*") if path.is_file()]
    shared = sum(len(path.read_text()) for path in (*papers, *files))
    return shared + sum(len(prompt.messages[-1][1]) for prompt in sent_prompts(run))
