"""Compute the results of one hand: pot, board, positions, and what each seat won or lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ledger import replay
from ledger.clocks import find_local_time
from ledger.hand import positions
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.opening import BlindPosted
from ledger.hand.state import HandState
from ledger.vocabulary import Chips, Millis, PlayerId, Seat, shown_decimals

STREETS: Final = {"preflop": 0, "flop": 1, "turn": 2, "river": 3}
"""How many streets of the board are dealt, by the name of the last street. A game without a board has 0."""


class HandResult(NamedTuple):
    """The results of the hand: columns of `hand_results`. Amounts are in chips; `scale` chips make one unit of money."""

    started: Millis | None
    wall: Millis | None  # the start by the room's clock, as if the clock showed UTC
    zone: str  # "" = time zone unknown
    players: int
    button: Seat | None
    board: str  # all boards, without blanks, with "/" between them
    streets: int
    pot: Chips
    rake: Chips
    carried: Chips  # chips in the pot that no seat put in, minus chips taken out of play
    big_blind: Chips  # 0 = not on record
    scale: int
    unit: str  # a currency or "chips"
    showdown: bool
    runs: int  # how many times the board was run; 1 = as usual
    voided: bool
    completed: bool
    unbalanced: bool
    corrected: bool
    unread: bool  # the record has unread lines
    cash_out: bool  # a player cashed out or insured the hand


class SeatResult(NamedTuple):
    """A seat that was dealt in. `net`: what it won minus what it put in; top-ups don't count."""

    seat: Seat
    player: PlayerId
    position: str  # BTN, SB, BB, UTG, ..., CO; "" = the record doesn't show the button
    stack: Chips | None
    put: Chips
    won: Chips
    net: Chips
    rake: Chips  # its share of the rake, by what it put in
    showdown: bool
    all_in: bool


def summarize_hand(events: Sequence[HandEvent]) -> tuple[HandResult, list[SeatResult]]:
    """Return the results of a hand and of its seats, corrections applied."""
    valid_events = [event for _, event in replay.list_corrected(events)]
    state = fold(valid_events)
    is_taken_back = _is_taken_back(state)
    seat_results = _build_empty_results(state) if is_taken_back else _build_seat_results(state)
    is_completed = state.completed and not is_taken_back
    started, wall, zone = _read_start_times(state)
    big_blind, scale, unit = _read_money(state)
    hand = HandResult(
        started=started,
        wall=wall,
        zone=zone,
        players=len(state.dealt),
        button=state.button,
        board="/".join("".join(board) for board in state.boards if board),
        streets=STREETS.get(state.street, 0),
        pot=state.pot_size(),
        rake=state.chips.drop,
        carried=state.chips.seeded - state.chips.impounded,
        big_blind=big_blind,
        scale=scale,
        unit=unit,
        showdown=_has_showdown(state),
        runs=state.runs,
        voided=is_taken_back,
        completed=is_completed,
        unbalanced=is_completed and state.conservation() != 0,
        corrected=len(valid_events) != len(events) or state.corrections > 0,
        unread=state.unread_lines > 0,
        cash_out=bool(state.cash_outs or state.sold_seats),
    )
    return hand, seat_results


def _read_start_times(state: HandState) -> tuple[Millis | None, Millis | None, str]:
    """Return when a hand began, what the room's clock showed then, and its time zone.

    A time that isn't recorded is None, and an unknown zone is "".
    """
    if state.opened is None:
        return None, None, ""
    started = state.opened.started
    room_time = find_local_time(started, state.opened.written)
    if room_time is None:
        return started, None, ""
    return started, room_time.wall, room_time.zone


def _read_money(state: HandState) -> tuple[Chips, int, str]:
    """Return a hand's big blind (0 = not recorded), how many chips make one unit of money, and that unit."""
    if state.game is None:
        return 0, 1, ""
    blinds = state.game.blinds
    big_blind = blinds[1] if len(blinds) > 1 else 0
    return big_blind, 10 ** shown_decimals(state.game.exponent), state.game.unit


def _is_taken_back(state: HandState) -> bool:
    """Whether all bets were returned, so that nobody won or lost chips."""
    return state.voided or state.is_spoiled


def _build_empty_results(state: HandState) -> list[SeatResult]:
    """Return the results of seats that neither won nor lost anything."""
    return [
        SeatResult(
            seat=seat,
            player=state.dealt[seat].player,
            position=position,
            stack=state.dealt[seat].stack,
            put=0,
            won=0,
            net=0,
            rake=0,
            showdown=False,
            all_in=False,
        )
        for seat, position in name_positions(state).items()
    ]


def _has_showdown(state: HandState) -> bool:
    """Whether two or more players had hands at the end of the betting, or the record shows a showdown.

    `state.live` lacks the losers' hands after the dealer cleared them, so they are added.
    """
    return state.showdown or (state.completed and len(state.live | state.cleared_seats) > 1)


def _build_seat_results(state: HandState) -> list[SeatResult]:
    shares = _split_rake(state.chips.drop, state.chips.put_in)
    has_showdown = _has_showdown(state)
    seat_results = []
    for seat, position in name_positions(state).items():
        dealt = state.dealt[seat]
        put_in = state.chips.put_in.get(seat, 0)
        won = state.chips.awarded.get(seat, 0) + state.cash_outs.get(seat, 0)
        seat_results.append(
            SeatResult(
                seat=seat,
                player=dealt.player,
                position=position,
                stack=dealt.stack,
                put=put_in,
                won=won,
                net=won - put_in,
                rake=shares.get(seat, 0),
                showdown=has_showdown and (seat in state.live or seat in state.cleared_seats),
                all_in=state.is_all_in(seat) and put_in > 0,
            )
        )
    return seat_results


def _split_rake(rake: Chips, put_in: dict[Seat, Chips]) -> dict[Seat, Chips]:
    """Split the rake in proportion to what each seat put in. Odd chips go to the largest remainders."""
    total = sum(put_in.values())
    if rake <= 0 or total <= 0:
        return {}
    shares = {seat: rake * chips // total for seat, chips in put_in.items()}
    seat_order = sorted(put_in, key=lambda seat: (-(rake * put_in[seat] % total), seat))
    for seat in seat_order[: rake - sum(shares.values())]:
        shares[seat] += 1
    return shares


def name_positions(state: HandState) -> dict[Seat, str]:
    """Return the position of each dealt-in seat, in seat order."""
    posted: dict[str, Seat | None] = {}
    for post in state.posts:
        if isinstance(post, BlindPosted):
            posted.setdefault(post.role, post.seat)
    blind_seats = {**posted, **state.positions}
    return positions.name_seat_positions(state.dealt, state.button, blind_seats.get("small"), blind_seats.get("big"))
