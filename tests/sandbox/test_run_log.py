"""Logs on disk: bounded, with nothing of a secret in them."""

from __future__ import annotations

import gc
import os
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rubric_engine.bounded_log import BoundedLog
from rubric_engine.isolation import Execution, Limits, LogFile
from rubric_engine.kept.log_file import keep_log
from rubric_engine.sandbox.redacting import Redactor
from rubric_engine.sandbox.run_log import Kept, RunLog
from tests.sandbox.conftest import Run, log_of


def kept(pieces: list[bytes], shown: int, filed: int) -> Kept:
    """What is kept of a log that comes in these pieces."""
    limits = Limits.model_construct(log_bytes=shown, log_file_bytes=filed)
    with closing(RunLog(limits)) as log:
        for piece in pieces:
            log.feed(piece)
        return log.finish()


@given(st.lists(st.binary(max_size=30)), st.integers(8, 60), st.integers(1, 120))
def test_it_shows_what_a_log_in_memory_would(pieces: list[bytes], shown: int, filed: int) -> None:
    in_memory = BoundedLog(shown)
    for piece in pieces:
        in_memory.feed(piece)
    found = kept(pieces, shown, filed)
    assert found.file is not None
    assert found.log == in_memory.log()
    whole, file = b"".join(pieces), found.file.path.read_bytes()
    limit = max(shown, filed)
    if len(whole) <= limit:
        assert file == whole
    else:
        head, tail = whole[: limit // 2], whole[len(whole) - (limit - limit // 2) :]
        left_out = f"\n[... {len(whole) - limit} bytes left out ...]\n".encode()
        assert file == head + left_out + tail


def test_memory_stays_flat() -> None:
    with closing(RunLog(Limits(log_bytes=1000, log_file_bytes=10_000_000))) as log:
        tracemalloc.start()
        try:
            for _ in range(1000):
                log.feed(b"x" * 65_536)
            found = log.finish()
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert found.log.omitted_bytes == 1000 * 65_536 - 1000
    assert peak < 4_000_000


def test_the_file_goes_with_its_holder() -> None:
    found = kept([b"printed"], 1000, 1000)
    assert found.file is not None
    path = found.file.path
    assert path.read_bytes() == b"printed"
    del found
    gc.collect()
    assert not path.exists()


@given(st.text("ab", max_size=60), st.lists(st.text("ab", min_size=6, max_size=9), max_size=3),
       st.integers(1, 7))  # fmt: skip
@example("aaaaaabb", ["aaaaaa", "aaaaaabb"], 6)
def test_the_pieces_of_a_secret_do_not_matter(text: str, secrets: list[str], step: int) -> None:
    whole, piecewise = Redactor(secrets), Redactor(secrets)
    data = text.encode()
    at_once = whole.feed(data) + whole.end()
    pieces = [piecewise.feed(data[at : at + step]) for at in range(0, len(data), step)]
    assert b"".join([*pieces, piecewise.end()]) == at_once
    assert not any(secret.encode() in at_once for secret in secrets)


SCRIPT = "printf %s $TOKEN | head -c 4; sleep 0.1; printf %s $TOKEN | tail -c +5; echo $SHORT"
SECRETS = {"TOKEN": "open-sesame", "SHORT": "12345"}


def test_secrets_are_hidden_in_log_and_record(run: Run) -> None:
    execution = run(SCRIPT, secrets=SECRETS)
    assert log_of(execution).text == "***12345\n"
    assert execution.log_file is not None
    assert execution.log_file.path.read_text() == "***12345\n"
    assert "sesame" not in execution.model_dump_json()


def test_secrets_are_hidden_in_a_container_too(boxed: Run) -> None:
    assert log_of(boxed(SCRIPT, secrets=SECRETS)).text == "***12345\n"


def test_the_file_holds_more_than_judges_are_shown(run: Run, boxed: Run) -> None:
    script = "seq 100000"
    local = run(script, log=1000)
    docker = boxed(script, log_bytes=1000)
    whole = "".join(f"{number}\n" for number in range(1, 100_001))
    for execution in (local, docker):
        assert execution.log_file is not None
        assert execution.log_file.path.read_text() == whole
        assert len(log_of(execution).head) == len(log_of(execution).tail) == 500


@pytest.mark.parametrize("there", [None, "link", "fifo", "gone"])
def test_what_is_no_file_is_not_copied(tmp_path: Path, there: str | None) -> None:
    log = tmp_path / "log"
    if there == "link":
        log.symlink_to("/etc/passwd")
    elif there == "fifo":
        os.mkfifo(log)
    file = LogFile(log) if there else None
    execution = Execution.model_validate({"status": "ok", "log": {"head": "short"}})
    keep_log(execution.model_copy(update={"log_file": file}), tmp_path / "kept")
    assert (tmp_path / "kept").read_text() == "short"
    assert not list(tmp_path.glob(".*"))
