"""What a command line says reaches a command as Typer itself would hand it over, without what Typer needs for that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from typer._click.core import Context
from typer._click.exceptions import BadParameter
from typer._coercion import build_runtime_param
from typer.main import get_command

from cli.command_list import COMMANDS
from cli.main import app
from cli.options.values import skip_plain_checks

TEXTS = (
    "",
    " ",
    "x",
    "Ä\u202e",
    "\udcff",
    "a,b",
    "-",
    "text",
    "JSON",
    "7",
    "007",
    "-3",
    "1.5",
    "1_000",
    " 5",
    "٣",
    "9" * 30,
)


def parameters() -> list[tuple[Any, Context]]:
    """Every parameter of every command, with the context of its command."""
    root = skip_plain_checks(get_command(app))
    root_context = Context(root, info_name="handledger", **root.context_settings)
    pairs = [(entry, root_context) for entry in root.get_params(root_context)]
    for name in COMMANDS:
        command = root.get_command(root_context, name)
        for entry in (command, *getattr(command, "commands", {}).values()):
            # As the program makes it: commands are made once, and keep the help option that they were first asked for.
            context = Context(entry, parent=root_context, info_name=name, **entry.context_settings)
            pairs += [(parameter, context) for parameter in entry.get_params(context)]
    return pairs


def outcome(taking: Any, value: object, parameter: Any, context: Context) -> object:
    """What becomes of a value, or what is complained of."""
    try:
        return taking.coerce(value, param=parameter, ctx=context)
    except BadParameter as error:
        return error.format_message()


def values(parameter: Any, folder: Path) -> list[object]:
    """Values to try at a parameter: none, its default, those it lists, texts, numbers, paths; for several, lists of them."""
    kind = parameter.type_descriptor.annotation
    several = get_origin(kind) is list
    inner = get_args(kind)[0] if several else kind
    choices = get_args(inner) if get_origin(inner) is Literal else ()
    paths = [str(path) for path in (folder, folder / "there", folder / "not-there", folder / "shut")]
    single_values = [*TEXTS, *choices, *paths, True, 3, 64, 65, 10**20, "64", "65", "0"]
    default = parameter.get_default(Context(get_command(app)))
    return [
        None,
        default,
        *([[value] for value in single_values] + [tuple(single_values), (), []] if several else single_values),
    ]


def test_every_parameter_of_every_command_takes_what_typer_would(tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    (tmp_path / "shut").touch(mode=0)
    tried = set()
    for parameter, context in parameters():
        type_descriptor = parameter.type_descriptor
        runtime_param = build_runtime_param(type_descriptor)
        key = (
            str(type_descriptor.annotation),
            type_descriptor.parameter_info.min,
            type_descriptor.parameter_info.max,
            type(parameter),
        )
        if key in tried:
            continue
        tried.add(key)
        for value in values(parameter, tmp_path):
            ours = outcome(parameter.get_runtime_param(), value, parameter, context)
            typer_value = outcome(runtime_param, value, parameter, context)
            assert (type(ours), ours) == (type(typer_value), typer_value), f"{parameter.name} {key}: {value!r}"
    assert len(tried) > 20


SHORT_COMMANDS = ["show 1", "show 1@8", "log -n 20", "log --reverse", "due T1 -r hilton"]
LOADED = """
import sys
from cli import main
for line in sys.argv[2:]:
    code = main.run_program([*line.split(), "--ledger", sys.argv[1]])
    print(f"\\nLOADED {code}", *sorted({name.split(".")[0] for name in sys.modules}))
"""


def test_short_commands_load_neither_the_database_layer_nor_what_checks_values(book: str) -> None:
    result = subprocess.run(
        [sys.executable, "-c", LOADED, book, *SHORT_COMMANDS], capture_output=True, text=True, check=True
    )
    loaded_rows = [line.split()[1:] for line in result.stdout.splitlines() if line.startswith("LOADED ")]
    heavy = {"sqlalchemy", "pydantic", "eventsourcing", "rich", "cryptography", "logging", "asyncio"}
    for line, (code, *loaded) in zip(
        SHORT_COMMANDS, loaded_rows, strict=True
    ):  # what one loads is seen at the later ones, too
        assert code == "0", (line, result.stderr)
        assert not set(loaded) & heavy, line
