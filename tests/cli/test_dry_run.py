"""A dry run of a judge that pays: what is priced, and that nothing is sent."""

from __future__ import annotations

import re
from pathlib import Path

from rubric_engine.testing import Request, ScriptedServer
from tests.cli.conftest import Command
from tests.cli.paying import LEAVES, Paying, paying

__all__ = ["paying"]


def test_a_dry_run_prices_and_sends_nothing(paying: Paying) -> None:
    with ScriptedServer() as server:
        done = paying(server.base_url, "--dry-run")
        assert len(server.requests) == 0
    assert done.code == 0
    assert re.search(r"Code Development +6 +[\d,]+ +[\d.]+% +4,800 ", done.out)
    assert re.search(r"\$0\.0\d-\$0\.0\d+ +100\.0", done.out)
    assert done.out.endswith("Nothing was sent.\n")
    assert not (paying.folder / "here" / "runs").exists()


def test_what_is_priced_is_what_a_run_sends(paying: Paying) -> None:
    with ScriptedServer() as server:
        before = paying(server.base_url, "--dry-run", "--json").json
        spent = paying(server.base_url, "--json").json["cost"]
        after = paying(server.base_url, "--dry-run", "--json").json
    assert (before["calls"], before["replayed"]) == (LEAVES, 0)
    assert (after["calls"], after["replayed"]) == (0, LEAVES)
    assert after["usd"] == {"low": 0.0, "high": 0.0}
    assert spent["usd"] < before["usd"]["high"]
    foreseen = before["models"][0]["total"]["input_tokens"]
    assert spent["input_tokens"] <= foreseen <= 3 * spent["input_tokens"]  # the schema counts, too


def test_a_dry_run_counts_what_a_fresh_run_would_ask_again(paying: Paying) -> None:
    with ScriptedServer() as server:
        paying(server.base_url, "-q")
        assert paying(server.base_url, "--dry-run", "--fresh", "--json").json["calls"] == LEAVES


def test_an_overflow_that_was_shortened_is_paid_for(paying: Paying) -> None:
    (paying.submission / "big.py").write_text("x = 1\n" * 2_000)
    with ScriptedServer(context_tokens=4_500) as server:
        paying(server.base_url, "-q")
        asked = len(server.requests)
        assert paying(server.base_url, "--dry-run", "--json").json["calls"] == 0
        paying(server.base_url, "-q")
        assert len(server.requests) == asked > LEAVES
    shown = paying.command("show", "latest", "leaf-0", "--prompt").out
    assert shown.count("longer than the model's window; asked again with less evidence") == 1
    assert shown.count("CRITERION (Code Development)") == 1


def test_calls_that_rank_files_are_priced_and_then_on_record(paying: Paying) -> None:
    for at in range(4):
        (paying.submission / f"big{at}.py").write_text(f"x{at} = 1\n" * 1_000)

    def answer(request: Request) -> dict[str, list[str]] | None:
        return {"paths": ["big3.py"]} if "PART: " in request.question else None

    with ScriptedServer(answer=answer) as server:
        paying.card_more = "evidence: {max_chars: 20000, selection: model}\n"
        before = paying(server.base_url, "--dry-run")
        told = paying(server.base_url, "--dry-run", "--json").json
        assert paying(server.base_url, "--json").json["cost"]["calls"] == LEAVES + 1
        after = paying(server.base_url, "--dry-run", "--json").json
        assert len(server.requests) == LEAVES + 1
    assert re.search(r"ranking files +1 ", before.out)
    assert "calls that rank files first: 1;" in before.out
    assert (told["calls"], told["ranking_calls"], told["replayed"]) == (LEAVES + 1, 1, 0)
    assert (after["calls"], after["ranking_calls"], after["replayed"]) == (0, 0, LEAVES)
    shown = paying.command("show", "latest", "leaf-0")
    assert "  - big2.py: 7000 bytes: for want of room" in shown.out
    receipt = paying.command("show", "latest", "leaf-0", "--json").json["receipt"]
    assert "big3.py" in {line["path"] for line in receipt["cut"]}


def test_a_cascade_prices_only_what_rules_leave(
    command: Command, rubric: Path, submission: Path
) -> None:
    arguments = ("grade", submission, "--rubric", rubric, "--judge", "auto", "--dry-run", "--json")
    found = command(*arguments).json
    assert (found["calls"], found["waiting"]["leaves"]) == (1, 1)
    assert command(*arguments, "--sandbox", "local").json["waiting"]["leaves"] == 0


def test_no_price_is_a_word_and_never_nothing(
    command: Command, rubric: Path, submission: Path
) -> None:
    url = "http://127.0.0.1:9/v1"
    arguments = ("grade", submission, "--rubric", rubric, "--base-url", url, "--dry-run")
    done = command(*arguments)
    assert "unpriced" in done.out
    assert "$" not in done.out
    assert command(*arguments, "--json").json["usd"] == {"low": None, "high": None}


def test_a_price_of_another_endpoint_holds_no_cap_and_the_way_to_give_one_is_told(
    command: Command, rubric: Path, submission: Path
) -> None:
    url = "http://127.0.0.1:9/v1"
    done = command(
        "grade", submission, "--rubric", rubric, "--model", "gpt-5.6", "--base-url", url,
        "--max-cost", "5", "--judge", "simple",
    )  # fmt: skip
    assert done.code == 2
    assert f"no price is known for 'gpt-5.6' at {url}" in done.err
    assert "counts for the vendors' own endpoints" in done.err
    assert "`price: {input: 0.5, output: 2}` under `model` in the judge card" in done.err


def test_rules_cost_nothing(command: Command, rubric: Path, submission: Path) -> None:
    done = command("grade", submission, "--rubric", rubric, "--judge", "rules", "--dry-run")
    assert "asks no model" in done.out


def test_no_key_is_needed_to_know_the_price(paying: Paying) -> None:
    assert paying("https://models.example.com/v1", "--dry-run").code == 0
