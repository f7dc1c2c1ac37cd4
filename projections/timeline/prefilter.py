"""Check a hand quickly for signs of violations, so that only the detectors for those signs must run.

Most hands are plain: two blinds in the right seats, everybody acts in turn, the chips add up. A hand with anything
unusual gets all signs: that costs time, but no finding is lost. The pass uses the hand engine for bets, chips and
turns. It doesn't fold the hand: the fold computes much that no sign needs, and takes longer than the pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.betting_round import BettingRound, begin_round
from ledger.hand.chips import HandChips
from ledger.hand.opening_posts import clockwise
from ledger.hand.turn_order import NEAR_SEATS, SeatBits, TurnOrder
from ledger.vocabulary import JOKER, Chips, Seat
from projections.findings.detector import Symptom
from projections.timeline.best_hand_check import is_plainly_won
from projections.timeline.plain_hand import (
    HARMLESS_OPTIONS,
    HOLE_CARD_LENGTHS,
    OPENING_EVENTS,
    PLAIN_EVENTS,
    SILENT_EVENTS,
)

ALL_SIGNS: Final = (1 << 29) - 1

_STREET_BEFORE: Final = {"flop": ("preflop", 6), "turn": ("flop", 2), "river": ("turn", 2)}
"""Each street: the street before it, and the length of its cards as text."""
_Events: TypeAlias = "Sequence[Any]"
"""Events of a hand. They are `Any`: mypy can't narrow an event by `kind = type(event)`."""

_ALL_IN: Final = int(Symptom.ALL_IN)
_ALL_IN_AWARD: Final = int(Symptom.ALL_IN_AWARD)
_AWARD: Final = int(Symptom.AWARD)
_CALL_SIZE: Final = int(Symptom.CALL_SIZE)
_CAP: Final = int(Symptom.CAP)
_CONSERVATION: Final = int(Symptom.CONSERVATION)
_CONTESTED: Final = int(Symptom.CONTESTED)
_DECLARED: Final = int(Symptom.DECLARED)
_DUPLICATE: Final = int(Symptom.DUPLICATE)
_ENTRY_POSTS: Final = int(Symptom.ENTRY_POSTS)
_HEADS_UP: Final = int(Symptom.HEADS_UP)
_LARGE_BET: Final = int(Symptom.LARGE_BET)
_LET_GO: Final = int(Symptom.LET_GO)
_MAKEUP_NEXT: Final = int(Symptom.MAKEUP_NEXT)
_MAKEUP_POSTS: Final = int(Symptom.MAKEUP_POSTS)
_ODD_POSTS: Final = int(Symptom.ODD_POSTS)
_OPEN_ROUND: Final = int(Symptom.OPEN_ROUND)
_SHORT_ALL_IN: Final = int(Symptom.SHORT_ALL_IN)
_SHOWDOWN: Final = int(Symptom.SHOWDOWN)
_SMALL_BET: Final = int(Symptom.SMALL_BET)
_STACK: Final = int(Symptom.STACK)
_STREETS: Final = int(Symptom.STREETS)
_TURN: Final = int(Symptom.TURN)
_UNSHOWN: Final = int(Symptom.UNSHOWN)


class _Unusual(Exception):  # noqa: N818 - not an error, and it never leaves this module
    """The hand has something that the quick check can't follow: it gets all signs."""


