"""Describe the key of a ledger's ids for `handledger people key`, and who could still guess forgotten names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.documents.command_documents import PeopleDocument
from cli.options import ledger_options

if TYPE_CHECKING:
    from ledger.store import Ledger

_GUESSABLE_DIGESTS: Final = (
    "an earlier version named its sources by their SHA-256: anyone who has such a file except for the name "
    "can try names in it"
)


def warn_of_inner_key(ledger: Ledger) -> list[str]:
    """Return a warning if the key of a ledger's ids is in the ledger itself."""
    from ledger.store.people.ids import KEY_INSIDE

    return [KEY_INSIDE] if ledger.people.ids.key_inside else []


def describe_key(ledger: Ledger) -> PeopleDocument:
    """Return where the key of a ledger's ids is; `PeopleKeyError` if it's missing or another ledger's."""
    ids = ledger.people.ids
    if ids.key_inside:
        return PeopleDocument(done="ids are made here", people=[], notes=warn_of_inner_key(ledger))
    ledger.people.require_secret()
    key_path = str(ids.path)
    return PeopleDocument(done=f"the key of this ledger's ids is the right one: {key_path}", people=[], key=key_path)


def move_key_out(ledger: Ledger, place: Path | None) -> PeopleDocument:
    """Move the key out of a ledger of an earlier version, and return where it is."""
    from ledger.store.requests.key_export import export_key

    path, unreached = export_key(ledger, place)
    key_path = str(path)
    return PeopleDocument(
        done=f"the key of this ledger's ids is now in {key_path}, and no longer in {ledger_options.name_ledger(ledger)}",
        people=[],
        key=key_path,
        beyond=unreached,
        notes=["keep this key, apart from the ledger's backups: without it you can't import", _GUESSABLE_DIGESTS],
    )


def list_guessable(ledger: Ledger) -> list[str]:
    """Return notes about who could still guess the name of a forgotten person."""
    ids = ledger.people.ids
    if ids.key_inside:
        return [*warn_of_inner_key(ledger), _GUESSABLE_DIGESTS]
    ids.known_secret()
    key_text = f" ({ids.path})" if ids.path else ""
    guess_note = (
        f"anyone with the key of this ledger's ids{key_text} can still find the name by trying names; nobody else can. "
        "With that key, an import recognizes the person in another file and doesn't store the name"
    )
    return [guess_note] if ids.is_salted else [guess_note, _GUESSABLE_DIGESTS]
