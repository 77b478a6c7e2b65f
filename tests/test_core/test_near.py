import pytest

from rubric_engine.near import near


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("requirment", "did you mean 'requirements'?"),
        ("sub_task", "did you mean 'sub_tasks'?"),
        ("colour", None),
        ("", None),
        ("weight", None),
    ],
)
def test_near_misses(name: str, meant: str | None) -> None:
    assert near(name, ["requirements", "sub_tasks", "weight"]) == meant


def test_of_no_names_none_is_near() -> None:
    assert near("weight", []) is None
