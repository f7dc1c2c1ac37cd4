"""Makes docs/formats/README.md: which formats are read and written, and what each of them can say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from operator import and_
from pkgutil import iter_modules
from typing import Any

from ledger import formats
from ledger.event import Event, topic
from ledger.events import STREAMS
from ledger.notation import Format
from ledger.readers.document_hand import DocumentHand
from ledger.readers.headed_hand import HeadedHand
from ledger.vocabulary import Witness, list_witness_names

HEAD = """# Formats

Generated from the program (`make docs`). Each format has its own page: how a line or a member becomes an event, what the
reader infers, and what it rejects. `handledger import` recognizes the format by content; `--format NAME` forces one.

Readers of text also take copies: indented as in programs and wikis, quoted with `>` as in emails, or with the quotation marks
and dashes of message boards and word processors. Findings point at the copy's own bytes.
"""

WRITING_HEAD = """## What each format can hold when written

● the format has a word for the event, though perhaps not for every detail. ○ the event is lost. If your hands would lose
something, `handledger export` lists it and writes nothing; `--lossy` writes them anyway. handscript and JSON lines lose nothing.
[CSV](csv.md) has a row for each seat, Parquet and JSON lines one for each event. PHH keeps events without a word of its own in our
field `_handledger_events`. Findings go out as text, JSON and [CSV](csv.md).
"""

WITNESS_HEAD = """## What each format always records

If a source never records a kind of fact, its silence proves nothing. An audit then prints "Not judged" and names the missing fact.
If a hand's file has one player's cards, the reader adds them.
"""


def page() -> str:
    """Return the page."""
    all_formats = [formats.get(name) for name in formats.NAMES]
    writers = [form for form in all_formats if form.write is not None]
    return "\n".join(
        (HEAD, *_list_formats(all_formats), "", WRITING_HEAD, *_list_written_events(writers), "", WITNESS_HEAD, *_list_witnesses(all_formats), "")
    )


def _list_formats(all_formats: list[Format]) -> list[str]:
    lines = ["| name | what it is | files | read | written |", "|---|---|---|:-:|:-:|"]
    for form in all_formats:
        written_mark = "●" if form.write is not None else "○"
        page_link = "../handscript.md" if form.name == "handscript" else f"{form.name}.md"
        lines.append(
            f"| [`{form.name}`]({page_link}) | {form.title} | {' '.join(form.suffixes)} | ● | {written_mark} |"
        )
    return lines


def _list_written_events(writers: list[Format]) -> list[str]:
    lines = [
        f"| event | {' | '.join(form.name for form in writers)} |",
        f"|---|{':-:|' * len(writers)}",
    ]
    for kind in _kinds():
        marks = " | ".join("●" if kind in form.written_events else "○" for form in writers)
        lines.append(f"| `{topic(kind)}` | {marks} |")
    return lines


def _kinds() -> list[type[Event]]:
    return sorted(STREAMS["hand"], key=topic)


def _list_witnesses(all_formats: list[Format]) -> list[str]:
    witnesses_by_format = {form.name: _witnesses_of(form) for form in all_formats}
    names = [form.name for form in all_formats if witnesses_by_format[form.name] is not None]
    lines = [f"| | {' | '.join(names)} |", f"|---|{':-:|' * len(names)}"]
    for bit in Witness:
        marks = " | ".join("●" if (witnesses_by_format[name] or 0) & bit else "" for name in names)
        if "●" in marks:
            lines.append(f"| {list_witness_names(bit)[0]} | {marks} |")
    return lines


def _declared(module: dict[str, Any]) -> Iterator[int]:
    """Yield what a module declares that its records tell, and what rooms of tables declare in it."""
    for key, value in module.items():
        if key.endswith("WITNESSES") and key[0] != "_":
            yield value
        elif isinstance(value, type) and issubclass(value, DocumentHand | HeadedHand) and value.__module__ == module["__name__"]:
            yield from filter(None, (getattr(value, "WITNESSES", 0),))


def _witnesses_of(form: Format) -> int | None:
    """Return what a reader declares, of two generations what both do; None for handscript: its records say it themselves."""
    package = import_module(formats.find_module_name(form.name))
    submodules = [f"{package.__name__}.{submodule.name}" for submodule in iter_modules(getattr(package, "__path__", ()))]
    declared = [
        int(value)
        for module in (package, *map(import_module, submodules))
        for value in _declared(vars(module))
    ]
    return reduce(and_, declared) if declared and form.name != "handscript" else None
