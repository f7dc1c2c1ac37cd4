"""Which hand an address names, and which table or person.

`T7/408` is hand 408 of table T7; `Riverside/T7/408` of that table in this room, `T7/408/2026-11-20` the one of
that day, `T7/408~2` its second account, `T7/408@14` after event 14, `T7/408@flop` when the flop lay. `408`, the
beginning of its number or of its id will do where it fits one hand only. `night.txt:120` is the hand to which
that line of a source belongs. How these are written: `projections.addresses.grammar`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, get_args
from uuid import UUID

from ledger.clocks import wall
from ledger.errors import AddressError, NothingFoundError
from ledger.hand.dealing import BoardDealt, DealCompleted, StreetDealt
from ledger.store.accounts import Place
from ledger.table.events import HandPlayed
from ledger.vocabulary import Street
from projections.addresses import source_names
from projections.addresses.address_book import AddressBook, typed
from projections.addresses.grammar import hand_address, is_day, ordinal, parse_path, quote, split_account, split_event
from projections.addresses.reused_numbers import place_of, played_on, without_void_deals
from projections.addresses.suggestions import near

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.store import HandRow, Ledger, TableRow
    from ledger.vocabulary import PlayerId

_DIGITS: Final = re.compile(r"[0-9]{1,9}")  # ASCII only
_LINE: Final = re.compile(r"(.+):([0-9]{1,9})", re.DOTALL)
CHOICES: Final = 5
"""How many hands an ambiguous address is answered with."""
_ROOM_TOURNAMENT_TABLE: Final = 3


class Address(NamedTuple):
    """A hand, and the event after which it is looked at; None = its end."""

    row: HandRow
    version: int | None


def find(ledger: Ledger, address: str) -> Address:
    """Return what `address` names; `AddressError` or `NothingFoundError` if that is not one hand."""
    hand, moment = split_event(address)
    if moment and (_number(moment) is not None or moment in get_args(Street)):
        row = _find_hand(ledger, hand)
        return Address(row, _version(ledger, row, moment))
    try:
        return Address(_find_hand(ledger, address), None)
    except NothingFoundError:
        if not moment or not _is_hand(ledger, hand):
            raise
    streets = ", ".join(get_args(Street))
    raise AddressError(
        f"{moment!r} is no moment of hand {hand!r}", f"Say {hand}@12 for after event 12, or a street: {streets}."
    )


def matching(ledger: Ledger, address: str) -> list[HandRow]:
    """Return the hands that an address names, one or several, whichever event it names; an error if there is none."""
    hand, moment = split_event(address)
    if _number(moment) is None and moment not in get_args(Street):
        hand = address
    found = _of_path(ledger, *split_account(hand))
    if not found:
        raise _no_hand(ledger, hand)
    return found


def _is_hand(ledger: Ledger, address: str) -> bool:
    try:
        _find_hand(ledger, address)
    except (AddressError, NothingFoundError):
        return False
    return True


def names(address: str) -> list[str]:
    """Return what of an address may be the number or the id of a hand, or its beginning."""
    hand = split_event(address)[0]
    found = [address, hand, split_account(hand)[0]]
    for text in dict.fromkeys(found[1:]):
        try:
            words = parse_path(text)
        except AddressError:
            continue
        found += [word.text for word in words[-2:]]
    return list(dict.fromkeys(found))


def find_all(ledger: Ledger, addresses: Sequence[str]) -> list[Address]:
    """Return what each address names."""
    return [find(ledger, address) for address in addresses]


# tables


def table(ledger: Ledger, name: str) -> TableRow:
    """Return the table that an address names: `T7`, `Riverside/T7`, `88/T7` of tournament 88."""
    found = _tables(ledger, name)
    if len(found) == 1:
        return found[0]
    if not found:
        raise no_table(ledger, name)
    book = AddressBook(ledger)
    choices = ", ".join(book.table(Place(*row[:3])) for row in found[:CHOICES])
    raise AddressError(f"{len(found)} tables are called {name!r}", f"Say one of: {choices}.")


def table_or_none(ledger: Ledger, name: str) -> TableRow | None:
    """Return the table that an address names, None if there is none of that name."""
    return table(ledger, name) if _tables(ledger, name) else None


def _tables(ledger: Ledger, name: str) -> list[TableRow]:
    words = [word.text for word in parse_path(name)]
    if len(words) > _ROOM_TOURNAMENT_TABLE:
        return list(ledger.tables(name))
    found = [row for row in ledger.tables(words[-1]) if _is_at(row, words)]
    return found or list(ledger.tables(name))


def _is_at(row: TableRow | HandRow, path: Sequence[str]) -> bool:
    """Whether a table, or the one of a hand, has these names: table, room or tournament and table, or all three."""
    if path and path[-1] != row.table:
        return False
    if len(path) == 2:
        return path[0] in (row.venue, row.tournament)
    return len(path) < 2 or (path[-3], path[-2]) == (row.venue, row.tournament)


def no_table(ledger: Ledger, name: str) -> NothingFoundError:
    """Return that there is no such table, and which may be meant."""
    there = [row.table for row in ledger.tables()]
    return NothingFoundError(f"no table is called {name!r}", near(name, there, "handledger log --by table lists them."))


# hands


def hand_of(ledger: Ledger, row: TableRow, address: str) -> HandRow:
    """Return the hand of this table that `address` names: by its number there, or as anywhere."""
    place = Place(row.venue, row.tournament, row.table)
    hand, account = split_account(address)
    here = [] if hand != address else _of_path(ledger, hand, account, place)
    if len(here) > 1:
        raise _several(ledger, address, here)
    found = here[0] if here else find(ledger, address).row
    if place_of(found) != place:
        raise NothingFoundError(f"hand {found.number!r} was not played at table {row.table!r} but at {found.table!r}")
    return found


def _number(text: str) -> int | None:
    return int(text) if _DIGITS.fullmatch(text) else None


def _find_hand(ledger: Ledger, address: str) -> HandRow:
    line = _LINE.fullmatch(address)
    if line:
        return _of_line(ledger, line[1], int(line[2]))
    hand, account = split_account(address)
    found = _of_path(ledger, hand, account)
    if not found and account is not None and (hands := _of_path(ledger, hand, None)):
        raise NothingFoundError(f"hand {hands[0].number!r} has no account {account}")
    if not found:
        raise _no_hand(ledger, address)
    if len(found) != 1:
        raise _several(ledger, address, found)
    old = _second_hand(ledger, hand) if account is None else None
    if old is not None and old.stream != found[0].stream and AddressBook(ledger).of(found[0]) != address:
        raise _several(ledger, address, [found[0], old])
    return found[0]


def _of_path(ledger: Ledger, text: str, account: int | None, place: Place | None = None) -> list[HandRow]:
    """Return the hands that `[[VENUE/][TOURNAMENT/]TABLE/]HAND[/DAY]` names, of one table or of all.

    Only where no hand fits, a day is taken for a number, and all of the text for one.
    """
    words = parse_path(text)
    path, last = [word.text for word in words[:-1]], words[-1]
    found: list[HandRow] = []
    if path and not last.is_quoted and is_day(last.text):
        found = played_on(ledger, _numbered(ledger, path[:-1], path[-1], account, place), last.text)
    found = found or _numbered(ledger, path, last.text, account, place)
    if not found and place is None:
        found = _with_account(ledger.hands(number=text), account)
        if not path:
            found = found or _with_account(_beginning(ledger, last.text), account, last.text)
    return without_void_deals(ledger, found) if account is None else found


def _numbered(
    ledger: Ledger, path: Sequence[str], number: str, account: int | None, place: Place | None
) -> list[HandRow]:
    """Return the hands of a number: of each the account that was asked for, or else the one that counts."""
    if len(path) > _ROOM_TOURNAMENT_TABLE:
        return []
    at = {"table": path[-1]} if path else {} if place is None else place._asdict()
    rows = (row for row in ledger.hands(number=number, **at) if _is_at(row, path))
    return _with_account((row for row in rows if place in (None, place_of(row))), account)


def _with_account(rows: Iterable[HandRow], account: int | None, beginning: str = "") -> list[HandRow]:
    """Return of each hand the account that was asked for, else the one that counts; an account whose id is given is meant itself."""
    found = list(rows)
    if account is not None:
        return [row for row in found if row.account == account]
    if beginning and len(found) == 1 and found[0].number != beginning and found[0].stream.hex.startswith(beginning):
        return found
    return [row for row in found if row.stands] or found


def _beginning(ledger: Ledger, text: str) -> list[HandRow]:
    """Return hands whose number or id begins with `text`, a few more than can be told apart."""
    return list(islice(ledger.hands(beginning=text), 4 * CHOICES)) if text else []


def _several(ledger: Ledger, text: str, found: Sequence[HandRow]) -> AddressError:
    """Return that several hands are meant, with the address of each."""
    book = AddressBook(ledger)
    choices = ", ".join(dict.fromkeys(book.of(row) for row in found[:CHOICES]))
    more = f" and {len(found) - CHOICES} more" if len(found) > CHOICES else ""
    digits = "" if len({row.number for row in found}) == 1 else " Or type more digits of the number."
    return AddressError(f"{text!r} matches {len(found)} hands: {choices}{more}", f"Say one of them.{digits}")


def _second_hand(ledger: Ledger, text: str) -> HandRow | None:
    """Return the second hand of a number, which `219/2` meant in earlier versions, `T7/219/2` to whoever guesses."""
    words = parse_path(text)
    session = None if len(words) < 2 or words[-1].is_quoted else _number(words[-1].text)
    if session is None:
        return None
    path = [word.text for word in words[:-2]]
    rows = _numbered(ledger, path, words[-2].text, None, None)
    return next((row for row in rows if row.session == session and row.accounts > 1), None)


# what is not there


def _no_hand(ledger: Ledger, text: str) -> Exception:
    """Return why nothing was found: what else the words may mean, and how that is written."""
    words = parse_path(text)
    if len(words) > 1 and any(not word.text and not word.is_quoted for word in words):
        return AddressError(f"{text!r} is no address", "Write TABLE/HAND: T7/408.")
    return (
        _old_form(ledger, text)
        or _not_yet(ledger, text)
        or _is_table(ledger, text)
        or _no_number(ledger, text)
        or NothingFoundError(f"no hand {text!r} in this ledger", "handledger log lists the hands.")
    )


def _old_form(ledger: Ledger, text: str) -> AddressError | None:
    """Return that a form of earlier versions could mean two things, and how each is written now."""
    book = AddressBook(ledger)
    old = _second_hand(ledger, text)
    if old is not None:
        path, _, count = text.rpartition("/")
        return AddressError(
            f"{text!r} is hand {count} of table {path}, and there is no such hand",
            f"The {ordinal(old.session)} hand numbered {old.number} is {book.of(old)}.",
        )
    name, mark, number = text.rpartition("#")
    if not mark or not name or _number(number) is None:
        return None
    tables = _tables(ledger, name)
    if not tables:
        return None
    place = Place(*tables[0][:3])
    nth = _nth_event(ledger, tables[0], int(number))
    own = next((row for row in ledger.hands(**place._asdict(), number=number) if row.stands), None)
    hints = [] if own is None else [f"Hand {number} of the table is {book.of(own)}."]
    if nth is not None and nth.number != number:
        hints.append(f"The table's event {number} is hand {book.of(nth)}.")
    example = hand_address(book.path(place), nth.number if nth else "408")
    return AddressError(
        f"{text!r} is no address: # could mean a hand or an event",
        " ".join(hints) or f"Write TABLE/HAND, as in {example}.",
    )


def _nth_event(ledger: Ledger, row: TableRow, version: int) -> HandRow | None:
    """Return the hand that an event of a table's stream tells of, None if it tells of none."""
    from ledger.streams import table_stream  # noqa: PLC0415 - only an old form asks

    events = ledger.events(table_stream(row.venue, row.tournament, row.table))
    event = events[version - 1] if 0 < version <= len(events) else None
    return ledger.hand(UUID(hex=event.hand).hex) if isinstance(event, HandPlayed) else None