class _Screen:
    """The state of the pass: betting and turns, and what cards and awards showed so far.

    A set of seats is an int with a bit for each seat, as in the engine: seat 3 is `1 << 3`.
    """

    __slots__ = (
        *("blind", "board", "button", "cards", "chips", "is_paid", "is_pot_limit", "learned", "mucked_mask"),
        *("returned", "round", "said_all_in", "shown_mask", "signs", "stacks", "tabled", "turns", "unit"),
        *("unshown", "variant"),
    )

    blind: Chips  # the largest
    button: Seat
    is_pot_limit: bool
    round: BettingRound
    unit: tuple[Chips, ...]  # the two fixed bets of a limit game; () in other games
    variant: str

    def __init__(self) -> None:
        self.chips = HandChips()
        self.turns = TurnOrder()
        self.stacks: dict[Seat, Chips] = {}
        self.is_paid = False  # chips went to a seat or to the house
        self.returned: dict[Seat, Chips] = {}
        self.cards: dict[Seat, str] = {}
        self.signs = self.mucked_mask = self.shown_mask = self.learned = 0
        self.tabled = self.unshown = self.said_all_in = 0
        self.board = ""

    def seat_players(self, game: o.GameSet, button: Seat, antes: Mapping[Seat, Chips]) -> None:
        """Start the betting among the dealt-in seats, antes paid."""
        if game.betting == "spread" or (game.betting == "limit" and len(game.bets) != 2):
            raise _Unusual
        no_chips = dict.fromkeys(self.stacks, 0)
        self.chips.put_in = {**no_chips, **antes}
        self.round = begin_round("preflop", no_chips, self.chips)
        self.turns.deal_in_near(self.stacks)
        self.button, self.blind, self.variant = button, game.blinds[-1] if game.blinds else 0, game.variant
        self.unit = game.bets if game.betting == "limit" else ()
        self.is_pot_limit = game.betting == "pot-limit"

    def check_open_round(self) -> None:
        """Add the sign if a seat still had to act when the hand went on."""
        if self.turns.to_act and self.turns.waiting(self.round.bets, self.round.bet_to_call):
            self.signs |= _OPEN_ROUND


def find_symptoms(events: Sequence[Event], kinds: frozenset[type[Event]]) -> int:
    """Return the signs that a hand shows, as bits of `Symptom`. `kinds`: the types of its events."""
    if not kinds <= PLAIN_EVENTS:
        return ALL_SIGNS
    screen = _Screen()
    try:
        first_act = _follow_opening(screen, events)
        _follow_play(screen, events, first_act)
    except (_Unusual, KeyError):
        return ALL_SIGNS
    return screen.signs


_OPENING_OR_SILENT: Final = OPENING_EVENTS | SILENT_EVENTS
"""Event types that may come before the first act."""


def _follow_opening(screen: _Screen, events: _Events) -> int:
    """Read the hand up to its first act; return the index of that event."""
    game: o.GameSet | None = None
    button = None
    posts: list[o.BlindPosted] = []
    antes: dict[Seat, Chips] = {}
    blind_positions: list[tuple[str, Seat | None]] = []
    hole_length = index = 0
    for index, event in enumerate(events):  # noqa: B007 - read after the loop
        kind = type(event)
        if kind is o.SeatDealtIn:
            _take_seat(screen, event)
        elif kind is d.HoleCardsDealt:
            if len(event.cards) != hole_length or event.seat in screen.cards or event.up:
                raise _Unusual
            if "?" not in event.cards:
                screen.cards[event.seat] = event.cards
        elif kind is o.BlindPosted:
            posts.append(event)
        elif kind is o.AntePosted:
            _take_ante(screen, event, antes)
        elif kind is o.ButtonPlaced:
            button = event.seat
        elif kind is o.BlindPositionPlaced:
            blind_positions.append((event.role, event.seat))
        elif kind is o.GameSet:
            game = event
            hole_length = HOLE_CARD_LENGTHS[event.variant]
        elif kind is e.PlayerFinished or (kind is o.OptionSet and event.option not in HARMLESS_OPTIONS):
            raise _Unusual  # a player finished before anybody acted, or a house option that may matter
        elif kind not in _OPENING_OR_SILENT:
            break
    if game is None or button is None:
        raise _Unusual
    screen.seat_players(game, button, antes)
    _take_posts(screen, game, posts, blind_positions)
    return index


def _take_seat(screen: _Screen, event: o.SeatDealtIn) -> None:
    """Note a dealt-in seat and its stack; each must be known, and come once."""
    seat, stack = event.seat, event.stack
    if stack is None or seat in screen.stacks or stack <= 0 or not 0 <= seat < NEAR_SEATS:
        raise _Unusual
    screen.stacks[seat] = stack


def _take_ante(screen: _Screen, event: o.AntePosted, antes: dict[Seat, Chips]) -> None:
    seat = event.seat
    if seat not in screen.stacks:
        raise _Unusual
    antes[seat] = antes.get(seat, 0) + event.amount
    if event.all_in:
        screen.said_all_in |= 1 << seat


