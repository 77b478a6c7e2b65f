"""Language models behind OpenAI-compatible endpoints.

`OpenAIChat` is the client of chat models, `DecisionClient` that of decision models: both negotiate,
retry, limit, bill and read; what they need to know of spending they ask a `Meter`.
"""

from rubric_engine.models.attempt import Attempt
from rubric_engine.models.client import OpenAIChat
from rubric_engine.models.credentials import find_key
from rubric_engine.models.decisions import DecisionClient
from rubric_engine.models.limiter import Limiter
from rubric_engine.models.line import Line
from rubric_engine.models.meter import FreeMeter, InputBound, Meter
from rubric_engine.models.negotiation import Capabilities, capability_key

__all__ = [
    "Attempt",
    "Capabilities",
    "DecisionClient",
    "FreeMeter",
    "InputBound",
    "Limiter",
    "Line",
    "Meter",
    "OpenAIChat",
    "capability_key",
    "find_key",
]
