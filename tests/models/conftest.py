from __future__ import annotations

import sys

import pytest


@pytest.fixture(params=["aiohttp", "plain"])
def transport(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each transport of the SDK: the plain one is taken where aiohttp is not installed."""
    if request.param == "plain":
        monkeypatch.setitem(sys.modules, "aiohttp", None)
    else:
        pytest.importorskip("aiohttp")