def _take_posts(
    screen: _Screen, game: o.GameSet, posts: list[o.BlindPosted], blind_positions: list[tuple[str, Seat | None]]
) -> None:
    """Take the two blinds, which must come from the seats after the button, then the posts of players who come in."""
    stacks, put_in, turns = screen.stacks, screen.chips.put_in, screen.turns
    if len(game.blinds) != 2 or len(stacks) < 2:
        raise _Unusual
    clockwise_seats = clockwise(sorted(stacks), screen.button)
    if len(stacks) == 2:
        clockwise_seats.reverse()
        screen.signs |= _HEADS_UP
    small_seat, big_seat = clockwise_seats[:2]
    _take_blinds(screen, game, posts, (small_seat, big_seat))
    for role, seat in blind_positions:
        if seat != {"small": small_seat, "big": big_seat}.get(role):
            raise _Unusual
    for post in posts:
        if post.all_in:
            screen.said_all_in |= 1 << post.seat
        if post.role not in ("small", "big"):
            _take_entry(screen, post, game.blinds[1], clockwise_seats[2 % len(clockwise_seats)])
    screen.round.call_in_full(game.blinds[1])
    turns.last_actor = big_seat
    for seat, stack in stacks.items():
        if put_in[seat] == stack:
            turns.all_in |= 1 << seat
    if screen.said_all_in & ~turns.all_in:
        screen.signs |= _STACK


def _take_blinds(screen: _Screen, game: o.GameSet, posts: list[o.BlindPosted], blind_seats: tuple[Seat, Seat]) -> None:
    """Take the small and the big blind, of which there must be one each, in full and from these seats."""
    roles = [post.role for post in posts]
    if roles.count("small") != 1 or roles.count("big") != 1:
        raise _Unusual
    blinds = (posts[roles.index("small")], posts[roles.index("big")])
    for post, blind, seat in zip(blinds, game.blinds, blind_seats, strict=True):
        if post.live != blind or post.dead or post.seat != seat:
            raise _Unusual
        screen.round.post(seat, blind)
        if screen.chips.put_in[seat] > screen.stacks[seat]:
            screen.signs |= _STACK


def _take_entry(screen: _Screen, post: o.BlindPosted, big_blind: Chips, next_seat: Seat) -> None:
    """Take the post of a player who comes in: it doesn't open the betting, and counts as a bet."""
    seat = post.seat
    if post.role not in ("entry", "makeup-small", "makeup-big"):
        raise _Unusual
    screen.signs |= _ENTRY_POSTS
    if post.role != "entry":
        screen.signs |= _MAKEUP_POSTS
        if seat == next_seat:
            screen.signs |= _MAKEUP_NEXT
    elif post.dead:
        screen.signs |= _ODD_POSTS
    stack = screen.stacks[seat]
    screen.round.post(seat, post.live)
    screen.round.move_chips(seat, post.dead)
    if screen.round.bets[seat] > big_blind or screen.chips.put_in[seat] > stack:
        raise _Unusual


def _follow_play(screen: _Screen, events: _Events, first_act: int) -> None:
    """Read the acts, the board and the ending."""
    turns, take_turn = screen.turns, screen.turns.take_turn
    declared: list[e.ResultDeclared] = []
    for event in events[first_act:]:
        kind = type(event)
        if kind is b.Folded or kind is b.Checked:
            seat = event.seat
            bit = 1 << seat
            if not take_turn(seat, bit):
                _add_turn_sign(screen, bit)
            if kind is b.Folded:
                turns.live &= ~bit
                if event.cards:
                    raise _Unusual
            elif screen.round.bets.get(seat, 0) != screen.round.bet_to_call:
                screen.signs |= _CALL_SIZE
        elif kind in _WAGERS:
            _follow_wager(screen, kind, event)
        elif kind is d.BoardDealt:
            _follow_street(screen, event)
        elif kind is e.ResultDeclared:
            declared.append(event)
        elif kind in HANDLERS:
            HANDLERS[kind](screen, event)
        elif kind not in SILENT_EVENTS:
            raise _Unusual
    if turns.live & (turns.live - 1):
        _check_showdown(screen)
    elif screen.shown_mask:
        screen.signs |= _SHOWDOWN
    _check_ending(screen, declared)
    _check_awards(screen)


def _add_turn_sign(screen: _Screen, bit: SeatBits) -> None:
    """Add the sign of an act out of turn; a seat without a live hand can't be followed."""
    screen.signs |= _TURN
    if not screen.turns.live & bit:
        raise _Unusual


