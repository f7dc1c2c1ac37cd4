"""Who holds which cards and what lies on the board, as the events about cards tell it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, get_args

from ledger.errors import IntegrityError
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.vocabulary import DECK, UNKNOWN_CARD, Cards, Seat
from ledger.vocabulary import split_cards as _split_cards

CardEvent: TypeAlias = (
    d.HoleCardsDealt
    | d.HoleCardsLearned
    | d.CardsOpened
    | d.CardBurned
    | d.BoardDealt
    | d.BoardTurnedUp
    | d.BoardWithdrawn
    | d.CardsDiscarded
    | d.CardsDrawn
    | d.StoodPat
    | d.CardExposed
    | d.CardReplaced
    | d.CardReturned
    | d.ExtraCardDealt
    | d.BoxedCardFound
    | d.JokerFound
    | d.WrongCountFound
    | d.MisdealDeclared
    | d.DeckShuffled
    | d.DeckCut
    | d.RabbitShown
    | b.Folded
    | e.CardsShown
    | e.CardsMucked
)

_OF_SEATS: Final = {kind for kind in get_args(CardEvent) if "seat" in kind.__struct_fields__} - {d.CardsOpened}

_FLOP: Final = 3
_WHOLE_DECK: Final = len(DECK) + 2  # with its jokers

HeldCards: TypeAlias = list[tuple[str, bool]]
"""Cards of a seat and whether each lies face up by the deal."""


def split_cards(cards: Cards) -> list[str]:
    """Return the cards one by one; `IntegrityError` for a stored text that is no cards."""
    try:
        return _split_cards(cards)
    except ValueError:
        raise IntegrityError("an event holds a text that is no cards") from None


def hole(dealing: Iterable[CardEvent], seat: Seat) -> list[str]:
    """Return the cards that `seat` holds after these events; `??` for an unknown one."""
    return [card for card, _ in held_cards(dealing, seat)]


def up_cards(dealing: Iterable[CardEvent], seat: Seat) -> list[str]:
    """Return the cards of `seat` that were dealt face up."""
    return [card for card, is_up in held_cards(dealing, seat) if is_up]


def held_cards(dealing: Iterable[CardEvent], seat: Seat) -> HeldCards:
    """Return the cards of `seat` with how each lies."""
    cards: HeldCards = []
    for event in dealing:
        if type(event) in _OF_SEATS:
            if event.seat == seat:  # type: ignore[union-attr]  # as the table says
                cards = _seat_event(cards, event)
        elif isinstance(event, d.MisdealDeclared):
            cards = []
        elif isinstance(event, d.CardsOpened):
            cards = _opened(cards, event)
    return cards


def every_hole(dealing: Iterable[CardEvent]) -> dict[Seat, list[str]]:
    """Return the cards that each seat holds after these events, as `hole` tells them of one."""
    found: dict[Seat, HeldCards] = {}
    for event in dealing:
        if type(event) in _OF_SEATS:
            seat: Seat = event.seat  # type: ignore[union-attr, assignment]  # as the table says
            found[seat] = _seat_event(found.get(seat, []), event)
        elif isinstance(event, d.MisdealDeclared):
            found.clear()
        elif isinstance(event, d.CardsOpened):
            for seat, cards in found.items():
                found[seat] = _opened(cards, event)
    return {seat: [card for card, _ in cards] for seat, cards in found.items()}


def _opened(cards: HeldCards, event: d.CardsOpened) -> HeldCards:
    """Return what a seat holds once a hidden card is opened."""
    hidden = (f"{{{event.commitment}}}", event.commitment)
    return [(event.card if card in hidden else card, is_up) for card, is_up in cards]


def _seat_event(cards: HeldCards, event: CardEvent) -> HeldCards:
    """Return what a seat holds after an event; `cards` may be changed on the way.

    Of a seat with more cards than a deck has nobody works out which of them were shown or went.
    """
    match event:
        case d.HoleCardsDealt():
            new = split_cards(event.cards)
            cards += [(card, event.up[at : at + 1] == "u") for at, card in enumerate(new)]
            return cards
        case d.CardsDrawn():
            cards += [(card, False) for card in split_cards(event.cards)]
            return cards
        case d.ExtraCardDealt():
            cards.append((event.card, False))
            return cards
        case _ if len(cards) > _WHOLE_DECK:
            return cards
        case d.CardsDiscarded():
            return _without(cards, split_cards(event.cards), event.count)
        case d.CardReplaced():
            is_up = any(up for card, up in cards if card == event.old)
            fresh = [(card, is_up) for card in split_cards(event.new)]
            return _without(cards, split_cards(event.old), 1) + fresh
        case d.CardReturned(source="hand" | "extra" | "unknown"):
            return _without(cards, split_cards(event.card), 1)
        case d.HoleCardsLearned() | e.CardsShown() | e.CardsMucked() | b.Folded():
            return _learned(cards, split_cards(event.cards))
        case _:
            return cards


def _without(cards: HeldCards, gone: Sequence[str], count: int) -> HeldCards:
    """Take away known cards by name and the rest of `count` from the unknown ones."""
    left = list(cards)
    missing = max(0, count - len(gone))
    for card in gone:
        at = _index(left, card)
        if at is None:
            missing += 1
        else:
            del left[at]
    for _ in range(missing):
        at = _index(left, UNKNOWN_CARD)
        if at is not None:
            del left[at]
        elif left:  # nobody can say which card went: what is left is unknown
            left = [(UNKNOWN_CARD, is_up) for _, is_up in left[:-1]]
    return left


def _learned(cards: HeldCards, told: Sequence[str]) -> HeldCards:
    """Fill in what is told afterwards; a card that was known stays where it is."""
    if len(cards) == len(told) and [card for card, _ in cards] == told:
        return cards
    if len(told) >= len(cards):
        names = {card for card, is_up in cards if is_up}
        new = list(told)
        if all(card in new for card in names):
            return _overlaid(cards, new)
        return [(card, False) for card in told]
    left = list(cards)
    for card in told:
        if card != UNKNOWN_CARD and _index(left, card) is None:
            at = _index(left, UNKNOWN_CARD)
            if at is not None:
                left[at] = (card, left[at][1])
    return left


def _overlaid(cards: HeldCards, told: list[str]) -> HeldCards:
    """Put all told cards in the order of `cards`: those face up keep their places."""
    rest = list(told)
    for card, is_up in cards:
        if is_up and card in rest:
            rest.remove(card)
    known = [card for card, is_up in cards if not is_up and card != UNKNOWN_CARD]
    for at, card in enumerate(rest):
        if card == UNKNOWN_CARD:
            spare = next((name for name in known if name not in told), None)
            if spare is not None:
                known.remove(spare)
                rest[at] = spare
    out: HeldCards = []
    for card, is_up in cards:
        out.append((card, True) if is_up else (rest.pop(0), False))
    return out + [(card, False) for card in rest]


def _index(cards: HeldCards, wanted: str) -> int | None:
    return next((at for at, (card, _) in enumerate(cards) if card == wanted), None)


def board(dealing: Iterable[CardEvent], run: int = 1, number: int = 1) -> list[str]:
    """Return one board; a later run has the first run's cards of the streets before the split."""
    return boards(dealing).get((run, number), [])