def _not_yet(ledger: Ledger, text: str) -> NothingFoundError | None:
    """Return that a hand came into the ledger behind the moment of `--as-of`, None if it never did."""
    if ledger.upto is None:
        return None
    upto, ledger.upto = ledger.upto, None
    try:
        later = next(iter(_of_path(ledger, *split_account(text))), None)
        came = None if later is None else ledger.commit_of(later.stream)
    finally:
        ledger.upto = upto
    if came is None:
        return None
    return NothingFoundError(
        f"the ledger had no hand {text!r} yet: it came in at {wall(came.recorded.at)} UTC",
        "Without --as-of it is told as it stands now.",
    )


def _is_table(ledger: Ledger, text: str) -> NothingFoundError | None:
    found = _tables(ledger, text)
    if not found:
        return None
    row = found[0]
    name, own = typed(AddressBook(ledger).table(Place(*row[:3]))), shlex.quote(row.table)
    return NothingFoundError(
        f"{text!r} is a table, not a hand",
        f"handledger log --table {own} lists its hands; handledger owed {name} says what is due there; "
        f"handledger audit --where {shlex.quote(f'table:{_queried(row.table)}')} judges it.",
    )


def _queried(name: str) -> str:
    from projections.addresses.query_values import quoted  # noqa: PLC0415 - it loads the grammar of queries

    return name if re.fullmatch(r"[\w.-]+", name) else quoted(name)


