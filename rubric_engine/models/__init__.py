"""Language models behind OpenAI-compatible endpoints.

`OpenAIChat` is the client: it negotiates, retries, limits, bills and reads; what it needs to know
of spending it asks a `Meter`.
"""

from rubric_engine.models.attempt import Attempt
from rubric_engine.models.client import OpenAIChat
from rubric_engine.models.credentials import find_key
from rubric_engine.models.limiter import Limiter
from rubric_engine.models.meter import FreeMeter, InputBound, Meter
from rubric_engine.models.negotiation import Capabilities, capability_key

__all__ = [
    "Attempt",
    "Capabilities",
    "FreeMeter",
    "InputBound",
    "Limiter",
    "Meter",
    "OpenAIChat",
    "capability_key",
    "find_key",
]
