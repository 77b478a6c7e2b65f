from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_engine.case import Submission
from rubric_engine.grading import Grade
from rubric_engine.judges.rules.outcome import Undecided
from rubric_engine.judges.rules.sql_desk import SqlDesk
from rubric_engine.judges.rules.view import View
from tests.judges.desk import RESULT, grade_of, grades_of, leaf_of, ran, result_of, written

FILES: dict[str, str | bytes] = {
    "steps.csv": "method,steps,loss\ngd,900,0.1\nhb,71,0.01\n",
    "we'ird dir/b c.csv": "v\n1\n2\n",
    "table.tsv": "a\tb\n1\t2\n",
    "run.json": '{"a": 1, "b": {"c": 2}}',
    "log.jsonl": '{"a": 1}\n{"a": 2}\n',
    "log.ndjson": '{"a": 1}\n{"a": 2}\n',
    "broken.json": '{"a": ',
    "broken.parquet": b"PAR1 and no more",
    "latin.csv": b"\xff\xe9,b\n1,2\n",
    "empty.csv": "",
    "lfs.csv": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
    "notes.txt": "a,b\n1,2\n",
}


@pytest.fixture(scope="module")
def submission(tmp_path_factory: pytest.TempPathFactory) -> Submission:
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tmp_path_factory.mktemp("sql") / "submission"
    folder.mkdir()
    pq.write_table(pa.table({"a": [1, 2]}), folder / "table.parquet")
    (folder.parent / "outside.csv").write_text("secret\n1\n")
    (folder / "link.csv").symlink_to(folder.parent / "outside.csv")
    return written(folder, FILES)


def sql(query: str) -> dict[str, Any]:
    return {"sql": {"query": query}}


MET = [
    "select max(steps) > 800 from 'steps.csv'",
    "select sum(v) = 3 from 'we''ird dir/b c.csv'",
    "select sum(a) = 1 from 'table.tsv'",
    "select b.c = 2 from 'run.json'",
    "select sum(a) = 3 from 'log.jsonl'",
    "select sum(a) = 3 from 'log.ndjson'",
    "select sum(a) = 3 from 'table.parquet'",
    "select sum(a) = 3 from read_parquet('table.parquet')",
    "select count(*) = 2 from read_csv('steps.csv', header = true)",
    "with t as (from 'steps.csv') select max(steps) = 900 from t",
    "select a.steps * 12 < b.steps from 'steps.csv' a, 'steps.csv' b "
    "where a.method = 'hb' and b.method = 'gd'",
    "select 1",
    "values (true)",
]


@pytest.mark.parametrize("query", MET)
def test_a_query_reads_the_data_files(grades: dict[str, Grade], query: str) -> None:
    assert grades[query].score == 1.0, grades[query].explanation


NOT_MET = {
    "select max(steps) > 1000 from 'steps.csv'": "false",
    "select max(steps) > 1 from 'nosuch.csv'": "no file matches nosuch.csv",
    "select max(steps) > 1 from 'no/**/such.csv'": "no file matches no/**/such.csv",
    "select max(steps) > 1 from read_csv('nosuch.csv')": "no file matches nosuch.csv",
    "select max(kappa) > 1 from 'steps.csv'": 'Referenced column "kappa" not found',
    "select max(s.kappa) > 1 from 'steps.csv' s": 'does not have a column named "kappa"',
    "select max(method) > 3 from 'steps.csv'": "Cannot compare values of type VARCHAR",
    "select sum(method) > 3 from 'steps.csv'": "No function matches",
    "select max(method::int) > 3 from 'steps.csv'": "Could not convert string",
    "select b.d = 2 from 'run.json'": "Could not find key",
    "select a.c.d = 2 from 'run.json'": "Cannot extract field",
    "select a = 1 from 'broken.json'": "Malformed JSON",
    "select a = 1 from 'broken.parquet'": "No magic bytes",
    "select b = 2 from 'latin.csv'": "not utf-8",
    "select max(steps) > 1 from 'empty.csv'": "Referenced column",
    "select max(oid) > 1 from 'lfs.csv'": "Git LFS pointer",
    "select max(secret) = 1 from 'link.csv'": "link.csv: ",
    "select max(steps) > 1 from 'steps.csv' where method = 'adam'": "NULL",
    "select steps > 1 from 'steps.csv' where method = 'adam'": "no row",
    "select 'nan'::double from 'steps.csv' limit 1": "NaN",
    "select 0": "0",
}


@pytest.mark.parametrize("query", NOT_MET)
def test_what_the_submission_lacks_is_a_zero_that_says_so(
    grades: dict[str, Grade], query: str
) -> None:
    (result,) = grades[query].checks
    assert (result.score, result.reason) == (0.0, None), result.found
    assert NOT_MET[query] in result.found


RUBRIC_ERRORS = [
    "selec 1",
    "select max(steps from 'steps.csv'",
    "select nosuch(steps) from 'steps.csv'",
    "select nosuch(steps) from 'nosuch.csv'",  # DuckDB complains of the file; ours comes first
    "select sum(nosuch(kappa)) > 1 from 'steps.csv'",
    "select max(steps) > 1 from steps",
    "select max(steps) > 1 from 'notes.txt'",
    "select kappa > 1",
    "select 'abc' > 1",
    "select max(b.steps) > 1 from 'steps.csv' a",
    "select steps > 1 from 'steps.csv' group by method",
    "select max(steps) > 1 from read_csv('steps.csv', nosuch = 3)",
    "select steps > 1 from 'steps.csv'",
    "select (select steps from 'steps.csv') > 1 from 'steps.csv' limit 1",
    "select method = 'gd', steps > 1 from 'steps.csv' limit 1",
    "select method from 'steps.csv' limit 1",
    "select max(steps) from 'steps.csv'",
    "select -1",
    "select 0.5",
    "select date '2020-01-01'",
    "select 1; select 1",
    "-- nothing",
]

