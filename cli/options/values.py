"""Convert plain values of options and arguments without Typer's checks.

Typer has pydantic check each value, and loading pydantic takes longer than all that `show` does. A text, a path, a number
in range or a listed word is converted here. Typer converts or refuses all others.
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
_NOT_PLAIN: Final = object()


def skip_plain_checks(command: Command) -> Command:
    """Make a command, and its subcommands, convert plain values without Typer's checks; return it."""
    patched_command: Any = command  # Typer has no hook for this
    get_params = patched_command.get_params

    def get_plain_params(ctx: Context) -> list[Parameter]:
        parameters = get_params(ctx)  # includes --help, which doesn't exist before
        for parameter in parameters:
            descriptor = parameter.type_descriptor
            parameter._runtime_param = _PlainParam(descriptor.parameter_info, descriptor.annotation)  # noqa: SLF001 - as above
        return list(parameters)

    patched_command.get_params = get_plain_params
    for subcommand in getattr(command, "commands", {}).values():
        skip_plain_checks(subcommand)
    return command


class _PlainParam(RuntimeParam):
    """Converts the text of a parameter to its value, for Typer."""

    def _coerce_value(self, value: object, param: _TyperParameter, ctx: Context) -> object:
        plain_value = self._convert_plain(value, self.annotation, param, ctx)
        if plain_value is _NOT_PLAIN:
            typer_param = build_runtime_param(param.type_descriptor)
            return typer_param._coerce_value(value, param=param, ctx=ctx)  # noqa: SLF001 - of the same class
        return plain_value

    def _convert_plain(self, value: object, kind: object, param: _TyperParameter, ctx: Context) -> object:
        """Return a value of this kind; `_NOT_PLAIN` if only Typer can convert it."""
        if get_origin(kind) is list and isinstance(value, list | tuple):
            values = [self._convert_plain(list_value, get_args(kind)[0], param, ctx) for list_value in value]
            return _NOT_PLAIN if _NOT_PLAIN in values else values
        parameter_info = self.parameter_info
        if kind is int and not parameter_info.clamp:
            return self._convert_number(value)
        if type(value) is not str or parameter_info.parser is not None:
            return _NOT_PLAIN
        if kind is str or (get_origin(kind) is Literal and value in get_args(kind)):
            return value
        if kind is Path:
            if "\0" in value:
                raise typer.BadParameter(f"{value!r} is no path: it holds a zero character", ctx=ctx, param=param)
            return coerce_cli_path(Path(value), parameter_info, path_type=Path, param=param, ctx=ctx)
        return _NOT_PLAIN

    def _convert_number(self, value: object) -> object:
        """Return a whole number within the parameter's range; `_NOT_PLAIN` for everything else."""
        number = int(value) if type(value) is str and _NUMBER.fullmatch(value) else value
        minimum, maximum = self.parameter_info.min, self.parameter_info.max
        is_in_range = (
            type(number) is int and (minimum is None or number >= minimum) and (maximum is None or number <= maximum)
        )
        return number if is_in_range else _NOT_PLAIN
