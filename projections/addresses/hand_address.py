"""Find the hand or table that an address means. `address_grammar` has the syntax.

- `T7/408`: hand 408 of table T7; `Riverside/T7/408`: of the table in that room; `T7/408/2026-11-20`: on that day
- `T7/408~2`: another account of the hand; `T7/408@14`: the hand after event 14; `T7/408@flop`: on the flop
- `408`, or the beginning of a number or id, if only one hand matches
- `night.txt:120`: the hand on that line of a source
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args
from uuid import UUID

from ledger.clocks import format_wall_time
from ledger.errors import AddressError, NothingFoundError
from ledger.house.events import SourceRejected
from ledger.store.hands.hand_accounts import TableKey
from ledger.streams import HOUSE
from ledger.table.events import HandPlayed
from ledger.text.language import join_sentences, phrase
from ledger.vocabulary import Street
from projections.addresses import address_errors
from projections.addresses.address_book import AddressBook
from projections.addresses.address_grammar import (
    format_hand_address,
    is_day,
    ordinal,
    parse_path,
    quote,
    quote_for_shell,
    split_account,
    split_event,
)
from projections.addresses.hand_moments import find_by_line, parse_number, parse_version
from projections.addresses.reused_numbers import drop_void_deals, read_table_key, select_by_day
from projections.addresses.suggestions import suggest_names

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger, TableRow

_SOURCE_LINE: Final = re.compile(r"(.+):([0-9]{1,9})", re.DOTALL)

MAX_CHOICES: Final = 5
"""The most matches that an error lists."""
_MAX_PATH_NAMES: Final = 3  # room, tournament and table


class HandAddress(NamedTuple):
    """A hand, and the number of one of its events or None for the end of the hand."""

    row: HandRow
    version: int | None


def find(ledger: Ledger, address: str) -> HandAddress:
    """Return the hand at an address; `AddressError` if several match, `NothingFoundError` if none does."""
    hand_text, moment = split_event(address)
    if moment and (parse_number(moment) is not None or moment in get_args(Street)):
        hand_row = _find_hand(ledger, hand_text)
        return HandAddress(hand_row, parse_version(ledger, hand_row, moment))
    try:
        return HandAddress(_find_hand(ledger, address), None)
    except NothingFoundError:
        if not moment or not is_hand(ledger, hand_text):
            raise
    street_names = ", ".join(get_args(Street))
    raise AddressError(
        phrase("hand {hand} has no event or street {moment}", hand=repr(hand_text), moment=repr(moment)),
        phrase("Write {hand}@12 (after event 12) or a street: {streets}.", hand=hand_text, streets=street_names),
    )


def find_matching(ledger: Ledger, address: str) -> list[HandRow]:
    """Return all hands that match an address, ignoring its event; raise an error if there are none."""
    hand_text, moment = split_event(address)
    if parse_number(moment) is None and moment not in get_args(Street):
        hand_text = address
    hand_rows = _find_by_path(ledger, *split_account(hand_text))
    if not hand_rows:
        raise _unknown_hand_error(ledger, hand_text)
    return hand_rows


def is_hand(ledger: Ledger, address: str) -> bool:
    """Whether an address is that of one hand."""
    try:
        _find_hand(ledger, address)
    except (AddressError, NothingFoundError):
        return False
    return True


def list_possible_numbers(address: str) -> list[str]:
    """Return the parts of an address that could be a hand's number or id, or the beginning of one."""
    hand_text = split_event(address)[0]
    candidates = [address, hand_text, split_account(hand_text)[0]]
    for candidate in dict.fromkeys(candidates[1:]):
        try:
            words = parse_path(candidate)
        except AddressError:
            continue
        candidates += [word.text for word in words[-2:]]
    return list(dict.fromkeys(candidates))


def find_all(ledger: Ledger, addresses: Sequence[str]) -> list[HandAddress]:
    """Return the hand at each address."""
    return [find(ledger, address) for address in addresses]


# Tables


