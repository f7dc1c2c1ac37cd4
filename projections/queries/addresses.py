"""Addresses: how a person says which hand, which event, which line of which file.

`219` or `219.../abc` the number, or the beginning of the number or id, of a hand: the account of it that
stands; `219~2` its second account; `219/2026-11-20` or `219/2` the hand of that day, or the second hand,
where the number was used again; `219@12` after event 12; `219@flop` when the flop lay; `T7#42` event 42 of table T7, which
played a hand; `night.txt:120` the hand that this line of a source belongs to.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, get_args
from uuid import UUID

from ledger.clocks import wall
from ledger.errors import AddressError, NothingFoundError
from ledger.hand.dealing import BoardDealt, DealCompleted, StreetDealt
from ledger.readers.timestamps import iso
from ledger.table.events import HandPlayed
from ledger.vocabulary import Street
from projections.queries import days
from projections.queries.near import near
from projections.reports import sources

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.store import HandRow, Ledger, TableRow
    from ledger.vocabulary import PlayerId

_DIGITS = re.compile(r"[0-9]{1,9}")  # ASCII only
CHOICES = 5
"""How many hands an ambiguous address is answered with."""


class Address(NamedTuple):
    """A hand, and the event after which it is looked at; None = its end."""

    row: HandRow
    version: int | None


def find(ledger: Ledger, address: str) -> Address:
    """Return what `address` names; `AddressError` or `NothingFoundError` if that is not one hand."""
    hand, at, moment = address.rpartition("@")
    if at and hand and (_number(moment) is not None or moment in get_args(Street)):
        row = _hand(ledger, hand)
        return Address(row, _version(ledger, row, moment))
    try:
        return Address(_hand(ledger, address), None)
    except NothingFoundError:
        if not at or not hand or not _is_hand(ledger, hand):
            raise
    streets = ", ".join(get_args(Street))
    raise AddressError(
        f"{moment!r} is no moment of hand {hand!r}", f"Say {hand}@12 for after event 12, or a street: {streets}."
    )


def _is_hand(ledger: Ledger, address: str) -> bool:
    try:
        _hand(ledger, address)
    except (AddressError, NothingFoundError):
        return False
    return True


def names(address: str) -> list[str]:
    """Return what of an address may be the number or the id of a hand, or its beginning: all of it, or what stands before a mark."""
    found = [address]
    for mark in "@~/":
        found += [one.rpartition(mark)[0] for one in found if mark in one]
    return found


def find_all(ledger: Ledger, addresses: Sequence[str]) -> list[Address]:
    """Return what each address names."""
    return [find(ledger, address) for address in addresses]


def table(ledger: Ledger, name: str) -> TableRow:
    """Return the table called `name`: by itself, as tournament/name or as venue/name."""
    found = list(ledger.tables(name))
    if len(found) == 1:
        return found[0]
    if not found:
        raise no_table(ledger, name)
    said = ", ".join(repr(f"{row.tournament or row.venue}/{row.table}") for row in found[:CHOICES])
    raise AddressError(f"{len(found)} tables are called {name!r}", f"Say one of: {said}.")


def no_table(ledger: Ledger, name: str) -> NothingFoundError:
    """Return that there is no such table, and which may be meant."""
    there = [row.table for row in ledger.tables()]
    return NothingFoundError(f"no table is called {name!r}", near(name, there, "handledger log --by table lists them."))


def nobody(ledger: Ledger, name: str) -> NothingFoundError:
    """Return that nobody is called so, and who may be meant."""
    with ledger.database.reading() as link:
        there = [known for _, _, known in ledger.people.all_names(link)]
    return NothingFoundError(f"nobody is called {name!r}", near(name, there, "handledger people list shows everybody."))


def hand_of(ledger: Ledger, row: TableRow, address: str) -> HandRow:
    """Return the hand of this table that `address` names: by its number there, or as anywhere."""
    here = [
        hand
        for hand in ledger.hands(venue=row.venue, table=row.table, number=address, standing=True)
        if hand.tournament == row.tournament
    ]
    here = _counting(ledger, here)
    if len(here) > 1:
        raise _several(ledger, address, here)
    found = here[0] if here else _hand(ledger, address)
    if (found.venue, found.tournament, found.table) != (row.venue, row.tournament, row.table):
        raise NothingFoundError(f"hand {found.number!r} was not played at table {row.table!r} but at {found.table!r}")
    return found


def _number(text: str) -> int | None:
    return int(text) if _DIGITS.fullmatch(text) else None


def _hand(ledger: Ledger, address: str) -> HandRow:
    table, mark, number = address.rpartition("#")
    if mark and table and _number(number) is not None:
        return _of_table(ledger, table, int(number))
    name, tilde, account = address.rpartition("~")
    if tilde and name and _number(account) is not None:
        return _by_number(ledger, name, int(account))
    file, colon, line = address.rpartition(":")
    if colon and file and _number(line) is not None:
        return _of_line(ledger, file, int(line))
    return _by_number(ledger, address, None)


def _by_number(ledger: Ledger, text: str, account: int | None) -> HandRow:
    found = list(ledger.hands(number=text)) or _of_session(ledger, text) or _beginning(ledger, text)
    if not found:
        raise _no_hand(ledger, text)
    if account is None:
        found = _counting(ledger, _meant(found, text))
    else:
        found = [row for row in found if row.account == account]
        if not found:
            raise NothingFoundError(f"hand {text!r} has no account {account}")
    if len(found) != 1:
        raise _several(ledger, text, found)
    return found[0]


def _meant(found: list[HandRow], text: str) -> list[HandRow]:
    """Return of each hand the account that stands; the one account whose id is told is meant itself."""
    if len(found) == 1 and found[0].number != text and found[0].stream.hex.startswith(text):
        return found
    hands: dict[tuple[str, str, str, str, int], HandRow] = {}
    for row in found:
        if row.stands:
            hands[row.venue, row.tournament, row.table, row.number, row.session] = row
    return list(hands.values()) or found


def _counting(ledger: Ledger, found: list[HandRow]) -> list[HandRow]:
    """Return without void deals what one source tells of one number: the deal made again is meant."""
    from ledger.store.accounts import remembered  # noqa: PLC0415 - few addresses name a hand that was dealt twice

    if len(found) < 2 or len({(row.venue, row.tournament, row.table, row.source) for row in found}) > 1:
        return found
    count = [
        row
        for row in found
        if not remembered(ledger.events(row.stream), row.stream.hex).voided  # type: ignore[arg-type]  # a hand's stream holds its events only
    ]
    return count or found


def _several(ledger: Ledger, text: str, found: Sequence[HandRow]) -> AddressError:
    begun = {row.stream: _day(ledger, row) for row in found[:CHOICES]}
    said = ", ".join(
        f"{row.stream.hex} ({row.venue} {row.table} {row.number}{begun[row.stream] and f' of {begun[row.stream]}'})"
        for row in found[:CHOICES]
    )
    again = len({row.session for row in found}) > 1
    same = len({row.number for row in found}) == 1
    hint = "Say which by its id." if same else "Type more digits of the number or of the id."
    if again:
        choices = ", ".join(f"{row.number}/{begun[row.stream] or row.session}" for row in found[:CHOICES])
        hint = f"The number was used again. Say one of: {choices}; or the id."
    return AddressError(f"{text!r} matches {len(found)} hands: {said}", hint)


def _day(ledger: Ledger, row: HandRow) -> str:
    """Return the day on which a hand began, by its room's clock; "" if that is not told."""
    shows = days.clock_of(ledger, row)
    return "" if shows is None else wall(shows.wall)[:10]


