"""The keys of a judge card as docs/judges.md lists them: `python -m tests.judges.reference`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from rubric_engine.canary import CanarySettings
from rubric_engine.decision import RequestLimits
from rubric_engine.judge import JudgeCard
from rubric_engine.judges.combine import CascadeSettings, PanelSettings, RepeatSettings
from rubric_engine.judges.decision.settings import DecisionEvidence, DecisionPrompts, Verdicts
from rubric_engine.judges.simple.settings import EvidenceSettings, PromptFiles
from rubric_engine.model import ModelConfig, Price

TABLES: tuple[tuple[str, type[BaseModel]], ...] = (
    ("Every card", JudgeCard),
    ("`canaries:` of every card", CanarySettings),
    ("`kind: cascade`", CascadeSettings),
    ("`kind: panel`", PanelSettings),
    ("`kind: repeat`", RepeatSettings),
    ("`model:` of `kind: simple`", ModelConfig),
    ("`model: {price: ...}`", Price),
    ("`evidence:` of `kind: simple`", EvidenceSettings),
    ("`prompts:` of `kind: simple`", PromptFiles),
    ("`kind: decision`", Verdicts),
    ("`requests:` of `kind: decision`", RequestLimits),
    ("`evidence:` of `kind: decision`", DecisionEvidence),
    ("`prompts:` of `kind: decision`", DecisionPrompts),
)  # fmt: skip

PAGE = Path(__file__).parents[2] / "docs" / "judges.md"
_BEGIN, _END = "<!-- keys of a card: generated -->\n", "<!-- end of the keys -->"


def reference() -> str:
    """One table for each mapping of a card, from the models that read it."""
    return "\n".join(f"**{title}**\n\n{_table(model)}" for title, model in TABLES)


def shown() -> str:
    """What the page holds."""
    return PAGE.read_text().partition(_BEGIN)[2].partition(_END)[0].strip()


def _table(model: type[BaseModel]) -> str:
    schema = model.model_json_schema()
    due = schema.get("required", ())
    rows = [
        f"| `{name}` | {_type(field)} | {_default(field, name in due)} | {field['description']} |"
        for name, field in schema["properties"].items()
    ]
    return "\n".join(["| key | type | default | what it is |", "|---|---|---|---|", *rows, ""])


def _default(field: dict[str, Any], due: bool) -> str:  # a row's two halves
    said = field.get("default")
    if due:
        return "must be given"
    if said in (None, ""):
        return ""
    if isinstance(said, bool):
        return f"`{said}`".lower()
    return f"`{said:g}`" if isinstance(said, float) else f"`{said}`"


def _type(field: dict[str, Any]) -> str:
    kinds = [kind for kind in field.get("anyOf", [field]) if kind.get("type") != "null"]
    return " or ".join(map(_kind, kinds))


def _kind(kind: dict[str, Any]) -> str:
    choices = kind.get("enum") or [kind[key] for key in ("const",) if key in kind]
    if choices:
        return " or ".join(f"`{choice}`" for choice in choices)
    words = {"string": "text", "integer": "whole number", "number": "number", "array": "list"}
    words |= {"boolean": "`true` or `false`"}
    least = "minimum" if "minimum" in kind else "exclusiveMinimum"
    bound = {"minimum": "from", "exclusiveMinimum": "above"}[least]
    word = words.get(kind.get("type", ""), "mapping")
    return f"{word} {bound} {kind[least]:g}" if least in kind else word


def _write() -> None:
    block = f"{_BEGIN}\n{reference()}\n{_END}"
    text = PAGE.read_text()
    written = re.sub(re.escape(_BEGIN) + ".*" + re.escape(_END), lambda _: block, text, flags=re.S)
    PAGE.write_text(written)


if __name__ == "__main__":
    _write()
    sys.stdout.write(f"{PAGE}\n")
