"""Page data of an evaluation of two judges, one of them with a hostile name and words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rubric_engine.cli.judge_table_document import table_document
from rubric_engine.cli.leaf_set_words import leaf_set_words
from rubric_engine.cli.plain_values import plain
from rubric_engine.judgeeval import table_of
from rubric_engine.judgeeval.charts import draw_charts
from rubric_engine.judgeeval.leaf_texts import CaseTexts
from rubric_engine.judgeeval.page_data import evaluation_page
from tests.judgeeval.judged import Case, evaluation, wrong_on

NAME = "</script><b>\u202e"
HOSTILE = "</script><script>x</script><img src=x onerror=alert(1)>\u202eevil\x00\ud800"


def holed() -> dict[str, Case]:
    """One leaf without a label, one without a grade."""
    said = dict(wrong_on([4]))
    labels, grades = said["a"]
    return said | {"a": ([*labels[:2], None, *labels[3:]], [*grades[:3], None, *grades[4:]])}


def data() -> dict[str, Any]:
    """Two judges on the same labels, one of them with a hostile name and hostile words."""
    holes = holed()
    good = {name: (holes[name][0], own) for name, (_, own) in wrong_on([1]).items()}
    judges = [evaluation("good", good), evaluation(NAME, holes)]
    keys = {leaf.key for leaf in judges[0].leaves}
    asked = {key: f"Is {key} there? {HOSTILE}" for key in keys}
    texts = {case: CaseTexts(asked, dict.fromkeys(keys, HOSTILE)) for case in good}
    table = table_of(judges)
    shown = table_document(table, {Path(str(at)): one for at, one in enumerate(judges)})
    behind = [(one.name, one, texts) for one in judges]
    words = [leaf_set_words(leaves) for leaves in table.leaf_sets]
    page = plain(evaluation_page(shown, words, draw_charts(judges, table=table), behind))
    assert isinstance(page, dict)
    return page
