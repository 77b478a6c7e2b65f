"""Text to a `Document`, by the parser of its format."""

from __future__ import annotations

from rubric_engine.rubric_file.document import Document
from rubric_engine.rubric_file.json_text import parse_json
from rubric_engine.rubric_file.source import Blame


def parse(text: str, file: str, blame: Blame, *, placed: bool = False) -> Document:
    """Parse YAML, or JSON where the text begins with ``{``.

    Args:
        text: The text.
        file: Its name, for messages.
        blame: How to raise.
        placed: Whether positions of all values are wanted; slower.

    Raises:
        InputError: As `blame` says: E202 the text does not parse, E213 it nests too deeply, E217
            it holds too many values.
    """
    if text.lstrip().startswith("{"):
        document = parse_json(text, file, blame, placed=placed)
    else:
        # PyYAML is only loaded where a file needs it.
        from rubric_engine.rubric_file.yaml_text import parse_yaml_text

        document = parse_yaml_text(text, file, blame, placed=placed)
    document.text = text
    return document
