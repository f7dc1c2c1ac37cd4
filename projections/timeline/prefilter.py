"""Check a hand quickly for signs of violations, so that only the detectors for those signs must run.

Most hands are plain: two blinds in the right seats, everybody acts in turn, the chips add up. A hand with anything
unusual gets all signs, which costs time but loses no finding. The check uses the hand engine for bets, chips and turns.
It doesn't fold the hand, because the fold computes much that no sign needs and takes longer than the check.
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
from ledger.hand.opening_posts import sort_clockwise
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
"""The previous street of each street, and the length of its cards as text."""
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


class _QuickCheck:
    """The state of the quick check: betting and turns, the cards and awards so far, and the signs.

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
        """Start the betting among the dealt-in seats, which have paid these antes."""
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


def find_signs(events: Sequence[Event], kinds: frozenset[type[Event]]) -> int:
    """Return the signs that a hand shows, as bits of `Symptom`. `kinds`: the types of its events."""
    if not kinds <= PLAIN_EVENTS:
        return ALL_SIGNS
    check = _QuickCheck()
    try:
        first_act = _follow_opening(check, events)
        _follow_play(check, events, first_act)
    except (_Unusual, KeyError):
        return ALL_SIGNS
    return check.signs


_OPENING_OR_SILENT: Final = OPENING_EVENTS | SILENT_EVENTS
"""Event types that may come before the first act."""


def _follow_opening(check: _QuickCheck, events: _Events) -> int:
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
            _read_seat(check, event)
        elif kind is d.HoleCardsDealt:
            if len(event.cards) != hole_length or event.seat in check.cards or event.up:
                raise _Unusual
            if "?" not in event.cards:
                check.cards[event.seat] = event.cards
        elif kind is o.BlindPosted:
            posts.append(event)
        elif kind is o.AntePosted:
            _read_ante(check, event, antes)
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
    check.seat_players(game, button, antes)
    _read_posts(check, game, posts, blind_positions)
    return index


def _read_seat(check: _QuickCheck, event: o.SeatDealtIn) -> None:
    """Read a dealt-in seat and its stack. The stack must be known, and no seat may be dealt in twice."""
    seat, stack = event.seat, event.stack
    if stack is None or seat in check.stacks or stack <= 0 or not 0 <= seat < NEAR_SEATS:
        raise _Unusual
    check.stacks[seat] = stack


def _read_ante(check: _QuickCheck, event: o.AntePosted, antes: dict[Seat, Chips]) -> None:
    seat = event.seat
    if seat not in check.stacks:
        raise _Unusual
    antes[seat] = antes.get(seat, 0) + event.amount
    if event.all_in:
        check.said_all_in |= 1 << seat


def _read_posts(
    check: _QuickCheck, game: o.GameSet, posts: list[o.BlindPosted], blind_positions: list[tuple[str, Seat | None]]
) -> None:
    """Read the two blinds, which must come from the seats after the button, then the posts of players who come in."""
    stacks, put_in, turns = check.stacks, check.chips.put_in, check.turns
    if len(game.blinds) != 2 or len(stacks) < 2:
        raise _Unusual
    clockwise_seats = sort_clockwise(sorted(stacks), check.button)
    if len(stacks) == 2:
        clockwise_seats.reverse()
        check.signs |= _HEADS_UP
    small_seat, big_seat = clockwise_seats[:2]
    _read_blinds(check, game, posts, (small_seat, big_seat))
    for role, seat in blind_positions:
        if seat != {"small": small_seat, "big": big_seat}.get(role):
            raise _Unusual
    for post in posts:
        if post.all_in:
            check.said_all_in |= 1 << post.seat
        if post.role not in ("small", "big"):
            _read_entry(check, post, game.blinds[1], clockwise_seats[2 % len(clockwise_seats)])
    check.round.call_in_full(game.blinds[1])
    turns.last_actor = big_seat
    for seat, stack in stacks.items():
        if put_in[seat] == stack:
            turns.all_in |= 1 << seat
    if check.said_all_in & ~turns.all_in:
        check.signs |= _STACK


def _read_blinds(check: _QuickCheck, game: o.GameSet, posts: list[o.BlindPosted], seats: tuple[Seat, Seat]) -> None:
    """Read the small and the big blind. There must be one of each, in full and from these seats."""
    roles = [post.role for post in posts]
    if roles.count("small") != 1 or roles.count("big") != 1:
        raise _Unusual
    blinds = (posts[roles.index("small")], posts[roles.index("big")])
    for post, blind, seat in zip(blinds, game.blinds, seats, strict=True):
        if post.live != blind or post.dead or post.seat != seat:
            raise _Unusual
        check.round.post(seat, blind)
        if check.chips.put_in[seat] > check.stacks[seat]:
            check.signs |= _STACK


