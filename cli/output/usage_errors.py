"""Sentences about a wrong command line: what is wrong with it, and one next step."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args, get_origin

from projections.addresses.address_grammar import quote_for_shell

if TYPE_CHECKING:
    from collections.abc import Sequence

_OTHER_NAMES: Final = {
    "--book": "--rulebook",
    "--csv": "--format csv",
    "--database": "--ledger",
    "--date": "--since",
    "--db": "--ledger",
    "--file": "--output",
    "--from": "--since",
    "--json": "--format json",
    "--out": "--output",
    "--rules": "--rulebook",
    "--to": "--until",
    "--url": "--ledger",
}
"""Names that people type for an option, each with the option, where the command has it."""
_LEAST_LIKENESS: Final = 0.6

_MISSING: Final = {
    "address": "a hand",
    "authority": "the regulator",
    "events": "the numbers of the entries",
    "findings": "the folder of the findings",
    "fingerprint": "the finding's fingerprint",
    "hand": "a hand",
    "lake": "the folder of the lake",
    "night": "a file",
    "number": "the case's number",
    "outcome": "the outcome",
    "paths": "a file or a folder",
    "person": "a person",
    "request": "the file that seal wrote",
    "table": "a table",
    "target": "what to hold",
    "what": "a kind of thing",
    "words": "the words",
}
"""What an argument is called in a sentence, by its name in the code."""


class UsageSentence(NamedTuple):
    """What is wrong with a command line, and the next step."""

    message: str
    hint: str


def describe_usage_error(error: Any, args: Sequence[str]) -> UsageSentence | None:  # noqa: ANN401 - Typer keeps the classes to itself
    """Return the sentence of an error that Typer raises about a command line; None: Typer's own words are to be kept."""
    if type(error).__name__ == "BadOptionUsage":
        return _describe_option_value(error, args)
    context = getattr(error, "ctx", None)
    if context is None:
        return None
    describe = {
        "NoSuchOption": _describe_unknown_option,
        "MissingParameter": _describe_missing,
        "BadParameter": _describe_bad_value,
        "UsageError": _describe_words,
    }.get(type(error).__name__)
    return None if describe is None else describe(error, context)


def _describe_unknown_option(error: Any, context: Any) -> UsageSentence:  # noqa: ANN401 - as above
    name, command = error.option_name, context.command_path
    options = sorted(
        option for param in context.command.get_params(context) for option in param.opts if option.startswith("-")
    )
    nearest = _find_option(name, options)
    message = f"{command.removeprefix('handledger ')} has no option {name}"
    has_arguments = any(param.param_type_name == "argument" for param in context.command.params)
    if nearest:
        return UsageSentence(f"{message}. Did you mean {nearest}?", _help_of(context))
    if has_arguments and not name.startswith("--"):
        return UsageSentence(message, f"To write a name that begins with a dash, put -- before it: {command} -- -NAME")
    return UsageSentence(message, _help_of(context))


def _find_option(name: str, options: Sequence[str]) -> str:
    """Return the option that was meant, "" if none is near: of `options`, or one that people call otherwise."""
    other_name = _OTHER_NAMES.get(name, "")
    if other_name.partition(" ")[0] in options:
        return other_name
    if not name.startswith("--"):
        return ""
    longer = [option for option in options if option.startswith(name)]
    nearest = get_close_matches(name, options, 1, _LEAST_LIKENESS)
    return (nearest or (longer if len(longer) == 1 else [""]))[0]


def _describe_option_value(error: Any, args: Sequence[str]) -> UsageSentence:  # noqa: ANN401 - as above
    """Describe an option without its value, or a switch with one."""
    name = error.option_name
    help_text = (
        f"Try: handledger {args[0]} --help" if args and not args[0].startswith("-") else "Try: handledger --help"
    )
    if "does not take a value" in error.message:
        return UsageSentence(f"{name} takes no value", f"Leave out the = and what follows it: {name}")
    return UsageSentence(f"the value of {name} is missing", help_text)


def _example_of(name: str, param: Any, context: Any) -> str:  # noqa: ANN401 - as above
    """Return how an option is written with a value that fits, else where it is explained."""
    if _kind(param) is not int:
        return _help_of(context)
    minimum, _ = _bounds(param)
    default = param.default if type(param.default) is int and param.default else None
    number = default if default is not None else max(minimum or 0, 5)
    return f"For example: {name} {number}"


