"""The prompt templates of a card, compiled; what is wrong in one is told with its file and line."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine._content import content_folder
from rubric_engine.errors import JudgeCardError, Place

if TYPE_CHECKING:
    from jinja2 import Environment, Template


class Templates:
    """Renders the templates of one card.

    Args:
        texts: The templates by name.
        files: Where each stands.

    Raises:
        JudgeCardError: One is no template.
    """

    def __init__(self, texts: Mapping[str, str], files: Mapping[str, Path]) -> None:
        self._files = files
        environment = _environment()
        self._templates = {
            name: self._compiled(environment, name, text) for name, text in texts.items()
        }

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        """The text that a template makes of some values.

        Raises:
            JudgeCardError: It names something that there is not, or fails otherwise.
        """
        try:
            return self._templates[name].render(values)
        except Exception as error:  # noqa: BLE001  # a template may fail in any way: it is a program
            names = ", ".join(sorted(values)) or "none"
            raise self._wrong(
                f"cannot be rendered: {_said(error)}",
                name,
                self._line(name, error),
                looked=(f"names that this prompt is given: {names}",),
            ) from None

    def _compiled(self, environment: Environment, name: str, text: str) -> Template:
        from jinja2 import Template, TemplateSyntaxError

        try:
            # The file's name stands in tracebacks, from which the line is read.
            code = environment.compile(text, name, str(self._files[name]))
        except TemplateSyntaxError as error:
            raise self._wrong(f"is no template: {error.message}", name, error.lineno) from None
        return Template.from_code(environment, code, environment.make_globals(None))

    def _line(self, name: str, error: BaseException) -> int | None:
        """The line of the template that an error comes from: the innermost, as macros call."""
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(self._files[name])]
        return lines[-1] if lines else None

    def _wrong(
        self, what: str, name: str, line: int | None, looked: tuple[str, ...] = ()
    ) -> JudgeCardError:
        file = self._files[name]
        shipped = content_folder("judges") / "simple" / f"{name}.jinja2"
        fix = [f"edit {file}"]
        if not shipped.exists() or not file.exists() or not shipped.samefile(file):
            fix.append(f"compare it with the shipped prompt: diff {file} {shipped}")
        message = f"prompt {name!r} {what}"
        return JudgeCardError(message, place=Place(str(file), line), looked=looked, fix=fix)


def _environment() -> Environment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    # Texts for a model, not markup: nothing is to be escaped, and nothing is to be called.
    return ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, keep_trailing_newline=False
    )


def _said(error: Exception) -> str:
    """What went wrong; of what the template did itself, with the kind of error."""
    from jinja2 import TemplateError

    said = str(error)
    return said if isinstance(error, TemplateError) else f"{type(error).__name__}: {said}"
