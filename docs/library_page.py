"""Writes docs/library.md: the names of `handledger`, with their signatures and docstrings."""

from __future__ import annotations

import inspect
from pathlib import Path

import handledger
from handledger.signatures import describe_signature, list_members

OPENING = """\
# handledger in your program

<!-- written by docs/generate.py -->

`import handledger` is the one door for programs. Each name is loaded when you first use it, so the import is cheap.

```python
import handledger

table = handledger.Table("limit 10/20", rulebook="hilton")
for seat, name in enumerate(["Ana", "Bo", "Cy", "Di"], start=1):
    table.sit(seat, name)
table.deal(button=4)
table.away(2)
print(table.due().sentence)
for fault in table.check(posts={1: 5, 4: 10}):
    print(fault.clause, fault.sentence)
```

```
Button seat 1 (Ana). Dead small blind seat 2, big blind 10 seat 3 (Cy).
B13.1 Blinds out of order: small blind in seat 1, after the big blind in seat 4
B12a.1 The big blind skipped seat 3
```

Runnable examples are in [`examples/`](../examples): a home game, a tournament director, a converter, a notebook over a
ledger, and a projection.

## What stays the same

Versions are semantic. The promise covers the names on this page, their parameters, and the fields of their answers.

- A **patch** version changes no name, parameter or field. Sentences may be reworded: compare `code`, `clause` and `kind`
  instead.
- A **minor** version adds names, parameters with a default, fields and words such as a new `kind`. Programs that ignore what
  they don't know go on working. While the version is 0.x, a minor version may also remove a name. It was deprecated in a
  release before, and the changelog names it.
- A **major** version may remove or change a name. It was deprecated for at least one minor version.
- An answer may change when a rulebook gets a new edition, or when an error in the engine is fixed. The changelog says so.
  `rulebook="hilton@EDITION"` pins an edition.

`tests/library/signatures.txt` records every signature. A test compares it with the program, so no change goes unnoticed.
Modules below `handledger` are not part of the promise.

## Amounts, seats, errors

Amounts are integers in the table's smallest unit. `Table.exponent` says how many decimals that unit has: stakes of `0.5/1`
have one, so the big blind is 10. None means that nobody can know the amount, never zero. Seats are numbers from 1,
clockwise.

All errors are a `HandledgerError` with a stable `code`, a `message` and a `hint`. Sentences are in the language in force,
which is English by default.

A `Table` says what it can't know. `Due.unknown` says why positions can't be told. `Due.unknowns` lists what makes an answer
only likely. `Due.readings` has several hands if the text of the book allows them. `Due.is_certain` is true if nothing is open.

## A game that was running

A new `Table` is a new game. If the game was running before your first hand, write `Table(..., running=True)`: everyone you
seat before that hand has played already. It matters for newcomers: under `rrop4` they post, but in a new game latecomers come in
free until the button has gone round.

`owes` states which blinds a player missed before your first hand, so call it before `deal`. `deal` then gives that player no
cards on the first hand, unless you name the seat in `dealt`. Later `owes` raises an error, because the hands show what a
player owes.

```python
table = handledger.Table("limit 10/20", rulebook="hilton", running=True)
for seat, name in enumerate(["Ana", "Bo", "Cy", "Di"], start=1):
    table.sit(seat, name)
table.owes(2, "small blind", "big blind")
table.deal(button=4)
print(table.due().sentence)
```

## In a browser

`Table` needs only msgspec and the standard library. So it also runs in Pyodide: without SQLite, threads or the compiled
evaluator of hands.
"""
GROUPS = {
    "A table without a file": (
        *("Table", "Due", "SeatDue", "PostDue", "Reading", "EntryChoice", "DueReason"),
        *("Fault", "RecordedHand", "HandPost", "SeatedPlayer"),
    ),
    "Rulebooks": ("rulebooks", "load_rulebook", "clause", "ClauseText"),
    "A ledger": (
        *("open", "import_files", "ImportOptions", "audit", "due", "describe_due", "show", "query", "export", "ExportedText"),
        "import_paths",
    ),
    "Errors": ("HandledgerError", "TableError", "GameTextError", "NoRulebookError", "PostsError", "RulebookError"),
    "Recording and the server": ("Recorder", "Settings", "TableSession", "Client"),
    "Handscript": ("read_hand", "read_items", "write_item", "write_lines"),
    "Projections": ("environment_for", "LedgerTrackingRecorder", "run_projection", "results_projection"),
}


def page() -> str:
    """Return the page."""
    missing = set(handledger.__all__) - {name for names in GROUPS.values() for name in names} - {"__version__"}
    if missing:
        raise ValueError(f"no group has {sorted(missing)}")
    lines = [OPENING]
    for title, names in GROUPS.items():
        lines += [f"## {title}", ""]
        for name in names:
            lines += _describe(name)
    return "\n".join(lines).rstrip() + "\n"


def _describe(name: str) -> list[str]:
    value = getattr(handledger, name)
    lines = [f"### `{name}`", "", "```python", describe_signature(name, value), "```", "", *_docstring(value)]
    for member_name, member in list_members(value):
        lines += [f"#### `{name}.{member_name}`", ""]
        if not isinstance(member, property):
            lines += ["```python", describe_signature(member_name, member), "```", ""]
        lines += _docstring(member.fget if isinstance(member, property) else member)
    return lines


def _docstring(value: object) -> list[str]:
    """Return a docstring as Markdown: its examples in fences."""
    lines: list[str] = []
    in_example = False
    for line in (inspect.getdoc(value) or "").splitlines():
        is_example = line.startswith(">>>") or (in_example and bool(line.strip()))
        if is_example != in_example:
            lines.append("```pycon" if is_example else "```")
            in_example = is_example
        lines.append(line)
    if in_example:
        lines.append("```")
    return [*lines, ""]


if __name__ == "__main__":
    Path(__file__).with_name("library.md").write_text(page(), "utf-8")
