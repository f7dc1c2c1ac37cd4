"""Values of options and arguments, taken as they stand where they are plain.

Typer has pydantic check each value, which takes longer to load than `show` needs for all that it does. What is
plainly a value of its kind needs no check; whatever is not goes Typer's way, and is refused in Typer's words.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin

import typer
from typer._coercion import RuntimeParam, build_runtime_param
from typer._param_types import coerce_cli_path

if TYPE_CHECKING:
    from typer._click import Command, Context, Parameter
    from typer.core import _TyperParameter

_NUMBER: Final = re.compile(r"-?[0-9]{1,15}")
_OTHERWISE: Final = object()


def take_plainly(command: Command) -> Command:
    """Let a command, and the commands below it, take plain values as they stand; return it."""
    changed: Any = command  # Typer has no word for what is done to it
    listed = changed.get_params

    def plain(ctx: Context) -> list[Parameter]:
        found = listed(ctx)  # with --help, which is made only now
        for one in found:
            about = one.type_descriptor
            one._runtime_param = _Plain(about.parameter_info, about.annotation)  # noqa: SLF001 - as above
        return list(found)

    changed.get_params = plain
    for below in getattr(command, "commands", {}).values():
        take_plainly(below)
    return command


class _Plain(RuntimeParam):
    """What Typer asks to turn the text of one parameter into its value."""

    def _coerce_value(self, value: object, param: _TyperParameter, ctx: Context) -> object:
        found = self._one(value, self.annotation, param, ctx)
        if found is _OTHERWISE:
            usual = build_runtime_param(param.type_descriptor)
            return usual._coerce_value(value, param=param, ctx=ctx)  # noqa: SLF001 - of the same class
        return found

    def _one(self, value: object, kind: object, param: _TyperParameter, ctx: Context) -> object:
        """Return a value of this kind; `_OTHERWISE` if it is not plainly one."""
        if get_origin(kind) is list and isinstance(value, list | tuple):
            each = [self._one(part, get_args(kind)[0], param, ctx) for part in value]
            return _OTHERWISE if _OTHERWISE in each else each
        about = self.parameter_info
        if kind is int and not about.clamp:
            number = int(value) if type(value) is str and _NUMBER.fullmatch(value) else value
            within = type(number) is int and (
                (about.min is None or number >= about.min) and (about.max is None or number <= about.max)
            )
            return number if within else _OTHERWISE
        if type(value) is not str or about.parser is not None:
            return _OTHERWISE
        if kind is str or (get_origin(kind) is Literal and value in get_args(kind)):
            return value
        if kind is Path:
            if "\0" in value:
                raise typer.BadParameter(f"{value!r} is no path: it holds a zero character", ctx=ctx, param=param)
            return coerce_cli_path(Path(value), about, path_type=Path, param=param, ctx=ctx)
        return _OTHERWISE
