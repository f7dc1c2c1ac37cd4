"""Makes docs/cli.md: what each command says of itself, in the order in which a newcomer meets them."""

from __future__ import annotations

import contextlib
import io
import os
from importlib import import_module

from cli.main import COMMANDS, module, outcome

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

Addresses work wherever a hand is asked for: its number or the beginning of its id · `table#number` · `number@12` after event 12 ·
`file:line`.
"""


def page() -> str:
    """Return the page as Markdown."""
    parts = [HEAD]
    for name in COMMANDS:
        parts.append(f"## handledger {name}\n\n```\n{_help(name)}\n```\n")
        verbs = getattr(import_module(module(name)), "VERBS", {})
        parts += [f"### handledger {name} {verb}\n\n```\n{_help(name, verb)}\n```\n" for verb in verbs]
    return "\n".join(parts)


def _help(*words: str) -> str:
    """Return what a command says of itself on a terminal of 100 columns."""
    said = io.StringIO()
    width = {"COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1"}
    before = {key: os.environ.get(key) for key in [*width, "HANDLEDGER_URL"]}
    os.environ.pop("HANDLEDGER_URL", None)
    os.environ.update(width)
    try:
        with contextlib.redirect_stdout(said):
            outcome([*words, "--help"])
    finally:
        for key, value in before.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value
    return "\n".join(line.rstrip() for line in said.getvalue().strip().splitlines())
