"""What the tests of this notation share: a reader of text and what events say in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from ledger.account import Account, Reject
from ledger.formats.phh import FORMAT
from ledger.formats.phh.words import encode_in_clear
from ledger.notation import Chunk
from ledger.people import People

SAMPLES = Path(__file__).parent / "samples"

Read = Callable[[str | bytes], list[Account | Reject]]


@pytest.fixture
def people() -> People:
    return People(b"a secret of this test only, 32 by")


@pytest.fixture
def read(people: People) -> Read:
    def all_of(text: str | bytes) -> list[Account | Reject]:
        data = text.encode() if isinstance(text, str) else text
        return list(FORMAT.read(Chunk(data), people))

    return all_of


def only_hand(items: list[Account | Reject]) -> Account:
    """The only hand of a text, which must be readable."""
    (account,) = items
    assert isinstance(account, Account), account
    return account


def lines(account: Account, data: bytes, people: People) -> list[str]:
    """Each event as JSON with names in the clear, how it is known, and the bytes it stands on."""
    events = msgspec.json.decode(encode_in_clear(account.events, people)[0])
    out = []
    for index, event in enumerate(events):
        start, length = account.places[2 * index : 2 * index + 2]
        place_start = account.start + start
        place = data[place_start : place_start + length].decode()
        source = "derived" if index in account.inferred else "read"
        excerpt = place if len(place) <= 60 else place[:57] + "..."
        out.append(f"{msgspec.json.encode(event).decode()}  {source} {excerpt!r}")
    return out


HAND = """\
variant = 'NT'
antes = [{antes}]
blinds_or_straddles = [{blinds}]
min_bet = 2
starting_stacks = [{stacks}]
actions = [{actions}]
venue = 'Harbour Room'
table = 'Test'
hand = 7
"""


def hand(
    *actions: str, antes: str = "0, 0, 0", blinds: str = "1, 2, 0", stacks: str = "200, 200, 200", suffix: str = ""
) -> str:
    """A no-limit hold'em hand with these actions."""
    quoted = ", ".join(f"'{action}'" for action in actions)
    return HAND.format(antes=antes, blinds=blinds, stacks=stacks, actions=quoted) + suffix
