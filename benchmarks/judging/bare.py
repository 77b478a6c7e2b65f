"""The least that anyone must do: the prompts of a grading, sent by the SDK in a bare loop.

`python -m benchmarks.judging.bare RUN BASE_URL CONNECTIONS` prints figures as JSON.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from pathlib import Path
from typing import Any

import openai

from benchmarks.judging.figures import Figures, peak_mb
from benchmarks.judging.prompts import Sent, sent_prompts


async def send(prompts: list[Sent], base_url: str, connections: int) -> int:
    """Send all, so many at once, and count the answers."""
    slots = asyncio.Semaphore(connections)
    http_client = openai.DefaultAioHttpClient()
    client = openai.AsyncOpenAI(
        api_key="none", base_url=base_url, max_retries=0, http_client=http_client
    )

    async def ask(prompt: Sent) -> bool:
        async with slots:
            answer = await client.chat.completions.create(**_arguments(prompt))
            return bool(answer.choices[0].message.content)

    async with client:
        return sum(await asyncio.gather(*map(ask, prompts)))


def _arguments(prompt: Sent) -> dict[str, Any]:
    form = {"name": "Verdict", "strict": True, "schema": prompt.schema}
    return {
        "model": "gpt-5.6",
        "messages": [{"role": role, "content": text} for role, text in prompt.messages],
        "response_format": {"type": "json_schema", "json_schema": form},
        "max_completion_tokens": 4096,
    }


def import_sdk() -> None:
    """Import all that the SDK imports when its first client is made."""
    openai.DefaultAioHttpClient()


def main() -> None:
    """Send once and print the figures."""
    run, base_url, connections = sys.argv[1:]
    prompts = list(sent_prompts(Path(run)))
    import_sdk()
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    answered = asyncio.run(send(prompts, base_url, int(connections)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(Figures(wall, wall, cpu, peak_mb(), len(prompts), answered).to_json())


if __name__ == "__main__":
    main()
