"""An evaluation in a folder: `evaluation.json`, and `leaves.jsonl` with a line a leaf.

Written by `json`, which escapes: keys and names may hold what no encoding takes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from rubric_engine.errors import CaseError
from rubric_engine.judgeeval.case_result import LeafResult
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.replacing import replace_text
from rubric_engine.rundir import storing

FACTS, LEAVES = "evaluation.json", "leaves.jsonl"

_ROUNDING = 1e-6


def save_evaluation(evaluation: Evaluation, folder: str | Path) -> None:
    """Write an evaluation; each file is whole or the one before, whatever happens.

    The leaves go first, so that facts never speak of leaves that are not there.

    Raises:
        StorageError: It cannot be written.
    """
    path = Path(folder)
    with storing(path, "name another place with -o DIR"):
        path.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(leaf.model_dump(exclude_defaults=True)) for leaf in evaluation.leaves]
        replace_text(path / LEAVES, "".join(f"{line}\n" for line in lines))
        replace_text(path / FACTS, json.dumps(evaluation.model_dump(), indent=1) + "\n")


def load_evaluation(folder: str | Path, *, torn: bool = False) -> Evaluation:
    """Get an evaluation back.

    Args:
        folder: The folder.
        torn: Pass over lines that cannot be read, and a file of leaves that is gone: whoever goes
            on with the evaluation asks for lost leaves again.

    Raises:
        CaseError: The folder holds none, or it is damaged.
    """
    path = Path(folder)
    try:
        facts = Evaluation.model_validate(json.loads((path / FACTS).read_bytes()))
        leaves = tuple(_leaves(path / LEAVES, torn=torn))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "it"
        raise _unreadable(path, f"{where}: {first['msg']}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(path, str(getattr(error, "strerror", None) or error)) from None
    _check(path, facts, leaves)
    return facts.model_copy(update={"leaves": leaves})


def is_leaves(path: Path) -> bool:
    """Whether a file is one of leaves, told by its first line."""
    try:
        return next(_leaves(path, torn=False), None) is not None
    except (OSError, ValueError, RecursionError):
        return False


def _leaves(path: Path, *, torn: bool) -> Iterator[LeafResult]:
    if torn and not path.exists():
        return
    for line in path.read_bytes().split(b"\n"):
        try:
            if line:
                yield LeafResult.model_validate(json.loads(line))
        except (ValueError, RecursionError):
            if not torn:
                raise


def _check(path: Path, facts: Evaluation, leaves: tuple[LeafResult, ...]) -> None:
    """Refuse leaves that fit no case, stand twice, or are worth more than all of one together.

    Leaves that are missing are no damage: the same command asks for them again.
    """
    worths: dict[str, list[float]] = {case.name: [] for case in facts.cases}
    if len(worths) < len(facts.cases):
        raise _unreadable(path, f"{FACTS} has a case twice")
    seen: set[tuple[str, str]] = set()
    for leaf in leaves:
        if leaf.case not in worths:
            raise _unreadable(path, f"{FACTS} has no case {leaf.case!r}, and {LEAVES} leaves of it")
        if (leaf.case, leaf.key) in seen:
            raise _unreadable(path, f"{LEAVES} has leaf {leaf.key!r} of {leaf.case!r} twice")
        seen.add((leaf.case, leaf.key))
        worths[leaf.case].append(leaf.worth)
    for name, parts in worths.items():
        if math.fsum(parts) > 1 + _ROUNDING:
            raise _unreadable(path, f"the leaves of {name!r} are worth more than all of it")


def _unreadable(path: Path, why: str) -> CaseError:
    return CaseError(
        f"{path} holds no evaluation that can be read: {why}",
        code="E547",
        looked=[f"{path / FACTS}", f"{path / LEAVES}"],
        fix=[
            "rubric-engine judgeeval run --judge JUDGE -o DIR   makes one",
            f"rm -r {path}, then the command that made it: what was paid for is on record",
        ],
    )
