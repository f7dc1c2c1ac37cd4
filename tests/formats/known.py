"""What is known of a room's real hands: `tests/formats/ROOM/known.toml`, beside what its reader makes of them.

The hands belong to other people and lie beside the checkout. A hand is named by its number, or where several have the
same by file and place: `night.txt#0`; `night.txt#*` are all hands of a file.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from ledger import formats
from ledger.account import Account
from ledger.intake.encoding import convert_to_utf8
from ledger.notation import Format
from ledger.people import People
from tests.formats.support import Read, encoding_of, new_people, read_folder

HOME = Path(__file__).parent


class Known(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `known.toml` holds. What is left out is empty: nothing is rejected, strange, uneven or open."""

    folder: str  # of the sample hands
    own: list[str]  # folders within it, or it itself, whose files are this room's
    hands: int
    rejects: list[tuple[str, str]] = []  # file and code
    strange: dict[
        str, int | list[str]
    ] = {}  # the lines of a hand that nobody knows, or how many; `...` ends a beginning
    uneven: dict[str, list[str]] = {}  # what of a hand does not add up
    open: list[str] = []  # hands whose record stops before they are over
    claimed: list[str] = []  # files elsewhere that are this room's
    unclaimed: list[str] = []  # files of these folders that are not: they hold no hand, or another room's
    fpdb: int = 0  # files of which FPDB stores the same players, stacks and winnings, but for:
    fpdb_differs: dict[str, list[str]] = {}


ROOMS = sorted(path.parent.name for path in HOME.glob("*/known.toml"))


def load_known(room: str) -> Known:
    """Return what is known of a room's hands."""
    return msgspec.convert(tomllib.loads((HOME / room / "known.toml").read_text(encoding="utf-8")), Known)


def form_of(room: str) -> Format:
    """Return the format that a folder of tests is about."""
    return next(
        formats.get(name) for name in formats.NAMES if formats.find_module_name(name).rpartition(".")[2] == room
    )


@lru_cache(maxsize=2)
def read_real_hands(room: str, data_dir: Path) -> tuple[People, list[Read]]:
    """Return the files of a room's folder as its reader tells them, and the people in them."""
    people = new_people()
    return people, list(read_folder(form_of(room), data_dir / load_known(room).folder, people=people))


def name_hands(files: list[Read]) -> Iterator[tuple[str, Account]]:
    """Yield each hand with its name."""
    numbers = Counter(account.opened.number for file in files for account in file.accounts)
    for file in files:
        for index, account in enumerate(file.accounts):
            number = account.opened.number
            yield f"{file.path.name}#{index}" if numbers[number] > 1 else number, account


@cache
def read_heads(data_dir: Path) -> dict[str, bytes]:
    """Return the beginning of every sample file as a format is asked about it, by its path within the folder."""
    found = {}
    for path in sorted(data_dir.rglob("*")):
        if path.is_file() and "expected-by-fpdb" not in path.parts:
            data = path.read_bytes()
            found[str(path.relative_to(data_dir))] = convert_to_utf8(data[: 64 * 1024], encoding_of(data))
    return found
