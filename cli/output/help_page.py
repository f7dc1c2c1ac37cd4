"""Write the help of a command: a sentence, two examples, its arguments, and its options in groups.

The texts are in `cli/help.toml`, which is read only for `--help`.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from typer import Exit
from typer.core import TyperCommand, TyperGroup

from cli.command_list import COMMANDS
from cli.output.next_steps import print_next_step
from ledger.decoders import convert

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter

LAST_GROUP: Final = "Ledger and output"
OTHER_GROUP: Final = "Options"
_LAST_OPTIONS: Final = frozenset(("--ledger", "--people-key", "--as-of", "--jobs", "--format", "--output", "--help"))
_PROGRAM: Final = "handledger "
_TYPE_LABELS: Final = {
    "str": " TEXT",
    "int": " N",
    "int range": " N",
    "path": " FILE",
    "list[str]": "",
    "list[int]": "",
}
_REPEATED_CHOICES: Final = re.compile(r"<list\[([^\[\]<>]{1,999})\]>")
_CHOICES: Final = re.compile(r" <([^<>|]{1,99}\|[^<>]{1,999})>")
_RANGE: Final = re.compile(r"(?:; )?(?:\d{1,9}<=)?x[<>]=?\d{1,9}")
_ARGUMENT_TYPE: Final = re.compile(r" (?:TEXT|WORD|N|FILE|<[^<>]{0,999}>)$")
_VERB_PIECE: Final = "COMMAND [ARGS]..."
_MAX_NAME_WIDTH: Final = 26
_WORD_HYPHEN: Final = re.compile(r"(?<=[a-z-])-(?=[a-z])|-(?=-[a-z])")
_UNBROKEN: Final = "\u2011"  # a hyphen that keeps its line together


class HelpPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of a command or verb. `options`: group → its options, separated by spaces.

    `usage`: the forms of a command line, if Typer's own form doesn't show them.
    """

    summary: str = ""
    usage: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    options: dict[str, str] = {}
    notes: str = ""


@cache
def load_pages() -> dict[str, HelpPage]:
    """Return the page of each command and verb, by its name as typed: `case open`."""
    text = Path(__file__).parents[1].joinpath("help.toml").read_text("utf-8")
    return convert(tomllib.loads(text), dict[str, HelpPage])


def find_page(command_path: str) -> HelpPage:
    """Return the page of a command path such as `handledger case open`."""
    return load_pages().get(command_path.removeprefix(_PROGRAM), HelpPage())


