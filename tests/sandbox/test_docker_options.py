"""What an engine is asked to hold."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from rubric_engine.isolation import Limits
from rubric_engine.sandbox.docker.options import container_options


def test_the_least_of_a_core_is_still_a_limit() -> None:
    """An engine takes 0 for no limit at all."""
    assert container_options(Limits(cpus=0.01), {}, ())["nano_cpus"] == 10_000_000
    with pytest.raises(ValidationError):
        Limits(cpus=1e-10)