def boards(dealing: Iterable[CardEvent]) -> dict[tuple[int, int], list[str]]:
    """Return every board by run and number; the first is there even when it is empty."""
    streets = _streets(dealing)
    return {(run, number): _joined(streets.get((1, number), {}), own) for (run, number), own in sorted(streets.items())}


def dealt_boards(dealing: Iterable[CardEvent]) -> dict[tuple[int, int], list[str]]:
    """Return the cards that were dealt for each board, by run and number.

    Streets that lay there before a second run are often told again for it: they are left out. Its last is its own.
    """
    streets = _streets(dealing)
    first = streets[1, 1]
    found: dict[tuple[int, int], list[str]] = {}
    for place, own in sorted(streets.items()):
        shared = first if place != (1, 1) else {}
        last = next(reversed(own), "")
        told = [cards for street, cards in own.items() if street == last or cards != shared.get(street)]
        found[place] = [card for cards in told for card in cards]
    return found


class BoardCount:
    """How many cards of each street lie on a board, after all that was taken back.

    It only counts, so that what is no card cannot stop a hand from being followed. It follows from what was dealt:
    where that is the same, it is no difference between two states.
    """

    __slots__ = ("_seen", "_streets")

    def __init__(self) -> None:
        """Begin before the first card."""
        self._seen = 0  # events that were counted
        self._streets: dict[tuple[str, int], tuple[int, Cards, bool]] = {}  # left, the last that came, some were taken

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, BoardCount)

    __hash__ = None  # type: ignore[assignment] # it changes

    def copy(self) -> BoardCount:
        """Return a count of its own."""
        twin = BoardCount()
        twin._seen, twin._streets = self._seen, self._streets.copy()
        return twin

    def lies(self, dealing: Sequence[CardEvent], street: str, number: int = 1) -> bool:
        """Whether a card of a street still lies on a board; `dealing` are the events of before, and those that came since."""
        for index in range(self._seen, len(dealing)):
            event = dealing[index]
            if isinstance(event, d.MisdealDeclared):
                self._streets.clear()
            elif isinstance(event, d.BoardDealt | d.BoardWithdrawn):
                self._count(event)
        self._seen = len(dealing)
        return self._streets.get((street, number), _NO_STREET)[0] > 0

    def _count(self, event: d.BoardDealt | d.BoardWithdrawn) -> None:
        key = event.street, event.board
        left, last, some = self._streets.get(key, _NO_STREET)
        if isinstance(event, d.BoardWithdrawn):
            left = max(0, left - count(event.cards)) if event.cards else 0
            last, some = "", left > 0
        elif some and count(event.cards) == _FLOP:
            left, some = _FLOP, False  # told anew, with what was left of it
        elif event.run == 1 and (event.cards != last or UNKNOWN_CARD in event.cards):
            left, last = left + count(event.cards), event.cards  # once, though told twice
        self._streets[key] = left, last, some


