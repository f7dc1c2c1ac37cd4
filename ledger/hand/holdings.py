"""Find the cards that each seat holds, and the boards, from the card events."""

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

_SEAT_EVENT_TYPES: Final = {kind for kind in get_args(CardEvent) if "seat" in kind.__struct_fields__} - {d.CardsOpened}

_FLOP: Final = 3
_WHOLE_DECK: Final = len(DECK) + 2  # with its jokers

HeldCards: TypeAlias = list[tuple[str, bool]]
"""Cards of a seat, each with whether it was dealt face up."""


def split_cards(cards: Cards) -> list[str]:
    """Split into single cards. Raise `IntegrityError` if a stored text isn't cards."""
    try:
        return _split_cards(cards)
    except ValueError:
        raise IntegrityError("an event holds a text that is no cards") from None


def list_hole_cards(dealing: Iterable[CardEvent], seat: Seat) -> list[str]:
    """Return the cards that `seat` holds after these events; `??` for an unknown one."""
    return [card for card, _ in list_held_cards(dealing, seat)]


def list_up_cards(dealing: Iterable[CardEvent], seat: Seat) -> list[str]:
    """Return the cards of `seat` that were dealt face up."""
    return [card for card, is_up in list_held_cards(dealing, seat) if is_up]


def list_held_cards(dealing: Iterable[CardEvent], seat: Seat) -> HeldCards:
    """Return the cards of `seat`, each with whether it is face up."""
    cards: HeldCards = []
    for event in dealing:
        if type(event) in _SEAT_EVENT_TYPES:
            if event.seat == seat:  # type: ignore[union-attr]  # by the lookup table
                cards = _apply_seat_event(cards, event)
        elif isinstance(event, d.MisdealDeclared):
            cards = []
        elif isinstance(event, d.CardsOpened):
            cards = _open_card(cards, event)
    return cards


def list_all_hole_cards(dealing: Iterable[CardEvent]) -> dict[Seat, list[str]]:
    """Return the cards that each seat holds after these events, as `list_hole_cards` does for one seat."""
    cards_by_seat: dict[Seat, HeldCards] = {}
    for event in dealing:
        if type(event) in _SEAT_EVENT_TYPES:
            seat: Seat = event.seat  # type: ignore[union-attr, assignment]  # as the table says
            cards_by_seat[seat] = _apply_seat_event(cards_by_seat.get(seat, []), event)
        elif isinstance(event, d.MisdealDeclared):
            cards_by_seat.clear()
        elif isinstance(event, d.CardsOpened):
            for seat, cards in cards_by_seat.items():
                cards_by_seat[seat] = _open_card(cards, event)
    return {seat: [card for card, _ in cards] for seat, cards in cards_by_seat.items()}


def _open_card(cards: HeldCards, event: d.CardsOpened) -> HeldCards:
    """Return what a seat holds once a hidden card is opened."""
    hidden = (f"{{{event.commitment}}}", event.commitment)
    return [(event.card if card in hidden else card, is_up) for card, is_up in cards]


def _apply_seat_event(cards: HeldCards, event: CardEvent) -> HeldCards:
    """Return the cards of a seat after an event. `cards` may be changed.

    If a seat has more cards than a deck, nobody can tell which were shown or taken.
    """
    match event:
        case d.HoleCardsDealt():
            dealt_cards = split_cards(event.cards)
            cards += [(card, event.up[index : index + 1] == "u") for index, card in enumerate(dealt_cards)]
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
            return _remove_cards(cards, split_cards(event.cards), event.count)
        case d.CardReplaced():
            is_up = any(was_up for card, was_up in cards if card == event.old)
            new_cards = [(card, is_up) for card in split_cards(event.new)]
            return _remove_cards(cards, split_cards(event.old), 1) + new_cards
        case d.CardReturned(source="hand" | "extra" | "unknown"):
            return _remove_cards(cards, split_cards(event.card), 1)
        case d.HoleCardsLearned() | e.CardsShown() | e.CardsMucked() | b.Folded():
            return _add_learned_cards(cards, split_cards(event.cards))
        case _:
            return cards


