"""What an answer's folder holds. Nothing of it is trusted, and nothing that is wrong stops a run.

answer.json     {"design": ..., "conclusion": "..."}
changes.patch   what was changed in the masked repository, as `git diff` writes it
agent.log       what the agent did, where there is one
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.expbench.grading.parts import Part
from rubric_engine.benchmarks.expbench.rubric_of import ANSWER
from rubric_engine.submission.tree import Tree, reason_of

PATCH, LOG = "changes.patch", "agent.log"

_MB = 1_000_000
_SHOWN = 200_000
"""Bytes of the longest answer: a judge is shown no more of a document."""

_MOST = {ANSWER: 1 * _MB, PATCH: 50 * _MB, LOG: 100 * _MB}


@dataclass(frozen=True)
class ExpAnswer:
    """An answer as it was handed in.

    Attributes:
        design: The design, any JSON; None where there is none.
        conclusion: The conclusion; None where there is none.
        patch: The patch's bytes; None where there is none.
        log: The agent's log; None where there is none.
        missing: Why a part is not there, by part; ``I`` stands for the patch, ``M`` for the log.
    """

    design: Any = None
    conclusion: str | None = None
    patch: bytes | None = None
    log: str | None = None
    missing: Mapping[Part, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing of it can be graded."""
        return self.design is None and self.conclusion is None and self.patch is None

    @property
    def json(self) -> str:
        """Design and conclusion as one document, for judges."""
        return _shown({"design": self.design, "conclusion": self.conclusion})

    @property
    def digest(self) -> str:
        """Hash of all of it."""
        parts = [self.json.encode("utf-8", "surrogatepass"), self.patch or b""]
        parts += [(self.log or "").encode("utf-8", "surrogateescape")]
        facts = [self.patch is None, self.log is None]
        said = [hashlib.sha256(part).hexdigest() for part in parts]
        return hashlib.sha256(json.dumps([facts, said]).encode()).hexdigest()


def read_answer(folder: Path) -> ExpAnswer:
    """Read an answer; what is missing or malformed is told, and never raised.

    Args:
        folder: Its folder; links in it are not followed.
    """
    try:
        tree = Tree(folder)
    except OSError:
        why = "no answer"
        return ExpAnswer(missing=dict.fromkeys(("D", "I", "C", "M"), why))
    with tree:
        missing: dict[Part, str] = {}
        text, why = _read(tree, ANSWER)
        design, conclusion = _said(text, why, missing)
        patch, missing_patch = _read(tree, PATCH)
        log, missing_log = _read(tree, LOG)
    if patch is None:
        missing["I"] = missing_patch
    if log is None:
        missing["M"] = missing_log
    told = None if log is None else log.decode("utf-8", "replace")
    return ExpAnswer(design, conclusion, patch, told, missing)


def _read(tree: Tree, name: str) -> tuple[bytes | None, str]:
    try:
        descriptor = tree.open_file(name)
    except FileNotFoundError:
        return None, f"no {name}"
    except OSError as error:
        return None, f"{name} cannot be read: {reason_of(error)}"
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(_MOST[name] + 1)
    if len(content) > _MOST[name]:
        return None, f"{name} is larger than {_MOST[name] // _MB} MB"
    return content, ""


def _said(raw: bytes | None, why: str, missing: dict[Part, str]) -> tuple[Any, str | None]:
    """Design and conclusion; what is not there goes into `missing`."""
    value: Any = None
    if raw is not None:
        try:
            value = json.loads(raw.decode("utf-8-sig"), parse_constant=str)
            size = len(_shown(value).encode("utf-8", "replace"))
        except (ValueError, RecursionError) as error:
            why = f"{ANSWER} is no JSON: {str(error)[:80]}"
        else:
            why = "" if isinstance(value, dict) else f"{ANSWER} is no mapping"
            if size > _SHOWN:
                why = f"{ANSWER} is larger than {_SHOWN // 1000} kB"
    if why:
        missing.update({"D": why, "C": why})
        return None, None
    design, conclusion = value.get("design"), value.get("conclusion")
    if not isinstance(design, dict | list | str) or not design:
        missing["D"] = f"{ANSWER} has no design"
        design = None
    if not isinstance(conclusion, str) or not conclusion.strip():
        missing["C"] = f"{ANSWER} has no conclusion"
        conclusion = None
    return design, conclusion


def _shown(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
