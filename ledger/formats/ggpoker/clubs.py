"""What the hands of private clubs tell in their own way: two boards, bomb pots, which Omaha it is.

A hand on two boards has each street twice, a heading for each board, and below both the same acts.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from ledger.formats.pokerstars.hand import NO_RAISE, Hand
from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.dealing import BoardDealt, HoleCardsDealt
from ledger.hand.opening import BlindPosted, GameSet, StraddlePosted
from ledger.readers.bomb_pots import BOMB_POT, settle
from ledger.vocabulary import Cards, Street

_BY_CARDS: Final = {10: "omaha5", 12: "omaha6"}
"""Letters of a hand's cards → the Omaha that is dealt so; these hands call each of them PLO."""

_ACTS: Final = (Bet, Called, Checked, Folded, Raised)


def second_board(hand: Hand, street: Street, groups: list[Cards], k: int) -> int | None:
    """Read the street of the second board, and pass over the acts that line `k` repeats.

    Returns the next line to read; None where the heading is no second board's.
    """
    events = hand.events
    first = next((at for at in range(len(events) - 1, -1, -1) if isinstance(events[at], BoardDealt)), -1)
    if first < 0 or street != hand.street:
        return None
    dealt = events[first]
    before = "".join(e.cards for e in events if isinstance(e, BoardDealt) and e.board == 2)
    whole = "".join(groups[:-1]) == before and len(before) == _DEALT[street]
    if not isinstance(dealt, BoardDealt) or (dealt.street, dealt.board) != (street, 1) or not whole:
        return None
    hand.board[1, 2] = len(before + groups[-1]) // 2
    hand.put(BoardDealt(street, groups[-1], 2), k)
    # Both boards lie there before the acts that are told twice.
    hand.move(len(events) - 1, first + 1)
    hand.last_raise = NO_RAISE
    hand.pending = [(seat, chips, at + (at > first)) for seat, chips, at in hand.pending]
    return _pass_over(hand, hand.marks[first] + 1, k)


_DEALT: Final[dict[Street, int]] = {"flop": 0, "turn": 6, "river": 8}


def _pass_over(hand: Hand, at: int, k: int) -> int:
    """Return the line behind those that repeat lines `at` to `k`; a repetition that differs is unread."""
    text = hand.lines.text
    after, last = k + 1, k
    while at < last and after < len(text) and text[after] == text[at]:
        after, at = after + 1, at + 1
    while at < last and after < len(text) and text[after] and text[after][:3] != "***":
        hand.unread(text[after], after)
        after += 1
    return after


def finish(hand: Hand) -> None:
    """Say which Omaha was dealt, and that antes before a flop nobody acted before are a bomb pot's."""
    events = hand.events
    dealt = {len(event.cards) for event in events if isinstance(event, HoleCardsDealt)}
    variant = _BY_CARDS.get(dealt.pop()) if len(dealt) == 1 else None
    if _is_bomb_pot(hand):
        hand.insert(2, BOMB_POT)  # behind the game
        settle(events)
    for index, event in enumerate(events):
        if variant and isinstance(event, GameSet) and event.variant == "omaha":
            events[index] = replace(event, variant=variant)


def _is_bomb_pot(hand: Hand) -> bool:
    """Tell whether nothing but everybody's ante stands before the flop of a cash game."""
    if hand.tournament or len(hand.antes) < len(hand.chairs):
        return False
    for event in hand.events:
        if isinstance(event, BoardDealt):
            return True
        if isinstance(event, (*_ACTS, StraddlePosted)):
            return False
        if isinstance(event, BlindPosted) and event.role in ("small", "big", "button"):
            return False
    return False
