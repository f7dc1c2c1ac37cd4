"""Positions of cards in the deck: which card is next, and which cards a street should have.

Position 1 is the first card off the deck. A position of 0, or a result of None, is not recorded.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.event import Event
from ledger.hand import dealing
from ledger.hand.holdings import count_cards, restates_street
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import UNKNOWN_CARD, split_cards
from projections.sentences.board import places_of_cards
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline

_STREETS: Final = ("flop", "turn", "river")
_BOARD_COUNTS: Final = (3, 1, 1)
"""How many cards each of these streets has."""


def find_deal_start(hand: Timeline) -> int:
    """Return the version of the last misdeal: the deal that was played follows it; 0 = there was none."""
    return max((version for version, _ in hand.of(dealing.MisdealDeclared)), default=0)


def find_top_after_deal(hand: Timeline, end_version: int = AFTER_ALL_EVENTS) -> int | None:
    """Return the position of the deck's top card after the hole cards and their replacements.

    Replacements count up to `end_version`; burns and board cards don't count.
    """
    start_version = find_deal_start(hand)
    positions = [
        position
        for version, event in hand.of(dealing.HoleCardsDealt)
        if version > start_version
        for position in event.deck
    ]
    if not positions or not all(positions):
        return None
    positions += [
        replacement.deck
        for version, replacement in hand.of(dealing.CardReplaced)
        if start_version < version < end_version and replacement.deck
    ]
    return max(positions) + 1


def find_current_top(hand: Timeline, end_version: int) -> int | None:
    """Return the position of the deck's top card at an event, after all burns and board cards before it."""
    top = find_top_after_deal(hand, end_version)
    if top is None:
        return None
    removed_positions = [burn.deck for version, burn in hand.of(dealing.CardBurned) if version < end_version]
    removed_positions += [
        position for version, board in hand.of(dealing.BoardDealt) if version < end_version for position in board.deck
    ]
    return max([top, *(position + 1 for position in removed_positions)])


def find_first_burn_position(hand: Timeline) -> int | None:
    """Return the position of the first card after the deal, which is the flop's burn if nothing goes wrong."""
    top = find_top_after_deal(hand)
    if top is not None:
        return top
    flops = [deal for deal in hand.deals if deal.street == "flop"]
    positions = [position for deal in flops for position in (*deal.event.deck, *(burn.deck for _, burn in deal.burns))]
    return min(positions) if positions and all(positions) else None


def find_natural_positions(hand: Timeline, street: str, burns: int) -> tuple[int, ...] | None:
    """Return the positions of the cards that a street has if nothing goes wrong; `burns` = cards burned per street."""
    first_burn_position = find_first_burn_position(hand)
    if first_burn_position is None or street not in _STREETS:
        return None
    start = first_burn_position + _count_cards_before(street, burns)
    return tuple(range(start, start + _BOARD_COUNTS[_STREETS.index(street)]))


def _count_cards_before(street: str, burns: int) -> int:
    """Return how many cards leave the deck between the deal and a street if nothing goes wrong."""
    street_index = _STREETS.index(street)
    return sum(_BOARD_COUNTS[:street_index]) + burns * (street_index + 1)


def find_dealt_positions(deal: StreetDeal) -> tuple[int, ...] | None:
    """Return the positions of a street's cards in ascending order; None unless all are recorded."""
    positions = deal.deck_positions
    return tuple(sorted(positions)) if positions and all(positions) else None


def measure_shift(hand: Timeline, deal: StreetDeal, burns: int) -> int | None:
    """Return by how many cards a street is off if its positions aren't recorded; 0 = it's right.

    A positive number means that this many surplus cards left the deck before it. The count follows what was
    burned, dealt and put back.
    """
    if deal.street not in _STREETS:
        return None
    tracker = _DeckTracker()
    last_version = max(
        (version for version, board in hand.of(dealing.BoardDealt) if board.street == deal.street), default=0
    )
    for version, event in hand.numbered_events:
        if find_deal_start(hand) < version <= last_version and not tracker.apply(event):
            return None
    positions = sorted(card.position for card in tracker.board if card.street == deal.street)
    is_consecutive = positions == list(range(positions[0], positions[0] + _BOARD_COUNTS[_STREETS.index(deal.street)]))
    return positions[0] - (_count_cards_before(deal.street, burns) + 1) if is_consecutive else None


_UNTRACEABLE: Final = (
    dealing.BoardDealt,
    dealing.BoardWithdrawn,
    dealing.DeckShuffled,
    dealing.CardReturned,
    dealing.CardReplaced,
    dealing.ExtraCardDealt,
    dealing.BoxedCardFound,
    dealing.JokerFound,
    dealing.WrongCountFound,
)
"""Events after which nobody can tell where each card is, unless `_DeckTracker.apply` handles them."""


class _PlacedCard(NamedTuple):
    """A card that left the deck."""

    position: int  # 1 = the first card after the deal
    name: str
    street: str


