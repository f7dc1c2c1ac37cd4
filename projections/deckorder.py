"""What the places of cards in the deck tell: which card was the next, and what a street should be.

Place 1 is the first card off the deck. None: the record does not tell enough places to say.
"""

from __future__ import annotations

from typing import Final

from ledger.hand import dealing as d
from ledger.hand.holdings import count
from projections.acts import Deal
from projections.timeline import Timeline

_NEVER: Final = 10**9
_STREETS: Final = ("flop", "turn", "river")
_BOARD: Final = (3, 1, 1)


def since_misdeal(hand: Timeline) -> int:
    """Return after which event the deal that was played began."""
    return max((v for v, _ in hand.of(d.MisdealDeclared)), default=0)


def top_card(hand: Timeline, before: int = _NEVER) -> int | None:
    """Return the place of the deck's top card: after the hole cards and what was given for others."""
    since = since_misdeal(hand)
    places = [place for version, event in hand.of(d.HoleCardsDealt) if version > since for place in event.deck]
    if not places or not all(places):
        return None
    places += [e.deck for v, e in hand.of(d.CardReplaced) if since < v < before and e.deck]
    return max(places) + 1


def top_now(hand: Timeline, before: int) -> int | None:
    """Return the place of the deck's top card at an event, whatever lies on the board by then."""
    top = top_card(hand, before)
    if top is None:
        return None
    out = [c.deck for v, c in hand.of(d.CardBurned) if v < before]
    out += [place for v, board in hand.of(d.BoardDealt) if v < before for place in board.deck]
    return max([top, *(place + 1 for place in out)])


def first_off(hand: Timeline) -> int | None:
    """Return the place of the first card after the deal: the natural burn of the flop."""
    top = top_card(hand)
    if top is not None:
        return top
    flops = [deal for deal in hand.deals if deal.street == "flop"]
    places = [place for deal in flops for place in (*deal.event.deck, *(c.deck for _, c in deal.burns))]
    return min(places) if places and all(places) else None


def natural(hand: Timeline, street: str, burns: int) -> tuple[int, ...] | None:
    """Return the places of the cards that this street shows where nothing goes wrong."""
    first = first_off(hand)
    if first is None or street not in _STREETS:
        return None
    at = _STREETS.index(street)
    start = first + sum(_BOARD[:at]) + burns * (at + 1)
    return tuple(range(start, start + _BOARD[at]))


def dealt(deal: Deal) -> tuple[int, ...] | None:
    """Return the places of a street's cards in ascending order, if all are told."""
    places = deal.places
    return tuple(sorted(places)) if places and all(places) else None


def listed(places: tuple[int, ...]) -> str:
    """Write places as people do.

    >>> listed((14, 15, 16)), listed((18,))
    ('cards 14, 15, 16', 'card 18')
    """
    return f"card{'s' * (len(places) != 1)} {', '.join(map(str, sorted(places)))}"


def stub(hand: Timeline, before: int) -> int | None:
    """Return how many cards lie neither in a hand nor among burns and board, at an event.

    Cards that were withdrawn count as lying in the deck again, wherever they were put.
    """
    plan = hand.variant
    odd = (d.CardReplaced, d.ExtraCardDealt, d.BoxedCardFound, d.JokerFound, d.WrongCountFound)
    if plan is None or hand.of(*odd) or not hand.start:
        return None
    since = since_misdeal(hand)
    left = plan.deck - plan.hole_cards * len(hand.start)
    left -= sum(since < version < before for version, _ in hand.of(d.CardBurned))
    for deal in hand.deals:
        if since < deal.version < before:
            left -= deal.cards
            left += sum(count(gone.cards) for when, gone in deal.taken if when < before)
    return left


def shifted_flop(flop: Deal, first: int | None) -> tuple[str, str] | None:
    """Return which cards a flop shows and which it should, where it does not begin at this place.

    How many there are is another clause's; with a card too many it begins where it should.
    """
    places = tuple(sorted(flop.event.deck))
    if first is None or not places or not all(places):
        return None
    due = tuple(range(first, first + _BOARD[0]))
    return (listed(places), listed(due)) if places[: len(due)] != due[: len(places)] else None
