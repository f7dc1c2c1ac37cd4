"""Follow the chips at a table from seat to seat, and report where the recorded stacks don't add up.

`ledger.table.fold` computes the stacks. This walk compares them with each stack that the record states: a hand's first
stacks, a count, a cash-out. After a difference it goes on from the recorded figure, so that one missing rebuy is one
difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from ledger import safe
from ledger.store.hands.table_streams import table_entries as read_table_stream
from ledger.store.requests.stored_hands import HandReader
from ledger.table.carry import parse_plain_number
from ledger.table.events import GameStarted, HandPlayed, LeftOut, PlayerIdentified
from ledger.table.fold import apply_entry, begin
from ledger.table.order import TableEntry, put_in_order
from ledger.table.pools import has_pool_option
from ledger.table.state import Gap
from ledger.vocabulary import Chips, PlayerId, Seat, Witness
from projections.addresses.address_book import AddressBook
from projections.amount_text import MoneyFormat
from projections.findings.doubts import ALL_READ, UnreadLines
from projections.money import hand_chips
from projections.money.chip_notes import ChipNotes
from projections.money.chip_report import ChipReport, StackChange
from projections.money.difference import EventRef, MoneyDifference, MoneyGap
from projections.money.stack_claims import StackClaim, list_late_claims, read_claim
from projections.money.stack_history import StackHistory
from projections.money.table_moves import TableMove, read_move
from projections.sentences import table_chips as say
from projections.table_walk.unread_lines import find_unread_lines

if TYPE_CHECKING:
    from ledger.people import People
    from ledger.replay import HandReplay
    from ledger.store import Ledger
    from ledger.store.hands.hand_accounts import TableKey

_PURCHASES: Final = int(Witness.CHIP_PURCHASES)
_SEATING: Final = int(Witness.SEATING)


class SeatChips(msgspec.Struct, frozen=True):
    """What should be in front of a seat at a hand's end."""

    seat: Seat
    player: str
    chips: Chips | None  # None = the record doesn't say


class ChipsAfterHand(msgspec.Struct, frozen=True):
    """The chips at a table at a hand's end, including chips bought during the hand."""

    hand: EventRef
    number: str
    seats: list[SeatChips]
    total: Chips | None  # None = a seat's chips are unknown


class ChipsCheck(NamedTuple):
    """The chips at a table after each hand, and where the record stops adding up."""

    hands: list[ChipsAfterHand]
    differences: list[MoneyDifference]
    gaps: list[MoneyGap]
    moves: list[TableMove]  # for `check_moves` over all tables


class ChipsInput(NamedTuple):
    """The record of a table. `entries` are in playing order, and can be read more than once.

    `read_hand` returns a hand by the id of its stream, hex. It's called for hands whose chips contradict each other.
    """

    table_key: TableKey
    entries: Iterable[TableEntry]
    people: People
    read_hand: Callable[[str], HandReplay]
    name_hand: Callable[[HandPlayed], str]
    unread_by_hand: Mapping[str, UnreadLines] = MappingProxyType({})


def read_chips_input(
    ledger: Ledger,
    table_key: TableKey,
    entries: Iterable[TableEntry] | None = None,
    address_book: AddressBook | None = None,
) -> ChipsInput:
    """Return the record of a ledger's table. `entries`: its events in playing order, if you have them."""
    addresses = address_book or AddressBook(ledger)

    def read_hand(stream_hex: str) -> HandReplay:
        stream = bytes.fromhex(stream_hex)
        return HandReader(ledger, stream).read_hand(stream)

    return ChipsInput(
        table_key,
        put_in_order(read_table_stream(ledger, table_key)) if entries is None else entries,
        ledger.people,
        read_hand,
        lambda hand: addresses.find_stream_address(hand.hand) or hand.number,
        find_unread_lines(ledger, table_key),
    )


def check_chips(record: ChipsInput, is_wanted: Callable[[TableEntry], bool] = lambda _: True) -> ChipsCheck:
    """Return the chips at a table after each hand, and what doesn't add up.

    The table is walked from the beginning of its record. Hands, differences and gaps count if `is_wanted` accepts the
    event at which they show, as for a shift.
    """
    walk = _ChipsWalk(record, is_wanted, find_money_format(record.entries))
    for entry in record.entries:
        walk.add_entry(entry)
    walk.finish()
    return ChipsCheck(walk.hands, walk.report.differences, walk.report.gaps, walk.moves)


