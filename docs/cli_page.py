"""Makes docs/cli.md: the help of each command with the notes on it, in the order of `handledger --help`."""

from __future__ import annotations

import contextlib
import io
import os
from importlib import import_module

from cli.output.help_page import find_page
from cli.command_list import COMMANDS, GROUPS
from cli.main import find_module, run_program

HEAD = """# What a person types

Generated from the program (`make docs`). Without `--ledger` or `HANDLEDGER_URL` the ledger is a SQLite file in your data folder.
The key behind its players' ids is a file in your settings folder, or the one that `--people-key` or `HANDLEDGER_PEOPLE_KEY` names; what
needs it and has it not ends with exit code 2.

| exit code | means |
|---|---|
| 0 | done, nothing to report |
| 1 | findings |
| 2 | could not do what was asked; also: no hand matched |
| 3 | done in part: some input was rejected |
| 4 | integrity broken |
| 130 | interrupted; run it again and it goes on |

## Addresses

Every output prints the address of a hand, and every command, query (`hand:T7/408`) and page takes it:
`[VENUE/][TOURNAMENT/]TABLE/HAND[/DAY][~ACCOUNT][@EVENT]`.

| address | means |
|---|---|
| `T7/408` | hand 408 of table T7; this is what is printed where it is enough |
| `Riverside/T7/408`, `88/T7/408` | two rooms, or two tournaments, have a table T7 |
| `T7/408/2026-11-20` | the table used the number again: the hand of that day, by the room's clock |
| `T7/408/2nd` | the second hand of that number, where the record has no date or one day has both |
| `T7/408~2` | its second account; without it, the account that stands |
| `T7/408@14`, `T7/408@flop` | the hand after event 14; when the flop lay |
| `"Alcor II"/408` | a name with a blank or one of the marks is quoted, a quote in it doubled |
| `408`, `2089` | a number alone, or the beginning of a number or an id, if one hand fits |
| `night.txt:120` | the hand that line 120 of a file belongs to |

A table goes by the same names: `T7`, `Riverside/T7`, `88/T7`. An address that fits several hands is refused with the address of each.
Earlier versions read `T7#3` as the table's third event and `219/2` as the second hand numbered 219; both are refused, with what to write.
"""


def page() -> str:
    """Return the page as Markdown."""
    parts = [HEAD, _list_commands()]
    for name in COMMANDS:
        parts.append(_section("##", name))
        verbs = getattr(import_module(find_module(name)), "VERBS", {})
        parts += [_section("###", name, verb) for verb in verbs]
    return "\n".join(parts)


def _list_commands() -> str:
    """Return a table of all commands, group by group."""
    rows = ["| | command | |", "|---|---|---|"]
    for group, commands in GROUPS.items():
        for number, (name, summary) in enumerate(commands.items()):
            rows.append(f"| {'' if number else group} | [`{name}`](#handledger-{name}) | {summary} |")
    return "## Commands\n\n" + "\n".join(rows) + "\n"


def _section(heading: str, *words: str) -> str:
    """Return the help of a command or verb, and the notes on it."""
    path = " ".join(words)
    notes = find_page(path).notes
    return "\n".join([f"{heading} handledger {path}", "", "```", _help(*words), "```", *([notes] if notes else [""])])


def _help(*words: str) -> str:
    """Return the help of a command on a terminal of 100 columns."""
    printed = io.StringIO()
    width = {"COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1"}
    earlier_values = {key: os.environ.get(key) for key in [*width, "HANDLEDGER_URL"]}
    os.environ.pop("HANDLEDGER_URL", None)
    os.environ.update(width)
    try:
        with contextlib.redirect_stdout(printed):
            run_program([*words, "--help"])
    finally:
        for key, value in earlier_values.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value
    return "\n".join(line.rstrip() for line in printed.getvalue().strip().splitlines())
