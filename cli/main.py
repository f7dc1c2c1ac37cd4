"""The program `handledger`: finds the command, runs it, and turns every end into an exit code.

Exit codes: 0 done, nothing to report; 1 findings; 2 could not do it; 3 done in part; 4 integrity
broken; 130 interrupted. They never depend on the format of the output.
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
from cli.values import take_plainly
from ledger.garbage import rarely_swept

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter
    from typer._click.shell_completion import CompletionItem

COMMANDS: Final = {
    "import": "Read hand histories into the ledger, and account for every byte of them.",
    "new": "Write an empty page for a night of notes: room, table, game, and ten lines as examples.",
    "read": "Show how a night's notes are read: each line beside its events, what was filled in, what is asked.",
    "rejects": "List the spans of sources that no reader understood: where, why, what to do.",
    "log": "List hands, one line each: when, where, what was played, the board, the pot, who won.",
    "show": "Tell a hand event by event; with @, draw the table as it stood after that event.",
    "replay": "Replay a hand: on a terminal step by step, otherwise every state one after the other.",
    "report": "Write hands as one page: step through them, see what the books say, beside the bytes they were read from.",
    "floor": "Show a table where the game is stopped: the last hands, what was wrong in them, what is due now and why.",
    "record": "Keep a table while it is played: every line is durable before it is answered, and judged at once.",
    "device": "Say which devices may record tables through `handledger serve --write`, each with a key of its own.",
    "serve": "Show the ledger in a browser: tables, hands, findings, results, rules, cases, as they are now and as they come.",
    "audit": "Judge hands under rulebooks: what differs from which clause, and what could not be judged.",
    "results": "Sum up what players won and lost: by player, position, table, day, game.",
    "rates": "Say how often something was found in a thousand hands: by clause, table, day, player, game.",
    "known": "Say what the house knew, now or on a day: the findings under its own rulebooks, and since when.",
    "owed": "Say what is due at a table: positions, posts, who may play, and how it came so.",
    "why": "Say why a figure is what it is: the events that make it up, the clauses, the bytes of the source.",
    "knock-on": "Follow a wrong button or blind: the hands until the game was back in step, and what each seat posted too much.",
    "seats": "Say who sat where at a table, from when to when, and in how many hands.",
    "fairness": "Say what each player paid in blinds, beside what was due under a rulebook: by orbit, night, month.",
    "rules": "List the rulebooks, what they decide, the clauses of one; explain a clause; start one of your own.",
    "compare": "Compare two accounts of one hand: where they first differ, with the bytes, and what it moves.",
    "accounts": "List the accounts of a hand and which stands; say which stands, or that an account tells another hand.",
    "correct": "Correct one event of a hand. What was told first stays in the record; all commands go by the correction.",
    "export": "Write hands as PHH, Open Hand History, PokerStars text, handscript, rows, or as they were imported.",
    "shard": "Write whole tables as Parquet shards, a lake, which any number of processes or machines judge.",
    "lake": "Judge and check a ledger that `handledger shard` laid out as files, in any number of processes or machines.",
    "seal": "Sign what the ledger holds, so that nobody can rewrite it unnoticed.",
    "cosign": "Vouch that a ledger only ever grew, without trusting those who keep it.",
    "evidence": "Write a hand as evidence: exact bytes, proofs, the signed checkpoint; who got it is recorded.",
    "verify": "Recompute every hash, position and link of the ledger from its raw rows; or check evidence, or a lake.",
    "people": "List people; say that two ids are one person; hold or release a person's data; forget a person.",
    "case": "Write down a dispute: the claim, the hands, statements, evidence, findings, the ruling, what is due.",
    "demo": "Import sample hands, judge them under two rulebooks, and say what to try next.",
    "schema": "Print the JSON Schema of a document or of an event; without a name, list them.",
}
"""Command → the first line of its own help, so that the list of commands imports none of them; `module` says where it is."""

RENAMED: Final = {"witness": "cosign"}
"""What commands were called before: scripts that say so go on."""


def module(name: str) -> str:
    """Return the module of a command, which has a function `command`: imported when the command is asked for.

    >>> module("import"), module("knock-on")
    ('cli.import_', 'cli.knock_on')
    """
    return f"{cli.__name__}.{name.replace('-', '_')}{'_' * iskeyword(name)}"


class LazyGroup(TyperGroup):
    """A group whose commands are imported when they are needed: starting costs no more than Typer."""

    def list_commands(self, ctx: object) -> list[str]:  # noqa: ARG002 - Typer asks with it
        """Return the names of the commands, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Return the command of that name, made from its module."""
        cmd_name = RENAMED.get(cmd_name, cmd_name)
        if cmd_name not in COMMANDS:
            if cmd_name.startswith("-"):
                return None
            from difflib import get_close_matches

            close_names = get_close_matches(cmd_name, COMMANDS, 1)
            suggestion = f" Did you mean {close_names[0]!r}?" if close_names else ""
            ctx.fail(f"there is no command {cmd_name!r}.{suggestion}")
        return _build_command(cmd_name)

    def format_commands(self, ctx: object, formatter: HelpFormatter) -> None:  # noqa: ARG002 - Typer asks with it
        """Write the list of commands into the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin with `incomplete`."""
        from typer._click.shell_completion import CompletionItem

        items = [
            CompletionItem(name, help=summary) for name, summary in COMMANDS.items() if name.startswith(incomplete)
        ]
        return [*items, *super(TyperGroup, self).shell_complete(ctx, incomplete)]


@cache
def _build_command(name: str) -> Command:
    """Return the command of a name, made from its module: once, as Typer reads all annotations for it."""
    command_app = typer.Typer(add_completion=False, rich_markup_mode=None)
    settings = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
    command_module = import_module(module(name))
    if hasattr(command_module, "VERBS"):  # a command of several verbs, each with options of its own
        command_app.callback(context_settings=settings, no_args_is_help=True, epilog=command_module.EPILOG)(
            command_module.command
        )
        for verb, function in command_module.VERBS.items():
            command_app.command(verb, cls=getattr(command_module, "CLASS", None), context_settings=settings)(function)
        return take_plainly(typer.main.get_command(command_app))
    command_app.command(
        name,
        cls=getattr(command_module, "CLASS", None),
        context_settings=settings,
        epilog=getattr(command_module, "EPILOG", None),
    )(command_module.command)
    return take_plainly(typer.main.get_command(command_app))


app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode=None,  # what people write must never be read as markup
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(is_asked: bool) -> None:
    if is_asked:
        from ledger import __version__

        typer.echo(f"handledger {__version__}")
        raise typer.Exit


@app.callback()
def handledger(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Keep a ledger of what happened at poker tables: import, replay, judge, export.

    Try `handledger demo` first. Every command takes --help and --format.
    """