def _describe_missing(error: Any, context: Any) -> UsageSentence:  # noqa: ANN401 - as above
    """Describe an argument or an option that a command needs."""
    command, param = context.command_path.removeprefix("handledger "), error.param
    if param.param_type_name == "argument":
        what = _MISSING.get(param.name) or str(param.metavar or param.name)
    else:
        what = param.opts[0]
    choices = _choices(param)
    message = f"{command} needs {what}" + (f": {', '.join(choices)}" if choices else "")
    example = _example_in_help(context.command_path)
    return UsageSentence(message, f"For example: {example}" if example else _help_of(context))


def _example_in_help(command_path: str) -> str:
    """Return the first example in a command's help."""
    from cli.output.help_page import find_page

    return next(iter(find_page(command_path).examples), "")


def _describe_bad_value(error: Any, context: Any) -> UsageSentence | None:  # noqa: ANN401 - as above
    """Describe a value that isn't a number, is out of range, or isn't one of the choices."""
    param = error.param
    if param is None:
        return None
    is_option = param.param_type_name == "option"
    command = context.command_path.removeprefix("handledger ")
    name = next((option for option in param.opts if option.startswith("--")), param.opts[0])
    choices = _choices(param)
    if choices and "is not one of" in error.message:
        typed = _typed_value(error)
        nearest = get_close_matches(typed, choices, 1, _LEAST_LIKENESS)
        message = f"{name} can't be {typed!r}" if is_option else f"{command} doesn't know {typed!r}"
        message += f". Did you mean {nearest[0]}?" if nearest else ""
        return UsageSentence(message, f"Choose from: {', '.join(choices)}.")
    if _kind(param) is int and "Input should be" in error.message:
        message = f"{name if is_option else command} takes a number{_describe_range(param)}"
        example = _example_in_help(context.command_path)
        hint = f"For example: {example}" if example and not is_option else _example_of(name, param, context)
        return UsageSentence(message, hint)
    return None


def _describe_range(param: Any) -> str:  # noqa: ANN401 - as above
    """Return between which numbers an option's value must be; "" = any whole number will do."""
    minimum, maximum = _bounds(param)
    if minimum is not None and maximum is not None:
        return f" from {minimum:,} to {maximum:,}"
    if minimum is not None:
        return f", {minimum:,} or more"
    return "" if maximum is None else f", {maximum:,} or less"


def _bounds(param: Any) -> tuple[int | None, int | None]:  # noqa: ANN401 - as above
    info = param.type_descriptor.parameter_info
    return info.min, info.max


def _typed_value(error: Any) -> str:  # noqa: ANN401 - as above
    """Return the refused value, as far as the error quotes it."""
    match = re.search(r"'(.*?)' is not one of", error.message, re.DOTALL)
    return match.group(1) if match else ""


def _kind(param: Any) -> Any:  # noqa: ANN401 - as above
    """Return the type of an option's value; of several values, the type of one; of `int | None`, int."""
    kind = param.type_descriptor.annotation
    if get_origin(kind) is list:
        kind = get_args(kind)[0]
    plain = [part for part in get_args(kind) if part is not type(None)]
    return plain[0] if len(plain) == 1 and plain[0] is int else kind


def _choices(param: Any) -> list[str]:  # noqa: ANN401 - as above
    """Return the words among which an option or argument chooses."""
    kind = _kind(param)
    return [str(choice) for choice in get_args(kind) if isinstance(choice, str)]


def _describe_words(error: Any, context: Any) -> UsageSentence | None:  # noqa: ANN401 - as above
    """Describe words that a command has no place for, mostly a name with a space in it, or an unknown verb."""
    command = context.command_path.removeprefix("handledger ")
    verb = re.match(r"No such command '(.*?)'", error.message, re.DOTALL)
    if verb is not None:
        nearest = get_close_matches(verb.group(1), list(context.command.commands), 1, _LEAST_LIKENESS)
        suggestion = f". Did you mean {nearest[0]}?" if nearest else ""
        return UsageSentence(f"{command} has no command {verb.group(1)!r}{suggestion}", _help_of(context))
    extra_match = re.match(r"Got unexpected extra argument\S* \((.*)\)", error.message, re.DOTALL)
    if extra_match is None:
        return None
    extra = extra_match.group(1)
    arguments = [param for param in context.command.params if param.param_type_name == "argument"]
    if not arguments:
        return UsageSentence(f"{command} takes options only, not {extra!r}", _help_of(context))
    last_value = context.params.get(arguments[-1].name)
    hint = _help_of(context)
    if isinstance(last_value, str) and len(arguments) == 1:
        name = quote_for_shell(f"{last_value} {extra}")
        hint = f"Put a name with spaces in quotes: {context.command_path} {name}"
    return UsageSentence(f"{extra!r} is more than {command} takes", hint)


def _help_of(context: Any) -> str:  # noqa: ANN401 - as above
    return f"Try: {context.command_path} --help"
