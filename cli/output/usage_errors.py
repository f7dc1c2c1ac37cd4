"""Describe a wrong command line: the mistake, and the next step."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args, get_origin

from ledger.text.language import give_reasons, phrase, translatable
from projections.addresses.address_grammar import quote_for_shell

if TYPE_CHECKING:
    from collections.abc import Sequence

_OPTION_BY_SYNONYM: Final = {
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
"""Name that people type by mistake → the option of a command that has it."""
_MIN_SIMILARITY: Final = 0.6

_ARGUMENT_NAMES: Final = {
    "address": translatable("a hand"),
    "authority": translatable("the regulator"),
    "events": translatable("the numbers of the entries"),
    "findings": translatable("the folder of the findings"),
    "fingerprint": translatable("the finding's fingerprint"),
    "hand": translatable("a hand"),
    "lake": translatable("the folder of the lake"),
    "night": translatable("a file"),
    "number": translatable("the case's number"),
    "outcome": translatable("the outcome"),
    "paths": translatable("a file or a folder"),
    "person": translatable("a person"),
    "request": translatable("the file that seal wrote"),
    "table": translatable("a table"),
    "target": translatable("what to hold"),
    "what": translatable("a kind of thing"),
    "words": translatable("the words"),
}
"""Name of an argument in the code → its name in sentences."""


class UsageSentence(NamedTuple):
    """A mistake in a command line, and the next step."""

    message: str
    hint: str


def describe_usage_error(error: Any, args: Sequence[str]) -> UsageSentence | None:  # noqa: ANN401 - Typer keeps the classes to itself
    """Return the sentence for an error that Typer raises about a command line; None to keep Typer's own message."""
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
    message = phrase("{command} has no option {name}", command=command.removeprefix("handledger "), name=name)
    has_arguments = any(param.param_type_name == "argument" for param in context.command.params)
    if nearest:
        return UsageSentence(_add_suggestion(message, nearest), _suggest_help(context))
    if has_arguments and not name.startswith("--"):
        return UsageSentence(
            message,
            phrase("To write a name that begins with a dash, put -- before it: {command} -- -NAME", command=command),
        )
    return UsageSentence(message, _suggest_help(context))


def _find_option(name: str, options: Sequence[str]) -> str:
    """Return the option that was probably meant, by a synonym or a similar name; "" if there is none."""
    other_name = _OPTION_BY_SYNONYM.get(name, "")
    if other_name.partition(" ")[0] in options:
        return other_name
    if not name.startswith("--"):
        return ""
    longer = [option for option in options if option.startswith(name)]
    nearest = get_close_matches(name, options, 1, _MIN_SIMILARITY)
    return (nearest or (longer if len(longer) == 1 else [""]))[0]


def _describe_option_value(error: Any, args: Sequence[str]) -> UsageSentence:  # noqa: ANN401 - as above
    """Describe an option without its value, or a switch with one."""
    name = error.option_name
    help_text = _name_help_command(f"handledger {args[0]}" if args and not args[0].startswith("-") else "handledger")
    if "does not take a value" in error.message:
        return UsageSentence(
            phrase("{name} takes no value", name=name), phrase("Leave out the = and what follows it: {name}", name=name)
        )
    return UsageSentence(phrase("the value of {name} is missing", name=name), help_text)


def _suggest_value(name: str, param: Any, context: Any) -> str:  # noqa: ANN401 - as above
    """Return an example of an option with a valid number, or the help command."""
    if _find_value_type(param) is not int:
        return _suggest_help(context)
    minimum, _ = _find_bounds(param)
    default = param.default if type(param.default) is int and param.default else None
    number = default if default is not None else max(minimum or 0, 5)
    return _show_example(f"{name} {number}")


def _show_example(example: str) -> str:
    return phrase("For example: {example}", example=example)


def _add_suggestion(message: str, nearest: str) -> str:
    """Return a message with the nearest known name."""
    return phrase("{message}. Did you mean {name}?", message=message, name=nearest)


def _describe_missing(error: Any, context: Any) -> UsageSentence:  # noqa: ANN401 - as above
    """Describe an argument or an option that a command needs."""
    command, param = context.command_path.removeprefix("handledger "), error.param
    if param.param_type_name == "argument":
        missing_value = (
            phrase(_ARGUMENT_NAMES[param.name]) if param.name in _ARGUMENT_NAMES else str(param.metavar or param.name)
        )
    else:
        missing_value = param.opts[0]
    choices = _list_choices(param)
    message = phrase("{command} needs {argument}", command=command, argument=missing_value)
    if choices:
        message = give_reasons(message, ", ".join(choices))
    example = _find_help_example(context.command_path)
    return UsageSentence(message, _show_example(example) if example else _suggest_help(context))