def _read_entry(check: _QuickCheck, post: o.BlindPosted, big_blind: Chips, next_seat: Seat) -> None:
    """Read the post of a player who comes in. It counts as a bet, but doesn't open the betting."""
    seat = post.seat
    if post.role not in ("entry", "makeup-small", "makeup-big"):
        raise _Unusual
    check.signs |= _ENTRY_POSTS
    if post.role != "entry":
        check.signs |= _MAKEUP_POSTS
        if seat == next_seat:
            check.signs |= _MAKEUP_NEXT
    elif post.dead:
        check.signs |= _ODD_POSTS
    stack = check.stacks[seat]
    check.round.post(seat, post.live)
    check.round.move_chips(seat, post.dead)
    if check.round.bets[seat] > big_blind or check.chips.put_in[seat] > stack:
        raise _Unusual


def _follow_play(check: _QuickCheck, events: _Events, first_act: int) -> None:
    """Read the acts, the board and the ending."""
    turns, take_turn = check.turns, check.turns.take_turn
    declared: list[e.ResultDeclared] = []
    for event in events[first_act:]:
        kind = type(event)
        if kind is b.Folded or kind is b.Checked:
            seat = event.seat
            bit = 1 << seat
            if not take_turn(seat, bit):
                _add_turn_sign(check, bit)
            if kind is b.Folded:
                turns.live &= ~bit
                if event.cards:
                    raise _Unusual
            elif check.round.bets.get(seat, 0) != check.round.bet_to_call:
                check.signs |= _CALL_SIZE
        elif kind in _WAGERS:
            _follow_wager(check, kind, event)
        elif kind is d.BoardDealt:
            _follow_street(check, event)
        elif kind is e.ResultDeclared:
            declared.append(event)
        elif kind in HANDLERS:
            HANDLERS[kind](check, event)
        elif kind not in SILENT_EVENTS:
            raise _Unusual
    if turns.live & (turns.live - 1):
        _check_showdown(check)
    elif check.shown_mask:
        check.signs |= _SHOWDOWN
    _check_ending(check, declared)
    _check_awards(check)


def _add_turn_sign(check: _QuickCheck, bit: SeatBits) -> None:
    """Add the sign of an act out of turn. If the seat has no live hand, raise `_Unusual`."""
    check.signs |= _TURN
    if not check.turns.live & bit:
        raise _Unusual


_WAGERS: Final = frozenset({b.Called, b.Bet, b.Raised})


def _follow_wager(check: _QuickCheck, kind: type[Event], event: b.Called | b.Bet | b.Raised) -> None:
    seat, bet_to, added = event.seat, event.to, event.added
    betting, turns, bit = check.round, check.turns, 1 << seat
    bet_to_call, previous_bet = betting.bet_to_call, betting.bets.get(seat, 0)
    if not turns.take_turn(seat, bit, kind is not b.Called):
        _add_turn_sign(check, bit)
    if bet_to - previous_bet != added:
        raise _Unusual
    put_in, stack = check.chips.put_in[seat] + added, check.stacks[seat]
    if put_in >= stack:
        turns.all_in |= bit
        if put_in > stack:
            check.signs |= _STACK
    elif event.all_in:
        check.signs |= _STACK
    if kind is b.Called:
        betting.call(seat, added, bet_to)
        if bet_to > bet_to_call:
            raise _Unusual
        if bet_to < bet_to_call and put_in < stack:
            check.signs |= _CALL_SIZE
        return
    if bet_to <= bet_to_call:
        raise _Unusual
    if not turns.live & ~bit & ~turns.all_in and previous_bet >= bet_to_call:
        check.signs |= _TURN  # nobody else can bet, and there was nothing to call
    _check_size(check, bet_to - bet_to_call)
    if check.is_pot_limit and bet_to > bet_to_call + check.chips.pot() + bet_to_call - previous_bet:
        check.signs |= _LARGE_BET
    if kind is b.Bet:
        betting.bet(seat, added, bet_to)
    else:
        betting.raise_to(seat, added, bet_to, bool(check.unit))
    if len(betting.wagers) > 3 + (betting.street != "preflop"):
        check.signs |= _CAP


def _check_size(check: _QuickCheck, raise_size: Chips) -> None:
    """Add the sign of a bet or raise that isn't of the limit's size, or is below the minimum."""
    betting = check.round
    if check.unit:
        if raise_size != check.unit[betting.street in ("turn", "river")]:
            check.signs |= _SMALL_BET | _SHORT_ALL_IN
    elif raise_size < betting.last_full_raise or raise_size < check.blind:
        check.signs |= _SMALL_BET


def _follow_street(check: _QuickCheck, event: d.BoardDealt) -> None:
    previous_street, length = _STREET_BEFORE[event.street]
    if check.round.street != previous_street or len(event.cards) != length:
        check.signs |= _STREETS
    if event.run != 1 or event.board != 1 or event.stuck or not event.face_up or JOKER in event.cards:
        raise _Unusual
    check.check_open_round()
    check.board += event.cards
    check.round = check.round.begin_next_street(event.street)
    check.turns.begin_street(check.button)


def _follow_showdown(check: _QuickCheck, _event: e.ShowdownBegun) -> None:
    check.check_open_round()
    check.turns.to_act = 0


