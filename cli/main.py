"""The program `handledger`: find the command, run it, and return an exit code.

Exit codes: 0 done, nothing to report; 1 findings; 2 not done; 3 done in part; 4 integrity broken; 130 interrupted. They
never depend on the output format.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING, Annotated, Final

import typer
from typer.core import TyperGroup

import cli
from cli.command_list import COMMANDS, FORMER_NAMES, GROUPS
from cli.options.values import skip_plain_checks
from ledger.errors import UsageError
from ledger.process.garbage_collector import tune_gc
from ledger.text.language import ENGLISH, LANGUAGES, find_language, join_sentences, phrase, set_language, use_language

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter
    from typer._click.shell_completion import CompletionItem

_SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 120}


def find_module(name: str) -> str:
    """Return the name of a command's module, which has a function `command`.

    >>> find_module("import"), find_module("audit")
    ('cli.import_', 'cli.audit')
    """
    return f"{cli.__name__}.{name.replace('-', '_')}{'_' * iskeyword(name)}"


class LazyGroup(TyperGroup):
    """A group that imports a command's module when it's needed, so that the program starts fast."""

    def list_commands(self, ctx: object) -> list[str]:  # noqa: ARG002 - Typer asks with it
        """Return the names of the commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Return a command by its name; None for an option, an error for an unknown name."""
        if cmd_name in FORMER_NAMES:
            raise UsageError(
                f"`{cmd_name}` is now `{FORMER_NAMES[cmd_name]}`", f"Try: handledger {FORMER_NAMES[cmd_name]} --help"
            )
        if cmd_name not in COMMANDS:
            if cmd_name.startswith("-"):
                return None
            from difflib import get_close_matches

            close_names = get_close_matches(cmd_name, COMMANDS, 1)
            message = phrase("there is no command {name}.", name=repr(cmd_name))
            suggestion = [phrase("Did you mean {names}?", names=repr(close_names[0]))] if close_names else []
            ctx.fail(join_sentences([message, *suggestion]))
        return _build_command(cmd_name)

    def format_commands(self, ctx: object, formatter: HelpFormatter) -> None:  # noqa: ARG002 - Typer asks with it
        """Write the commands into the help, group by group."""
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(f"{name:<{max(map(len, COMMANDS))}}", text) for name, text in commands.items()])

    def shell_complete(self, ctx: Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin with `incomplete`."""
        from typer._click.shell_completion import CompletionItem

        items = [
            CompletionItem(name, help=summary) for name, summary in COMMANDS.items() if name.startswith(incomplete)
        ]
        return [*items, *super(TyperGroup, self).shell_complete(ctx, incomplete)]


@cache
def _build_command(name: str) -> Command:
    """Return a command built from its module. It's cached: Typer reads all annotations to build it."""
    from cli.output.help_page import HelpCommand, HelpGroup

    command_app = typer.Typer(add_completion=False, rich_markup_mode=None)
    command_module = import_module(find_module(name))
    if hasattr(command_module, "VERBS"):  # a command of several verbs, each with options of its own
        command_app.callback(
            cls=HelpGroup, context_settings=_SETTINGS, no_args_is_help=True, epilog=command_module.EPILOG
        )(command_module.command)
        for verb, function in command_module.VERBS.items():
            command_app.command(verb, cls=getattr(command_module, "CLASS", HelpCommand), context_settings=_SETTINGS)(
                function
            )
        return skip_plain_checks(typer.main.get_command(command_app))
    command_app.command(
        name,
        cls=getattr(command_module, "CLASS", HelpCommand),
        context_settings=_SETTINGS,
        epilog=getattr(command_module, "EPILOG", None),
    )(command_module.command)
    return skip_plain_checks(typer.main.get_command(command_app))


app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode=None,  # what people write must never be read as markup
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings=_SETTINGS,
)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        from ledger import __version__

        typer.echo(f"handledger {__version__}")
        raise typer.Exit


def _choose_language(tag: str | None) -> None:
    if tag is None:
        return
    language = find_language(tag)
    if language is None:
        choices = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        raise UsageError(f"handledger doesn't speak {tag!r:.40}", f"Choose one of: {choices}.")
    set_language(language)


@app.callback()
def handledger(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            callback=_choose_language,
            is_eager=True,  # before the help of a command
            metavar="LANGUAGE",
            help="The language of sentences: en, es, vi or zh. Default: HANDLEDGER_LANGUAGE, or English.",
        ),
    ] = None,
) -> None:
    """Keep a ledger of poker hands and check them against rulebooks.

    Start with `handledger demo`. Every command has --help.
    """


@cache
def _build_program() -> Command:
    return skip_plain_checks(typer.main.get_command(app))


def run(args: Sequence[str] | None = None) -> None:
    """Run the program with the arguments of the process, and end the process."""
    tune_gc()
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        # Like Ctrl-C: temporary files are deleted, and a watch finishes reading.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed: the ledger's file would get its number, and its output
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - stays open like the others
    code = run_program(sys.argv[1:] if args is None else args)
    gc.freeze()  # at exit Python would check all objects, which takes as long as 20 hands
    sys.exit(code)


def run_program(args: Sequence[str]) -> int:
    """Run the program and return its exit code; only `SystemExit` may be raised."""
    with use_language(find_language(os.environ.get("HANDLEDGER_LANGUAGE", "")) or ENGLISH):
        return _run_command(move_language_first(args))


def move_language_first(args: Sequence[str]) -> list[str]:
    """Return the arguments with `--language` before the command, wherever it was typed.

    >>> move_language_first(["due", "T7", "--language", "es"])
    ['--language', 'es', 'due', 'T7']
    """
    words = list(args)
    end = words.index("--") if "--" in words else len(words)
    for index, word in enumerate(words[:end]):
        length = 2 if word == "--language" else int(word.startswith("--language="))
        if word == "--language" and index + 1 == end:
            return [word]  # its value is missing, which Typer reports
        if length:
            return [*words[index : index + length], *words[:index], *words[index + length :]]
    return words


def _run_command(args: Sequence[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # write characters that the terminal can't show as escapes
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _build_program()(args=list(args), prog_name="handledger", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        return _end_on_closed_pipe()
    except SystemExit as end:
        # Typer exits by itself if a pipe is closed, after wrapping the streams.
        return _end_on_closed_pipe() if type(sys.stdout).__name__ == "PacifyFlushWrapper" else int(end.code or 0)
    except Exception as error:  # noqa: BLE001 - the last handler
        from cli.output.failures import report_failure

        return report_failure(error, args)
    if code == 130:
        from cli.output.failures import report_interruption

        return report_interruption(args)
    return int(code or 0)


def _end_on_closed_pipe() -> int:
    """Return the usual exit code for a closed pipe, 128 + SIGPIPE, and drop further output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 141


if __name__ == "__main__":
    run()
