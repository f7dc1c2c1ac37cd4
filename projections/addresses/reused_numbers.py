"""Hand numbers that a table used more than once. The day, or else their order, distinguishes such hands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from ledger.clocks import format_wall_time
from ledger.store.hands.account_standings import AccountStandings
from ledger.store.hands.hand_accounts import TableKey, list_repeated_numbers
from projections.addresses import room_days
from projections.addresses.address_grammar import ordinal, parse_ordinal

if TYPE_CHECKING:
    from ledger.hand.events import HandEvent
    from ledger.store import HandRow, Ledger


def read_table_key(hand_row: HandRow) -> TableKey:
    """Return the table at which a hand was played."""
    return TableKey(hand_row.venue, hand_row.tournament, hand_row.table)


def find_local_day(ledger: Ledger, hand_row: HandRow) -> str:
    """Return the day on which a hand began on its room's clock, as `2026-11-20`, or "" if the record has no time."""
    local_start = room_days.find_local_start(ledger, hand_row)
    return "" if local_start is None else format_wall_time(local_start.wall)[: len("2026-11-20")]


def select_by_day(ledger: Ledger, candidates: Iterable[HandRow], day_text: str) -> list[HandRow]:
    """Return the hands that the day of an address selects: a calendar day, else a gaming day, or `2nd` by count."""
    candidates = list(candidates)
    hand_ordinal = parse_ordinal(day_text)
    if hand_ordinal is not None:
        return [hand_row for hand_row in candidates if hand_row.session == hand_ordinal]
    gaming_day = room_days.parse_span(day_text, day_text, room_days.DEFAULT_DAY_START)
    return [hand_row for hand_row in candidates if find_local_day(ledger, hand_row) == day_text] or [
        hand_row
        for hand_row in candidates
        if gaming_day.includes(hand_row.started, room_days.find_local_start(ledger, hand_row))
    ]


def drop_void_deals(ledger: Ledger, hand_rows: list[HandRow]) -> list[HandRow]:
    """Return the hands without void deals, if the hands are one number that one table dealt again, in one source."""
    if len(hand_rows) < 2 or len({(*read_table_key(hand_row), hand_row.source) for hand_row in hand_rows}) > 1:
        return hand_rows
    from ledger.store.hands.table_streams import remember_hand  # noqa: PLC0415 - slow to import, rarely needed

    events_by_hand = {hand_row: cast("list[HandEvent]", ledger.events(hand_row.stream)) for hand_row in hand_rows}
    return [
        hand_row for hand_row in hand_rows if not remember_hand(events_by_hand[hand_row], hand_row.stream.hex).voided
    ] or hand_rows


def find_later_hands(ledger: Ledger, table_key: TableKey) -> dict[str, HandRow]:
    """Return the second and later hands of each reused number at a table, by stream id (hex)."""
    if not list_repeated_numbers(ledger, table_key):
        return {}
    return {hand_row.stream.hex: hand_row for hand_row in ledger.hands(**table_key._asdict()) if hand_row.session > 1}


class ReusedNumbers:
    """Looks up the hands of reused numbers. Each table is read only once."""

    def __init__(self, ledger: Ledger) -> None:
        """Create the lookup. It reads a table when a hand of it is first looked up."""
        self._ledger = ledger
        self._by_table: dict[TableKey, dict[str, list[HandRow]]] = {}
        self._accounts = AccountStandings(ledger)

    def find_row(self, stream_hex: str) -> HandRow | None:
        """Return the hand with a stream id (hex), or None if there is none."""
        from ledger.store.log.log_reader import read_rows_of_streams  # noqa: PLC0415 - callers with a row don't need it

        try:
            stream_id = bytes.fromhex(stream_hex)
        except ValueError:
            return None
        hand_rows = read_rows_of_streams(self._ledger.database, [stream_id] if stream_id else [], self._ledger.upto)
        return next(self._accounts.add_standings(hand_rows), None)

    def find_day_suffix(self, hand_row: HandRow) -> str:
        """Return the day, or an ordinal like `2nd`, that an address needs for this hand, or "" if it needs neither."""
        if hand_row.accounts == 1:
            return ""
        namesakes = self._load_reused_numbers(read_table_key(hand_row)).get(hand_row.number, [])
        if len(namesakes) < 2 or _is_only_hand(drop_void_deals(self._ledger, namesakes), hand_row):
            return ""
        day_text = find_local_day(self._ledger, hand_row)
        if day_text and _is_only_hand(
            drop_void_deals(self._ledger, select_by_day(self._ledger, namesakes, day_text)), hand_row
        ):
            return day_text
        return ordinal(hand_row.session)

    def _load_reused_numbers(self, table_key: TableKey) -> dict[str, list[HandRow]]:
        """Return the hands of each reused number at a table, each as the account that counts."""
        if table_key not in self._by_table:
            by_number: dict[str, list[HandRow]] = {}
            for hand_row in self._ledger.hands(**table_key._asdict(), standing=True):
                if hand_row.accounts > 1:
                    by_number.setdefault(hand_row.number, []).append(hand_row)
            self._by_table[table_key] = {
                number: namesakes for number, namesakes in by_number.items() if len(namesakes) > 1
            }
        return self._by_table[table_key]


def _is_only_hand(hand_rows: list[HandRow], hand_row: HandRow) -> bool:
    return len(hand_rows) == 1 and hand_rows[0].session == hand_row.session