@cache
def _program() -> Command:
    return take_plainly(typer.main.get_command(app))


def run(args: Sequence[str] | None = None) -> None:
    """Run the program with the arguments of the process, and end the process."""
    rarely_swept()
    if (
        signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    ):  # as Ctrl-C: what is temporary goes, a watch reads to the end
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed: or the ledger's file gets its number, and what is written to it
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - stays open, as the others do
    code = outcome(sys.argv[1:] if args is None else args)
    gc.freeze()  # Python looks through all objects once more at its end, which takes as long as 20 hands
    sys.exit(code)


def outcome(args: Sequence[str]) -> int:
    """Run the program and return its exit code; nothing but `SystemExit` leaves it."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot show a letter shows its number
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _program()(args=list(args), prog_name="handledger", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        return _end_on_closed_pipe()
    except SystemExit as end:
        # Typer ends the process itself where a pipe is closed: it wraps the streams before that.
        return _end_on_closed_pipe() if type(sys.stdout).__name__ == "PacifyFlushWrapper" else int(end.code or 0)
    except Exception as error:  # noqa: BLE001 - the one place where everything ends up
        from cli.failing import failed

        return failed(error, args)
    if code == 130:
        from cli.failing import interrupted

        return interrupted(args)
    return int(code or 0)


def _end_on_closed_pipe() -> int:
    """Whoever read our output has seen enough. As by convention: 128 + SIGPIPE."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 141


if __name__ == "__main__":
    run()
