"""`handledger device`: the tablets, table devices and programs that may record, and their tables."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cli.documents.command_documents import DeviceDocument, DeviceEntry
from cli.options import common_options, ledger_options
from cli.output import console
from ledger import safe
from ledger.errors import NothingFoundError, UsageError
from ledger.text.language import phrase

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.house.events import DeviceMay
    from ledger.store import Ledger

_MAX_NAME_LENGTH: Final = 60


def command(
    action: Annotated[
        Literal["list", "add", "retire"], typer.Argument(metavar="[list|add|retire]", help="What to do.")
    ] = "list",
    name: Annotated[str, typer.Argument(help="The device's name: tablet-3, rfid-t7.")] = "",
    *,
    table: Annotated[
        str | None,
        typer.Option(
            "--table", help="For `add`: the only table it may record.", autocompletion=common_options.complete_tables
        ),
    ] = None,
    venue: Annotated[str | None, typer.Option("--venue", help="For `add`: the only room it may record.")] = None,
    may: Annotated[
        Literal["all", "hand", "table", "look"],
        typer.Option("--may", help="For `add`: what it may record. `look` may only read."),
    ] = "all",
    cards: Annotated[bool, typer.Option("--cards", help="For `add`: it may record and see hidden cards.")] = False,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
) -> None:
    """List, add and retire the devices that may record tables."""
    if action == "add" and name.strip():
        ledger_options.create_missing_ledger(url)
    with ledger_options.open_ledger(url, read_only=action == "list") as ledger:
        key = ""
        if action == "add":
            key = _enrol_device(ledger, name, venue or "", table or "", may, sees_cards=cards)
        elif action == "retire":
            _retire_device(ledger, name)
        elif name:
            raise UsageError(
                phrase("{name} is not expected here", name=repr(name)),
                phrase("For example: handledger device add tablet-3 --table T7"),
            )
        document = DeviceDocument(devices=_list_devices(ledger), key=key)
    if format_ == "json":
        console.write_document(document)
        return
    console.write_text("\n".join(_format_devices(document, name)) or "No device may record.")


def _enrol_device(ledger: Ledger, name: str, venue: str, table: str, may: DeviceMay, *, sees_cards: bool) -> str:
    """Enrol a device and return its key."""
    from ledger.house.devices import digest_of
    from ledger.house.events import DeviceEnrolled

    _require_name(name, phrase("For example: handledger device add tablet-3 --table T7"))
    if len(name) > _MAX_NAME_LENGTH:
        raise UsageError(
            phrase("the device's name has more than {count} characters", count=_MAX_NAME_LENGTH),
            phrase("Choose a shorter name, such as tablet-3."),
        )
    if not name.isprintable():
        raise UsageError(
            phrase("the device's name has characters that can't be printed"),
            phrase("Use letters, digits and signs, such as tablet-3."),
        )
    key = f"hld_{secrets.token_urlsafe(32)}"
    _append_event(ledger, DeviceEnrolled(name, digest_of(key), may, venue, table, sees_cards))
    return key


def _retire_device(ledger: Ledger, name: str) -> None:
    from ledger.house.devices import ENROLMENTS, list_enrolled_devices
    from ledger.house.events import DeviceRetired
    from ledger.streams import HOUSE

    _require_name(name, phrase("For example: handledger device retire tablet-3"))
    if name not in list_enrolled_devices(ledger.entries_of_types(HOUSE, *ENROLMENTS)):
        raise NothingFoundError(
            phrase("no device is called {name}", name=repr(name)), phrase("handledger device lists them.")
        )
    _append_event(ledger, DeviceRetired(name))


def _require_name(name: str, example: str) -> None:
    """Raise `UsageError` if the command line has no name; `example` is a command with a name."""
    if not name.strip():
        raise UsageError(phrase("the device's name is missing"), example)


def _append_event(ledger: Ledger, event: Event) -> None:
    from ledger.entry import Provenance
    from ledger.streams import HOUSE

    ledger.append("house", HOUSE, [event], recorded=Provenance(ledger.now(), writer="device"))


def _list_devices(ledger: Ledger) -> list[DeviceEntry]:
    from ledger.house.devices import ENROLMENTS, list_enrolled_devices
    from ledger.streams import HOUSE

    devices = list_enrolled_devices(ledger.entries_of_types(HOUSE, *ENROLMENTS)).values()
    return [DeviceEntry(device.device, device.may, device.venue, device.table, device.cards) for device in devices]


def _format_devices(document: DeviceDocument, added_name: str) -> list[str]:
    """Return the lines of the devices, after the key of a device that was just added."""
    lines = []
    if document.key:
        lines += [
            f"{safe.terminal(added_name)} may record with this key, which is shown this once:",
            f"  {document.key}",
            "",
        ]
    for device in document.devices:
        tables_text = "/".join(safe.terminal(part) for part in (device.venue, device.table) if part) or "every table"
        cards_text = "  sees cards" if device.cards else ""
        lines.append(f"{safe.fit(safe.terminal(device.name), 20)} {device.may:<6} {tables_text}{cards_text}")
    return lines
