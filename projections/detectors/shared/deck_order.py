"""What the places of cards in the deck tell: which card was the next, and what a street should be.

Place 1 is the first card off the deck. None: the record does not tell enough places to say.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.event import Event
from ledger.hand import dealing as d
from ledger.hand.holdings import count, told_anew
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import UNKNOWN_CARD, split_cards
from projections.timeline.hand_timeline import Timeline

_END: Final = 10**9
_STREETS: Final = ("flop", "turn", "river")
_BOARD: Final = (3, 1, 1)


def since_misdeal(hand: Timeline) -> int:
    """Return after which event the deal that was played began."""
    return max((version for version, _ in hand.of(d.MisdealDeclared)), default=0)


def top_card(hand: Timeline, end_version: int = _END) -> int | None:
    """Return the place of the deck's top card: after the hole cards and what was given for others."""
    start_version = since_misdeal(hand)
    places = [place for version, event in hand.of(d.HoleCardsDealt) if version > start_version for place in event.deck]
    if not places or not all(places):
        return None
    places += [e.deck for v, e in hand.of(d.CardReplaced) if start_version < v < end_version and e.deck]
    return max(places) + 1


def top_now(hand: Timeline, end_version: int) -> int | None:
    """Return the place of the deck's top card at an event, whatever lies on the board by then."""
    top = top_card(hand, end_version)
    if top is None:
        return None
    places_out = [burn.deck for version, burn in hand.of(d.CardBurned) if version < end_version]
    places_out += [place for version, board in hand.of(d.BoardDealt) if version < end_version for place in board.deck]
    return max([top, *(place + 1 for place in places_out)])


def first_off(hand: Timeline) -> int | None:
    """Return the place of the first card after the deal: the natural burn of the flop."""
    top = top_card(hand)
    if top is not None:
        return top
    flops = [deal for deal in hand.deals if deal.street == "flop"]
    places = [place for deal in flops for place in (*deal.event.deck, *(burn.deck for _, burn in deal.burns))]
    return min(places) if places and all(places) else None


def natural(hand: Timeline, street: str, burns: int) -> tuple[int, ...] | None:
    """Return the places of the cards that this street shows where nothing goes wrong."""
    first = first_off(hand)
    if first is None or street not in _STREETS:
        return None
    street_index = _STREETS.index(street)
    start = first + sum(_BOARD[:street_index]) + burns * (street_index + 1)
    return tuple(range(start, start + _BOARD[street_index]))


def dealt(deal: StreetDeal) -> tuple[int, ...] | None:
    """Return the places of a street's cards in ascending order, if all are told."""
    places = deal.places
    return tuple(sorted(places)) if places and all(places) else None


def shift(hand: Timeline, deal: StreetDeal, burns: int) -> int | None:
    """Return by how many cards of the deck a street is not the natural one, where no places are told.

    More than 0: as many cards too many went off the deck before it. What was burned, dealt and put back tells it.
    """
    if deal.street not in _STREETS:
        return None
    pile = _Pile()
    last = max((v for v, board in hand.of(d.BoardDealt) if board.street == deal.street), default=0)
    for version, event in hand.numbered_events:
        if since_misdeal(hand) < version <= last and not pile.take(event):
            return None
    street_index = _STREETS.index(deal.street)
    due = sum(_BOARD[:street_index]) + burns * (street_index + 1) + 1
    street_places = sorted(card.place for card in pile.board if card.street == deal.street)
    return (
        street_places[0] - due
        if street_places == list(range(street_places[0], street_places[0] + _BOARD[street_index]))
        else None
    )


_UNCLEAR: Final = (
    d.BoardDealt,
    d.BoardWithdrawn,
    d.DeckShuffled,
    d.CardReturned,
    d.CardReplaced,
    d.ExtraCardDealt,
    d.BoxedCardFound,
    d.JokerFound,
    d.WrongCountFound,
)
"""Kinds of event after which nobody can tell which cards lie where, unless a case of `_Pile.take` follows them."""


class _PlacedCard(NamedTuple):
    """A card off the deck, by its place behind the deal."""

    place: int
    name: str
    street: str


