"""Take ids of people on the command line: one of 64 begins with a dash, like an option."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cli.output.help_page import HelpCommand

if TYPE_CHECKING:
    from typer._click import Context

_ID: Final = re.compile(r"-[A-Za-z0-9_-]{15}")


class NamingCommand(HelpCommand):
    """A command with people among its arguments. An id is never read as an option, so a printed id can be pasted.

    Other names that begin with a dash need `--` before them, as in any program.
    """

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parse the arguments, with a space before each id so that Typer doesn't read it as an option."""
        options = {name for option in self.params for name in (*option.opts, *option.secondary_opts)}
        other_arguments = super().parse_args(
            ctx, [f" {arg}" if _ID.fullmatch(arg) and arg not in options else arg for arg in args]
        )
        ctx.params = {name: _strip_mark(value) for name, value in ctx.params.items()}
        return other_arguments


def _strip_mark(value: object) -> object:
    if isinstance(value, str):
        return value[1:] if _ID.fullmatch(value, 1) else value
    return type(value)(map(_strip_mark, value)) if isinstance(value, list | tuple) else value