def _of_session(ledger: Ledger, text: str) -> list[HandRow]:
    """Return the accounts of the hand that `219/2` or `219/2026-11-20` names: the day, or else the gaming day."""
    number, slash, told = text.rpartition("/")
    if not slash or not number:
        return []
    count, day = _number(told), iso(told)
    if count is None and day is None:
        return []
    rows = list(ledger.hands(number=number))
    if count is not None:
        return [row for row in rows if row.session == count]
    evening = days.span(told, told, days.BEGINS)
    return [row for row in rows if _day(ledger, row) == told] or [
        row for row in rows if evening.fits(row.started, days.clock_of(ledger, row))
    ]


def _no_hand(ledger: Ledger, text: str) -> NothingFoundError:
    """Return why nothing was found: a table is asked for in other ways."""
    named = list(ledger.tables(text))
    if not named:
        return _not_yet(ledger, text) or NothingFoundError(
            f"no hand {text!r} in this ledger", "handledger log lists the hands."
        )
    quoted, table = shlex.quote(text), shlex.quote(named[0].table)
    return NothingFoundError(
        f"{text!r} is a table, not a hand",
        f"handledger log --table {table} lists its hands; handledger show with the number of one of "
        f"them tells it; handledger owed {quoted} says what is due there; handledger audit --where table:{table} judges it.",
    )


