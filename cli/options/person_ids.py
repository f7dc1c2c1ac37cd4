"""Ids of people on the command line: one of 64 begins with a dash, as an option does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cli.output.help_page import HelpCommand

if TYPE_CHECKING:
    from typer._click import Context

_ID: Final = re.compile(r"-[A-Za-z0-9_-]{15}")


class NamingCommand(HelpCommand):
    """A command that takes people: what has the shape of an id is never read as an option.

    So an id can be copied from what the program printed, whatever it begins with. Other names that
    begin with a dash need `--` before them, as in any program; `cli.output.failures` says so.
    """

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the arguments; ids stand behind a space meanwhile, which makes them plain words."""
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