class HelpCommand(TyperCommand):
    """A command whose help has examples and groups of options, and whose answer ends with the next command."""

    def invoke(self, ctx: Context) -> object:
        """Run the command; print the next one below its answer."""
        try:
            result: object = super().invoke(ctx)
        except Exit as end:
            if end.exit_code in (0, 1, 3):
                print_next_step(ctx)
            raise
        print_next_step(ctx)
        return result

    def format_usage(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write how the command is typed."""
        _write_usage(self, ctx, formatter)

    def format_help_text(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the sentence and the examples."""
        _write_text(ctx, formatter)

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the arguments, then the options group by group."""
        _write_options(self, ctx, formatter)


class HelpGroup(TyperGroup):
    """A command of several verbs, whose help is like that of a command."""

    def format_usage(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write how the command is typed."""
        _write_usage(self, ctx, formatter)

    def format_help_text(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the sentence and the examples."""
        _write_text(ctx, formatter)

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the verbs, a line each, then the options."""
        pages, path = load_pages(), ctx.command_path
        with formatter.section("Commands"):
            verbs = [(verb, pages[f"{path.removeprefix(_PROGRAM)} {verb}"].summary) for verb in self.list_commands(ctx)]
            formatter.write_dl(verbs)
        _write_options(self, ctx, formatter)


def _write_text(ctx: Context, formatter: HelpFormatter) -> None:
    page = find_page(ctx.command_path)
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(page.summary or COMMANDS[ctx.command_path.removeprefix(_PROGRAM)])
    if page.examples:
        with formatter.section("Examples"):
            for example in page.examples:
                formatter.write(f"{'':>{formatter.current_indent}}{_fold_command(example, formatter.width)}\n")


def _fold_command(command: str, width: int) -> str:
    """Return a command that is too long for a line on several lines, as a shell takes them."""
    if len(command) <= width - 2:
        return command
    words, *options = command.split(" --")
    return " \\\n    ".join([words, *(f"--{option}" for option in options)])


def group_options(command: Command, ctx: Context) -> dict[str, list[tuple[str, str]]]:
    """Return the options of a command with their help, group by group, in the order of its page."""
    page = find_page(ctx.command_path)
    groups: dict[str, dict[str, tuple[str, str]]] = {
        group: dict.fromkeys(options.split(), ("", "")) for group, options in page.options.items()
    }
    group_by_option = {option: group for group, options in groups.items() for option in options}
    for parameter in command.get_params(ctx):
        help_record = parameter.get_help_record(ctx)
        if help_record is None or parameter.param_type_name != "option":
            continue
        name = max(parameter.opts, key=len)
        default_group = LAST_GROUP if name in _LAST_OPTIONS else OTHER_GROUP
        groups.setdefault(group_by_option.get(name, default_group), {})[name] = _simplify_record(*help_record)
    last_group = groups.pop(LAST_GROUP, {})
    records_by_group = {group: list(records.values()) for group, records in groups.items()}
    return records_by_group | ({LAST_GROUP: list(last_group.values())} if last_group else {})


def _simplify_record(names: str, text: str) -> tuple[str, str]:
    """Return the help of a parameter without Python's types, and with a long list of choices in its text.

    >>> _simplify_record("-n, --limit <int range>", "At most so many.  [default: 50; x>=0]")
    ('-n, --limit N', 'At most so many.  [default: 50]')
    >>> _simplify_record("--by <dealer|player|floor|surveillance|auditor>", "Your role.")
    ('--by WORD', 'Your role. One of: dealer, player, floor, surveillance, auditor.')
    """
    names = _REPEATED_CHOICES.sub(lambda choices_match: f"<{choices_match[1].replace(', ', '|')}>", names)
    for kind, label in _TYPE_LABELS.items():
        names = names.replace(f" <{kind}>", label)
    choices = _CHOICES.search(names)
    if choices is not None and len(names) > _MAX_NAME_WIDTH:
        names = names.replace(choices[0], " WORD")
        sentence, default, text_after = text.partition("  [")
        text = f"{sentence} One of: {choices[1].replace('|', ', ')}.{default}{text_after}"
    text = _RANGE.sub("", text).replace("[; ", "[").replace("  []", "")
    return names, text


def _write_usage(command: Command, ctx: Context, formatter: HelpFormatter) -> None:
    forms = find_page(ctx.command_path).usage
    for form_index, form in enumerate(forms):
        formatter.write_usage(ctx.command_path, form, prefix=None if form_index == 0 else "       ")
    if forms:
        return
    pieces = []
    for piece in command.collect_usage_pieces(ctx):
        if piece == _VERB_PIECE:
            pieces.append(piece)
            continue
        name = piece.strip("[]{}.").replace("]...", "").replace("...}", "")
        dots = "..." if "..." in piece else ""
        pieces.append(f"[{name}]{dots}" if piece.startswith("[") else f"{name}{dots}")
    formatter.write_usage(ctx.command_path, " ".join(pieces))


def _write_options(command: Command, ctx: Context, formatter: HelpFormatter) -> None:
    argument_records = [
        (_ARGUMENT_TYPE.sub("", name), text)
        for parameter in command.get_params(ctx)
        if parameter.param_type_name == "argument" and (record := parameter.get_help_record(ctx)) is not None
        for name, text in [_simplify_record(*record)]
    ]
    for title, records in {"Arguments": argument_records, **group_options(command, ctx)}.items():
        if records:
            with formatter.section(title):
                _write_records(records, formatter)


def _write_records(records: list[tuple[str, str]], formatter: HelpFormatter) -> None:
    """Write names with their help. No line breaks inside an option or a choice: `--hide-cards` stays whole."""
    start = len(formatter.buffer)
    unbroken_records = [(name, _WORD_HYPHEN.sub(_UNBROKEN, text)) for name, text in records]
    formatter.write_dl(unbroken_records, col_max=_MAX_NAME_WIDTH)
    formatter.buffer[start:] = [piece.replace(_UNBROKEN, "-") for piece in formatter.buffer[start:]]
