"""What is written reads back as the same rubric."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.criterion import Criterion
from rubric_engine.errors import RubricError, StorageError
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import dump_rubric, load_rubric
from rubric_engine.rubric_file.reader import tree_of
from rubric_engine.rubric_file.writer import Format
from rubric_engine.rubric_file.yaml_scalars import in_block
from tests.rubric_file.trees import FILES, TEXT
from tests.strategies import chain, flat, leaf, rubrics

FORMATS = get_args(Format)


def read(text: str) -> Rubric:
    rubric = tree_of(text, "rubric").rubric
    assert rubric is not None
    return rubric


@given(FILES)
def test_lossless(text: str) -> None:
    rubric = read(text)
    for name in FORMATS:
        again = read(dump_rubric(rubric, format=name))
        assert again == rubric
        assert again.warnings == rubric.warnings
        assert dump_rubric(again, format=name) == dump_rubric(rubric, format=name)


@given(rubrics(), st.sampled_from(FORMATS))
def test_lossless_for_built_rubrics(rubric: Rubric, format: Format) -> None:
    assert read(dump_rubric(rubric, format=format)) == rubric


@given(TEXT)
def test_texts_read_the_same_with_any_yaml_reader(text: str) -> None:
    lines = in_block(text, "    ")
    lines[0] = f"  key: {lines[0]}"
    document = "above:\n" + "\n".join(lines) + "\n  next: 1\n"
    assert yaml.safe_load(document) == {"above": {"key": text, "next": 1}}


def test_yaml_is_for_people() -> None:
    query = "select max(hb) * 3 <= min(gd) from 'results/steps.csv' where kappa = 1000"
    rubric = flat(
        leaf("update", weight=2.5, tags=["core"], requirements="The update: as in equation 2"),
        leaf("table", requirements="a\nb", checks=[{"sql": {"query": query}}]),
    )
    assert (
        dump_rubric(rubric)
        == f"""\
rubric: 1
root:
  id: root
  requirements: what root asks
  weight: 1
  sub_tasks:
    - id: update
      requirements: "The update: as in equation 2"
      weight: 2.5
      task_category: Code Development
      tags: [core]
    - id: table
      requirements: |-
        a
        b
      weight: 1
      task_category: Code Development
      checks:
        - sql:
            query: {query}
"""
    )


def test_long_text_is_folded() -> None:
    rubric = flat(leaf("a", requirements="word: " * 30 + "end"))
    text = dump_rubric(rubric)
    assert "requirements: >-\n        word: word:" in text
    assert max(map(len, text.splitlines())) <= 100


def test_format_follows_the_name(tmp_path: Path) -> None:
    rubric = flat(leaf("a"))
    for name, begins in [("r.json", "{"), ("r.yaml", "rubric: 1"), ("r.txt", "rubric: 1")]:
        text = dump_rubric(rubric, tmp_path / name)
        assert text.startswith(begins)
        assert (tmp_path / name).read_text() == text
        assert load_rubric(tmp_path / name) == rubric
    assert dump_rubric(rubric, tmp_path / "r.json", format="yaml").startswith("rubric")


def test_writing_leaves_nothing_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rubric.yaml"
    path.write_text("old")
    path.chmod(0o644)
    dump_rubric(flat(leaf("a")), path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["rubric.yaml"]
    assert stat.S_ISREG(path.stat().st_mode)


def test_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot write") as caught:
        dump_rubric(flat(leaf("a")), tmp_path / "no" / "rubric.yaml")
    assert caught.value.exit_code == 9


def test_title_and_unknown_keys_have_no_common_form() -> None:
    odd = Criterion(key="a", id="a", requirements="x", task_category="C", extra={"foo": 1})
    with pytest.raises(RubricError, match="a header allows neither"):
        dump_rubric(Rubric.build([(None, odd)], title="T"))


@pytest.mark.parametrize("format", FORMATS)
def test_deep_tree(format: Format) -> None:
    text, twice = (dump_rubric(chain(length), format=format) for length in (2_000, 4_000))
    assert len(twice) < 2.1 * len(text)
    assert len(read(twice)) == 4_000


@pytest.mark.slow
def test_deep_tree_does_not_crash_the_interpreter_at_its_end(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    dump_rubric(chain(50_000), path)
    program = (
        "import sys\nfrom rubric_engine.rubric_file import load_rubric, dump_rubric\n"
        "rubric = load_rubric(sys.argv[1])\nprint(len(rubric), len(dump_rubric(rubric)) > 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "50000 True\n", "")