def _not_yet(ledger: Ledger, text: str) -> NothingFoundError | None:
    """Return that a hand came into the ledger behind the moment of `--as-of`, None if it never did."""
    if ledger.upto is None:
        return None
    upto, ledger.upto = ledger.upto, None
    try:
        later = next(ledger.hands(number=text), None)
        came = None if later is None else ledger.commit_of(later.stream)
    finally:
        ledger.upto = upto
    if came is None:
        return None
    return NothingFoundError(
        f"the ledger had no hand {text!r} yet: it came in at {wall(came.recorded.at)} UTC",
        "Without --as-of it is told as it stands now.",
    )


def _beginning(ledger: Ledger, text: str) -> list[HandRow]:
    """Return hands whose number or id begins with `text`, a few more than can be told apart."""
    return list(islice(ledger.hands(beginning=text), 4 * CHOICES)) if text else []


def _of_table(ledger: Ledger, name: str, version: int) -> HandRow:
    row = table(ledger, name)
    from ledger.streams import table_stream  # noqa: PLC0415 - as above

    events = ledger.events(table_stream(row.venue, row.tournament, row.table))
    if not 0 < version <= len(events):
        raise NothingFoundError(
            f"table {name!r} has {len(events)} events, none of them is number {version}",
            _counted(row, events, str(version)),
        )
    event = events[version - 1]
    if not isinstance(event, HandPlayed):
        raise AddressError(f"event {version} of table {name!r} is not a hand", _counted(row, events, str(version)))
    stream = UUID(hex=event.hand)
    return next(row for row in ledger.hands(number=event.number) if row.stream == stream)


def _counted(row: TableRow, events: Sequence[Event], number: str) -> str:
    """Say what to type instead of `T7#42` where event 42 is no hand: a hand of that number may be meant."""
    if any(isinstance(event, HandPlayed) and event.number == number for event in events):
        return f"# counts the table's events. For hand {number}: handledger show {number}"
    listed = f"handledger log --table {shlex.quote(row.table)}"
    return f"# counts the table's events. Name a hand by its number; {listed} lists them."


def _of_line(ledger: Ledger, name: str, line: int) -> HandRow:
    """Return the hand to which a line of a source belongs."""
    sources.the_one(ledger, name)
    for digest in sources.named(ledger, name):
        offset = sources.offset_of(ledger, digest, line)
        if offset is None:
            continue
        for row in ledger.hands(source=digest):
            if row.start <= offset < row.start + row.length:
                return row
        raise NothingFoundError(f"line {line} of {name!r} belongs to no hand")
    raise NothingFoundError(f"{name!r} has no line {line}")


def _version(ledger: Ledger, row: HandRow, moment: str) -> int:
    """Return the version that `@12` or `@flop` means."""
    events = ledger.events(row.stream)
    version = _number(moment)
    if version is None:
        return _street(events, moment)
    if not 0 < version <= len(events):
        raise AddressError(f"hand {row.number!r} has {len(events)} events, none of them is number {version}")
    return version


def _street(events: Sequence[Event], street: str) -> int:
    for version, event in enumerate(events, 1):
        if (isinstance(event, BoardDealt | StreetDealt) and event.street == street) or (
            street == "preflop" and isinstance(event, DealCompleted)
        ):
            return version
    raise AddressError(f"this hand saw no {street}")


def person(ledger: Ledger, told: str) -> PlayerId:
    """Return the id of the one person whom `told` names."""
    venue, mark, name = told.partition("/")
    found = ledger.people.called(told)
    if not found and mark:
        found = ledger.people.called(name, venue)
    if not found and len(told) >= 4:
        with ledger.database.reading() as link:
            found = [one for one, _, _ in ledger.people.all_names(link) if one.startswith(told)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise nobody(ledger, told)
    said = ", ".join(f"{one} ({(ledger.people.who(one) or ('?', ''))[0]})" for one in found[:5])
    raise AddressError(f"{told!r} matches {len(found)} people: {said}", "Type venue/name, or an id.")