_WAGERS: Final = frozenset({b.Called, b.Bet, b.Raised})


def _follow_wager(screen: _Screen, kind: type[Event], event: b.Called | b.Bet | b.Raised) -> None:
    seat, bet_to, added = event.seat, event.to, event.added
    betting, turns, bit = screen.round, screen.turns, 1 << seat
    bet_to_call, previous_bet = betting.bet_to_call, betting.bets.get(seat, 0)
    if not turns.take_turn(seat, bit, kind is not b.Called):
        _add_turn_sign(screen, bit)
    if bet_to - previous_bet != added:
        raise _Unusual
    put_in, stack = screen.chips.put_in[seat] + added, screen.stacks[seat]
    if put_in >= stack:
        turns.all_in |= bit
        if put_in > stack:
            screen.signs |= _STACK
    elif event.all_in:
        screen.signs |= _STACK
    if kind is b.Called:
        betting.call(seat, added, bet_to)
        if bet_to > bet_to_call:
            raise _Unusual
        if bet_to < bet_to_call and put_in < stack:
            screen.signs |= _CALL_SIZE
        return
    if bet_to <= bet_to_call:
        raise _Unusual
    if not turns.live & ~bit & ~turns.all_in and previous_bet >= bet_to_call:
        screen.signs |= _TURN  # nobody else can bet, and there was nothing to call
    _check_size(screen, bet_to - bet_to_call)
    if screen.is_pot_limit and bet_to > bet_to_call + screen.chips.pot() + bet_to_call - previous_bet:
        screen.signs |= _LARGE_BET
    if kind is b.Bet:
        betting.bet(seat, added, bet_to)
    else:
        betting.raise_to(seat, added, bet_to, bool(screen.unit))
    if len(betting.wagers) > 3 + (betting.street != "preflop"):
        screen.signs |= _CAP


def _check_size(screen: _Screen, raise_size: Chips) -> None:
    """Add the sign of a bet or raise that isn't of the limit's size, or is below the minimum."""
    betting = screen.round
    if screen.unit:
        if raise_size != screen.unit[betting.street in ("turn", "river")]:
            screen.signs |= _SMALL_BET | _SHORT_ALL_IN
    elif raise_size < betting.last_full_raise or raise_size < screen.blind:
        screen.signs |= _SMALL_BET


def _follow_street(screen: _Screen, event: d.BoardDealt) -> None:
    previous_street, length = _STREET_BEFORE[event.street]
    if screen.round.street != previous_street or len(event.cards) != length:
        screen.signs |= _STREETS
    if event.run != 1 or event.board != 1 or event.stuck or not event.face_up or JOKER in event.cards:
        raise _Unusual
    screen.check_open_round()
    screen.board += event.cards
    screen.round = screen.round.next_street(event.street)
    screen.turns.begin_street(screen.button)


def _follow_showdown(screen: _Screen, _event: e.ShowdownBegun) -> None:
    screen.check_open_round()
    screen.turns.to_act = 0


def _follow_award(screen: _Screen, event: e.PotAwarded) -> None:
    seat, turns = event.seat, screen.turns
    screen.check_open_round()
    turns.to_act = 0
    if event.run != 1 or event.board != 1 or seat not in screen.stacks:
        raise _Unusual
    bit = 1 << seat
    if not turns.live & bit:
        screen.signs |= _AWARD
    screen.is_paid = True
    screen.chips.award(seat, event.amount)
    screen.unshown |= bit & ~screen.tabled


def _follow_drop(screen: _Screen, event: e.DropTaken) -> None:
    screen.is_paid = True
    screen.chips.take_drop(event.amount)


def _return_bet(screen: _Screen, event: b.BetReturned) -> None:
    if not screen.round.move_chips(event.seat, -event.amount):
        raise _Unusual
    screen.returned[event.seat] = event.amount


def _show_cards(screen: _Screen, event: e.CardsShown) -> None:
    seat, cards = event.seat, event.cards
    if seat not in screen.stacks or JOKER in cards:
        raise _Unusual
    screen.shown_mask |= 1 << seat
    if len(cards) == HOLE_CARD_LENGTHS[screen.variant] and "?" not in cards:
        screen.tabled |= 1 << seat
    known_cards = screen.cards.get(seat)
    if known_cards is None and "?" not in cards:
        screen.cards[seat] = cards
    elif known_cards != cards and sorted(known_cards or "?") != sorted(cards):
        screen.signs |= _DUPLICATE


