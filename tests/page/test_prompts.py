"""Prompts in a file: a message of several leaves stands with one of them, and each shows it."""

from __future__ import annotations

import pytest

from rubric_engine.page import assemble
from tests.page.conftest import Open
from tests.page.made import SIZE, made_page, made_run


@pytest.mark.slow
def test_a_message_is_found_in_the_chunk_where_it_stands(open_page: Open) -> None:
    run, chunks = made_run(600)
    first, last = int(next(iter(chunks[0]))), int(list(chunks[1])[-1])
    chunks[0][str(first)]["asked"] = {"prompt": ["the paper", "first?"], "answer": "no"}
    chunks[1][str(last)]["asked"] = {"prompt": [[first, 0], "last?"], "answer": "yes"}
    page = open_page(assemble(made_page(run), [chunks], title="Prompts")).page
    shown = "async ([run, chunk, at]) => (await RE.data.chunk(run, chunk))[at].asked"
    assert page.evaluate(shown, [run["id"], last // SIZE, last]) == {
        "prompt": "the paper\n\nlast?",
        "answer": "yes",
    }
    assert page.evaluate(shown, [run["id"], 0, first])["prompt"] == "the paper\n\nfirst?"
