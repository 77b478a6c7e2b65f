"""Another model than the card's: what of the card still holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rubric_engine.candidate import load_candidate
from rubric_engine.errors import JudgeCardError
from rubric_engine.judge import JudgeCard, JudgeContext
from rubric_engine.judges import load_judge
from rubric_engine.judges.simple.settings import EvidenceSettings

OWN = {
    "name": "dear",
    "context_tokens": 272_000,
    "price": {"input": 5, "output": 9},
    "temperature": 0,
}
CARD = JudgeCard.model_validate({"kind": "simple", "model": OWN})


def effective(given: Mapping[str, Any], known: int | None = None) -> Any:
    return JudgeContext(model=given, window=lambda _: known).effective(CARD).settings["model"]


def test_another_name_drops_price_and_window_and_nothing_else() -> None:
    assert effective({"name": "other"}) == {"name": "other", "temperature": 0}
    assert effective({"name": "dear", "seed": 1}) == OWN | {"seed": 1}
    assert effective({"base_url": "http://localhost/v1"}) == OWN | {
        "base_url": "http://localhost/v1"
    }
    assert effective({}) == OWN


@pytest.mark.parametrize(
    ("given", "known", "window"),
    [
        ({}, 16_385, 16_385),
        ({}, 1_050_000, None),
        ({}, None, None),
        ({"context_tokens": 64_000}, 16_385, 64_000),
        ({"temperature": "hot"}, 16_385, None),
    ],
)
def test_a_known_window_counts_where_it_is_the_smaller_one(
    given: dict[str, Any], known: int | None, window: int | None
) -> None:
    assert effective({"name": "other"} | given, known).get("context_tokens") == window


def test_the_packaged_list_tells_small_windows() -> None:
    (config,) = load_candidate("simple", model={"name": "gpt-3.5-turbo"}).models
    assert config.context_tokens == 16_385
    (unknown,) = load_candidate("simple", model={"name": "nobody-knows-it"}).models
    assert unknown.context_tokens == 128_000
    (own,) = load_candidate("simple", model={"temperature": 1}).models
    assert own.context_tokens == 272_000


@pytest.mark.parametrize("chars", [-5, 0, 999])
def test_no_room_for_any_file_is_an_error_of_the_card(chars: int) -> None:
    with pytest.raises(ValueError, match="max_chars"):
        EvidenceSettings.model_validate({"max_chars": chars})
    card = JudgeCard.model_validate(
        {"kind": "simple", "model": OWN, "evidence": {"max_chars": chars}}
    )
    with pytest.raises(JudgeCardError, match="max_chars"):
        load_judge(card)
