import pickle

import pytest

from rubric_engine import errors
from rubric_engine.errors import Place, Problem, RubricEngineError, RubricError

ALL = [
    error
    for error in vars(errors).values()
    if isinstance(error, type) and issubclass(error, RubricEngineError)
]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (Place("r.yaml"), "r.yaml"),
        (Place("r.yaml", 3), "r.yaml:3"),
        (Place("r.yaml", 3, 7), "r.yaml:3:7"),
    ],
)
def test_a_place_as_text(place: Place, text: str) -> None:
    assert str(place) == text


def test_an_error_says_code_place_and_message() -> None:
    error = RubricError("weight is -1", code="E204", place=Place("r.yaml", 3, 7))
    assert str(error) == "[E204] r.yaml:3:7: weight is -1"
    assert str(RubricError("no rubric")) == "[E202] no rubric"


def test_an_error_carries_what_it_knows() -> None:
    problem = Problem("E204", "weight is -1", key="a", path=("root",), hint="0 or more")
    error = RubricError("1 problem", key="a", looked=["./x"], fix=["do y"], problems=[problem])
    assert (error.looked, error.fix, error.problems) == (("./x",), ("do y",), (problem,))


@pytest.mark.parametrize("error", ALL, ids=lambda error: error.__name__)
def test_every_error_has_a_code_a_kind_and_an_exit_code(error: type[RubricEngineError]) -> None:
    raised = error("what is wrong")
    assert raised.code[0] == "E"
    assert raised.code[1:].isdigit()
    assert raised.kind
    assert raised.exit_code in {2, 3, 4, 6, 7, 8, 9, 70}


@pytest.mark.parametrize("error", ALL, ids=lambda error: error.__name__)
def test_an_error_crosses_processes(error: type[RubricEngineError]) -> None:
    raised = error("what is wrong", code="E299", place=Place("r.yaml", 1), fix=["do y"])
    again = pickle.loads(pickle.dumps(raised))
    assert (str(again), again.fix) == (str(raised), raised.fix)


def test_leaf_classes_have_codes_of_their_own() -> None:
    codes = [error.default_code for error in ALL]
    assert len(set(codes)) == len(codes)
