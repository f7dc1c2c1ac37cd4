"""Makes docs/cli.md: the help of each command with the notes on it, in the order of `handledger --help`."""

from __future__ import annotations

import contextlib
import io
import os
from importlib import import_module

from cli.output.help_page import find_page
from cli.command_list import COMMANDS, GROUPS
from cli.main import find_module, run_program

HEAD = """# Every command

Generated from the program (`make docs`). Without `--ledger` or `HANDLEDGER_URL` the ledger is a SQLite file in your data folder.
The key behind its players' ids is a file in your settings folder, or the file that `--people-key` or `HANDLEDGER_PEOPLE_KEY`
names. Commands that need the key end with exit code 2 if it's missing.

| exit code | meaning |
|---|---|
| 0 | done, nothing wrong found |
| 1 | findings |
| 2 | the command failed, or no hand matched |
| 3 | done in part: some input was rejected |
| 4 | integrity broken |
| 130 | interrupted; run it again and it goes on |

## Addresses

Commands print the address of each hand. Every command, query (`hand:T7/408`) and page accepts it:
`[VENUE/][TOURNAMENT/]TABLE/HAND[/DAY][~ACCOUNT][@EVENT]`.

| address | meaning |
|---|---|
| `T7/408` | hand 408 of table T7: the short form, printed if only one hand has it |
| `Riverside/T7/408`, `88/T7/408` | with the room, or the tournament, if several have a table T7 |
| `T7/408/2026-11-20` | with the day, by the room's clock, if the table used the number again |
| `T7/408/2nd` | the second hand with that number, if the record has no date or both are of one day |
| `T7/408~2` | its second account; without `~`, the account that counts |
| `T7/408@14`, `T7/408@flop` | the hand after event 14; after the flop |
| `"Alcor II"/408` | a name with a space or one of these signs goes in quotes; write a quote in it twice |
| `408`, `2089` | a number alone, or the beginning of a number or an id, if only one hand fits |
| `night.txt:120` | the hand at line 120 of a file |

Tables have the same addresses: `T7`, `Riverside/T7`, `88/T7`. If an address fits several hands, the error lists the address of each.
Earlier versions read `T7#3` as the table's third event and `219/2` as the second hand numbered 219. The errors now say what to write.
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