def find_money_format(entries: Iterable[TableEntry]) -> MoneyFormat:
    """Return the format of a table's amounts: the unit of the first hand that has one. Facts may come before it."""
    money = MoneyFormat(None)
    hands = (entry.event for entry in entries if isinstance(entry.event, HandPlayed) and entry.event.unit)
    if (hand := next(hands, None)) is not None:
        money.unit, money.exponent = hand.unit, hand.exponent
    return money


class _UnknownStacks(NamedTuple):
    """Hands in a row that don't give all stacks."""

    first_hand: HandPlayed
    last_hand: HandPlayed
    seats: frozenset[Seat]


class _ChipsWalk:
    """Walks a table's events in order and compares stacks."""

    def __init__(self, record: ChipsInput, is_wanted: Callable[[TableEntry], bool], money: MoneyFormat) -> None:
        self.hands: list[ChipsAfterHand] = []
        self.moves: list[TableMove] = []
        self._record = record
        self._is_wanted = is_wanted
        self._state = begin()
        self._notes = ChipNotes(record.table_key, record.people, record.name_hand, money)
        self._history = StackHistory(self._notes)
        self.report = ChipReport(self._notes, self._history)
        self._unknown_stacks: _UnknownStacks | None = None
        self._hand_without_result: HandPlayed | None = None
        self._is_pool_noted = False

    def add_entry(self, entry: TableEntry) -> None:
        """Add the next event in playing order."""
        self.report.is_reporting = self._is_wanted(entry)
        if isinstance(entry.event, HandPlayed):
            self._add_hand(entry, entry.event)
        else:
            self._add_fact(entry)

    def finish(self) -> None:
        """Report what is still pending at the end of the record."""
        self.report.release_waiting()
        self._close_unknown_stacks()

    # --- facts between hands

    def _add_fact(self, entry: TableEntry) -> None:
        state, event = self._state, entry.event
        self._notes.seat_players(state)
        claim = read_claim(event, state)
        if claim is not None and claim.amount and state.open_gap is None:
            self._report_claim(entry, claim)
        apply_entry(state, entry)
        if isinstance(event, PlayerIdentified):
            self._history.rename(event.old, event.new)
        if isinstance(event, GameStarted):
            self._history.begin_game()
        if claim is not None and claim.is_overdrawn and (seat_state := state.seats.get(claim.seat)) is not None:
            seat_state.stack = 0
        self._history.add_fact(entry, state)
        move = read_move(entry, state, self._notes, is_reported=self.report.is_reporting)
        if move is not None:
            self.moves.append(move)

    def _report_claim(self, entry: TableEntry, claim: StackClaim) -> None:
        """Report a stack that a fact states and that the events before it don't add up to."""
        statement = claim.describe(self._notes.money)
        reference = self._notes.refer_to_fact(entry)
        if not self._state.witnesses & _PURCHASES:
            self.report.add_waiting_gap(say.statement_of_loose_record(statement), reference)
            return
        change = StackChange(claim.seat, claim.player, claim.expected, claim.stated)
        self.report.add_waiting_difference(change, statement, reference, self._list_causes(change))

    # --- hands

    def _add_hand(self, entry: TableEntry, played_hand: HandPlayed) -> None:
        state = self._state
        stacks = {seat.player: seat.stack for seat in state.seats.values() if seat.stack is not None}
        seated_players = {seat.player for seat in state.seats.values()}
        previous_hand, gap_count = state.last_hand or state.former_game_hand, len(state.gaps)
        apply_entry(state, entry)
        hand = state.last_hand or played_hand  # with players who sit here and get no cards
        self._notes.update_table(hand, state)
        gap = state.gaps[-1] if len(state.gaps) > gap_count else None
        if has_pool_option(hand.options):
            self._note_pool(hand)
        else:
            self._check_beginning(previous_hand, hand, list(_list_changes(hand, stacks)), gap)
            if gap is None and previous_hand is not None:
                self._check_newcomers(hand, seated_players)
        self._note_unknown_stacks(hand)
        self._check_inside(entry, hand)
        self._history.add_hand(hand, state)
        if self.report.is_reporting:
            self.hands.append(self._build_chips_after_hand(hand))

    def _check_beginning(
        self, previous_hand: HandPlayed | None, hand: HandPlayed, changes: list[StackChange], gap: Gap | None
    ) -> None:
        """Compare the stacks with which a hand begins with those that the events before it add up to."""
        last_hand = self.report.begin_hand()
        hands = [hand] if previous_hand is None else [hand, previous_hand]
        if self._hand_without_result is not None:
            number = self._format_number(self._hand_without_result)
            self.report.add_gap(say.no_result(number), self._refer(self._hand_without_result))
        if gap is not None:
            self._report_gap(hands, gap, changes)
            return
        if self._is_unread_between(previous_hand, hand):
            self._report_unread(hands, changes)
            return
        self.report.release_waiting()
        stale_changes = [change for change in changes if self._history.is_of_last_game(change.player)]
        fresh_changes = [change for change in changes if change not in stale_changes]
        witnesses = hand.witnesses & (previous_hand.witnesses if previous_hand is not None else hand.witnesses)
        if stale_changes:
            stacks = self.report.list_stacks(stale_changes)
            self.report.add_gap(say.game_restarted(self._format_number(hand), stacks), *map(self._refer, hands))
        if fresh_changes and witnesses & _PURCHASES:
            causes = {change.player: self._list_causes(change, hand) for change in fresh_changes}
            self.report.add_changes(hand, fresh_changes, last_hand, causes)
        elif fresh_changes:
            stacks = self.report.list_stacks(fresh_changes)
            self.report.add_gap(say.purchases_not_noted(self._format_number(hand), stacks), *map(self._refer, hands))

    def _is_unread_between(self, previous_hand: HandPlayed | None, hand: HandPlayed) -> bool:
        """Whether lines that nobody could read may have moved the chips with which a hand begins."""
        unread_by_hand = self._record.unread_by_hand
        earlier_lines = ALL_READ if previous_hand is None else unread_by_hand.get(previous_hand.hand, ALL_READ)
        return unread_by_hand.get(hand.hand, ALL_READ).before_hand or earlier_lines.in_hand or earlier_lines.after_hand

    def _report_gap(self, hands: list[HandPlayed], gap: Gap, changes: list[StackChange]) -> None:
        """Report that hands are missing before a hand, if any stack differs. `hands`: it and the previous one, if any."""
        fact_references = self.report.drop_waiting()
        if changes or fact_references:
            stacks = self.report.list_stacks(changes)
            missing = say.hands_missing(
                safe.terminal(gap.after, 24), self._format_number(hands[0]), gap.count or 0, stacks
            )
            self.report.add_gap(missing, *map(self._refer, hands), *fact_references)

    def _report_unread(self, hands: list[HandPlayed], changes: list[StackChange]) -> None:
        """Report unreadable lines before a hand, if any stack differs. `hands`: as for `_report_gap`."""
        fact_references = self.report.drop_waiting()
        if changes or fact_references:
            stacks = self.report.list_stacks(changes)
            missing = say.unread_before_hand(self._format_number(hands[0]), stacks)
            self.report.add_gap(missing, *map(self._refer, hands), *fact_references)

    def _check_newcomers(self, hand: HandPlayed, seated_players: set[PlayerId]) -> None:
        """Report players of a hand whom no line seats, if the record normally shows who sits down and who buys chips."""
        if not (hand.witnesses & _SEATING and hand.witnesses & _PURCHASES):
            return
        for dealt_in in hand.dealt_in:
            if dealt_in.player not in seated_players:
                stack_text = self._notes.money(dealt_in.before)
                self.report.add_gap(
                    say.seated_by_hand(dealt_in.seat, self._format_number(hand), stack_text), self._refer(hand)
                )

    def _note_pool(self, hand: HandPlayed) -> None:
        if self.report.is_reporting and not self._is_pool_noted:
            self._is_pool_noted = True
            self.report.add_gap(say.players_of_pool(), self._refer(hand))

    # --- unknown stacks

    def _note_unknown_stacks(self, hand: HandPlayed) -> None:
        """Collect the seats whose stacks a hand doesn't give, and remember a hand after which no stack is known."""
        unknown_seats = frozenset(dealt_in.seat for dealt_in in hand.dealt_in if dealt_in.before is None)
        is_result_unknown = any(dealt_in.after is None and dealt_in.before is not None for dealt_in in hand.dealt_in)
        self._hand_without_result = hand if is_result_unknown else None
        if not unknown_seats:
            self._close_unknown_stacks()
        elif self._unknown_stacks is None:
            self._unknown_stacks = _UnknownStacks(hand, hand, unknown_seats)
        else:
            first_hand, _, seats = self._unknown_stacks
            self._unknown_stacks = _UnknownStacks(first_hand, hand, seats | unknown_seats)

    def _close_unknown_stacks(self) -> None:
        if self._unknown_stacks is None:
            return
        first_hand, last_hand, seats = self._unknown_stacks
        self._unknown_stacks = None
        references = [self._refer(first_hand)] + ([self._refer(last_hand)] if last_hand is not first_hand else [])
        self.report.add_gap(
            say.stacks_not_recorded(self._format_number(first_hand), self._format_number(last_hand), sorted(seats)),
            *references,
        )

    # --- within a hand

    def _check_inside(self, entry: TableEntry, hand: HandPlayed) -> None:
        """Report what doesn't add up within a hand: the pot, a declared stack, a seat that put in more than it had."""
        seats = self._state.seats
        for claim in list_late_claims(hand):
            if claim.amount and hand.witnesses & _PURCHASES:
                change = StackChange(claim.seat, claim.player, claim.expected, claim.stated)
                self.report.add_difference(change, claim.describe(self._notes.money), self._notes.refer_to_fact(entry))
        for left_out in hand.left_out:
            seat_state = seats.get(left_out.seat)
            if left_out.stack is not None and seat_state is not None and seat_state.player == left_out.player:
                seat_state.stack = left_out.stack  # also of a player without enough chips to be dealt in
        if not hand.contradicts:
            return
        replay = self._record.read_hand(hand.hand)
        for mismatch in hand_chips.list_mismatches(replay, self._notes.money, self._format_number(hand)):
            self.report.add_mismatch(hand, mismatch)
            if mismatch.seat in seats:
                seats[mismatch.seat].stack = mismatch.stack

    def _list_causes(self, change: StackChange, hand: HandPlayed | None = None) -> list[EventRef]:
        """Return what may explain a difference: facts since the last stack, the previous hand, unreadable lines."""
        causes = self._history.list_facts_like(change.player, abs(change.amount))
        unread_by_hand, previous_hand = self._record.unread_by_hand, self._history.last_hand
        if hand is not None and previous_hand is None and parse_plain_number(hand.number) != 1:
            causes.append(msgspec.structs.replace(self._refer(hand), note=say.hands_before_may_be_missing()))
        if previous_hand is not None:
            if unread_by_hand.get(previous_hand.hand, ALL_READ).in_hand:
                causes.append(msgspec.structs.replace(self._refer(previous_hand), note=say.unread_within()))
            if previous_hand.contradicts:
                causes.append(msgspec.structs.replace(self._refer(previous_hand), note=say.hand_contradicts()))
        return causes

    def _build_chips_after_hand(self, hand: HandPlayed) -> ChipsAfterHand:
        seats = [
            SeatChips(seat, self._notes.name_player(seat_state.player), seat_state.stack)
            for seat, seat_state in sorted(self._state.seats.items())
        ]
        chips = [seat.chips for seat in seats]
        total = None if None in chips else sum(seat_chips or 0 for seat_chips in chips)
        return ChipsAfterHand(self._refer(hand), hand.number, seats, total)

    def _refer(self, hand: HandPlayed) -> EventRef:
        return self._notes.refer_to_hand(hand)

    def _format_number(self, hand: HandPlayed) -> str:
        return self._notes.format_hand_number(hand)


def _list_changes(hand: HandPlayed, stacks: Mapping[PlayerId, Chips]) -> Iterator[StackChange]:
    """Yield the players who begin a hand with another stack than they had. `stacks` has only known stacks."""
    listed_stacks: list[tuple[Seat, PlayerId, Chips | None]]
    listed_stacks = [(dealt_in.seat, dealt_in.player, dealt_in.before) for dealt_in in hand.dealt_in]
    listed_stacks += [(left_out.seat, left_out.player, _find_stack_left_out(left_out)) for left_out in hand.left_out]
    for seat, player, stated in listed_stacks:
        expected = stacks.get(player)
        if expected is not None and stated is not None and stated != expected:
            yield StackChange(seat, player, expected, stated)


def _find_stack_left_out(left_out: LeftOut) -> Chips | None:
    """Return the stack of a player who gets no cards: 0 if it isn't recorded and the player is out of chips."""
    return 0 if left_out.stack is None and left_out.reason == "no-chips" else left_out.stack