def find_table(ledger: Ledger, table_name: str) -> TableRow:
    """Return the table at an address: `T7`, `Riverside/T7`, or `88/T7` in tournament 88."""
    table_rows = _find_tables(ledger, table_name)
    if len(table_rows) == 1:
        return table_rows[0]
    if not table_rows:
        raise unknown_table_error(ledger, table_name)
    address_book = AddressBook(ledger)
    choices = ", ".join(
        address_book.find_table_address(TableKey(*table_row[:3])) for table_row in table_rows[:MAX_CHOICES]
    )
    raise address_errors.ambiguous_table(table_name, len(table_rows), choices)


def find_table_or_none(ledger: Ledger, table_name: str) -> TableRow | None:
    """Return the table at an address, or None if no table has that name."""
    return find_table(ledger, table_name) if _find_tables(ledger, table_name) else None


def _find_tables(ledger: Ledger, table_name: str) -> list[TableRow]:
    path_names = [word.text for word in parse_path(table_name)]
    if len(path_names) > _MAX_PATH_NAMES:
        return list(ledger.tables(table_name))
    table_rows = [table_row for table_row in ledger.tables(path_names[-1]) if _has_names(table_row, path_names)]
    return table_rows or list(ledger.tables(table_name))


def _has_names(hand_or_table: TableRow | HandRow, path_names: Sequence[str]) -> bool:
    """Whether a table, or a hand's table, matches a path: table, room or tournament and table, or all three."""
    if path_names and path_names[-1] != hand_or_table.table:
        return False
    if len(path_names) < 2:
        return True
    if len(path_names) == 2:
        return path_names[0] in (hand_or_table.venue, hand_or_table.tournament)
    return tuple(path_names[-3:-1]) == (hand_or_table.venue, hand_or_table.tournament)


def unknown_table_error(ledger: Ledger, table_name: str) -> NothingFoundError:
    """Return the error for an unknown table. It says if the name is that of a hand, or suggests similar names."""
    hand_row = _find_single_hand(ledger, table_name)
    if hand_row is not None:
        address_book = AddressBook(ledger)
        hand_path = quote_for_shell(address_book.find_hand_address(hand_row))
        table_path = quote_for_shell(address_book.find_table_address(read_table_key(hand_row)))
        return address_errors.hand_instead_of_table(table_name, table_path, hand_path)
    hint = phrase("handledger log --by table lists them.")
    if not (known_tables := [table_row.table for table_row in ledger.tables()]):
        has_rejects = any(True for _ in ledger.entries_of_types(HOUSE, SourceRejected))
        hint = address_errors.no_hands_hint(has_rejects=has_rejects)
    return NothingFoundError(
        phrase("no table is called {name}", name=repr(table_name)), suggest_names(table_name, known_tables, hint)
    )


# Hands


def _find_single_hand(ledger: Ledger, address: str) -> HandRow | None:
    """Return the hand at a full address, TABLE/HAND, or None if no hand or several hands match.

    Don't call `find` here: its error for an unknown table calls this function.
    """
    try:
        hand_text, account = split_account(split_event(address)[0])
        hand_rows = _find_by_path(ledger, hand_text, account) if len(parse_path(hand_text)) > 1 else []
    except (AddressError, NothingFoundError):
        return None
    return hand_rows[0] if len(hand_rows) == 1 else None


def find_hand_at_table(ledger: Ledger, table_row: TableRow, address: str) -> HandRow:
    """Return a hand of this table by its number, or by its full address."""
    table_key = TableKey(table_row.venue, table_row.tournament, table_row.table)
    hand_text, account = split_account(address)
    hands_at_table = [] if hand_text != address else _find_by_path(ledger, hand_text, account, table_key)
    if len(hands_at_table) > 1:
        raise _ambiguous_error(ledger, address, hands_at_table)
    hand_row = hands_at_table[0] if hands_at_table else find(ledger, address).row
    if read_table_key(hand_row) != table_key:
        address_book = AddressBook(ledger)
        hand_path = quote_for_shell(address_book.find_hand_address(hand_row))
        table_path = quote_for_shell(address_book.find_table_address(read_table_key(hand_row)))
        raise address_errors.hand_of_other_table(
            hand_row.number, hand_row.table, table_row.table, f"{table_path} --before {hand_path}"
        )
    return hand_row