_NO_STREET: Final = 0, "", False


def count(cards: Cards) -> int:
    """Return how many cards a text names, hidden ones too."""
    return len(cards) // 2 if "{" not in cards else cards.count("}") + cards.count("??")


def _streets(dealing: Iterable[CardEvent]) -> dict[tuple[int, int], dict[str, list[str]]]:
    """Return the cards that lie on every board, by run and number and then by street."""
    streets: dict[tuple[int, int], dict[str, list[str]]] = {(1, 1): {}}
    for event in dealing:
        if isinstance(event, d.BoardDealt):
            dealt = streets.setdefault((event.run, event.board), {})
            lying, cards = dealt.setdefault(event.street, []), split_cards(event.cards)
            if restates_street(lying, cards):
                lying[:] = cards
            else:
                lying.extend(cards)
        elif isinstance(event, d.BoardWithdrawn):
            _withdraw(streets.get((1, event.board), {}), event.street, event.cards)
        elif isinstance(event, d.MisdealDeclared):
            streets = {(1, 1): {}}
    return streets


def restates_street(lying: Sequence[str], cards: Sequence[str]) -> bool:
    """Whether cards tell a street as it now lies, those that lay there already too: no card comes twice.

    Where nobody knew the cards that lay there, a whole flop does.
    """
    if not lying or UNKNOWN_CARD in cards or len(cards) < len(lying):
        return False
    known = {card for card in lying if card != UNKNOWN_CARD}
    return known.issubset(cards) if known else len(cards) == _FLOP


def has_tabled(dealing: Iterable[CardEvent], seat: Seat) -> bool:
    """Whether a seat showed every card of its hand before the pot was pushed.

    What becomes of the cards after that takes nothing back: they have been read.
    """
    seen = {
        card
        for event in dealing
        if isinstance(event, e.CardsShown) and event.seat == seat and not event.after
        for card in split_cards(event.cards)
        if card != UNKNOWN_CARD
    }
    return bool(seen) and seen.issuperset(hole(dealing, seat))


def _withdraw(streets: dict[str, list[str]], street: str, cards: Cards) -> None:
    """Take cards off a street; an unknown one takes the last card."""
    dealt = streets.get(street, [])
    for card in split_cards(cards):
        if card in dealt:
            dealt.remove(card)
        elif dealt:
            dealt.pop()
    if not dealt:
        streets.pop(street, None)


def _joined(first: dict[str, list[str]], own: dict[str, list[str]]) -> list[str]:
    streets = {**first, **own}
    return [card for cards in streets.values() for card in cards]


def burns(dealing: Iterable[CardEvent]) -> list[str]:
    """Return the burned cards in their order."""
    return [event.card for event in dealing if isinstance(event, d.CardBurned)]