def _remove_cards(cards: HeldCards, removed_cards: Sequence[str], removed_count: int) -> HeldCards:
    """Remove known cards by name, and the remaining number from the unknown cards."""
    remaining = list(cards)
    missing_count = max(0, removed_count - len(removed_cards))
    for card in removed_cards:
        index = _find_card(remaining, card)
        if index is None:
            missing_count += 1
        else:
            del remaining[index]
    for _ in range(missing_count):
        index = _find_card(remaining, UNKNOWN_CARD)
        if index is not None:
            del remaining[index]
        elif remaining:  # it's unknown which cards went, so the others are unknown, too
            remaining = [(UNKNOWN_CARD, is_up) for _, is_up in remaining[:-1]]
    return remaining


def _add_learned_cards(cards: HeldCards, learned_cards: Sequence[str]) -> HeldCards:
    """Fill in cards that are known later. A known card stays in its place."""
    if len(cards) == len(learned_cards) and [card for card, _ in cards] == learned_cards:
        return cards
    if len(learned_cards) >= len(cards):
        open_cards = {card for card, is_up in cards if is_up}
        told_cards = list(learned_cards)
        if all(card in told_cards for card in open_cards):
            return _overlay_cards(cards, told_cards)
        return [(card, False) for card in learned_cards]
    known_cards = list(cards)
    for card in learned_cards:
        if card != UNKNOWN_CARD and _find_card(known_cards, card) is None:
            index = _find_card(known_cards, UNKNOWN_CARD)
            if index is not None:
                known_cards[index] = (card, known_cards[index][1])
    return known_cards


def _overlay_cards(cards: HeldCards, learned_cards: list[str]) -> HeldCards:
    """Put all learned cards in the order of `cards`. Face-up cards keep their places."""
    face_down_cards = list(learned_cards)
    for card, is_up in cards:
        if is_up and card in face_down_cards:
            face_down_cards.remove(card)
    known_cards = [card for card, is_up in cards if not is_up and card != UNKNOWN_CARD]
    for index, card in enumerate(face_down_cards):
        if card == UNKNOWN_CARD:
            replacement = next((name for name in known_cards if name not in learned_cards), None)
            if replacement is not None:
                known_cards.remove(replacement)
                face_down_cards[index] = replacement
    overlaid: HeldCards = []
    for card, is_up in cards:
        overlaid.append((card, True) if is_up else (face_down_cards.pop(0), False))
    return overlaid + [(card, False) for card in face_down_cards]


def _find_card(cards: HeldCards, card_text: str) -> int | None:
    return next((index for index, (card, _) in enumerate(cards) if card == card_text), None)


def find_board(dealing: Iterable[CardEvent], run: int = 1, number: int = 1) -> list[str]:
    """Return one board. A later run has the first run's cards of the streets before the split."""
    return list_boards(dealing).get((run, number), [])


def list_boards(dealing: Iterable[CardEvent]) -> dict[tuple[int, int], list[str]]:
    """Return every board by run and number. The first is included even if it is empty."""
    streets = _list_streets(dealing)
    return {
        (run, number): _join_streets(streets.get((1, number), {}), own_streets)
        for (run, number), own_streets in sorted(streets.items())
    }


def list_dealt_boards(dealing: Iterable[CardEvent]) -> dict[tuple[int, int], list[str]]:
    """Return the cards that were dealt for each board, by run and number.

    Records often repeat the streets that were already dealt before a second run: these are left out.
    """
    streets = _list_streets(dealing)
    first_board = streets[1, 1]
    cards_by_board: dict[tuple[int, int], list[str]] = {}
    for board_key, own_streets in sorted(streets.items()):
        shared_streets = first_board if board_key != (1, 1) else {}
        last_street = next(reversed(own_streets), "")
        dealt_streets = [
            cards
            for street, cards in own_streets.items()
            if street == last_street or cards != shared_streets.get(street)
        ]
        cards_by_board[board_key] = [card for cards in dealt_streets for card in cards]
    return cards_by_board


