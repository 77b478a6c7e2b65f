"""Which models an endpoint lists."""

from __future__ import annotations

from rubric_engine.model import ModelConfig
from rubric_engine.models.credentials import find_key
from rubric_engine.models.endings import Endings
from rubric_engine.models.faults import AttemptFault
from rubric_engine.models.transport import Transport


async def listed_models(config: ModelConfig) -> tuple[str, ...]:
    """Ask an endpoint once for the names of its models; this costs nothing.

    Args:
        config: The endpoint, its key and the time limit; its model is not asked.

    Returns:
        The names; none where the endpoint keeps no such list.

    Raises:
        CredentialsError: There is no key, or it was rejected.
        ProviderError: The endpoint cannot be reached.
        ModelFault: It gave no answer.
    """
    transport, endings = Transport(config, find_key(config)), Endings(config)
    try:
        return _names(await transport.models())
    except AttemptFault as fault:
        if fault.kind == "missing":
            return ()
        endings.saw_fault(fault)
        ending = endings.of(fault)
    finally:
        await transport.aclose()
    raise ending


def _names(body: object) -> tuple[str, ...]:
    rows = body.get("data") if isinstance(body, dict) else None
    found = rows if isinstance(rows, list) else []
    names = (row.get("id") for row in found if isinstance(row, dict))
    return tuple(name for name in names if isinstance(name, str))