def _muck_cards(screen: _Screen, event: e.CardsMucked) -> None:
    screen.mucked_mask |= 1 << event.seat


def _learn_cards(screen: _Screen, event: d.HoleCardsLearned) -> None:
    screen.learned |= 1 << event.seat


def _burn_card(_screen: _Screen, event: d.CardBurned) -> None:
    if event.card != "??":  # a burn with a known card: its own detectors judge it
        raise _Unusual


def _follow_cash_out(screen: _Screen, _event: b.CashOutTaken) -> None:
    screen.signs |= _CONSERVATION | _DECLARED | _AWARD


def _follow_finish(screen: _Screen, event: e.PlayerFinished) -> None:
    if not screen.is_paid and screen.turns.able & 1 << event.seat:
        raise _Unusual  # finished, though the player can still act in this hand


HANDLERS: Final[Mapping[type[Event], Callable[[_Screen, Any], None]]] = {
    e.ShowdownBegun: _follow_showdown,
    e.PotAwarded: _follow_award,
    e.DropTaken: _follow_drop,
    b.BetReturned: _return_bet,
    e.CardsShown: _show_cards,
    e.CardsMucked: _muck_cards,
    d.HoleCardsLearned: _learn_cards,
    d.CardBurned: _burn_card,
    b.CashOutTaken: _follow_cash_out,
    e.PlayerFinished: _follow_finish,
}


def _check_showdown(screen: _Screen) -> None:
    """Add the signs of a showdown."""
    screen.signs |= _SHOWDOWN | _CONTESTED
    screen.check_open_round()
    if screen.turns.live & (screen.turns.all_in | screen.said_all_in):
        screen.signs |= _ALL_IN
    if screen.unshown:
        screen.signs |= _UNSHOWN
    if screen.mucked_mask and any(screen.mucked_mask >> seat & 1 for seat in screen.chips.awarded):
        screen.signs |= _LET_GO


def _check_awards(screen: _Screen) -> None:
    """Add the sign unless the pot plainly went to the best hand."""
    live, chips = screen.turns.live, screen.chips
    can_compare_cards = (
        screen.variant == "holdem"
        and not screen.signs & _DUPLICATE
        and not screen.shown_mask & screen.mucked_mask
        and not screen.learned & live & ~screen.mucked_mask
    )
    if screen.signs & _SHOWDOWN and not (
        can_compare_cards
        and is_plainly_won(live, screen.mucked_mask, chips.awarded, chips.put_in, screen.cards, screen.board)
    ):
        screen.signs |= _AWARD
    if screen.signs & _AWARD and screen.signs & _ALL_IN:
        screen.signs |= _ALL_IN_AWARD


def _check_ending(screen: _Screen, declared: list[e.ResultDeclared]) -> None:
    """Add the signs of chips that don't add up, cards seen twice, and declared results that differ."""
    if screen.chips.unaccounted():
        screen.signs |= _CONSERVATION
    if declared and not all(_matches_result(screen, event) for event in declared):
        screen.signs |= _DECLARED
    cards = screen.board
    for hole_cards in screen.cards.values():
        cards += hole_cards
    unique_cards = {cards[offset : offset + 2] for offset in range(0, len(cards), 2)}
    if len(unique_cards) * 2 != len(cards):
        screen.signs |= _DUPLICATE


def _matches_result(screen: _Screen, event: e.ResultDeclared) -> bool:
    """Whether a result that the source declares is the hand's result by our count."""
    chips, seat, amount = screen.chips, event.seat, event.amount
    if amount is None or event.what in _NOT_COMPARED:
        return True
    if event.what == "total-pot":
        return amount == chips.pot()
    if event.what == "rake":
        return amount == chips.drop
    if seat is None:
        return False
    paid_chips = chips.awarded.get(seat, 0)
    if event.what == "end-stack" and seat in screen.stacks:
        return amount == screen.stacks[seat] - chips.put_in[seat] + paid_chips
    return event.what in ("winnings", "collected") and amount in (paid_chips, paid_chips + screen.returned.get(seat, 0))


# Declared results that the quick check doesn't compare:
_NOT_COMPARED: Final = frozenset({"main-pot", "side-pot", "board", "finish", "hand-count"})
