from __future__ import annotations

import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_engine.grading import Grade
from rubric_engine.judges.rules.sql import rubrics_fault
from rubric_engine.submission import load_submission
from rubric_engine.submitted import Submission
from tests.judges.data_files import sql, submission
from tests.judges.desk import RESULT, grade_of, grades_of, leaf_of, ran, result_of, written

__all__ = ["submission"]


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
    "select sum(steps) = 971 from read_csv('st*')",
    "select sum(steps) = 971 from read_csv('ste' || 'ps.csv')",
    "select sum(steps) = 971 from read_csv(['steps.csv']) -- 'nosuch.csv'",
    "select count(*) = 2 from './steps.csv'",
    'select count(*) = 2 from "steps.csv"',
    "select count(*) = 2 from read_csv($$steps.csv$$)",
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
    "select max(x.steps) > 1 from 'run.json' a": 'Referenced table "x" not found',
    "select steps > 1 from 'steps.csv'": "the query gave 2 rows; one value was due",
    "select a.range > 1 from range(2000) a, 'steps.csv'": "gave at least 1002 rows",
    "select (select steps from 'steps.csv') > 1 from 'steps.csv' limit 1": "More than one row",
    "select method from 'steps.csv' limit 1": "a truth value was due, not 'gd'",
    "select max(steps) from 'steps.csv'": "900 is not from 0 to 1",
    "select max(loss) from 'steps.csv'": "0.1, but the leaf gives no partial credit",
    "from 'steps.csv' limit 1": "one value was due, not a row of 3 values",
    "select max(steps) > 1 from read_csv('src\\.csv')": "no file matches",
    "select columns('kap.*') > 1 from 'steps.csv'": "No matching columns",
    "select count(*) > 1 from (unpivot 'steps.csv' on kappa)": "referenced in UNPIVOT",
    "select count(*) > 1 from 'steps.csv' natural join (select 1 as z)": "NATURAL JOIN",
    "select count(*) > 1 from 'steps.csv' join 'table.tsv' using (kap)": 'Column "kap" does not',
    "select 1 from 'steps.csv' union select * from 'table.tsv'": "Set operations",
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
    "select steps > 1 from 'steps.csv' group by method",
    "select max(steps) > 1 from read_csv('steps.csv', nosuch = 3)",
    "select method = 'gd', steps > 1 from 'steps.csv' limit 1",
    "select max(steps) > 'abc'::int from 'steps.csv'",
    "select max(steps) > 1 from 'nosuch.csv' limit 'a'",
    "select max(steps::nosuch) > 1 from 'nosuch.csv'",
    "select max(day) > date '20-a' from 'nosuch.csv'",
    "select range, range from range(2)",
    "select range > 0 from range(2)",
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


def test_deep_folders_and_long_paths_are_no_obstacle(tmp_path: Path) -> None:
    files: list[tuple[str, bytes]] = [("d/" * 1500 + "a.csv", b"v\n1\n")]
    files += [("long/" * 900 + "b.csv", b"v\n1\n"), ("a.csv", b"v\n1\n")]
    archive = tmp_path / "s.tar"
    with tarfile.open(archive, "w") as tar:
        for path, content in files:
            member = tarfile.TarInfo(path)
            member.size = len(content)
            tar.addfile(member, BytesIO(content))
    submission = load_submission(archive)
    check = sql("select count(*) >= 1 from '**/*.csv'")
    assert result_of(check, submission).score == 1.0


BLAME = [
    ('Binder Error: Invalid named parameter "nosuch" for function read_csv', True),
    ('Binder Error: column "a" must appear in the GROUP BY clause or be used', True),
    ("Binder Error: WHERE clause cannot contain aggregates!", True),
    ("Binder Error: WHERE clause cannot contain window functions!", True),
    ("Binder Error: aggregate function calls cannot be nested", True),
    ("Binder Error: aggregate functions are not allowed in FILTER", True),
    ("Binder Error: ORDER term out of range - should be between 1 and 1", True),
    ('Binder Error: Referenced column "a" was not found because the FROM clause is missing', True),
    ("Binder Error: No function matches the given name and argument types 'substr()'.", True),
    ("Binder Error: No function matches the given name and argument types"
     " 'max(INTEGER_LITERAL, STRING_LITERAL)'.", True),
    ("Binder Error: Subquery returns 2 columns - expected 1", True),
    ("Invalid Input Error: Values were not provided for the following parameters: 1", True),
    ("Binder Error: No function matches the given name and argument types 'sum(VARCHAR)'.", False),
    ('Binder Error: Referenced column "a" not found in FROM clause!', False),
    ('Binder Error: Column "a" does not exist on left side of join!', False),
    ('Binder Error: Column "a" in EXCLUDE list not found in FROM clause', False),
    ('Binder Error: Column "a" in REPLACE list not found in FROM clause', False),
    ('Binder Error: Ambiguous reference to column name "a" (use: "x.a" or "y.a")', False),
    ("Binder Error: UNNEST() can only be applied to lists, structs and NULL, not BIGINT", False),
    ("Binder Error: Cannot deduce template type 'T' in function", False),
    ('Binder Error: table "t" has 2 columns available but 3 columns specified', False),
    ('Binder Error: Referenced column "a" not found in FROM clause! Candidate bindings:'
     ' "Binder Error: Invalid named parameter"', False),
]  # fmt: skip


@pytest.mark.parametrize(("message", "expected"), BLAME)
def test_whose_fault_a_message_tells(message: str, expected: bool) -> None:
    assert rubrics_fault("BinderException", message, star=False, plain=False) is expected


def test_a_number_of_columns_is_the_datas_where_the_query_takes_all() -> None:
    message = "Binder Error: Subquery returns 2 columns - expected 1"
    assert not rubrics_fault("BinderException", message, star=True, plain=False)