ESCAPES = [
    "select count(*) > 0 from read_text('/etc/passwd')",
    "select count(*) > 0 from '{outside}'",
    "select count(*) > 0 from '../outside.csv'",
    "select count(*) > 0 from 'x/../../outside.csv'",
    "select count(*) > 0 from glob('/**')",
    "select count(*) > 0 from 'https://example.com/a.csv'",
    "select count(*) > 0 from 's3://example.com/a.parquet'",
    "select getenv('HOME') is not null",
    "select count(*) > 0 from sniff_csv('/etc/passwd')",
    "copy (select 1) to 'x.csv'",
    "copy (select 1) to '{outside}'",
    "attach 'x.db'",
    "attach '{outside}'",
    "install httpfs",
    "load httpfs",
    "set threads = 4",
    "set enable_external_access = true",
    "pragma version",
    "create table t as select 1",
    "export database 'x'",
    "import database 'x'",
    "call pragma_version()",
    "explain select 1",
]


@pytest.fixture(scope="module")
def outside(submission: Submission, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file beside the submission, which the queries of `ESCAPES` try to reach."""
    file = tmp_path_factory.mktemp("beside") / "outside.csv"
    file.write_text("secret\n1\n")
    return file


@pytest.fixture(scope="module")
def grades(submission: Submission, outside: Path) -> dict[str, Grade]:
    """The grade of a leaf for every query of the tables, made in one grading."""
    queries = [*MET, *NOT_MET, *RUBRIC_ERRORS, *ESCAPES]
    leaves = [leaf_of([sql(query.format(outside=outside))], key=query) for query in queries]
    return grades_of(leaves, submission)


@pytest.mark.parametrize("query", RUBRIC_ERRORS)
def test_a_wrong_query_is_the_rubrics_fault(grades: dict[str, Grade], query: str) -> None:
    assert grades[query].reason == "rubric_error", grades[query].explanation


@pytest.mark.parametrize("query", ESCAPES)
def test_a_query_reaches_nothing_but_the_data_files(
    grades: dict[str, Grade], outside: Path, query: str
) -> None:
    assert grades[query].reason == "rubric_error", grades[query].explanation
    assert outside.read_text() == "secret\n1\n"


def test_a_fraction_counts_where_the_leaf_gives_partial_credit(submission: Submission) -> None:
    check = sql("select 0.6")
    assert grade_of([check], submission, aggregate="weighted_mean").score == 0.6
    steps = [{"score": score, "says": "so"} for score in (1, 0, 0.5)]
    assert grade_of([check], submission, scale=steps).score == 0.5
    assert grade_of([sql("select 1.1")], submission, scale=steps).reason == "rubric_error"


def test_a_leaf_that_needs_a_run_sees_only_what_the_run_made(tmp_path: Path) -> None:
    before = written(tmp_path / "before", {"old.csv": "v\n1\n", "src/run.py": ""})
    after = written(
        tmp_path / "after", {"old.csv": "v\n1\n", "src/run.py": "", "new.csv": "v\n1\n"}
    )
    run = ran(before, after)
    new, old = sql("select max(v) = 1 from 'new.csv'"), sql("select max(v) = 1 from 'old.csv'")
    assert result_of(new, before, run, task_category=RESULT).score == 1.0
    found = result_of(old, before, run, task_category=RESULT)
    assert (found.score, found.found) == (
        0.0,
        "old.csv: handed in, but not made by the run",
    )
    assert result_of(old, before, run).score == 1.0
    assert result_of(new, before, task_category=RESULT).reason == "not_run"


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


@given(
    content=st.binary(max_size=200),
    name=st.sampled_from(["a.csv", "a.tsv", "a.json", "a.jsonl", "a.parquet"]),
    head=st.sampled_from([b"", b"PAR1", b'{"v": ', b"v\n", b"[" * 5000]),
)
@settings(max_examples=12, deadline=None)
def test_no_data_breaks_the_judge(content: bytes, name: str, head: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        submission = written(Path(folder) / "s", {name: head + content})
        result = result_of(sql(f"select max(v) = 1 from '{name}'"), submission)
    assert result.reason in (None, "check_limit")


def test_a_query_is_ended_at_its_memory_limit() -> None:
    with SqlDesk(time_limit=60.0, memory_limit=64_000_000) as desk:
        answer = desk.ask(HUNGRY, View({}))
    assert answer["error"] == "OutOfMemoryException"


def test_data_that_is_too_large_to_copy_is_a_limit_only_where_a_query_may_name_it(
    submission: Submission,
) -> None:
    view = View(dict.fromkeys(submission.files.readable, submission))
    with SqlDesk(max_copied=100) as desk:
        assert desk.ask("select 1", view)["rows"] == [[{"value": 1.0}]]
        with pytest.raises(Undecided, match="too many"):
            desk.ask("select max(a) > 1 from 'table.parquet'", view)


def test_copies_are_gone_when_the_desk_closes(
    submission: Submission, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    view = View(dict.fromkeys(submission.files.readable, submission))
    with SqlDesk() as desk:
        desk.ask("select 1", view)
        (folder,) = tmp_path.iterdir()
        assert (folder / "steps.csv").stat().st_mode & 0o777 == 0o400
        assert not (folder / "link.csv").exists()
        assert not (folder / "notes.txt").exists()
    assert not list(tmp_path.iterdir())
    with pytest.raises(Undecided, match="cancelled"):
        desk.ask("select 1", view)