class _Pile:
    """Where the cards of the deck went since the deal, the next one on top."""

    def __init__(self) -> None:
        self.next = 1
        self.top: list[_PlacedCard] = []  # put back, the last on top
        self.burned: list[_PlacedCard] = []
        self.board: list[_PlacedCard] = []
        self.to_burn = False  # a street's card has just become the burn

    def take(self, event: Event) -> bool:
        """Follow an event; False: it leaves open which cards lie where."""
        match event:
            case d.CardBurned():
                return self._burn(event)
            case d.BoardDealt(street=street, cards=cards, run=1, board=1):
                self.to_burn = False
                return all(
                    self._take_card(street, card, self.board) for card in self._fresh(street, split_cards(cards))
                )
            case d.CardReturned(card=card, position="top", source="burn", seat=None):
                return self._move(card, self.burned, self.top)
            case d.BoardWithdrawn(street=street, cards=cards, to="burn" | "top" as destination, board=1):
                returned_cards = split_cards(cards)[::-1]  # the first of them is the next again
                self.to_burn = destination == "burn"
                target = self.burned if self.to_burn else self.top
                return all(self._move(card, self.board, target, street) for card in returned_cards)
        return not isinstance(event, _UNCLEAR)

    def _burn(self, event: d.CardBurned) -> bool:
        """Follow a burn."""
        if event.source == "returned-card" and not self.top:
            return bool(self.burned)  # the surplus one serves where it lies
        if any(event.card == burn.name != UNKNOWN_CARD for burn in self.burned):
            return True  # told twice, or left where it lies
        if event.card == UNKNOWN_CARD and self.to_burn:
            return False  # it may be the card that has just become the burn
        return self._take_card(event.street, event.card, self.burned)

    def _fresh(self, street: str, cards: list[str]) -> list[str]:
        """Return the cards that did not lie there yet; those that did get the names that are told now."""
        lying_cards = [lying_card for lying_card in self.board if lying_card.street == street]
        names = [lying_card.name for lying_card in lying_cards]
        if not told_anew(names, cards):
            return cards
        new_cards = [card for card in cards if card not in names]
        for lying_card in lying_cards:
            if lying_card.name == UNKNOWN_CARD:
                self.board[self.board.index(lying_card)] = lying_card._replace(name=new_cards.pop(0))
        return new_cards

    def _take_card(self, street: str, card: str, target: list[_PlacedCard]) -> bool:
        """Put a card somewhere: onto the board one of the burned by its name; else the next one."""
        candidates = [burn for burn in self.burned if burn.name == card != UNKNOWN_CARD] if target is self.board else []
        if not candidates and self.top and not _differ(self.top[-1].name, card):
            candidates = self.top[-1:]
        if not candidates and self.top:  # another card than the one on top: it came out of the burned ones
            candidates = [burn for burn in self.burned if burn.name == UNKNOWN_CARD and target is self.board][-1:]
            if not candidates:
                return False
        if not candidates:
            target.append(_PlacedCard(self.next, card, street))
            self.next += 1
            return True
        (self.top if candidates[0] in self.top else self.burned).remove(candidates[0])
        target.append(_PlacedCard(candidates[0].place, card, street))
        return True

    def _move(self, card: str, pile: list[_PlacedCard], target: list[_PlacedCard], street: str = "") -> bool:
        """Move a card of one pile to another, the last where no name tells it."""
        candidates = [lying_card for lying_card in pile if not street or lying_card.street == street]
        matches = [lying_card for lying_card in candidates if lying_card.name == card != UNKNOWN_CARD] or [
            lying_card for lying_card in candidates if UNKNOWN_CARD in (lying_card.name, card)
        ]
        if not matches:
            return False
        pile.remove(matches[-1])
        target.append(matches[-1])
        return True


def _differ(name: str, card: str) -> bool:
    """Whether two cards are known to be different ones."""
    return UNKNOWN_CARD not in (name, card) and name != card


def list_places(places: tuple[int, ...]) -> str:
    """Write places as people do.

    >>> list_places((14, 15, 16)), list_places((18,))
    ('cards 14, 15, 16', 'card 18')
    """
    return f"card{'s' * (len(places) != 1)} {', '.join(map(str, sorted(places)))}"


def stub(hand: Timeline, end_version: int) -> int | None:
    """Return how many cards lie neither in a hand nor among burns and board, at an event.

    Cards that were withdrawn count as lying in the deck again, wherever they were put.
    """
    plan = hand.variant
    irregular_events = (d.CardReplaced, d.ExtraCardDealt, d.BoxedCardFound, d.JokerFound, d.WrongCountFound)
    if plan is None or hand.of(*irregular_events) or not hand.start:
        return None
    start_version = since_misdeal(hand)
    stub_size = plan.deck - plan.hole_cards * len(hand.start)
    stub_size -= sum(start_version < version < end_version for version, _ in hand.of(d.CardBurned))
    for deal in hand.deals:
        if start_version < deal.version < end_version:
            stub_size -= deal.cards
            stub_size += sum(
                count(withdrawal.cards)
                for withdrawal_version, withdrawal in deal.taken
                if withdrawal_version < end_version
            )
    return stub_size


def shifted_flop(flop: StreetDeal, first: int | None) -> tuple[str, str] | None:
    """Return which cards a flop shows and which it should, where it does not begin at this place.

    How many there are is another clause's; with a card too many it begins where it should.
    """
    places = tuple(sorted(flop.event.deck))
    if first is None or not places or not all(places):
        return None
    due = tuple(range(first, first + _BOARD[0]))
    return (list_places(places), list_places(due)) if places[: len(due)] != due[: len(places)] else None
