"""The names that `rubric_engine.judgeeval` offers."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

import rubric_engine.judgeeval as judgeeval


def test_names_are_sorted_documented_and_no_modules() -> None:
    assert dir(judgeeval) == sorted(judgeeval.__all__)
    # A module of the same name would take the place of a function once it is imported.
    modules = {module.name for module in pkgutil.iter_modules(judgeeval.__path__)}
    assert not modules & set(judgeeval.__all__)
    for name in judgeeval.__all__:
        value = getattr(judgeeval, name)
        assert value.__doc__ or name == "Ungraded", name
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = judgeeval.no_such_name


def test_numbers_need_neither_scipy_nor_scikit_learn() -> None:
    code = (
        "import sys; from rubric_engine.judgeeval import Cells, figures; "
        "print(figures(Cells(1, 0, 0, 1)).f1, {'scipy', 'sklearn'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1.0 set()\n"