class BoardCount:
    """Counts the cards of each street on a board, less those taken back.

    It only counts, so that bad cards can't stop a replay. It depends only on what was dealt, so states with the same
    deals are equal.
    """

    __slots__ = ("_event_count", "_streets")

    def __init__(self) -> None:
        """Begin before the first card."""
        self._event_count = 0  # number of counted events
        self._streets: dict[
            tuple[str, int], tuple[int, Cards, bool]
        ] = {}  # count, last cards, whether some were taken back

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, BoardCount)

    __hash__ = None  # type: ignore[assignment] # it changes

    def copy(self) -> BoardCount:
        """Return an independent copy."""
        twin = BoardCount()
        twin._event_count, twin._streets = self._event_count, self._streets.copy()
        return twin

    def has_cards_of(self, dealing: Sequence[CardEvent], street: str, number: int = 1) -> bool:
        """Whether the board still has a card of a street.

        `dealing` has the events of earlier calls, and those since.
        """
        for index in range(self._event_count, len(dealing)):
            event = dealing[index]
            if isinstance(event, d.MisdealDeclared):
                self._streets.clear()
            elif isinstance(event, d.BoardDealt | d.BoardWithdrawn):
                self._count(event)
        self._event_count = len(dealing)
        return self._streets.get((street, number), _NO_STREET)[0] > 0

    def _count(self, event: d.BoardDealt | d.BoardWithdrawn) -> None:
        board_key = event.street, event.board
        card_count, last_cards, was_reduced = self._streets.get(board_key, _NO_STREET)
        if isinstance(event, d.BoardWithdrawn):
            card_count = max(0, card_count - count_cards(event.cards)) if event.cards else 0
            last_cards, was_reduced = "", card_count > 0
        elif was_reduced and count_cards(event.cards) == _FLOP:
            card_count, was_reduced = _FLOP, False  # the line repeats the remaining flop cards
        elif event.run == 1 and (event.cards != last_cards or UNKNOWN_CARD in event.cards):
            card_count, last_cards = card_count + count_cards(event.cards), event.cards  # a repeated line counts once
        self._streets[board_key] = card_count, last_cards, was_reduced


_NO_STREET: Final = 0, "", False


def count_cards(cards: Cards) -> int:
    """Return how many cards a text names, including hidden ones."""
    return len(cards) // 2 if "{" not in cards else cards.count("}") + cards.count("??")


def _list_streets(dealing: Iterable[CardEvent]) -> dict[tuple[int, int], dict[str, list[str]]]:
    """Return the cards on every board, by run and number and then by street."""
    streets: dict[tuple[int, int], dict[str, list[str]]] = {(1, 1): {}}
    for event in dealing:
        if isinstance(event, d.BoardDealt):
            board_streets = streets.setdefault((event.run, event.board), {})
            board_cards, cards = board_streets.setdefault(event.street, []), split_cards(event.cards)
            if restates_street(board_cards, cards):
                board_cards[:] = cards
            else:
                board_cards.extend(cards)
        elif isinstance(event, d.BoardWithdrawn):
            _withdraw(streets.get((1, event.board), {}), event.street, event.cards)
        elif isinstance(event, d.MisdealDeclared):
            streets = {(1, 1): {}}
    return streets


def restates_street(board_cards: Sequence[str], cards: Sequence[str]) -> bool:
    """Whether cards list a street as it is now, with those dealt before, since no card comes twice.

    If the earlier cards were unknown, a complete flop does.
    """
    if not board_cards or UNKNOWN_CARD in cards or len(cards) < len(board_cards):
        return False
    known_cards = {card for card in board_cards if card != UNKNOWN_CARD}
    return known_cards.issubset(cards) if known_cards else len(cards) == _FLOP


def has_tabled(dealing: Iterable[CardEvent], seat: Seat) -> bool:
    """Whether a seat showed all its cards before the pot was awarded.

    It doesn't matter what happens to the cards later: they have been read.
    """
    shown_cards = {
        card
        for event in dealing
        if isinstance(event, e.CardsShown) and event.seat == seat and not event.after
        for card in split_cards(event.cards)
        if card != UNKNOWN_CARD
    }
    return bool(shown_cards) and shown_cards.issuperset(list_hole_cards(dealing, seat))


def _withdraw(streets: dict[str, list[str]], street: str, cards: Cards) -> None:
    """Take cards off a street. An unknown card takes the last one."""
    board_cards = streets.get(street, [])
    for card in split_cards(cards):
        if card in board_cards:
            board_cards.remove(card)
        elif board_cards:
            board_cards.pop()
    if not board_cards:
        streets.pop(street, None)


def _join_streets(first_run: dict[str, list[str]], own_streets: dict[str, list[str]]) -> list[str]:
    streets = {**first_run, **own_streets}
    return [card for cards in streets.values() for card in cards]


def list_burns(dealing: Iterable[CardEvent]) -> list[str]:
    """Return the burned cards in their order."""
    return [event.card for event in dealing if isinstance(event, d.CardBurned)]
