"""An evaluation in a folder: `evaluation.json`, and `leaves.jsonl` with a line a leaf."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import ValidationError

from rubric_engine.errors import InputError, StorageError
from rubric_engine.judgeeval.evaluation import Evaluation, LeafResult
from rubric_engine.rundir import storing

FACTS, LEAVES = "evaluation.json", "leaves.jsonl"


def save_evaluation(evaluation: Evaluation, folder: str | Path) -> None:
    """Write an evaluation; each file is whole or the one before, whatever happens.

    The leaves go first, so that facts never speak of leaves that are not there.

    Raises:
        StorageError: It cannot be written.
    """
    path = Path(folder)
    with storing(path, "name another place with -o DIR"):
        path.mkdir(parents=True, exist_ok=True)
        lines = [leaf.model_dump_json(exclude_defaults=True) for leaf in evaluation.leaves]
        _replace(path / LEAVES, "".join(f"{line}\n" for line in lines))
        _replace(path / FACTS, evaluation.model_dump_json(indent=1) + "\n")


def load_evaluation(folder: str | Path) -> Evaluation:
    """Get an evaluation back.

    Raises:
        InputError: The folder holds none, or it is damaged.
    """
    path = Path(folder)
    try:
        facts = Evaluation.model_validate_json((path / FACTS).read_bytes())
        text = (path / LEAVES).read_text(encoding="utf-8")
        leaves = tuple(LeafResult.model_validate_json(line) for line in text.split("\n") if line)
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, str(getattr(error, "strerror", None) or error)) from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "it"
        raise _unreadable(path, f"{where}: {first['msg']}") from None
    named = {case.name for case in facts.cases}
    return facts.model_copy(update={"leaves": tuple(leaf for leaf in leaves if leaf.case in named)})


def _unreadable(path: Path, why: str) -> InputError:
    return InputError(
        f"{path} holds no evaluation that can be read: {why}",
        code="E504",
        looked=[f"{path / FACTS}", f"{path / LEAVES}"],
        fix=["rubric-engine judgeeval run --judge JUDGE -o DIR   makes one"],
    )


def _replace(path: Path, text: str) -> None:
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise StorageError(f"{path} cannot be written: {error.strerror}", code="E904") from None