def _no_number(ledger: Ledger, text: str) -> NothingFoundError | None:
    """Return that a table has no hand of this number, or that there is no such table."""
    words = [word.text for word in parse_path(split_account(text)[0])]
    if len(words) < 2:
        return None
    path = words[:-2] if is_day(words[-1]) and len(words) > 2 else words[:-1]
    number = words[len(path)]
    tables = _tables(ledger, "/".join(map(quote, path)))
    if not tables:
        return no_table(ledger, "/".join(path)) if not is_day(words[-1]) or len(words) > 2 else None
    if tables[0].table != path[-1]:
        needed = AddressBook(ledger).path(Place(*tables[0][:3]))
        return NothingFoundError(
            f"no hand {text!r}: the name of table {tables[0].table!r} needs quotes",
            f"Write {hand_address(needed, number)}.",
        )
    if number != words[-1] and (others := _numbered(ledger, path, number, None, None)):
        book = AddressBook(ledger)
        choices = ", ".join(dict.fromkeys(book.of(row) for row in others[:CHOICES]))
        return NothingFoundError(f"no hand {number!r} at table {path[-1]!r} on {words[-1]!r}", f"There is {choices}.")
    here = (row.number for row in ledger.hands(table=path[-1]) if _is_at(row, path))
    listed = f"handledger log --table {shlex.quote(path[-1])} lists its hands."
    return NothingFoundError(f"no hand {number!r} at table {path[-1]!r}", near(number, islice(here, 2_000), listed))


# lines, events, people


def _of_line(ledger: Ledger, name: str, line: int) -> HandRow:
    """Return the hand to which a line of a source belongs."""
    source_names.the_one(ledger, name)
    for digest in source_names.named(ledger, name):
        offset = source_names.offset_of(ledger, digest, line)
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


def nobody(ledger: Ledger, name: str) -> NothingFoundError:
    """Return that nobody is called so, and who may be meant."""
    with ledger.database.reading() as link:
        there = [known for _, _, known in ledger.people.all_names(link)]
    return NothingFoundError(f"nobody is called {name!r}", near(name, there, "handledger people list shows everybody."))


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
