"""YAML to values, from the events of the C parser: no recursion, no aliases, no tags.

Only the part of YAML that files for people need: one document of mappings, lists and scalars.
Anchors and aliases are refused, so no small file can stand for a huge tree.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from rubric_engine.errors import InputError
from rubric_engine.rubric_file.document import (
    MAX_VALUES,
    Builder,
    Document,
    excerpt,
    lines_of,
    too_many,
)
from rubric_engine.rubric_file.places import Mark
from rubric_engine.rubric_file.scalars import plain
from rubric_engine.rubric_file.source import Blame

# The pure Python parser gives the same events where PyYAML was built without libyaml.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_SIMPLER = {
    "did not find expected '-' indicator": "expected a new list item or less indentation",
    "did not find expected key": "expected a key, or less indentation",
    "mapping values are not allowed in this context": (
        "a second ': ' in one line; put quotes around text that holds ': '"
    ),
    "found character that cannot start any token": (
        "text must not begin with this character; put quotes around it"
    ),
}


def parse_yaml_text(text: str, file: str, blame: Blame, *, placed: bool) -> Document:
    """Parse YAML; arguments and errors as `rubric_engine.rubric_file.parsing.parse`."""
    document = Document(file, "yaml")
    builder = _YamlBuilder(document, placed=placed)
    loader: Any = None
    try:
        loader = _LOADER(text)
        count = 0
        while True:
            event = loader.get_event()
            if event is None or type(event) is yaml.StreamEndEvent:
                break
            builder.take(event)
            count += 1
            if count > MAX_VALUES:
                raise too_many(file, blame)
    except yaml.YAMLError as error:
        raise _syntax(error, text, document, blame) from None
    finally:
        if loader is not None:
            loader.dispose()
    return document


class _YamlBuilder(Builder):
    def __init__(self, document: Document, *, placed: bool) -> None:
        super().__init__(document, placed=placed)
        self._documents = 0
        self._in_key = 0

    def take(self, event: Any) -> None:
        """Add what an event says."""
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._scalar(event)
        elif kind is yaml.MappingStartEvent:
            self._open({}, event)
        elif kind is yaml.SequenceStartEvent:
            self._open([], event)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._close()
        elif kind is yaml.AliasEvent:
            self._fault(f"aliases (*{event.anchor}) are not allowed", event, "write the value out")
            self._put(None, event)
        elif kind is yaml.DocumentStartEvent:
            self._documents += 1
            if self._documents == 2:
                self._fault("a file holds one document, this begins another", event, "remove '---'")

    def _scalar(self, event: Any) -> None:
        self._refuse_properties(event)
        value = plain(event.value) if event.implicit[0] else event.value
        if value == "<<" and event.implicit[0] and self.wants_key:
            self._fault("merge keys (<<) are not allowed", event, "write the keys out")
        self._put(value, event)

    def _put(self, value: Any, event: Any) -> None:
        mark = _mark(event)
        if self._in_key or self._documents > 1:
            return
        if self.wants_key:
            self.key(str(value), mark)
        else:
            self.value(value, mark)

    def _open(self, container: Any, event: Any) -> None:
        self._refuse_properties(event)
        if self._documents > 1:
            return
        if self._in_key or self.wants_key:
            if not self._in_key:
                self._fault("a key must be text", event, "put quotes around text that holds { or [")
            self._in_key += 1
        else:
            self.open(container, _mark(event))

    def _close(self) -> None:
        if self._documents > 1:
            return
        if not self._in_key:
            self.close()
            return
        self._in_key -= 1
        if not self._in_key:
            self._key = ""

    def _refuse_properties(self, event: Any) -> None:
        if event.anchor is not None:
            self._fault(f"anchors (&{event.anchor}) are not allowed", event, "remove the anchor")
        if event.tag is not None:
            self._fault(f"tags ({event.tag}) are not allowed", event, "remove the tag")

    def _fault(self, message: str, event: Any, hint: str) -> None:
        self.document.fault("E216", message, _mark(event), hint)


def _mark(event: Any) -> Mark:
    start = event.start_mark
    return start.line + 1, start.column + 1


def _syntax(error: yaml.YAMLError, text: str, document: Document, blame: Blame) -> InputError:
    if isinstance(error, yaml.reader.ReaderError):
        return _unprintable(error, text, document, blame)
    problem = str(getattr(error, "problem", None) or error)
    at = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    mark = (at.line + 1, at.column + 1) if at is not None else (1, 1)
    if "nesting depth" in problem:
        message = "nested too deeply for YAML"
        return blame.raised("E213", message, place=document.place(mark), fix=["write it as JSON"])
    line = "".join(lines_of(text, mark[0], mark[0]))
    if "\t" in line[: len(line) - len(line.lstrip())]:
        problem, remark = "tabs are not allowed for indentation", "use spaces"
    else:
        remark = _indentation(text, mark) if "expected" in problem else ""
    return _raised(text, document, blame, mark, _SIMPLER.get(problem, problem), remark)


def _unprintable(
    error: yaml.reader.ReaderError, text: str, document: Document, blame: Blame
) -> InputError:
    # Its offset counts bytes or characters, depending on the parser; the first one is the culprit.
    char = error.character if isinstance(error.character, str) else chr(error.character)
    at = max(text.find(char), 0)
    mark = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    message = f"character U+{ord(char):04X} is not allowed"
    return _raised(text, document, blame, mark, message, "write it as an escape in double quotes")


def _raised(
    text: str, document: Document, blame: Blame, mark: Mark, problem: str, remark: str
) -> InputError:
    return blame.raised(
        "E202",
        f"not valid YAML: {problem}",
        place=document.place(mark),
        looked=excerpt(text, mark, remark),
        fix=[f"mend line {mark[0]}"],
    )


def _indentation(text: str, mark: Mark) -> str:
    """How the line of a position is indented, and how the last one above it is."""
    row, column = mark
    above = lines_of(text, max(row - 20, 1), row - 1)
    sibling = next((line for line in reversed(above) if line.strip()), "")
    wanted = re.match(r"(?:\s|-\s)*", sibling)
    due = (wanted.end() if wanted else 0) + 1
    if not sibling or due == column:
        return ""
    return f"this line begins in column {column}; the one above it in column {due}"
