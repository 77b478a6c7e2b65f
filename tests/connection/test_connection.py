"""The models of a run: one account for all, and what can be seen of them."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.connection import Connection, Spending, Together, Traffic
from rubric_engine.connection.costs import over_cap
from rubric_engine.errors import BudgetError, StorageError
from rubric_engine.ledger import Ledger, LedgerReader
from rubric_engine.model import Message, ModelConfig, OverBudget, Price, Refused
from rubric_engine.testing import Reply, Request, ScriptedModel, ScriptedServer

MOST = 100


def config(server: ScriptedServer, name: str = "small", rate: float = 1.0) -> ModelConfig:
    return ModelConfig(
        name=name, base_url=server.base_url, key_env="NO_SUCH_KEY", max_output_tokens=MOST,
        price=Price(input=rate, output=rate), max_wait=0, max_connections=4,
    )  # fmt: skip


def prompt(number: int) -> list[Message]:
    return [Message(role="user", content=f"Is thing {number} met? " * 5)]


def full(_: Request) -> Reply:
    """An answer about as long as the limit allows."""
    return Reply("word " * (MOST // 2))


async def one_by_one(calls: Iterable[Coroutine[Any, Any, object]]) -> None:
    for call in calls:
        await call


def test_two_models_cannot_spend_a_cap_twice(tmp_path: Path) -> None:
    async def go() -> tuple[int, float]:
        cap = 0.0005
        async with (
            ScriptedServer(answer=full) as server,
            Connection(tmp_path, "run", Spending(max_cost=cap)) as connection,
        ):
            models = [connection.connect(config(server, name)) for name in ("one", "two")]
            calls = (models[n % 2].complete(prompt(n), schema=None) for n in range(100))
            with pytest.raises(OverBudget):
                await one_by_one(calls)
            return len(server.requests), connection.cost()["usd"]

    asked, dollars = asyncio.run(go())
    assert asked >= 2
    assert 0.0001 < dollars <= 0.0005


def test_a_cap_holds_over_all_resumes(tmp_path: Path) -> None:
    cap = 0.001

    async def session(first: int) -> tuple[float, float]:
        async with (
            ScriptedServer(answer=full, faults={"500": 0.3}, seed=first) as server,
            Connection(tmp_path, "run", Spending(max_cost=cap)) as connection,
        ):
            model = connection.connect(config(server))
            calls = [model.complete(prompt(first + n), schema=None) for n in range(6)]
            await asyncio.gather(*calls, return_exceptions=True)
            seen = connection.traffic().dollars
            return connection.cost()["usd"], seen or 0.0

    spent = [asyncio.run(session(10 * number)) for number in range(4)]
    assert [dollars for dollars, _ in spent] == sorted(dollars for dollars, _ in spent)
    assert all(dollars <= cap for dollars, _ in spent)
    assert spent[-1][0] > cap / 2
    for on_record, seen in spent:
        assert on_record == pytest.approx(seen)


def test_what_a_kill_would_lose_is_on_record_before_it_is_sent_and_under_the_cap(
    tmp_path: Path,
) -> None:
    cap, seen = 0.001, []

    def look(request: Request) -> Reply:
        db = sqlite3.connect(tmp_path / "ledger.sqlite")
        rows = db.execute("SELECT if_lost FROM claims WHERE if_lost IS NOT NULL").fetchall()
        spent = db.execute("SELECT total(dollars) FROM attempts").fetchall()[0][0]
        db.close()
        seen.append((len(rows), spent + sum(json.loads(row)["dollars"] for (row,) in rows)))
        return full(request)

    async def go() -> None:
        async with (
            ScriptedServer(answer=look, faults={"500": 0.3}, seed=1) as server,
            Connection(tmp_path, "run", Spending(max_cost=cap)) as connection,
        ):
            model = connection.connect(config(server))
            calls = [model.complete(prompt(number), schema=None) for number in range(12)]
            await asyncio.gather(*calls, return_exceptions=True)

    asyncio.run(go())
    assert len(seen) > 1
    assert all(claims >= 1 and dollars <= cap for claims, dollars in seen)


def test_what_has_a_price_and_sent_nothing_cost_nothing(tmp_path: Path) -> None:
    async def go() -> dict[str, float]:
        async with ScriptedServer() as server, Connection(tmp_path, "run") as connection:
            connection.connect(config(server))
            return connection.cost()

    assert asyncio.run(go())["usd"] == 0


def test_an_excess_stops_every_model_and_is_named(tmp_path: Path) -> None:
    async def go() -> dict[str, float]:
        async with (
            ScriptedServer(answer=full, fault_at={1: "overbilled"}) as server,
            Connection(tmp_path, "run", Spending(max_cost=1.0)) as connection,
        ):
            one, two = (connection.connect(config(server, name)) for name in ("one", "two"))
            await one.complete(prompt(1), schema=None)
            with pytest.raises(BudgetError, match="billed"):
                await two.complete(prompt(2), schema=None)
            assert len(server.requests) == 1
            return connection.cost()

    cost = asyncio.run(go())
    assert cost["excess_tokens"] > MOST
    assert cost["excess_usd"] == pytest.approx(cost["excess_tokens"] / 1e6)


def test_an_excess_stays_named_over_resumes_and_only_where_a_cap_relied_on_the_bound(
    tmp_path: Path,
) -> None:
    async def session(number: int, spending: Spending, run: str = "run") -> dict[str, float]:
        at = {1: "overbilled"} if number == 1 else {}
        async with (
            ScriptedServer(answer=full, fault_at=at) as server,
            Connection(tmp_path, run, spending) as connection,
        ):
            await connection.connect(config(server)).complete(prompt(number), schema=None)
            return connection.cost()

    first = asyncio.run(session(1, Spending(max_cost=1.0)))
    second = asyncio.run(session(2, Spending(max_cost=2.0)))
    excess = {"excess_tokens", "excess_usd"}
    assert {name: first[name] for name in excess} == {name: second[name] for name in excess}
    assert second["excess_usd"] == pytest.approx(second["excess_tokens"] / 1e6)
    assert asyncio.run(session(3, Spending(max_tokens=10**6)))["excess_tokens"] > MOST
    assert excess.isdisjoint(asyncio.run(session(4, Spending())))
    assert excess.isdisjoint(asyncio.run(session(5, Spending(max_cost=1.0), run="another")))


@pytest.mark.parametrize(
    ("caps", "tokens", "told"),
    [
        ({"max_cost": 1.0, "max_tokens": None}, 0, "$0.50"),
        ({"max_cost": 1.0, "max_tokens": None}, 70, "$0.50"),
        ({"max_cost": None, "max_tokens": 100}, 70, "70 tokens"),
        ({"max_cost": 1.0, "max_tokens": 100}, 70, "70 tokens and $0.50"),
        ({"max_cost": None, "max_tokens": 100}, 0, "$0.50"),  # a resume lowered that cap
    ],
)
def test_a_cap_that_was_passed_is_told_in_its_unit(
    caps: dict[str, Any], tokens: int, told: str
) -> None:
    spent = {"input_tokens": 200.0, "output_tokens": 0.0, "usd": 1.2}
    over = over_cap(spent | {"excess_tokens": tokens, "excess_usd": 0.5}, **caps)
    assert over is not None
    assert f"the server billed {told} above what was reserved" in over.message


def test_a_resume_reserves_by_what_its_run_has_seen_counted(tmp_path: Path) -> None:
    async def session(server: ScriptedServer, number: int, cap: int | None, run: str) -> int:
        async with Connection(tmp_path, run, Spending(max_tokens=cap)) as connection:
            model = connection.connect(config(server))
            await model.complete(prompt(number), schema=None)
            cost = connection.cost()
            return int(cost["input_tokens"])

    async def go() -> None:
        async with ScriptedServer(answer=full) as server:
            read = await session(server, 0, None, "run")
            room = int(read * 1.2) + MOST + 2  # less than the bytes of a prompt
            await session(server, 1, read + MOST + room, "run")
            with pytest.raises(OverBudget):
                await session(server, 2, room, "another")

    asyncio.run(go())


def test_what_is_a_bound_and_no_count_is_told(tmp_path: Path) -> None:
    async def go() -> dict[str, float]:
        at: dict[int, Any] = {1: "500", 3: "reset", 4: "429"}
        async with (
            ScriptedServer(answer=full, fault_at=at) as server,
            Connection(tmp_path, "run") as connection,
        ):
            model = connection.connect(config(server))
            calls = [model.complete(prompt(number), schema=None) for number in range(5)]
            await asyncio.gather(*calls, return_exceptions=True)
            return connection.cost()

    cost = asyncio.run(go())
    assert (cost["attempts"], cost["uncounted_attempts"]) == (5, 2)  # turned away costs nothing
    assert 2 * MOST < cost["uncounted_tokens"] < cost["input_tokens"] + cost["output_tokens"]
    assert cost["uncounted_usd"] == pytest.approx(cost["uncounted_tokens"] / 1e6)
    assert cost["uncounted_usd"] < cost["usd"]


def test_the_traffic_tells_asked_from_replayed(tmp_path: Path) -> None:
    seen: list[Callable[[], Traffic]] = []

    async def go(*answers: str | Refused) -> Traffic:
        spending = Spending(watch=seen.append)
        model = ScriptedModel(list(answers))
        async with Connection(tmp_path, "run", spending, model) as connection:
            asked = connection.connect(model.config)
            await asked.complete(prompt(0), schema=None)
            with pytest.raises(Refused):
                await asked.complete(prompt(1), schema=None)
            assert connection.cost()["replayed"] == connection.traffic().replayed
        return seen[-1]()

    first = asyncio.run(go("yes", Refused("no")))
    assert (first.asked, first.replayed) == (2, 0)
    again = asyncio.run(go())
    assert (again.asked, again.replayed) == (0, 2)


def test_the_traffic_shows_what_is_in_flight(tmp_path: Path) -> None:
    async def go() -> Traffic:
        came = asyncio.Event()

        def answer(request: Request) -> None:
            if request.number == 3:
                came.set()

        async with (
            ScriptedServer(answer=answer, latency=0.2) as server,
            Connection(tmp_path, "run") as connection,
        ):
            model = connection.connect(config(server))
            calls = [
                asyncio.create_task(model.complete(prompt(number), schema=None))
                for number in range(3)
            ]
            await came.wait()
            traffic = connection.traffic()
            await asyncio.gather(*calls)
            assert connection.traffic().in_flight == 0
        return traffic

    traffic = asyncio.run(go())
    assert (traffic.in_flight, traffic.limit, traffic.most) == (3, 4, 4)


def test_without_a_judge_that_pays_nothing_is_written(tmp_path: Path) -> None:
    async def go() -> dict[str, float]:
        async with Connection(tmp_path / "runs", "run") as connection:
            assert connection.traffic() == Traffic()
            return connection.cost()

    assert asyncio.run(go()) == {}
    assert not (tmp_path / "runs").exists()


def test_the_last_to_close_takes_nothing_back_that_others_learnt(tmp_path: Path) -> None:
    async def ask(server: ScriptedServer, run: str, during: Coroutine[Any, Any, None]) -> None:
        async with Connection(tmp_path, run) as connection:
            model = connection.connect(
                config(server).model_copy(update={"seed": 1, "temperature": 0.5})
            )
            await during
            await model.complete(prompt(1), schema=None)

    async def nothing() -> None:
        """Nobody else runs."""

    async def go() -> dict[str, dict[str, Any]]:
        async with ScriptedServer(refuses=("temperature",)) as server:
            await ask(server, "first", nothing())
            server.refuses = ("temperature", "seed")
            # It asks nothing, as the call is on record, and closes after the one that learns.
            await ask(server, "second", _other(server))
        with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
            return ledger.capabilities()

    async def _other(server: ScriptedServer) -> None:
        async with Connection(tmp_path, "third") as connection:
            model = connection.connect(
                config(server).model_copy(update={"seed": 1, "temperature": 0.5})
            )
            await model.complete(prompt(2), schema=None)

    (known,) = asyncio.run(go()).values()
    assert known["dropped"] == ["temperature", "seed"]


@pytest.mark.parametrize("spelt", ["{}/", "{}//", "HTTP{}"])
def test_an_endpoint_is_the_same_however_it_is_spelt(tmp_path: Path, spelt: str) -> None:
    async def go() -> int:
        async with ScriptedServer() as server, Connection(tmp_path, "run") as connection:
            for url in (server.base_url, spelt.format(server.base_url).replace("HTTPhttp", "HTTP")):
                one = ModelConfig.model_validate(config(server).model_dump() | {"base_url": url})
                await connection.connect(one).complete(prompt(1), schema=None)
            assert connection.traffic().limit == one.max_connections
            return len(server.requests)

    assert asyncio.run(go()) == 1


def test_bills_above_the_cap_are_a_failure_also_where_they_come_last(tmp_path: Path) -> None:
    async def session(server: ScriptedServer, spending: Spending) -> int:
        async with Connection(tmp_path, "run", spending) as connection:
            await connection.connect(config(server)).complete(prompt(1), schema=None)
            failure = connection.failure()
            return failure.exit_code if failure else 0

    async def go() -> list[int]:
        limits: list[dict[str, Any]] = [
            {"max_cost": 1.0},
            {"max_cost": 1e-4},
            {"max_tokens": 100},
            {"max_tokens": 10**6},
        ]
        async with ScriptedServer(answer=full, fault_at={1: "overbilled"}) as server:
            return [await session(server, Spending(**limit)) for limit in limits]

    assert asyncio.run(go()) == [0, 6, 6, 0]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    async def go() -> None:
        async with ScriptedServer() as server, Connection(tmp_path / "file" / "r", "run") as one:
            with pytest.raises(StorageError, match=r"cannot write .*file") as caught:
                one.connect(config(server))
        assert caught.value.code == "E901"

    asyncio.run(go())


@pytest.mark.parametrize("field", ["input", "output", "cached"])
def test_a_price_without_measure_is_refused(field: str) -> None:
    with pytest.raises(ValueError, match=field):
        Price.model_validate({"input": 1, "output": 1, field: 1e300})


def test_runs_side_by_side_spend_from_one_account_and_keep_to_one_pace(tmp_path: Path) -> None:
    cap = 0.0005

    async def spend(server: ScriptedServer, run: str, together: Together) -> float:
        limits = Spending(max_cost=cap, together=together)
        async with Connection(tmp_path, run, limits) as connection:
            model = connection.connect(config(server, run))
            asks = [model.complete(prompt(n), schema=None) for n in range(60)]
            ends = await asyncio.gather(*asks, return_exceptions=True)
            assert any(isinstance(end, OverBudget) for end in ends)
            return connection.cost()["usd"]

    async def go() -> tuple[float, int]:
        async with ScriptedServer(answer=full, latency=0.01) as server:
            together = Together.under(cap, None)
            spent = await asyncio.gather(*(spend(server, run, together) for run in ("a", "b")))
            return sum(spent), server.stats().max_in_flight

    dollars, width = asyncio.run(go())
    assert 0 < dollars <= cap
    assert width <= 4


def test_what_runs_spent_before_is_counted_once(tmp_path: Path) -> None:
    async def go() -> int:
        async with ScriptedServer(answer=full) as server:
            async with Connection(tmp_path, "a", Spending(max_cost=1)) as connection:
                await connection.connect(config(server)).complete(prompt(0), schema=None)
                before = connection.cost()["usd"]
            with LedgerReader.open(tmp_path / "ledger.sqlite") as ledger:
                together = Together.under(1.0, None, {"a": ledger.spent("a")})
            limits = Spending(max_cost=1, together=together)
            for _ in range(2):
                async with Connection(tmp_path, "a", limits) as connection:
                    connection.connect(config(server))
            assert together.account.spent_dollars == pytest.approx(before)
            return len(server.requests)

    assert asyncio.run(go()) == 1
