"""Shared by the tests of ranking: a submission that does not fit, a model, gradings."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rubric_engine import Report, Rubric, Task, grade
from rubric_engine.testing import Fault, Request, ScriptedServer
from tests.judging.desk import asked_about, leaf, task

Named = Mapping[str, Any]

GROUPS = ("optimizer", "dataset", "sampler")
LEAVES = 6
ODD = "lib/odd.py"


def rubric(**renamed: str) -> Task:
    """Three groups; `renamed` gives other texts."""
    made = task({name: [leaf(f"{name}{at}") for at in range(LEAVES)] for name in GROUPS})
    tree = made.rubric
    texts = {key: renamed.get(key, tree[key].requirements) for key in tree.order}
    pairs = [
        (tree.parent(key), tree[key].model_copy(update={"requirements": texts[key]}))
        for key in tree.order
    ]
    return replace(made, rubric=Rubric.build(pairs))


def files() -> dict[str, str | bytes]:
    """Four files of each group, and one that shares no word with any."""
    found: dict[str, str | bytes] = {ODD: "zzz = 0\n" * 200}
    for name in GROUPS:
        for at in range(4):
            found[f"lib/{name}_{at}.py"] = f"def {name}_{at}():\n    return {at}\n" * 60
    return found


def part_of(request: Request) -> str | None:
    """The part of the rubric that a request has files ranked for."""
    _, mark, part = request.question.partition("PART: ")
    return part.split("\n")[0] if mark else None


class Model:
    """Ranks as it is told and grades plausibly.

    Args:
        named: By a part of the rubric the answer or fault; for others `default`.
        default: What it says of other parts.
    """

    def __init__(self, named: Named | None = None, default: Any = None) -> None:
        self.named = named or {}
        self.default = default or {"paths": [ODD]}
        self.parts: Counter[str] = Counter()
        self.leaves: Counter[str] = Counter()
        self.prompts: dict[str, str] = {}
        self.first: list[str] = []
        self.dead = False

    def __call__(self, request: Request) -> Any:
        if self.dead:
            return Fault("401")
        part = part_of(request)
        if part is None:
            about = asked_about(request)
            self.leaves[about] += 1
            self.prompts[about] = request.prompt
            self.first.append("leaf")
            return None
        self.parts[part] += 1
        self.prompts[part] = request.prompt
        self.first.append("part")
        return self.named.get(part, self.default)


class Scene:
    """Grades with a copy of the shipped card that has the model rank."""

    def __init__(self, submission: Path, folder: Path, root: Path) -> None:
        self.submission = submission
        self.card = folder / "card"
        self.runs = folder / "runs"
        shutil.copytree(root / "judges" / "simple", self.card)
        self.evidence("max_chars: 10000, selection: model")

    def evidence(self, settings: str) -> None:
        """Set the card's `evidence`."""
        model = "model: {name: small, context_tokens: 100000}"
        text = f"judge: 1\nkind: simple\n{model}\nevidence: {{{settings}}}\n"
        (self.card / "judge.yaml").write_text(text)

    def __call__(
        self,
        model: Model,
        run: str = "one",
        what: Task | None = None,
        server: ScriptedServer | None = None,
        **more: Any,
    ) -> Report:
        def go(at: ScriptedServer) -> Report:
            return grade(
                what or rubric(), self.submission, judge=str(self.card),
                model={"base_url": at.base_url, "max_wait": 0.05},
                run_dir=self.runs / run, **more,
            )  # fmt: skip

        if server is not None:
            return go(server)
        with ScriptedServer(answer=model) as fresh:
            return go(fresh)
