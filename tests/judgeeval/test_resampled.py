"""Which samples of a judge are held against each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.judge import JudgeCard
from rubric_engine.judgeeval import sampled
from rubric_engine.judgeeval.case_result import LeafResult
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.preparing import identify
from tests.judgeeval.evaluations import case, evaluation


def leaf(key: str, *samples: float) -> LeafResult:
    return LeafResult(
        case="a", key=key, parent="p", category="c", worth=0.5, label=1.0,
        status="graded", score=1.0, samples=samples,
    )  # fmt: skip


def asked_again(*, stops_at_lead: bool) -> Evaluation:
    """Of one leaf a sample was refused, or its first two agreed."""
    found = evaluation("j", [case("a", 2)], [leaf("x", 1, 1), leaf("y", 1, 0, 0, 1)])
    judge = found.judge.model_copy(update={"stops_at_lead": stops_at_lead})
    return found.model_copy(update={"judge": judge})


@pytest.mark.parametrize(("stops_at_lead", "agreement"), [(False, (1 + 1 / 3) / 2), (True, 0.5)])
def test_only_after_a_lead_the_first_two_are_compared(
    stops_at_lead: bool, agreement: float
) -> None:
    found = sampled(asked_again(stops_at_lead=stops_at_lead))
    assert found is not None
    assert (found.first_two, found.mean) == (stops_at_lead, 3.0)
    assert found.consistency.agreement == pytest.approx(agreement)


@pytest.mark.parametrize(
    ("card", "stops"),
    [
        ({"kind": "repeat", "of": "random", "n": 3}, False),
        ({"kind": "repeat", "of": "random", "n": 3, "vote": "lead_by"}, True),
        ({"kind": "cascade", "judges": ["rules", "{inner}"]}, True),
        ({"kind": "cascade", "judges": ["rules", "random"]}, False),
    ],
)
def test_whether_a_judge_stops_at_a_lead_is_kept(
    card: dict[str, object], stops: bool, tmp_path: Path
) -> None:
    inner = tmp_path / "inner.yaml"
    inner.write_text("kind: repeat\nof: random\nn: 3\nvote: lead_by\n")
    if isinstance(names := card.get("judges"), list):
        card = card | {"judges": [str(inner) if name == "{inner}" else name for name in names]}
    identity, _ = identify(JudgeCard.model_validate({"name": "j"} | card), None)
    assert identity.stops_at_lead is stops