def _find_hand(ledger: Ledger, address: str) -> HandRow:
    line_match = _SOURCE_LINE.fullmatch(address)
    if line_match:
        return find_by_line(ledger, line_match[1], int(line_match[2]))
    hand_text, account = split_account(address)
    hand_rows = _find_by_path(ledger, hand_text, account)
    if not hand_rows and account is not None and (other_accounts := _find_by_path(ledger, hand_text, None)):
        raise NothingFoundError(f"hand {other_accounts[0].number!r} has no account {account}")
    if not hand_rows:
        raise _unknown_hand_error(ledger, address)
    if len(hand_rows) != 1:
        raise _ambiguous_error(ledger, address, hand_rows)
    second_hand = _find_second_hand(ledger, hand_text) if account is None else None
    # We never print an address that also reads as an old one, so an address as we print it isn't ambiguous.
    if (
        second_hand is not None
        and second_hand.stream != hand_rows[0].stream
        and AddressBook(ledger).find_hand_address(hand_rows[0]) != address
    ):
        raise _ambiguous_error(ledger, address, [hand_rows[0], second_hand])
    return hand_rows[0]


def _find_by_path(
    ledger: Ledger, hand_text: str, account: int | None, table_key: TableKey | None = None
) -> list[HandRow]:
    """Return the hands that match `[[VENUE/][TOURNAMENT/]TABLE/]HAND[/DAY]`, at one table or at any (None).

    If there are none, try the day as a hand number, then the whole text as one, then the text as the beginning of a
    number or id.
    """
    words = parse_path(hand_text)
    path_names, last_word = [word.text for word in words[:-1]], words[-1]
    hand_rows: list[HandRow] = []
    if path_names and not last_word.is_quoted and is_day(last_word.text):
        hand_rows = select_by_day(
            ledger, _find_by_number(ledger, path_names[:-1], path_names[-1], account, table_key), last_word.text
        )
    hand_rows = hand_rows or _find_by_number(ledger, path_names, last_word.text, account, table_key)
    if not hand_rows and table_key is None:
        hand_rows = _select_account(ledger.hands(number=hand_text), account)
        if not path_names:
            hand_rows = hand_rows or _select_account(_find_by_prefix(ledger, last_word.text), account, last_word.text)
    return drop_void_deals(ledger, hand_rows) if account is None else hand_rows


def _find_by_number(
    ledger: Ledger, path_names: Sequence[str], hand_number: str, account: int | None, table_key: TableKey | None
) -> list[HandRow]:
    """Return the hands with a number, each in the requested account. `account`: None = the one that counts."""
    if len(path_names) > _MAX_PATH_NAMES:
        return []
    table_filter: dict[str, Any] = {}
    if path_names:
        table_filter = {"table": path_names[-1]}
    elif table_key is not None:
        table_filter = table_key._asdict()
    hand_rows = (
        hand_row
        for hand_row in ledger.hands(number=hand_number, **table_filter)
        if _has_names(hand_row, path_names) and table_key in (None, read_table_key(hand_row))
    )
    return _select_account(hand_rows, account)


def _select_account(candidates: Iterable[HandRow], account: int | None, typed_prefix: str = "") -> list[HandRow]:
    """Return the requested account of each hand; if none is requested, the one that counts or whose id was typed."""
    hand_rows = list(candidates)
    if account is not None:
        return [hand_row for hand_row in hand_rows if hand_row.account == account]
    if (
        typed_prefix
        and len(hand_rows) == 1
        and hand_rows[0].number != typed_prefix
        and hand_rows[0].stream.hex.startswith(typed_prefix)
    ):
        return hand_rows
    return [hand_row for hand_row in hand_rows if hand_row.stands] or hand_rows


def _find_by_prefix(ledger: Ledger, typed_prefix: str) -> list[HandRow]:
    """Return hands whose number or id begins with a prefix, at most four times as many as an error lists."""
    return list(islice(ledger.hands(beginning=typed_prefix), 4 * MAX_CHOICES)) if typed_prefix else []


def _ambiguous_error(ledger: Ledger, address: str, hand_rows: Sequence[HandRow]) -> AddressError:
    """Return the error for an address of several hands, which lists the address of each."""
    address_book = AddressBook(ledger)
    choices = ", ".join(dict.fromkeys(address_book.find_hand_address(hand_row) for hand_row in hand_rows[:MAX_CHOICES]))
    if len(hand_rows) > MAX_CHOICES:
        choices = phrase("{names} and {number} more", names=choices, number=len(hand_rows) - MAX_CHOICES)
    hint = phrase("Say one of them.")
    if len({hand_row.number for hand_row in hand_rows}) > 1:
        hint = join_sentences([hint, phrase("Or type more digits of the number.")])
    return AddressError(
        phrase(
            "{address} matches {number} hands: {choices}", address=repr(address), number=len(hand_rows), choices=choices
        ),
        hint,
    )


