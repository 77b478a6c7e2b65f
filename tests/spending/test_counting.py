from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import BaseModel

from rubric_engine.ledger import Ledger, RecordedModel
from rubric_engine.model import Completion, Message, ModelConfig, Usage
from rubric_engine.spending import counting
from rubric_engine.spending.tokenizer import tokenizer
from rubric_engine.tokens import estimate_tokens

TEXT = "The heavy-ball update is implemented as in equation 2.\n" * 40


class Counted:
    """Answers, and counts three tokens a word."""

    def __init__(self, config: ModelConfig) -> None:
        self.config = config

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, sample: int = 0
    ) -> Completion:
        words = sum(len(message.content.split()) for message in messages)
        return Completion(text="yes", usage=Usage(input_tokens=3 * words, output_tokens=50))


def ask(ledger: Ledger, config: ModelConfig, sample: int) -> None:
    model = RecordedModel(Counted(config), ledger, run="run")
    prompt = [Message(role="user", content=TEXT)]
    asyncio.run(model.complete(prompt, schema=None, sample=sample))


def test_without_anything_at_hand_tokens_are_estimated() -> None:
    count = counting(ModelConfig(name="mine"), None)
    assert count(TEXT) == estimate_tokens(TEXT)
    assert count.source == "tokens estimated by script"


def test_what_a_server_counted_corrects_the_estimate_for_its_model(tmp_path: Path) -> None:
    config = ModelConfig(name="mine", base_url="http://here/v1")
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        for sample in range(3):
            ask(ledger, config, sample)
        count = counting(config, ledger)
        elsewhere = counting(config.model_copy(update={"base_url": "http://there/v1"}), ledger)
        another = counting(config.model_copy(update={"name": "other"}), ledger)
    assert count(TEXT) == pytest.approx(3 * len(TEXT.split()), abs=1)
    assert count.answer_tokens == 50
    assert "3 earlier calls" in count.source
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
