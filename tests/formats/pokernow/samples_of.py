"""Our own sample logs, and what is picked out of them."""

from __future__ import annotations

from pathlib import Path

from ledger.account import Account, TableAccount
from ledger.event import Event
from ledger.formats.pokernow import FORMAT
from ledger.notation import Item
from tests.formats.support import read

SAMPLES = Path(__file__).parent / "samples"
FILES = sorted(path.name for path in SAMPLES.iterdir() if path.suffix != ".golden")


def sample(name: str) -> str:
    return (SAMPLES / name).read_bytes().decode()


def items(name: str) -> list[Item]:
    return read(FORMAT, sample(name), name=name)


def hand(name: str, number: str) -> Account:
    return next(item for item in items(name) if isinstance(item, Account) and item.opened.number == number)


def facts(name: str) -> list[Event]:
    return [event for item in items(name) if isinstance(item, TableAccount) for event in item.events]


def events_of(account: Account, kind: type) -> list:
    return [event for event in account.events if isinstance(event, kind)]
