"""Find what a player may post voluntarily before the cards are dealt: a straddle, or a kill in a limit game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.hand.opening import BlindPosted, StraddlePosted

if TYPE_CHECKING:
    from ledger.hand.opening import GameSet
    from ledger.hand.state import HandState
    from ledger.vocabulary import Chips, Seat
    from projections.books.rulebook import Rulebook

_USUAL_MULTIPLE: Final = 2
"""How many big blinds a straddle or a kill is if nothing says how much."""


class StraddleRule(NamedTuple):
    """How much a straddle is at a table, and whether the button may post one, too."""

    chips: Chips
    has_button_straddle: bool = False


class OpenStraddle(NamedTuple):
    """A straddle that a seat may post now."""

    chips: Chips
    is_from_button: bool = False


def find_straddle_rule(
    game: GameSet | None, options: Mapping[str, int | str], book: Rulebook | None
) -> StraddleRule | None:
    """Return the straddle of a table, or None if nobody may post one or the blinds are unknown."""
    big_blind = find_big_blind(game)
    if game is None or not big_blind or not _allows_straddle(game, options, book):
        return None
    size = options.get("straddle-amount")
    multiple = None if book is None else book.policy.value("straddle.multiple")
    chips = int(big_blind * (multiple or _USUAL_MULTIPLE))
    if isinstance(size, int) and size > 0:
        chips = size
    return StraddleRule(chips, book is not None and book.policy.value("straddle.button") is True)


def find_kill_chips(game: GameSet | None) -> Chips:
    """Return what a kill costs at a table. Only limit games have kills; in others, return 0."""
    if game is None or game.betting != "limit":
        return 0
    return _USUAL_MULTIPLE * find_big_blind(game)


def find_big_blind(game: GameSet | None) -> Chips:
    """Return the big blind of a game, or 0 if it has none."""
    return game.blinds[1] if game is not None and len(game.blinds) > 1 else 0


def _allows_straddle(game: GameSet, options: Mapping[str, int | str], book: Rulebook | None) -> bool:
    allowed = options.get("straddle-allowed")
    if allowed in (0, 1):
        return bool(allowed)
    rule = None if book is None else book.policy.value("straddle.allowed")
    if rule == "limit-if-specified":
        return game.betting != "limit"
    return rule != "no"


def find_straddle(hand: HandState, book: Rulebook | None, seat: Seat) -> OpenStraddle | None:
    """Return the straddle that a seat may post now, or None."""
    rule = find_straddle_rule(hand.game, hand.options, book)
    if rule is None or any(isinstance(post, StraddlePosted) for post in hand.posts):
        return None
    stack = hand.stack_left(seat)
    if stack is not None and stack < rule.chips:
        return None
    if seat == _find_seat_after_blinds(hand):
        return OpenStraddle(rule.chips)
    is_button = seat == hand.button and not _has_blind(hand, seat)
    return OpenStraddle(rule.chips, is_from_button=True) if rule.has_button_straddle and is_button else None


def find_kill(hand: HandState, seat: Seat) -> Chips | None:
    """Return what a kill costs in a limit game, or None if the seat can't post one now."""
    chips = find_kill_chips(hand.game)
    if not chips or _has_blind(hand, seat):
        return None
    if any(isinstance(post, BlindPosted) and post.role == "kill" for post in hand.posts):
        return None
    stack = hand.stack_left(seat)
    return chips if stack is None or stack >= chips else None


def _has_blind(hand: HandState, seat: Seat) -> bool:
    return any(isinstance(post, BlindPosted) and post.seat == seat for post in hand.posts)


def _find_seat_after_blinds(hand: HandState) -> Seat | None:
    """Return the seat left of the furthest blind, or None if it has a blind itself, as with two players."""
    blinds = [post for post in hand.posts if isinstance(post, BlindPosted) and post.role in ("big", "extra")]
    if not blinds:
        return None
    seats = hand.seats
    last_index = seats.index(blinds[-1].seat) if blinds[-1].seat in seats else -1
    if last_index < 0:
        return None
    seat = seats[(last_index + 1) % len(seats)]
    return None if _has_blind(hand, seat) else seat