def _follow_award(check: _QuickCheck, event: e.PotAwarded) -> None:
    seat, turns = event.seat, check.turns
    check.check_open_round()
    turns.to_act = 0
    if event.run != 1 or event.board != 1 or seat not in check.stacks:
        raise _Unusual
    bit = 1 << seat
    if not turns.live & bit:
        check.signs |= _AWARD
    check.is_paid = True
    check.chips.award(seat, event.amount)
    check.unshown |= bit & ~check.tabled


def _follow_drop(check: _QuickCheck, event: e.DropTaken) -> None:
    check.is_paid = True
    check.chips.take_drop(event.amount)


def _return_bet(check: _QuickCheck, event: b.BetReturned) -> None:
    if not check.round.move_chips(event.seat, -event.amount):
        raise _Unusual
    check.returned[event.seat] = event.amount


def _show_cards(check: _QuickCheck, event: e.CardsShown) -> None:
    seat, cards = event.seat, event.cards
    if seat not in check.stacks or JOKER in cards:
        raise _Unusual
    check.shown_mask |= 1 << seat
    if len(cards) == HOLE_CARD_LENGTHS[check.variant] and "?" not in cards:
        check.tabled |= 1 << seat
    known_cards = check.cards.get(seat)
    if known_cards is None and "?" not in cards:
        check.cards[seat] = cards
    elif known_cards != cards and sorted(known_cards or "?") != sorted(cards):
        check.signs |= _DUPLICATE


def _muck_cards(check: _QuickCheck, event: e.CardsMucked) -> None:
    check.mucked_mask |= 1 << event.seat


def _learn_cards(check: _QuickCheck, event: d.HoleCardsLearned) -> None:
    check.learned |= 1 << event.seat


def _burn_card(_check: _QuickCheck, event: d.CardBurned) -> None:
    if event.card != "??":  # a burn with a known card: its own detectors judge it
        raise _Unusual


def _follow_cash_out(check: _QuickCheck, _event: b.CashOutTaken) -> None:
    check.signs |= _CONSERVATION | _DECLARED | _AWARD


def _follow_finish(check: _QuickCheck, event: e.PlayerFinished) -> None:
    if not check.is_paid and check.turns.able & 1 << event.seat:
        raise _Unusual  # finished, though the player can still act in this hand


HANDLERS: Final[Mapping[type[Event], Callable[[_QuickCheck, Any], None]]] = {
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


def _check_showdown(check: _QuickCheck) -> None:
    """Add the signs of a showdown."""
    check.signs |= _SHOWDOWN | _CONTESTED
    check.check_open_round()
    if check.turns.live & (check.turns.all_in | check.said_all_in):
        check.signs |= _ALL_IN
    if check.unshown:
        check.signs |= _UNSHOWN
    if check.mucked_mask and any(check.mucked_mask >> seat & 1 for seat in check.chips.awarded):
        check.signs |= _LET_GO


def _check_awards(check: _QuickCheck) -> None:
    """Add the sign unless the pot plainly went to the best hand."""
    live, chips = check.turns.live, check.chips
    can_compare_cards = (
        check.variant == "holdem"
        and not check.signs & _DUPLICATE
        and not check.shown_mask & check.mucked_mask
        and not check.learned & live & ~check.mucked_mask
    )
    if check.signs & _SHOWDOWN and not (
        can_compare_cards
        and is_plainly_won(live, check.mucked_mask, chips.awarded, chips.put_in, check.cards, check.board)
    ):
        check.signs |= _AWARD
    if check.signs & _AWARD and check.signs & _ALL_IN:
        check.signs |= _ALL_IN_AWARD


def _check_ending(check: _QuickCheck, declared: list[e.ResultDeclared]) -> None:
    """Add the signs of chips that don't add up, cards seen twice, and declared results that differ."""
    if check.chips.unaccounted():
        check.signs |= _CONSERVATION
    if declared and not all(_matches_result(check, event) for event in declared):
        check.signs |= _DECLARED
    cards = check.board
    for hole_cards in check.cards.values():
        cards += hole_cards
    unique_cards = {cards[offset : offset + 2] for offset in range(0, len(cards), 2)}
    if len(unique_cards) * 2 != len(cards):
        check.signs |= _DUPLICATE


def _matches_result(check: _QuickCheck, event: e.ResultDeclared) -> bool:
    """Whether a result that the source declares is the result that we count."""
    chips, seat, amount = check.chips, event.seat, event.amount
    if amount is None or event.what in _IGNORED_RESULTS:
        return True
    if event.what == "total-pot":
        return amount == chips.pot()
    if event.what == "rake":
        return amount == chips.drop
    if seat is None:
        return False
    paid_chips = chips.awarded.get(seat, 0)
    if event.what == "end-stack" and seat in check.stacks:
        return amount == check.stacks[seat] - chips.put_in[seat] + paid_chips
    return event.what in ("winnings", "collected") and amount in (paid_chips, paid_chips + check.returned.get(seat, 0))


_IGNORED_RESULTS: Final = frozenset({"main-pot", "side-pot", "board", "finish", "hand-count"})
