"""A wrong query is the rubric's fault, whether the data is there or not; wrong data never is."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.grading import Grade
from tests.judges.desk import grades_of, leaf_of, written

pytestmark = pytest.mark.slow  # some hundred queries, each against data and against none

FILES: dict[str, str | bytes] = {
    "a.csv": "name,loss,step,day\na,0.5,1,2020-01-01\nb,0.25,2,2020-01-02\n",
    "a.json": '[{"name": "a", "m": {"loss": 0.5}, "l": [1, 2]}]',
    "bad.csv": "name,loss,step,day\n(,high,-1,soon\n",
}

WRONG = [
    "round(loss, 1, 2, 3) > 0",
    "list_extract(loss) > 0",
    "lower(name, 'x') = 'a'",
    "max(loss, 1, 2) > 0",
    "regexp_matches(name, '(')",
    "regexp_extract(name, 'a', 'b', 'c', 'd') = 'a'",
    "regexp_replace(name, '[', '') = 'a'",
    "name similar to '('",
    "name ~ '*'",
    "date_trunc('foo', day) > '2000-01-01'",
    "date_part('foo', day) > 1",
    "extract(foo from day) > 1",
    "date_diff('foo', day, day) > 1",
    "date_part('foo', date '2000-01-01') > loss",
    "strptime('2020', '%Q') > '2000-01-01'",
    "strptime('abc', '%Y') > day",
    "strptime(name, '%Q') > '2000-01-01'",
    "strftime(day, '%Q') > '2000'",
    "quantile_cont(loss, 2) < 1",
    "quantile_cont(loss, step) < 1",
    "struct_extract({'a': 1}, 'b') = loss",
    "({'a': 1}).b = loss",
    "json_extract(name, '$[[') = '1'",
]

WRONG_ENDINGS = ["limit 1 offset -1", "limit -1", "limit 'a'", "limit (1 - 2)", "limit 200 percent"]

WRONG_OF_A_FILE = [
    "select max(a.loss) < 1 from 'a.csv' b",
    "select count(*) > 1 from read_csv('a.csv', delim = 'abcdefgh')",
    "select count(*) > 1 from read_csv('a.csv', quote = 'abc')",
    "select count(*) > 1 from read_csv('a.csv', header = 'maybe')",
    "select count(*) > 1 from read_csv('nosuch.csv', header = 'maybe')",
]

DATAS_FAULT = [
    "select max(x.loss) < 1 from 'a.json' b",
    "select max(m.acc) < 1 from 'a.json'",
    "select max(struct_extract(m, 'acc')) < 1 from 'a.json'",
    "select max(round(loss, 1)) < 1 from 'bad.csv'",
    "select max(round(kappa, 1)) < 1 from 'a.csv'",
    "select regexp_matches('', name) from 'bad.csv'",
    "select regexp_matches(kappa, '(a|b)[0-9]+', 'i') from 'a.csv'",
    "select regexp_extract(kappa, '(a)(b)', ['x', 'y']) is null from 'a.csv'",
    "select date_part(day, date '2000-01-01') > 1 from 'bad.csv'",
    "select date_trunc('decade', day) > '2000-01-01' from 'bad.csv'",
    "select date_part(['year', 'month'], day) is null from 'bad.csv'",
    "select extract(epoch from day) > 1 from 'bad.csv'",
    "select date_diff('week', day, day) > 1 from 'bad.csv'",
    "select strptime(name, '%Y') > '2000-01-01' from 'a.csv'",
    "select strptime(name, ['%Y', '%m']) > '2000-01-01' from 'a.csv'",
    "select quantile_cont(kappa, [0.1, 0.9]) is null from 'a.csv'",
    "select quantile_cont(kappa, -0.5) < 1 from 'a.csv'",
    "select percentile_cont(0.5) within group (order by kappa) < 1 from 'a.csv'",
    "select json_extract(kappa, '$.a[0]') = '1' from 'a.csv'",
    "select json_extract(kappa, 'a') = '1' from 'a.csv'",
    "select list_transform(l, lambda x: x.b)[1] > 0 from 'a.json'",
    "select list_reduce(kappa, lambda x, y: x + y) > 0 from 'a.json'",
    "select struct_pack(a := kappa).a > 0 from 'a.csv'",
    "select {'a': kappa}.a > 0 from 'a.csv'",
    "select kappa > 0 from repeat(1, 3), 'a.csv'",
    "select max(kappa, 2)[1] > 0 from 'a.csv'",
    "select count(*) filter (kappa > 0) > 0 from 'a.csv'",
    "select string_agg(kappa, ',') = 'a' from 'a.csv'",
    "select coalesce(kappa, round(1.5), greatest(1, 2, 3)) > 0 from 'a.csv'",
    "select case when count(*) > 1 then error('too many') else true end from 'a.csv'",
    "select try(strptime('abc', '%Y')) is null and kappa > 0 from 'a.csv'",
    "select kappa > 0 from 'a.csv' limit 1 offset 0",
    "select kappa > 0 from 'a.csv' limit 50 percent",
    "select day > date '2000-01-01' + interval 1 day and kappa > 0 from 'a.csv'",
    "select kappa between 1 and 2 ** 3 from 'a.csv'",
    "select row_number() over (order by kappa) > 0 from 'a.csv'",
]


def _queries() -> list[str]:
    both = [f"select {wrong} from '{file}'" for wrong in WRONG for file in ("a.csv", "nosuch.csv")]
    both += [f"select loss < 1 from '{file}' {ending}"
             for ending in WRONG_ENDINGS for file in ("a.csv", "nosuch.csv")]  # fmt: skip
    return both + WRONG_OF_A_FILE


@pytest.fixture(scope="module")
def grades(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Grade]:
    """The grade of a leaf for every query of the tables, made in one grading."""
    folder: Path = tmp_path_factory.mktemp("faults") / "s"
    queries = [*_queries(), *DATAS_FAULT]
    leaves = [leaf_of([{"sql": {"query": query}}], key=query) for query in queries]
    return grades_of(leaves, written(folder, FILES))


@pytest.mark.parametrize("query", _queries())
def test_what_no_data_could_mend_is_the_rubrics_fault(grades: dict[str, Grade], query: str) -> None:
    assert grades[query].reason == "rubric_error", grades[query].explanation


@pytest.mark.parametrize("query", DATAS_FAULT)
def test_what_other_data_could_mend_is_a_zero(grades: dict[str, Grade], query: str) -> None:
    assert (grades[query].score, grades[query].reason) == (0.0, None), grades[query].explanation
