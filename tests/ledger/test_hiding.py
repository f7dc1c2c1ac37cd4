"""Hidden cards: nobody learns one from the events, its opening proves it, and telling again is the same."""

from __future__ import annotations

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from ledger.hand.betting import Folded
from ledger.hand.dealing import HoleCardsDealt, HoleCardsLearned
from ledger.hand.ending import CardsMucked, CardsShown
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.opening import GameSet, HandOpened, SeatDealtIn
from ledger.hiding import commitments, hide_cards, reveal_cards
from ledger.people import People, commitment
from ledger.vocabulary import DECK, split_cards

EVENTS: list[HandEvent] = [
    HandOpened("V", "T", "1", 0),
    GameSet("holdem", "no-limit", "cash", "USD", 2, (50, 100)),
    SeatDealtIn(1, "ana", 500),
    SeatDealtIn(2, "bo", 500),
    HoleCardsDealt(1, "AhKd"),
    HoleCardsDealt(2, "7c??"),
    Folded(2, "7c"),
    CardsMucked(1, "AhKd"),
    CardsShown(1, "AhKd"),
    HoleCardsLearned(2, "7c2d"),
]


def test_cards_that_were_not_shown_are_nowhere_in_the_events() -> None:
    people = People(b"s" * 32)
    told = hide_cards(EVENTS, people)
    for event, after in zip(EVENTS, told, strict=True):
        assert type(event) is type(after)
        if isinstance(after, CardsShown) or not hasattr(after, "cards"):
            assert after == event
        else:
            assert not {"Ah", "Kd", "7c", "2d"} & set(split_cards(after.cards))
    assert told[5].cards.endswith("??"), "what nobody saw is no secret"  # type: ignore[union-attr]  # hole cards
    assert reveal_cards(told, people) == EVENTS
    assert reveal_cards(told, people, [1])[4] == EVENTS[4]
    assert reveal_cards(told, people, [1])[5] == told[5]
    fold(told)  # and the hand still folds


def test_cards_dealt_face_up_stay_open() -> None:
    people = People(b"s" * 32)
    (told,) = hide_cards([HoleCardsDealt(1, "AhKd7c", up="ddu")], people)
    assert told.cards.endswith("7c")
    assert len(told.cards) == 66 * 2 + 2


def test_the_same_hand_hides_the_same_here_and_otherwise_elsewhere() -> None:
    people, two = People(b"s" * 32), People(b"s" * 32)
    assert hide_cards(EVENTS, people) == hide_cards(EVENTS, people)
    assert hide_cards(EVENTS, people) != hide_cards(EVENTS, two), "no secret of the ledger's tells a card"
    again = [HandOpened("V", "T", "2", 0), *EVENTS[1:]]
    assert hide_cards(EVENTS, people)[4] != hide_cards(again, people)[4], (
        "the same cards in another hand look different"
    )
    made = [told for _, told in commitments(hide_cards(EVENTS, people))]
    assert len(made) == len(set(made)), "and twice in one hand too"


def test_without_its_opening_a_card_cannot_be_guessed_from_the_deck() -> None:
    """Whoever has the events and the label tries all 52 cards, and needs the salt."""
    people = People(b"s" * 32)
    for seat, made in commitments(hide_cards(EVENTS, people)):
        opening = people.opening(made)
        assert opening is not None
        label, salt, card = opening
        assert commitment(label, salt, card) == made
        assert label.split("\0")[-2] == str(seat)
        assert salt not in people._secret.hex() + str(people.keys)
        assert not any(commitment(label, "00" * 32, guess) == made for guess in DECK)
        assert not any("{" + sha256(f"{label}{guess}".encode()).hexdigest() + "}" == made for guess in DECK)


@given(st.lists(st.sampled_from(DECK), min_size=1, max_size=7, unique=True))
def test_opening_gives_back_what_was_hidden(cards: list[str]) -> None:
    people = People(b"s" * 32)
    events = [HandOpened("V", "T", "1", 0), HoleCardsDealt(3, "".join(cards))]
    assert reveal_cards(hide_cards(events, people), people) == events
    made = hide_cards(events, people)
    assert reveal_cards(made, People(b"s" * 32)) == made, "no vault, no card"