class _DeckTracker:
    """Follows the cards that left the deck since the deal: to the burns, to the board, and back on top."""

    def __init__(self) -> None:
        self.next_position = 1
        self.returned: list[_PlacedCard] = []  # put back on the deck, the top one last
        self.burned: list[_PlacedCard] = []
        self.board: list[_PlacedCard] = []
        self.has_board_card_as_burn = False  # a withdrawn street's card has just become the burn

    def apply(self, event: Event) -> bool:
        """Apply an event; return False if it leaves open where each card is."""
        match event:
            case dealing.CardBurned():
                return self._apply_burn(event)
            case dealing.BoardDealt(street=street, cards=cards, run=1, board=1):
                self.has_board_card_as_burn = False
                new_cards = self._list_new_cards(street, split_cards(cards))
                return all(self._draw_card(street, card, self.board) for card in new_cards)
            case dealing.CardReturned(card=card, position="top", source="burn", seat=None):
                return self._move_card(card, self.burned, self.returned)
            case dealing.BoardWithdrawn(street=street, cards=cards, to="burn" | "top" as destination, board=1):
                returned_cards = split_cards(cards)[::-1]  # the first of them becomes the top card again
                self.has_board_card_as_burn = destination == "burn"
                target = self.burned if self.has_board_card_as_burn else self.returned
                return all(self._move_card(card, self.board, target, street) for card in returned_cards)
        return not isinstance(event, _UNTRACEABLE)

    def _apply_burn(self, event: dealing.CardBurned) -> bool:
        """Apply a burn; return False if it leaves open which card was burned."""
        if event.source == "returned-card" and not self.returned:
            return bool(self.burned)  # the surplus burn of the last street serves as this one
        if any(event.card == burn.name != UNKNOWN_CARD for burn in self.burned):
            return True  # recorded twice, or left among the burns
        if event.card == UNKNOWN_CARD and self.has_board_card_as_burn:
            return False  # it may be the card that has just become the burn
        return self._draw_card(event.street, event.card, self.burned)

    def _list_new_cards(self, street: str, cards: list[str]) -> list[str]:
        """Return the cards that weren't on the board yet; name the unknown ones that were."""
        street_cards = [board_card for board_card in self.board if board_card.street == street]
        names = [street_card.name for street_card in street_cards]
        if not restates_street(names, cards):
            return cards
        new_cards = [card for card in cards if card not in names]
        for street_card in street_cards:
            if street_card.name == UNKNOWN_CARD:
                self.board[self.board.index(street_card)] = street_card._replace(name=new_cards.pop(0))
        return new_cards

    def _draw_card(self, street: str, card: str, target: list[_PlacedCard]) -> bool:
        """Move a card to `target`: a burned card of its name if it goes to the board, else the next card.

        Return False if the record leaves open where it came from.
        """
        candidates = [burn for burn in self.burned if burn.name == card != UNKNOWN_CARD] if target is self.board else []
        if not candidates and self.returned and not _are_different(self.returned[-1].name, card):
            candidates = self.returned[-1:]
        if not candidates and self.returned:  # it isn't the card on top, so it came from the burns
            candidates = [burn for burn in self.burned if burn.name == UNKNOWN_CARD and target is self.board][-1:]
            if not candidates:
                return False
        if not candidates:
            target.append(_PlacedCard(self.next_position, card, street))
            self.next_position += 1
            return True
        (self.returned if candidates[0] in self.returned else self.burned).remove(candidates[0])
        target.append(_PlacedCard(candidates[0].position, card, street))
        return True

    def _move_card(self, card: str, pile: list[_PlacedCard], target: list[_PlacedCard], street: str = "") -> bool:
        """Move a card from one pile to another: the last one that it may be; return False if there is none."""
        candidates = [pile_card for pile_card in pile if not street or pile_card.street == street]
        matches = [candidate for candidate in candidates if candidate.name == card != UNKNOWN_CARD] or [
            candidate for candidate in candidates if UNKNOWN_CARD in (candidate.name, card)
        ]
        if not matches:
            return False
        pile.remove(matches[-1])
        target.append(matches[-1])
        return True


def _are_different(name: str, card: str) -> bool:
    """Whether two cards are known to be different."""
    return UNKNOWN_CARD not in (name, card) and name != card


def format_positions(positions: tuple[int, ...]) -> str:
    """Return deck positions in words.

    >>> format_positions((14, 15, 16)), format_positions((18,))
    ('cards 14, 15, 16', 'card 18')
    """
    return places_of_cards(sorted(positions))


def count_stub(hand: Timeline, end_version: int) -> int | None:
    """Return how many cards the stub has at an event; None if an irregular event leaves it open.

    Withdrawn cards count as part of the stub again, wherever they were put.
    """
    plan = hand.variant
    irregular_events = (
        dealing.CardReplaced,
        dealing.ExtraCardDealt,
        dealing.BoxedCardFound,
        dealing.JokerFound,
        dealing.WrongCountFound,
    )
    if plan is None or hand.of(*irregular_events) or not hand.start:
        return None
    start_version = find_deal_start(hand)
    stub_size = plan.deck - plan.hole_cards * len(hand.start)
    stub_size -= sum(start_version < version < end_version for version, _ in hand.of(dealing.CardBurned))
    for deal in hand.deals:
        if start_version < deal.version < end_version:
            stub_size -= deal.card_count
            stub_size += sum(
                count_cards(withdrawal.cards)
                for withdrawal_version, withdrawal in deal.withdrawals
                if withdrawal_version < end_version
            )
    return stub_size


class ShiftedFlop(NamedTuple):
    """A flop with wrong cards: those shown and those due, as in `cards 14, 15, 16`."""

    shown_cards: str
    due_cards: str


def find_shifted_flop(flop: StreetDeal, first_position: int | None) -> ShiftedFlop | None:
    """Return how a flop differs if it doesn't begin at `first_position`; None: it does, or nobody can tell.

    Another clause covers the number of cards, so a flop with a card too many may begin at the right place.
    """
    positions = tuple(sorted(flop.event.deck))
    if first_position is None or not positions or not all(positions):
        return None
    due_positions = tuple(range(first_position, first_position + _BOARD_COUNTS[0]))
    if positions[: len(due_positions)] == due_positions[: len(positions)]:
        return None
    return ShiftedFlop(format_positions(positions), format_positions(due_positions))
