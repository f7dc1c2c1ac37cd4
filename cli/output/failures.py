"""Report an error: a sentence and a hint, as text or JSON, and the exit code."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

from cli.documents.command_documents import ErrorDocument, Failure
from cli.output.console import STDOUT
from cli.output.damage import find_damage
from ledger import safe
from ledger.errors import HandledgerError
from ledger.text.language import phrase

REPORT: Final = (
    "This is a fault of handledger. Please report it with what you typed; HANDLEDGER_DEBUG=1 shows where it happened."
)

_DISK_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})

NO_COMMAND: Final = "no command was given"


@runtime_checkable
class _UsageError(Protocol):
    """An error that Typer raises for a wrong command line."""

    def format_message(self) -> str:
        """Return the error's message."""


def report_failure(error: Exception, args: Sequence[str]) -> int:
    """Write what went wrong and return the exit code."""
    if os.environ.get("HANDLEDGER_DEBUG"):
        sys.stderr.write(safe.lines("".join(traceback.format_exception(error)), 20_000) + "\n")
    if isinstance(error, HandledgerError):
        failure = Failure(error.code, error.message, _find_hint(error), evidence=getattr(error, "evidence", ""))
        code = error.exit_code
    elif isinstance(error, _UsageError):
        failure, code = _describe_usage_failure(error, args), 2
    elif isinstance(error, OSError):
        is_output_lost = _is_output_lost() or error.filename == STDOUT
        name = error.filename or (STDOUT if is_output_lost else "")
        problem = (error.strerror or str(error)).lower()
        failure, code = Failure("system", f"{name}: {problem}" if name else problem, _suggest_fix(error)), 2
        if is_output_lost:
            args = ()  # as text on standard error, even if JSON is asked for
    elif (damage := find_damage(error, args)) is not None:
        failure, code = Failure(damage.code, damage.message, damage.hint), damage.exit_code
    else:
        failure, code = Failure("fault", f"{type(error).__name__}: {error}", REPORT), 2
    write_failure(failure, args)
    return code


def _find_hint(error: HandledgerError) -> str:
    """Return the hint of an error; if it has none, the line of notes that it suggests, or that line's form."""
    if error.hint:
        return error.hint
    for reason in (error, error.__cause__):
        if suggestion := getattr(reason, "write", ""):
            return phrase("Write: {suggestion}", suggestion=suggestion)
        if form := getattr(reason, "form", ""):
            return phrase("Write it as: {form}", form=form)
    return ""


def _suggest_fix(error: OSError) -> str:
    if error.errno in _DISK_FULL:
        return phrase("Free some space, or write to another place; then do it again.")
    folder = Path(os.fsdecode(error.filename)).parent if isinstance(error.filename, str | bytes) else None
    if error.errno == errno.ENOENT and folder is not None and not folder.is_dir():
        return phrase("There is no folder {folder}: check the spelling, or make it first.", folder=folder)
    return ""


def _is_output_lost() -> bool:
    """Whether standard output can't be written. If so, drop what is buffered, or Python would report it at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return True
    return False


def report_interruption(args: Sequence[str]) -> int:
    """Write that the work was interrupted and can go on; return 130."""
    if "serve" in args:  # people stop a server like this
        write_failure(Failure("interrupted", phrase("stopped; nothing was lost"), ""), args)
    else:
        write_failure(
            Failure(
                "interrupted", phrase("interrupted"), phrase("What was stored is kept. Run the command again to go on.")
            ),
            args,
        )
    return 130


def _describe_usage_failure(error: _UsageError, args: Sequence[str]) -> Failure:
    """Return the failure for a wrong command line. For a command line without a command, its hint is the help."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError" and context:
        return Failure("usage", NO_COMMAND, context.get_help())
    from cli.output.usage_errors import describe_usage_error

    sentence = describe_usage_error(error, args)
    if sentence is not None:
        return Failure("usage", sentence.message, sentence.hint)
    message = error.format_message().replace("\n\t", " ").replace(": Value error, ", ": ")  # choices: one a line
    return Failure("usage", message, phrase("Try: {command} --help", command=context.command_path) if context else "")


def wants_json(args: Sequence[str]) -> bool:
    """Whether a command line, right or wrong, asks for JSON."""
    return any(
        arg == "--format=json" or (arg == "--format" and args[arg_index + 1 : arg_index + 2] == ["json"])
        for arg_index, arg in enumerate(args)
    )


def write_failure(failure: Failure, args: Sequence[str]) -> None:
    """Write a failure: as JSON on standard output if that is asked for, otherwise as text on standard error."""
    if wants_json(args):
        from cli.output.console import encode_document

        try:
            sys.stdout.write(encode_document(ErrorDocument(failure)) + "\n")
        except OSError:
            pass  # standard output can't be written: write text below
        else:
            if not _is_output_lost():
                return
    if failure.message == NO_COMMAND:
        sys.stderr.write(failure.hint + "\n")
        return
    sys.stderr.write(f"handledger: {safe.lines(failure.message)}\n")
    if failure.hint:
        hint_text = safe.lines(failure.hint).replace("\n", "\n  ")
        sys.stderr.write(f"  {hint_text}\n")
    if failure.evidence:
        sys.stderr.write(f"\n{safe.lines(failure.evidence, 20_000)}\n")
