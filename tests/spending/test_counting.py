from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.ledger import BilledAttempt, Ledger
from rubric_engine.model import ModelConfig, Usage
from rubric_engine.spending import counting
from rubric_engine.spending.tokenizer import tokenizer
from rubric_engine.tokens import estimate_tokens

TEXT = "The heavy-ball update is implemented as in equation 2.\n" * 40


def bill(ledger: Ledger, config: ModelConfig, **what: Any) -> None:
    ledger.bill(
        BilledAttempt(run="run", endpoint=config.base_url, model=config.name, estimate=100, **what)
    )


def test_without_anything_at_hand_tokens_are_estimated() -> None:
    count = counting(ModelConfig(name="mine"), None)
    assert count(TEXT) == estimate_tokens(TEXT)
    assert count.source == "tokens estimated by script"


def test_what_a_server_counted_corrects_the_estimate_for_its_model(tmp_path: Path) -> None:
    config = ModelConfig(name="mine", base_url="http://here/v1")
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        for tokens in (120, 130, 500):
            bill(ledger, config, usage=Usage(input_tokens=tokens, output_tokens=50))
        bill(ledger, config, fault="garbled", usage=Usage(input_tokens=900))
        bill(ledger, config, bound=Usage(input_tokens=900))
        ledger.spent()  # what was queued is written
        count = counting(config, ledger)
        elsewhere = counting(config.model_copy(update={"base_url": "http://there/v1"}), ledger)
        another = counting(config.model_copy(update={"name": "other"}), ledger)
    assert count(TEXT) == round(1.3 * estimate_tokens(TEXT))
    assert count.answer_tokens == 50
    assert "3 earlier answers" in count.source
    assert elsewhere.factor == another.factor == 1.0


@pytest.mark.parametrize("content", [None, b"", b"IQ== 0\n"])
def test_tiktoken_is_not_asked_where_its_file_is_not_at_hand(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tiktoken")
    source = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
    if content is not None:
        name = hashlib.sha1(source.encode()).hexdigest()
        (tmp_path / name).write_bytes(content)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert tokenizer("gpt-4o") is None
    assert tokenizer("nobody-knows-it") is None
