"""Find what doesn't add up within a hand: its pot, a declared end stack, a seat that put in more than it had.

Clauses R1, R4 and R11 of the rulebook `record` report the same as text. Here the sums are numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledger.hand.agreement import do_payouts_disagree
from ledger.hand.ending import PotAwarded, ResultDeclared
from ledger.hand.opening import SeatDealtIn
from ledger.presence import ChipsAdded
from ledger.replay import HandReplay
from ledger.vocabulary import Chips, Seat
from projections.amount_text import MoneyFormat
from projections.sentences import paragraph
from projections.sentences import record as say_record
from projections.sentences import table_chips as say


class ChipMismatch(NamedTuple):
    """Two sums of a hand that should be equal and aren't."""

    version: int  # of the event that it shows at
    statement: str
    expected: Chips
    stated: Chips
    seat: Seat | None = None  # None = the pot
    reason: str = ""
    stack: Chips | None = None  # the seat's stack after the hand, for the next comparison; None = unknown


def count_unpaid_chips(replay: HandReplay) -> Chips:
    """Return how much too little a hand's pot paid, negative if too much; 0 if the record can't tell."""
    state = replay.final_state
    if state.voided or state.is_spoiled or not state.chips.awarded or not do_payouts_disagree(state):
        return 0
    return state.conservation()


def list_mismatches(replay: HandReplay, money: MoneyFormat, hand_number: str) -> Iterator[ChipMismatch]:
    """Yield what doesn't add up within a hand. The pot comes first."""
    unpaid_chips = count_unpaid_chips(replay)
    if unpaid_chips:
        yield _build_pot_mismatch(replay, money, unpaid_chips)
    else:
        yield from _list_declared_stacks(replay, money)
    yield from _list_overspent_seats(replay, money, hand_number)


def _build_pot_mismatch(replay: HandReplay, money: MoneyFormat, unpaid_chips: Chips) -> ChipMismatch:
    state = replay.final_state
    pot, drop = state.pot_size(), state.chips.drop
    paid = sum(state.chips.awarded.values())
    headline = say_record.pot_is_short if unpaid_chips > 0 else say_record.pot_is_over
    awards = replay.events_of(PotAwarded)
    return ChipMismatch(
        version=awards[-1][0] if awards else 1,
        statement=headline(money(abs(unpaid_chips)), money(pot), money(paid + drop)),
        expected=pot,
        stated=paid + drop,
        reason=say_record.paid_and_raked(money(paid), money(drop)),
    )


def _list_declared_stacks(replay: HandReplay, money: MoneyFormat) -> Iterator[ChipMismatch]:
    state = replay.final_state
    for version, event in replay.events_of(ResultDeclared):
        if event.what != "end-stack" or event.seat is None or event.amount is None:
            continue
        stack = state.stack(event.seat)
        if stack is not None and stack != event.amount:
            yield ChipMismatch(
                version=version,
                statement=say_record.stated_result_of_seat("end stack", event.seat, money(event.amount), money(stack)),
                expected=stack,
                stated=event.amount,
                seat=event.seat,
                reason=paragraph(say_record.difference_of(money(abs(stack - event.amount)))),
                stack=event.amount,
            )


def _list_overspent_seats(replay: HandReplay, money: MoneyFormat, hand_number: str) -> Iterator[ChipMismatch]:
    state = replay.final_state
    bought_chips: dict[Seat | None, Chips] = {}
    for _, event in replay.events_of(ChipsAdded):
        bought_chips[event.seat] = bought_chips.get(event.seat, 0) + event.amount
    for version, dealt_in in replay.events_of(SeatDealtIn):
        put_in = state.chips.put_in[dealt_in.seat]
        if dealt_in.stack is not None and put_in > dealt_in.stack + bought_chips.get(dealt_in.seat, 0):
            yield ChipMismatch(
                version=version,
                statement=say.more_put_in(dealt_in.seat, hand_number, money(put_in), money(dealt_in.stack)),
                expected=dealt_in.stack,
                stated=put_in,
                seat=dealt_in.seat,
            )
