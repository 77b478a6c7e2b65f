"""Where queries are answered: their limits, what they leave, and an engine that dies."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rubric_engine.judges.rules.outcome import Undecided
from rubric_engine.judges.rules.sql_desk import SqlDesk
from rubric_engine.judges.rules.view import View
from rubric_engine.submitted import Submission
from tests.judges.data_files import sql, submission
from tests.judges.desk import result_of, written

__all__ = ["submission"]


ENDLESS = "with recursive t(n) as (select 1 union all select n + 1 from t) select max(n) from t"
HUNGRY = "select len(string_agg(repeat('x', 1000), '' order by range)) > 1 from range(100000000)"


def test_a_query_is_ended_at_its_time_limit() -> None:
    with SqlDesk(time_limit=1.0) as desk, pytest.raises(Undecided) as caught:
        desk.ask(ENDLESS, View({}))
    assert (caught.value.reason, caught.value.found) == ("check_limit", "not done in 1 s")


def test_after_a_query_that_was_ended_the_next_is_answered() -> None:
    with SqlDesk(time_limit=0.001) as desk:
        with pytest.raises(Undecided, match="not done"):
            desk.ask(ENDLESS, View({}))
        desk.time_limit = 60.0
        assert desk.ask("select 1", View({}))["rows"] == [[{"value": 1.0}]]


def test_closing_the_desk_ends_the_query_that_runs() -> None:
    desk = SqlDesk(time_limit=60.0)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(desk.ask, ENDLESS, View({}))
        while desk._child is None:
            pass
        desk.close()
        with pytest.raises(Undecided) as caught:
            asked.result()
    assert caught.value.reason == "cancelled"


def test_a_query_is_ended_at_its_memory_limit() -> None:
    with SqlDesk(time_limit=60.0, memory_limit=64_000_000) as desk:
        answer = desk.ask(HUNGRY, View({}))
    assert answer["error"] == "OutOfMemoryException"


@pytest.mark.parametrize("query", ["select count(*) > 0 from '*.csv'", "select 1 from 'big.csv'"])
def test_only_a_file_that_the_query_names_is_too_large(tmp_path: Path, query: str) -> None:
    written(tmp_path / "s", {"a/b.csv": "v\n1\n", "hb.csv": "v\n1\n"})
    with (tmp_path / "s" / "big.csv").open("wb") as file:
        file.truncate(300_000_000)
    submission = written(tmp_path / "s", {})
    assert result_of(sql(query), submission).reason == "check_limit"
    for name in ("a/*.csv", "hb.csv"):
        assert result_of(sql(f"select max(v) = 1 from '{name}'"), submission).score == 1.0


def test_files_may_be_too_large_together(submission: Submission) -> None:
    view = View(dict.fromkeys(submission.files.readable, submission))
    with SqlDesk(max_copied=45) as desk:
        assert desk.ask("select 1 from 'steps.csv' limit 1", view)["count"] == 1
        with pytest.raises(Undecided, match="together"):
            desk.ask("select 1 from '*.csv'", view)


def test_an_answer_does_not_depend_on_the_queries_before(submission: Submission) -> None:
    view = View(dict.fromkeys(submission.files.readable, submission))
    asked = ["select count(*) from glob('*')", HUNGRY, "select count(*) from read_csv('steps.csv')"]
    with SqlDesk(memory_limit=64_000_000) as desk:
        together = [desk.ask(query, view) for query in asked]
        desk.ask("select 1 from 'table.tsv'", view)
        again = [desk.ask(query, view) for query in reversed(asked)]
    assert together == again[::-1]


def test_copies_are_gone_when_the_desk_closes(submission: Submission, scratch: Path) -> None:
    view = View(dict.fromkeys(submission.files.readable, submission))
    with SqlDesk() as desk:
        named = desk.ask("select list(file order by file) = ['steps.csv'] from glob(chr(42))"
                         " where 'steps.csv' > ''", view)  # fmt: skip
        assert named["rows"] == [[{"value": True}]]
        (folder,) = scratch.iterdir()
        assert [file.stat().st_mode & 0o777 for file in folder.iterdir()] == [0o400]
    assert not list(scratch.iterdir())
    with pytest.raises(Undecided, match="cancelled"):
        desk.ask("select 1", view)


def test_a_killed_engine_leaves_no_query(tmp_path: Path) -> None:
    program = (
        "from rubric_engine.judges.rules.sql_desk import SqlDesk\n"
        "from rubric_engine.judges.rules.view import View\n"
        f"SqlDesk(time_limit=100.0).ask({ENDLESS!r}, View({{}}))\n"
    )
    engine = subprocess.Popen([sys.executable, "-c", program], env={"TMPDIR": str(tmp_path)})
    children = Path(f"/proc/{engine.pid}/task/{engine.pid}/children")
    while not (found := children.read_text().split()):
        pass
    child = Path(f"/proc/{found[0]}/cmdline")
    while b"sql_child" not in child.read_bytes() or not list(tmp_path.rglob("query-*")):
        pass
    engine.kill()
    engine.wait()
    while child.exists() and child.read_bytes():
        pass