def _find_second_hand(ledger: Ledger, hand_text: str) -> HandRow | None:
    """Return the hand that `219/2` meant in earlier versions, the second hand numbered 219, or None if there is none."""
    words = parse_path(hand_text)
    session = None if len(words) < 2 or words[-1].is_quoted else parse_number(words[-1].text)
    if session is None:
        return None
    path_names = [word.text for word in words[:-2]]
    hand_rows = _find_by_number(ledger, path_names, words[-2].text, None, None)
    return next((hand_row for hand_row in hand_rows if hand_row.session == session and hand_row.accounts > 1), None)


# Errors for addresses without a hand


def _unknown_hand_error(ledger: Ledger, address: str) -> Exception:
    """Return the error for an address without a hand. It explains what the user may have meant."""
    words = parse_path(address)
    if len(words) > 1 and any(not word.text and not word.is_quoted for word in words):
        return AddressError(
            phrase("{address} isn't an address", address=repr(address)), phrase("Write TABLE/HAND: T7/408.")
        )
    return (
        _old_form_error(ledger, address)
        or _not_yet_error(ledger, address)
        or _table_not_hand_error(ledger, address)
        or _unknown_number_error(ledger, address)
        or NothingFoundError(
            phrase("no hand {address} in this ledger", address=repr(address)), phrase("handledger log lists the hands.")
        )
    )


def _old_form_error(ledger: Ledger, address: str) -> AddressError | None:
    """Return the error for an address as earlier versions wrote it, with the new address, or None if it isn't one."""
    second_hand = _find_second_hand(ledger, address)
    if second_hand is None:
        return _hash_address_error(ledger, address)
    table_path, _, hand_count = address.rpartition("/")
    return AddressError(
        phrase(
            "{address} is hand {number} of table {table}, and there is no such hand",
            address=repr(address),
            number=hand_count,
            table=table_path,
        ),
        phrase(
            "The {ordinal} hand numbered {number} is {address}.",
            ordinal=ordinal(second_hand.session),
            number=second_hand.number,
            address=AddressBook(ledger).find_hand_address(second_hand),
        ),
    )


def _hash_address_error(ledger: Ledger, address: str) -> AddressError | None:
    """Return the error for `T7#408`, which may mean a hand or an event of a table, or None for another address."""
    table_name, separator, number = address.rpartition("#")
    if not separator or not table_name or parse_number(number) is None:
        return None
    table_rows = _find_tables(ledger, table_name)
    if not table_rows:
        return None
    address_book, table_key = AddressBook(ledger), TableKey(*table_rows[0][:3])
    event_hand = _find_event_hand(ledger, table_rows[0], int(number))
    numbered_hand = next(
        (hand_row for hand_row in ledger.hands(**table_key._asdict(), number=number) if hand_row.stands), None
    )
    hints = []
    if numbered_hand is not None:
        hand_path = address_book.find_hand_address(numbered_hand)
        hints.append(phrase("Hand {number} of the table is {address}.", number=number, address=hand_path))
    if event_hand is not None and event_hand.number != number:
        hand_path = address_book.find_hand_address(event_hand)
        hints.append(phrase("The table's event {number} is hand {address}.", number=number, address=hand_path))
    example = format_hand_address(address_book.find_table_path(table_key), event_hand.number if event_hand else "408")
    return AddressError(
        phrase("{address} isn't an address: # could mean a hand or an event", address=repr(address)),
        join_sentences(hints) or phrase("Write TABLE/HAND, as in {example}.", example=example),
    )


def _find_event_hand(ledger: Ledger, table_row: TableRow, version: int) -> HandRow | None:
    """Return the hand that an event of a table's stream records, or None if the event isn't a hand."""
    from ledger.streams import table_stream  # noqa: PLC0415 - only old addresses need it

    events = ledger.events(table_stream(table_row.venue, table_row.tournament, table_row.table))
    event = events[version - 1] if 0 < version <= len(events) else None
    return ledger.hand(UUID(hex=event.hand).hex) if isinstance(event, HandPlayed) else None


