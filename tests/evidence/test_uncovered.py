"""How much of all prompts is new to a prefix cache, on inputs like those of a real grading."""

from __future__ import annotations

import random

import pytest

from rubric_engine.evidence import own
from rubric_engine.rubric import Rubric
from tests.evidence.desk import CODE, EXECUTION, RESULTS, plan, room, source, topics
from tests.evidence.uncovered import uncovered

WORDS = [f"{first}{last}" for first in ("mo", "ka", "ti", "re") for last in "abcdefghijklmnop"]
PAPER = "paper " * 10_000


def submission() -> dict[str, str | bytes]:
    chance = random.Random(7)

    def text(lines: int) -> str:
        return "".join(f"    {' = '.join(chance.choices(WORDS, k=5))}\n" for _ in range(lines))

    files: dict[str, str | bytes] = {f"docs/{at}.md": text(180) for at in range(14)}
    files |= {f"src/{chance.choice(WORDS)}_{at}.py": text(180) for at in range(86)}
    files |= {f"results/{at}.csv": "a,b\n" + "1,2\n" * 1000 for at in range(20)}
    return files | {"reproduce.sh": "python src/main.py\n"}


FILES = submission()
LOG = "".join(f"epoch {at} loss {at / 7:.3f}\n" for at in range(800))
TREE = topics(6, WORDS[:20], (CODE, EXECUTION, RESULTS))


def own_text(tree: Rubric, leaf: str) -> str:
    found = own(tree, leaf)
    shown = (*found.ancestors, *found.siblings_before, *found.depends_on, found.criterion)
    return "\n".join(one.requirements * 30 for one in shown)


def share(tree: Rubric, max_chars: int | None) -> float:
    """Uncovered characters over paper, all files once and each leaf's own text."""
    produced = [path for path in FILES if path.endswith(".csv")]
    made = plan(tree, source(FILES), room(max_chars), produced=produced, log=LOG)
    texts = {leaf: own_text(tree, leaf) for leaf in tree.leaves()}
    prompts = (
        PAPER + "".join(part.text for part in group.shared) + texts[leaf]
        for group in made.groups
        for leaf in group.leaves
    )
    least = len(PAPER) + sum(map(len, FILES.values())) + sum(map(len, texts.values()))
    return uncovered(prompts) / least


@pytest.mark.parametrize(("max_chars", "most"), [(120_000, 4.0), (None, 1.5)])
def test_little_is_new_to_a_prefix_cache(max_chars: int | None, most: float) -> None:
    found = share(TREE, max_chars)
    print(f"uncovered, at most {max_chars} characters of files: {found:.2f}, limit {most}")
    assert found <= most


def test_uncovered_counts_what_no_earlier_prompt_began_with() -> None:
    assert uncovered([]) == 0
    assert uncovered(["abc", "abd", "abcx", "abc"]) == 3 + 1 + 1 + 0
