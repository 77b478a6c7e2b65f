from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.ledger import Call, call_key
from rubric_engine.model import Message

_ROLES = st.sampled_from(["system", "user", "assistant"])
_TEXTS = st.text(st.characters(exclude_categories=[]), max_size=20) | st.just("long " * 3000)
_MESSAGES = st.lists(st.builds(Message, role=_ROLES, content=_TEXTS), max_size=4)
_JSON = st.dictionaries(st.text(max_size=5), st.none() | st.integers() | st.text(), max_size=4)
_CALLS = st.builds(
    Call, requested=_JSON, messages=_MESSAGES.map(tuple), schema=st.none() | _JSON,
    sample=st.integers(0, 3),
)  # fmt: skip


@given(_CALLS, _CALLS)
def test_keys_are_equal_exactly_where_the_requests_are(one: Call, other: Call) -> None:
    assert (one.key == other.key) == (one == other)


@given(_CALLS)
def test_the_order_in_which_parameters_were_written_does_not_matter(call: Call) -> None:
    turned = dict(reversed(call.requested.items()))
    assert call_key(turned, call.messages, call.schema, call.sample) == call.key


@pytest.mark.parametrize(
    "changed",
    [
        {"requested": {"name": "other"}},
        {"messages": [Message(role="user", content="ab")]},
        {"messages": [Message(role="user", content="a"), Message(role="user", content="b")]},
        {"messages": [Message(role="assistant", content="a")]},
        {"schema": None},
        {"sample": 1},
    ],
)
def test_every_part_of_a_request_is_in_its_key(changed: dict[str, Any]) -> None:
    call: dict[str, Any] = {
        "requested": {"name": "m"},
        "messages": [Message(role="user", content="a")],
        "schema": {},
        "sample": 0,
    }
    assert call_key(**call) != call_key(**(call | changed))


def test_a_key_does_not_change_from_release_to_release() -> None:
    key = call_key({"name": "m", "seed": None}, [Message(role="user", content="é")], {"a": 1}, 2)
    assert key == "1f63f16b572448392121dbf5cc2850788880008b0d389b65cd82cf17dc247179"
