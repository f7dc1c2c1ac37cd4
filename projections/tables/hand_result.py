"""What one hand came to: its pot, its board, who played from where, and what each of them won or lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ledger.clocks import local
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.opening import BlindPosted
from ledger.hand.positions import named
from ledger.hand.state import HandState
from ledger.replay import corrected
from ledger.vocabulary import Chips, Millis, PlayerId, Seat

STREETS: Final = {"preflop": 0, "flop": 1, "turn": 2, "river": 3}
"""How many streets of a board were dealt; games without a board count none."""


class HandResult(NamedTuple):
    """A hand as a whole. Chips in the table's smallest unit, `scale` of which are one of its currency."""

    started: Millis | None
    wall: Millis | None  # what the room's clock showed, as if it were UTC
    zone: str  # "" = its source does not say which clock it is
    players: int
    button: Seat | None
    board: str  # all boards, without blanks, with "/" between them
    streets: int
    pot: Chips
    rake: Chips
    carried: Chips  # chips of the pot that no seat put there, less those that were taken out of play
    big_blind: Chips  # 0 = none is told
    scale: int
    unit: str
    showdown: bool
    runs: int
    voided: bool
    completed: bool
    unbalanced: bool
    corrected: bool
    unread: bool  # lines of it were not understood
    cash_out: bool  # somebody sold a hand to the house, or insured it


class SeatResult(NamedTuple):
    """One dealt-in seat of a hand. `net` is what it won less what it put in: without stack changes beside the play."""

    seat: Seat
    player: PlayerId
    position: str  # BTN, SB, BB, UTG, ..., CO; "" = the record does not tell where the button is
    stack: Chips | None
    put: Chips
    won: Chips
    net: Chips
    rake: Chips  # its share of the rake, by what it put in
    showdown: bool
    all_in: bool


def result_of(events: Sequence[HandEvent]) -> tuple[HandResult, list[SeatResult]]:
    """Return what a hand came to, with its corrections."""
    as_corrected = [event for _, event in corrected(events)]
    state = fold(as_corrected)
    game, opened = state.game, state.opened
    started = opened.started if opened is not None else None
    shows = local(started, opened.written if opened is not None else "")
    off = _taken_back(state)
    seats = [] if off else _seats(state)
    hand = HandResult(
        started=started,
        wall=None if shows is None else shows.wall,
        zone="" if shows is None else shows.zone,
        players=len(state.dealt),
        button=state.button,
        board="/".join("".join(board) for board in state.boards if board),
        streets=STREETS.get(state.street, 0),
        pot=state.total_put(),
        rake=state.chips.drop,
        carried=state.chips.seeded - state.chips.impounded,
        big_blind=game.blinds[1] if game and len(game.blinds) > 1 else 0,
        scale=10 ** (game.exponent if game else 0),
        unit=game.unit if game else "",
        showdown=_showdown(state),
        runs=state.runs,
        voided=off,
        completed=state.completed and not off,
        unbalanced=state.completed and not off and state.conservation() != 0,
        corrected=len(as_corrected) != len(events) or state.corrections > 0,
        unread=state.unread > 0,
        cash_out=bool(state.cashed or state.sold),
    )
    return hand, seats or [_sat(state, seat, place) for seat, place in positions(state).items()]


def _taken_back(state: HandState) -> bool:
    """Whether all that was put in goes back: nobody won or lost anything."""
    return state.voided or state.spoiled


def _sat(state: HandState, seat: Seat, position: str) -> SeatResult:
    dealt = state.dealt[seat]
    return SeatResult(seat, dealt.player, position, dealt.stack, 0, 0, 0, 0, showdown=False, all_in=False)


def _showdown(state: HandState) -> bool:
    """Whether several still held a hand when the betting was over, or the record says that they showed."""
    return state.showdown or (state.completed and len(state.live | state.cleared) > 1)


def _seats(state: HandState) -> list[SeatResult]:
    shares = _shares(state.chips.drop, state.chips.put_in)
    down = _showdown(state)
    found = []
    for seat, position in positions(state).items():
        dealt, put = state.dealt[seat], state.chips.put_in.get(seat, 0)
        won = state.chips.awarded.get(seat, 0) + state.cashed.get(seat, 0)
        found.append(
            SeatResult(
                seat,
                dealt.player,
                position,
                dealt.stack,
                put,
                won,
                won - put,
                shares.get(seat, 0),
                showdown=down and (seat in state.live or seat in state.cleared),
                all_in=state.is_all_in(seat) and put > 0,
            )
        )
    return found


def _shares(rake: Chips, put: dict[Seat, Chips]) -> dict[Seat, Chips]:
    """Part the rake by what each put in, to the chip: what is left over goes to those who lack most of theirs."""
    total = sum(put.values())
    if rake <= 0 or total <= 0:
        return {}
    shares = {seat: rake * chips // total for seat, chips in put.items()}
    order = sorted(put, key=lambda seat: (-(rake * put[seat] % total), seat))
    for seat in order[: rake - sum(shares.values())]:
        shares[seat] += 1
    return shares


def positions(state: HandState) -> dict[Seat, str]:
    """Return each dealt-in seat with the name of its position, in the order of the seats."""
    posted: dict[str, Seat | None] = {}
    for post in state.posts:
        if isinstance(post, BlindPosted):
            posted.setdefault(post.role, post.seat)
    told = {**posted, **state.positions}
    return named(state.dealt, state.button, told.get("small"), told.get("big"))
