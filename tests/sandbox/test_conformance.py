"""What every sandbox promises, of every sandbox that is shipped."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest
from docker import DockerClient

from rubric_engine.isolation import Execution, Limits
from rubric_engine.sandbox import LocalSandbox
from rubric_engine.sandbox.docker import DockerSandbox
from rubric_engine.testing import FakeSandbox, check_execution, check_sandbox
from rubric_engine.testing.conformance import Promise, run_promise
from rubric_engine.testing.promises import CORE, ISOLATION


def by_words(promises: tuple[Promise, ...]) -> list[object]:
    return [pytest.param(promise, id=promise.says) for promise in promises]


@pytest.mark.parametrize("promise", by_words(CORE))
def test_the_local_sandbox_keeps(promise: Promise) -> None:
    check_sandbox(LocalSandbox(), [promise])


@pytest.mark.parametrize("promise", by_words((*CORE, *ISOLATION)))
def test_the_docker_sandbox_keeps(promise: Promise, engine: DockerClient) -> None:
    check_sandbox(DockerSandbox(), [promise])


def test_an_execution_of_the_fake_one_holds_together() -> None:
    given = Execution(
        status="ok",
        exit_code=0,
        duration_s=1.0,
        sandbox="fake",
        isolates=True,
        limits=Limits(),
        started=datetime.now(UTC),
    )
    check_execution(FakeSandbox(given), run_promise(FakeSandbox(given), CORE[0]))


def test_a_sandbox_that_lets_a_key_in_is_found_out() -> None:
    (promise,) = (promise for promise in ISOLATION if "another process" in promise.says)
    with pytest.raises(AssertionError, match="no variable of another process can be seen"):
        check_sandbox(LocalSandbox(), [promise])  # it says that it does not isolate
    assert "PLANTED_API_KEY" not in os.environ


def test_broken_promises_are_named() -> None:
    fake = FakeSandbox(Execution(status="failed", exit_code=1, sandbox="fake", isolates=True))
    with pytest.raises(AssertionError, match="a script that succeeds is ok: it ended as"):
        check_sandbox(fake)
