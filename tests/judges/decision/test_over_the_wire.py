"""Decision models over HTTP, in both protocols: what is counted, what goes wrong, what is kept."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import Report, Spending, Task, grade, load_task
from rubric_engine.candidate import load_candidate
from rubric_engine.case import Case
from rubric_engine.dry_run import foresee
from rubric_engine.errors import UsageError
from rubric_engine.judge import JudgeCard
from rubric_engine.ledger import LedgerReader
from rubric_engine.models.decisions import require_sdk
from rubric_engine.report.leaf_costs import prices_of
from rubric_engine.resuming import resume
from rubric_engine.submission import load_submission
from rubric_engine.testing import Fault, ScriptedServer
from tests.judges.decision.desk import FILES, RAN, STEPS, asking, leaf, task, task_of
from tests.sparrow import sparrow

__all__ = ["sparrow"]

Make = Callable[[dict[str, str | bytes]], Path]
PROTOCOLS = ("openai", "system-one")


@pytest.fixture
def graded(make_tree: Make, tmp_path: Path) -> Callable[..., Report]:
    """Grade a small submission that was run."""
    folder = make_tree(FILES)

    def go(whole: Task, judge: JudgeCard | str, run: str = "run", **more: Any) -> Report:
        return grade(
            whole, folder, judge=judge, sandbox=RAN, run_dir=tmp_path / "runs" / run, **more
        )

    return go


def requests_to(server: ScriptedServer) -> list[int]:
    """How many questions each request held."""
    return [len((record.body or {})["questions"]) for record in server.requests]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_leaf_is_answered_and_counted_as_the_server_counts(
    graded: Callable[..., Report], protocol: str
) -> None:
    leaves = [*map(leaf, range(30)), leaf(30, scale=STEPS)]
    with ScriptedServer(keep_bodies=True, probabilities={"(3)": 0.77}) as server:
        report = graded(task(leaves), asking(server.base_url, protocol, questions=20))
        counted = server.stats()
    assert report.statuses["graded"] == 31
    assert requests_to(server) == [20, 11]
    assert report.grades["leaf3"].probability == pytest.approx(0.77)
    assert report.cost["calls"] == 2
    assert report.cost["input_tokens"] == counted.prompt_tokens
    assert report.cost["output_tokens"] == counted.completion_tokens == 31
    assert report.cost["usd"] == pytest.approx(counted.prompt_tokens * 0.1 / 1e6)
    for name, whole in (("input_tokens", counted.prompt_tokens), ("output_tokens", 31)):
        assert sum(grade.usage[name] for grade in report.grades.values()) == whole
    prices = prices_of(report, Path(report.run or "").parent)
    assert sum(price or 0.0 for price in prices.values()) == pytest.approx(report.cost["usd"])
    assert None not in prices.values()


@pytest.mark.parametrize("questions", [400, 1])
def test_leaves_of_the_same_words_ask_once_and_share_what_it_takes(
    graded: Callable[..., Report], tmp_path: Path, questions: int
) -> None:
    twins = [leaf(at).model_copy(update={"key": f"twin{at}", "id": f"twin{at}"}) for at in (0, 1)]
    whole = task([leaf(0), leaf(1), *twins, leaf(2)])
    with ScriptedServer() as server:
        judge = asking(server.base_url, questions=questions)
        report = graded(whole, judge)
        counted = server.stats()
        assert set(server.questions.values()) == {1}
    for at in (0, 1):
        assert report.grades[f"twin{at}"].probability == report.grades[f"leaf{at}"].probability
    used = [grade.usage["input_tokens"] for grade in report.grades.values()]
    assert (len(used), sum(used)) == (5, counted.prompt_tokens)
    case = Case(whole, load_submission(tmp_path / "submission"), RAN.execution)
    after = foresee(load_candidate(judge), case, runs=tmp_path / "runs")
    assert (after.calls, after.paid) == (0, 5)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("refused", "refused"),
        ("missing", "unparseable"),
        ("wrong_type", "unparseable"),
        ("out_of_range", "unparseable"),
    ],
)
def test_a_wrong_answer_is_one_leafs_loss(
    graded: Callable[..., Report], protocol: str, fault: Any, reason: str
) -> None:
    with ScriptedServer(question_faults={"(2)": fault}) as server:
        report = graded(task_of(6), asking(server.base_url, protocol))
        assert report.reasons == {reason: 1}
        assert report.grades["leaf2"].reason == reason
        again = graded(task_of(6), asking(server.base_url, protocol), "again")
        assert again.reasons == {reason: 1}
        assert server.stats().requests == 1


def test_names_and_not_places_say_which_answer_is_whose(graded: Callable[..., Report]) -> None:
    said = {f"({at})": at / 10 for at in range(9)}
    with ScriptedServer(probabilities=said, shuffle_answers=True) as server:
        report = graded(task_of(9), asking(server.base_url))
    found = [report.grades[f"leaf{at}"].probability for at in range(9)]
    assert found == pytest.approx([at / 10 for at in range(9)])


def test_a_question_that_is_answered_twice_has_no_answer(graded: Callable[..., Report]) -> None:
    with ScriptedServer(question_faults={"(1)": "twice"}) as server:
        report = graded(task_of(3), asking(server.base_url))
    assert report.reasons == {"unparseable": 1}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_request_that_is_too_large_splits_and_costs_nothing_more(
    graded: Callable[..., Report], protocol: str
) -> None:
    with ScriptedServer(context_tokens=2500, keep_bodies=True) as server:
        report = graded(task_of(40), asking(server.base_url, protocol))
        assert report.statuses["graded"] == 40
        assert requests_to(server) == [40, 20, 20]
        assert report.cost["input_tokens"] == server.stats().prompt_tokens
        assert report.cost["calls"] == 3


def test_what_is_too_long_for_the_server_is_not_sent_again(graded: Callable[..., Report]) -> None:
    with ScriptedServer(context_tokens=400) as server:
        report = graded(task_of(40), asking(server.base_url))
        sent = server.stats().requests
        again = graded(task_of(40), asking(server.base_url), "again")
        assert server.stats().requests == sent
    assert report.reasons == again.reasons == {"context_overflow": 40}
    assert again.cost["calls"] == 0


def test_a_dry_run_counts_what_is_still_to_be_asked_with_less_evidence(
    make_tree: Make, tmp_path: Path
) -> None:
    folder = make_tree(FILES | {"b.py": "x = 1  # word\n" * 700})
    case, runs = Case(task_of(10), load_submission(folder), RAN.execution), tmp_path / "runs"
    with ScriptedServer(context_tokens=2700, fault_at={5: Fault("500")}) as server:
        judge = asking(server.base_url)
        report = grade(case.task, folder, judge=judge, sandbox=RAN, run_dir=runs / "run")
        assert report.reasons == {"provider_error": 10}
        foreseen = foresee(load_candidate(judge), case, runs=runs)
        assert (foreseen.calls, foreseen.paid) == (1, 0)
        resumed = resume(runs / "run")
        assert resumed.statuses["graded"] == 10
        more = resumed.cost["usd"] - report.cost["usd"]
        assert foreseen.low == pytest.approx(more, rel=0.5)
        after = foresee(load_candidate(judge), case, runs=runs)
        assert (after.calls, after.paid) == (0, 10)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("fault", ["500", "429", "truncated_body", "reset", "wrong_schema"])
def test_what_goes_wrong_on_the_way_is_tried_again(
    graded: Callable[..., Report], protocol: str, fault: Any
) -> None:
    once = Fault(fault, retry_after="0")
    with ScriptedServer(fault_at={1: once}) as server:
        judge = asking(server.base_url, protocol)
        model = judge.settings["model"] | {"max_wait": 60}
        report = graded(task_of(4), judge.model_copy(update={"model": model}))
        assert report.statuses["graded"] == 4
        assert server.stats().requests == 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("fault", "reason"), [("prompt_filter", "refused"), ("cut_400", "cut_off")]
)
def test_a_request_that_is_refused_for_one_question_costs_that_leaf_alone(
    graded: Callable[..., Report], protocol: str, fault: Any, reason: str
) -> None:
    with ScriptedServer(fault_where={"(7)": fault}) as server:
        judge = asking(server.base_url, protocol)
        report = graded(task_of(40), judge)
        requests = server.stats().requests
        assert report.reasons == {reason: 1}
        assert report.grades["leaf7"].reason == reason
        assert requests <= 13
        assert report.cost["calls"] == report.cost["attempts"] == requests
        assert report.cost["input_tokens"] >= server.stats().prompt_tokens
        assert report.cost["replayed"] == 0
        again = graded(task_of(40), judge, "again")
        assert (again.reasons, again.cost["replayed"]) == ({reason: 1}, 40)
        assert server.stats().requests == requests


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("bad", "most"), [((0,), 13), ((7,), 13), ((2, 20, 39), 29)])
def test_a_bad_question_is_one_leafs_loss_and_is_asked_again_by_a_resume(
    graded: Callable[..., Report], tmp_path: Path, protocol: str, bad: tuple[int, ...], most: int
) -> None:
    where = {f"({at})": Fault("unknown_parameter", times=1) for at in bad}
    with ScriptedServer(fault_where=where) as server:
        report = graded(task_of(40), asking(server.base_url, protocol))
        assert (report.reasons, report.stopped) == ({"provider_error": len(bad)}, None)
        assert all("HTTP 400" in report.grades[f"leaf{at}"].explanation for at in bad)
        requests = server.stats().requests
        assert requests <= most
        assert report.cost["calls"] == report.cost["attempts"] == requests
        assert resume(tmp_path / "runs" / "run").statuses["graded"] == 40


def test_a_bad_question_after_answers_costs_its_leaf_alone(graded: Callable[..., Report]) -> None:
    with ScriptedServer(fault_where={"(11)": "unknown_parameter"}) as server:
        report = graded(task_of(12), asking(server.base_url, questions=6))
        assert (report.reasons, report.stopped) == ({"provider_error": 1}, None)
        again = graded(task_of(12), asking(server.base_url, questions=6), "again")
        assert (again.reasons, again.cost["replayed"]) == ({"provider_error": 1}, 11)


@pytest.mark.parametrize("leaves", [1, 2, 400])
def test_an_endpoint_that_takes_no_question_stops_the_run(
    graded: Callable[..., Report], leaves: int
) -> None:
    with ScriptedServer(faults={"unknown_parameter": 1.0}) as server:
        report = graded(task_of(leaves), asking(server.base_url))
        assert server.stats().requests <= 14
    assert report.reasons == {"provider_error": leaves}
    assert report.stopped is not None
    assert (report.stopped.code, report.stopped.exit_code) == ("E703", 7)


@pytest.mark.parametrize(("fault", "code"), [("401", "E101"), ("403", "E101"), ("404", "E703")])
def test_a_wrong_key_or_model_stops_at_once(
    graded: Callable[..., Report], fault: Any, code: str
) -> None:
    with ScriptedServer(faults={fault: 1.0}) as server:
        report = graded(task_of(40), asking(server.base_url))
        assert server.stats().requests == 1
    assert report.stopped is not None
    assert report.stopped.code == code


def test_an_input_that_is_refused_whatever_is_asked_costs_few_requests(
    graded: Callable[..., Report], tmp_path: Path
) -> None:
    with ScriptedServer(faults={"prompt_filter": 1.0}) as server:
        judge = asking(server.base_url)
        report = graded(task_of(400), judge)
        requests = server.stats().requests
        assert report.reasons == {"refused": 400}
        assert requests <= 14
        assert (report.cost["calls"], report.cost["replayed"]) == (requests, 0)
        assert all(grade.calls for grade in report.grades.values())
        assert len({grade.explanation for grade in report.grades.values()}) == 1
        assert "W213" not in [warning.code for warning in report.warnings]
        again = graded(task_of(400), judge, "again")
        assert (again.reasons, again.cost["replayed"]) == ({"refused": 400}, 400)
        assert server.stats().requests == requests
        tried = resume(tmp_path / "runs" / "run", retry_failed=True)
        assert (tried.reasons, tried.cost["replayed"]) == ({"refused": 400}, 0)
        assert server.stats().requests == 2 * requests == tried.cost["attempts"]


def test_a_cap_holds_and_a_higher_one_goes_on(
    graded: Callable[..., Report], tmp_path: Path
) -> None:
    with ScriptedServer() as server:
        judge = asking(server.base_url, questions=2)
        model = judge.settings["model"] | {"max_output_tokens": 50}
        judge = judge.model_copy(update={"model": model})
        first = graded(task_of(20), judge, spending=Spending(max_tokens=6_000))
        assert first.stopped is not None
        assert 0 < first.statuses["graded"] < 20
        assert first.cost["input_tokens"] + first.cost["output_tokens"] <= 6_000
        report = resume(tmp_path / "runs" / "run", spending=Spending(max_tokens=1_000_000))
        assert report.statuses["graded"] == 20
        assert set(server.questions.values()) == {1}
        assert report.cost["input_tokens"] == server.stats().prompt_tokens


def test_after_a_kill_nothing_that_was_answered_is_asked_again(
    graded: Callable[..., Report], make_tree: Make, root: Path, tmp_path: Path
) -> None:
    run = tmp_path / "runs" / "killed"
    hanging = Fault("slow", delay=600)
    with ScriptedServer(fault_at={3: hanging}) as server:
        words = [server.base_url, str(tmp_path / "submission"), str(run)]
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.judges.decision.child", *words], cwd=root
        )
        try:
            while server.stats().requests < 3:
                assert child.poll() is None
                time.sleep(0.01)
        finally:
            child.kill()
        assert child.wait() == -signal.SIGKILL
        report = resume(run)
        counted = server.stats()
    assert report.statuses["graded"] == 20
    assert sorted(server.questions.values()) == [1] * 15 + [2] * 5  # the five that hung
    with LedgerReader.open(tmp_path / "runs" / "ledger.sqlite") as ledger:
        spent = ledger.spent("killed")
    assert (spent.attempts, spent.uncounted) == (5, 1)
    counted_tokens = spent.usage.input_tokens + spent.usage.output_tokens - spent.uncounted_tokens
    assert counted_tokens == counted.prompt_tokens + counted.completion_tokens


@pytest.mark.parametrize("questions", [400, 7])
def test_a_dry_run_prices_the_requests_that_are_then_made(
    graded: Callable[..., Report], make_tree: Make, tmp_path: Path, questions: int
) -> None:
    with ScriptedServer() as server:
        judge = asking(server.base_url, questions=questions)
        whole = task_of(20)
        sent = load_submission(tmp_path / "submission")
        case = Case(whole, sent, RAN.execution.model_copy(update={"submission": sent}))
        foreseen = foresee(load_candidate(judge), case, runs=tmp_path / "runs")
        report = graded(whole, judge)
        assert foreseen.calls == report.cost["calls"] == -(-20 // questions)
        assert foreseen.high == foreseen.low  # answers cost nothing
        assert foreseen.low == pytest.approx(report.cost["usd"], rel=0.5)
        after = foresee(load_candidate(judge), case, runs=tmp_path / "runs")
        assert (after.calls, after.paid) == (0, 20)


@pytest.mark.parametrize(("leaves", "requests"), [(361, 1), (1963, 5)])
def test_rubrics_as_large_as_the_largest_take_one_request_and_five(
    graded: Callable[..., Report], leaves: int, requests: int
) -> None:
    with ScriptedServer() as server:
        report = graded(task_of(leaves), asking(server.base_url))
        counted = server.stats()
    assert report.statuses["graded"] == leaves
    assert (counted.requests, report.cost["calls"]) == (requests, requests)
    used = [grade.usage for grade in report.grades.values()]
    for name, whole in (
        ("input_tokens", counted.prompt_tokens),
        ("output_tokens", counted.completion_tokens),
    ):
        assert report.cost[name] == sum(each[name] for each in used) == whole
    assert report.cost["usd"] == pytest.approx(counted.prompt_tokens * 0.1 / 1e6)


@pytest.mark.parametrize(("name", "leaves", "requests"), [("rice", 361, 1), ("pinn", 1963, 5)])
def test_the_largest_rubrics_take_one_request_and_five(
    graded: Callable[..., Report], paperbench_papers: Path, name: str, leaves: int, requests: int
) -> None:
    with ScriptedServer() as server:
        whole = load_task(paperbench_papers / name)
        assert len(whole.rubric.leaves()) == leaves
        report = graded(whole, "decision", model={"base_url": server.base_url})
        counted = server.stats()
    assert report.statuses["graded"] == leaves
    assert (counted.requests, report.cost["calls"]) == (requests, requests)
    assert report.cost["input_tokens"] == counted.prompt_tokens
    assert report.cost["usd"] == pytest.approx(counted.prompt_tokens * 0.1 / 1e6)


@pytest.mark.parametrize("installed", ["2.0.0", "2.31.0"])
def test_an_older_sdk_is_told_what_to_install(installed: str) -> None:
    with pytest.raises(UsageError) as caught:
        require_sdk("openai", installed)
    assert caught.value.fix == ("pip install -U 'openai>=3'",)
    require_sdk("system-one", installed)
    require_sdk("openai", "3.0.0")


def test_a_server_of_somebody_elses_answers_every_leaf(
    graded: Callable[..., Report], sparrow: str
) -> None:
    leaves = [*map(leaf, range(12)), leaf(12, scale=STEPS)]
    report = graded(task(leaves), "sparrow-decider", model={"base_url": sparrow})
    assert report.statuses["graded"] == 13
    assert all(grade.probability is not None for grade in report.grades.values())
    assert report.cost["calls"] == 1
