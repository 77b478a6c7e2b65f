"""How a page is put together, without a browser."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re

import pytest

from rubric_engine.page import assemble, content_policy
from rubric_engine.page.scripts import ASSETS, ENTRIES, script
from tests.page.made import made_page, made_run

RUN, CHUNKS = made_run(30)
PAGE = assemble(made_page(RUN), [CHUNKS], title="A </title> & a \ud800 \u202e title")

VENDORED = "72284e8e9079c87817145df1110f74e8a2aa040b2fc384922e18dfcb46fc1fd7"


def block(page: str, name: str) -> object:
    found = re.search(rf'<script type="text/plain" id="{name}">([A-Za-z0-9+/=]*)</script>', page)
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_the_data_come_back_as_they_were_given() -> None:
    assert block(PAGE, "page") == made_page(RUN)
    assert block(PAGE, "run-0-chunk-0") == CHUNKS[0]
    assert assemble(made_page(RUN), [CHUNKS], title="x") == assemble(
        made_page(RUN), [CHUNKS], title="x"
    )


def test_the_policy_names_the_one_script_and_the_one_style_by_their_hashes() -> None:
    for kind in ("script", "style"):
        found = re.search(rf"<{kind}>(.*?)</{kind}>", PAGE, re.DOTALL)
        assert found is not None
        digest = base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in content_policy()
    assert "connect-src" not in content_policy()
    assert content_policy(served=True).endswith("connect-src 'self'")


def test_a_served_page_holds_no_data() -> None:
    page = assemble(None, api="/api", title="x")
    assert 'data-api="/api"' in page
    assert "text/plain" not in page.split("<script>", maxsplit=1)[0]


def test_any_text_can_be_written_as_a_title() -> None:
    head = PAGE.encode("utf-8").decode().split("</head>", maxsplit=1)[0]
    assert "<title>A &lt;/title&gt; &amp; a \\u{d800} \\u{202e} title</title>" in head


def test_a_marker_in_the_data_stays_text() -> None:
    assert "<title>{{script}}</title>" in assemble(None, title="{{script}}")


def test_a_number_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        assemble({"page": 1, "kind": "runs", "runs": [], "x": float("nan")}, title="x")


def test_what_others_wrote_is_what_they_published_and_has_its_licences() -> None:
    vendor = ASSETS / "vendor"
    assert hashlib.sha256((vendor / "htm-preact.js").read_bytes()).hexdigest() == VENDORED
    assert "Apache License" in (vendor / "LICENSE-htm").read_text()
    assert "MIT License" in (vendor / "LICENSE-preact").read_text()


OURS = sorted(path for path in ASSETS.rglob("*.js") if path.parent.name != "vendor")
FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|__html"
    r"|srcdoc|javascript:|\sstyle=\"|\son[a-z]+=\"|https?://"
)


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_no_script_makes_markup_from_text(path: object) -> None:
    text = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    assert FORBIDDEN.findall(text) == []


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_joined_script_cannot_end_its_element(entry: str) -> None:
    assert not re.search(r"</script|<!--", script(entry), re.IGNORECASE)


def test_every_script_of_the_report_is_part_of_it() -> None:
    there = {f"report/{path.name}" for path in (ASSETS / "report").glob("*.js")}
    assert there == set(ENTRIES["report"])


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_page_has_the_same_tools_in_its_head(entry: str) -> None:
    own = "".join((ASSETS / name).read_text() for name in ENTRIES[entry])
    assert own.count("RE.headTools.Tools") == 1
    assert "onClick=${RE.theme.turn}" not in own