def _find_help_example(command_path: str) -> str:
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
    choices = _list_choices(param)
    if choices and "is not one of" in error.message:
        typed = _find_typed_value(error)
        nearest = get_close_matches(typed, choices, 1, _MIN_SIMILARITY)
        if is_option:
            message = phrase("{option} can't be {value}", option=name, value=repr(typed))
        else:
            message = phrase("{command} doesn't know {value}", command=command, value=repr(typed))
        message = _add_suggestion(message, nearest[0]) if nearest else message
        return UsageSentence(message, phrase("Choose from: {choices}.", choices=", ".join(choices)))
    if _find_value_type(param) is int and "Input should be" in error.message:
        message = _describe_range(name if is_option else command, *_find_bounds(param))
        example = _find_help_example(context.command_path)
        hint = _show_example(example) if example and not is_option else _suggest_value(name, param, context)
        return UsageSentence(message, hint)
    return None


def _describe_range(name: str, minimum: int | None, maximum: int | None) -> str:
    """Return which numbers an option or argument takes; None = no bound."""
    least, most = f"{minimum or 0:,}", f"{maximum or 0:,}"
    if minimum is not None and maximum is not None:
        return phrase("{name} takes a number from {minimum} to {maximum}", name=name, minimum=least, maximum=most)
    if minimum is not None:
        return phrase("{name} takes a number, {minimum} or more", name=name, minimum=least)
    if maximum is not None:
        return phrase("{name} takes a number, {maximum} or less", name=name, maximum=most)
    return phrase("{name} takes a number", name=name)


def _find_bounds(param: Any) -> tuple[int | None, int | None]:  # noqa: ANN401 - as above
    info = param.type_descriptor.parameter_info
    return info.min, info.max


def _find_typed_value(error: Any) -> str:  # noqa: ANN401 - as above
    """Return the refused value, as far as the error quotes it."""
    match = re.search(r"'(.*?)' is not one of", error.message, re.DOTALL)
    return match.group(1) if match else ""


def _find_value_type(param: Any) -> Any:  # noqa: ANN401 - as above
    """Return the type of an option's value: of a list, the type of its items; of `int | None`, int."""
    value_type = param.type_descriptor.annotation
    if get_origin(value_type) is list:
        value_type = get_args(value_type)[0]
    other_types = [part for part in get_args(value_type) if part is not type(None)]
    return int if other_types == [int] else value_type


def _list_choices(param: Any) -> list[str]:  # noqa: ANN401 - as above
    """Return the words that an option or argument accepts; [] if it accepts others too."""
    return [choice for choice in get_args(_find_value_type(param)) if isinstance(choice, str)]


def _describe_words(error: Any, context: Any) -> UsageSentence | None:  # noqa: ANN401 - as above
    """Describe extra words, often parts of a name with spaces, or an unknown verb."""
    command = context.command_path.removeprefix("handledger ")
    verb = re.match(r"No such command '(.*?)'", error.message, re.DOTALL)
    if verb is not None:
        nearest = get_close_matches(verb.group(1), list(context.command.commands), 1, _MIN_SIMILARITY)
        message = phrase("{command} has no command {name}", command=command, name=repr(verb.group(1)))
        return UsageSentence(_add_suggestion(message, nearest[0]) if nearest else message, _suggest_help(context))
    extra_match = re.match(r"Got unexpected extra argument\S* \((.*)\)", error.message, re.DOTALL)
    if extra_match is None:
        return None
    extra = extra_match.group(1)
    arguments = [param for param in context.command.params if param.param_type_name == "argument"]
    if not arguments:
        return UsageSentence(
            phrase("{command} takes options only, not {text}", command=command, text=repr(extra)),
            _suggest_help(context),
        )
    last_value = context.params.get(arguments[-1].name)
    hint = _suggest_help(context)
    if isinstance(last_value, str) and len(arguments) == 1:
        name = quote_for_shell(f"{last_value} {extra}")
        hint = phrase("Put a name with spaces in quotes: {command} {name}", command=context.command_path, name=name)
    return UsageSentence(phrase("{text} is more than {command} takes", text=repr(extra), command=command), hint)


def _suggest_help(context: Any) -> str:  # noqa: ANN401 - as above
    return _name_help_command(context.command_path)


def _name_help_command(command_path: str) -> str:
    return phrase("Try: {command} --help", command=command_path)