def _not_yet_error(ledger: Ledger, address: str) -> NothingFoundError | None:
    """Return the error for a hand that was added after `--as-of`, or None if the ledger never had it."""
    if ledger.upto is None:
        return None
    as_of_commit, ledger.upto = ledger.upto, None
    try:
        later_hand = next(iter(_find_by_path(ledger, *split_account(address))), None)
        first_commit = None if later_hand is None else ledger.commit_of(later_hand.stream)
    finally:
        ledger.upto = as_of_commit
    if first_commit is None:
        return None
    return NothingFoundError(
        phrase(
            "the ledger had no hand {address} yet: it came in at {time} UTC",
            address=repr(address),
            time=format_wall_time(first_commit.recorded.time),
        ),
        phrase("Leave out --as-of to see the hand as it is now."),
    )


def _table_not_hand_error(ledger: Ledger, address: str) -> NothingFoundError | None:
    """Return the error for the address of a table instead of a hand, or None if no table has it."""
    table_rows = _find_tables(ledger, address)
    if not table_rows:
        return None
    table_row = table_rows[0]
    typed_address = quote_for_shell(AddressBook(ledger).find_table_address(TableKey(*table_row[:3])))
    typed_name = shlex.quote(table_row.table)
    return NothingFoundError(
        phrase("{address} is a table, not a hand", address=repr(address)),
        phrase(
            "handledger log --table {name} lists its hands; handledger due {address} says what is due there; "
            "handledger audit --where {query} judges it.",
            name=typed_name,
            address=typed_address,
            query=shlex.quote(f"table:{_quote_for_query(table_row.table)}"),
        ),
    )


def _quote_for_query(table_name: str) -> str:
    from projections.addresses.query_values import quote_query_value  # noqa: PLC0415 - it loads the grammar of queries

    return table_name if re.fullmatch(r"[\w.-]+", table_name) else quote_query_value(table_name)


def _unknown_number_error(ledger: Ledger, address: str) -> NothingFoundError | None:
    """Return the error for a number that a table doesn't have, or for an unknown table; None for a number alone."""
    address_names = [word.text for word in parse_path(split_account(address)[0])]
    if len(address_names) < 2:
        return None
    table_path = address_names[:-2] if is_day(address_names[-1]) and len(address_names) > 2 else address_names[:-1]
    hand_number = address_names[len(table_path)]
    table_rows = _find_tables(ledger, "/".join(map(quote, table_path)))
    if not table_rows:
        is_number_and_day = is_day(address_names[-1]) and len(address_names) == 2
        return None if is_number_and_day else unknown_table_error(ledger, "/".join(table_path))
    if table_rows[0].table != table_path[-1]:
        full_path = AddressBook(ledger).find_table_path(TableKey(*table_rows[0][:3]))
        return NothingFoundError(
            phrase(
                "no hand {address}: the name of table {table} needs quotes",
                address=repr(address),
                table=repr(table_rows[0].table),
            ),
            phrase("Write {address}.", address=format_hand_address(full_path, hand_number)),
        )
    if hand_number != address_names[-1] and (
        other_days := _find_by_number(ledger, table_path, hand_number, None, None)
    ):
        address_book = AddressBook(ledger)
        choices = ", ".join(
            dict.fromkeys(address_book.find_hand_address(hand_row) for hand_row in other_days[:MAX_CHOICES])
        )
        return NothingFoundError(
            phrase(
                "no hand {address} at table {table} on {day}",
                address=repr(hand_number),
                table=repr(table_path[-1]),
                day=repr(address_names[-1]),
            ),
            phrase("There is {choices}.", choices=choices),
        )
    known_numbers = (
        hand_row.number for hand_row in ledger.hands(table=table_path[-1]) if _has_names(hand_row, table_path)
    )
    list_hint = phrase("handledger log --table {table} lists its hands.", table=shlex.quote(table_path[-1]))
    return NothingFoundError(
        phrase("no hand {hand} at table {table}", hand=repr(hand_number), table=repr(table_path[-1])),
        suggest_names(hand_number, islice(known_numbers, 2_000), list_hint),
    )
