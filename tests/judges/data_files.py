"""A submission of data files of every format that a query may read, good and broken."""

from __future__ import annotations

from typing import Any

import pytest

from rubric_engine.submitted import Submission
from tests.judges.desk import written

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
