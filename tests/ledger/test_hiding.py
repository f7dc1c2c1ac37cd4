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
from ledger.hidden_cards import find_commitments, hide_cards, reveal_cards
from ledger.people import People, compute_commitment
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
    hidden_events = hide_cards(EVENTS, people)
    for event, hidden_event in zip(EVENTS, hidden_events, strict=True):
        assert type(event) is type(hidden_event)
        if isinstance(hidden_event, CardsShown) or not hasattr(hidden_event, "cards"):
            assert hidden_event == event
        else:
            assert not {"Ah", "Kd", "7c", "2d"} & set(split_cards(hidden_event.cards))
    assert hidden_events[5].cards.endswith("??"), "what nobody saw is no secret"  # type: ignore[union-attr]  # hole cards
    assert reveal_cards(hidden_events, people) == EVENTS
    assert reveal_cards(hidden_events, people, [1])[4] == EVENTS[4]
    assert reveal_cards(hidden_events, people, [1])[5] == hidden_events[5]
    fold(hidden_events)  # and the hand still folds


def test_cards_dealt_face_up_stay_open() -> None:
    people = People(b"s" * 32)
    (hidden_event,) = hide_cards([HoleCardsDealt(1, "AhKd7c", up="ddu")], people)
    assert hidden_event.cards.endswith("7c")
    assert len(hidden_event.cards) == 66 * 2 + 2


def test_the_same_hand_hides_the_same_here_and_otherwise_elsewhere() -> None:
    people, two = People(b"s" * 32), People(b"s" * 32)
    assert hide_cards(EVENTS, people) == hide_cards(EVENTS, people)
    assert hide_cards(EVENTS, people) != hide_cards(EVENTS, two), "no secret of the ledger's tells a card"
    next_hand = [HandOpened("V", "T", "2", 0), *EVENTS[1:]]
    assert hide_cards(EVENTS, people)[4] != hide_cards(next_hand, people)[4], (
        "the same cards in another hand look different"
    )
    commitments_made = [commitment for _, commitment in find_commitments(hide_cards(EVENTS, people))]
    assert len(commitments_made) == len(set(commitments_made)), "and twice in one hand too"


def test_without_its_opening_a_card_cannot_be_guessed_from_the_deck() -> None:
    """Whoever has the events and the label tries all 52 cards, and needs the salt."""
    people = People(b"s" * 32)
    for seat, committed in find_commitments(hide_cards(EVENTS, people)):
        opening = people.opening(committed)
        assert opening is not None
        label, salt, card = opening
        assert compute_commitment(label, salt, card) == committed
        assert label.split("\0")[-2] == str(seat)
        assert salt not in people._secret.hex() + str(people.keys)
        assert not any(compute_commitment(label, "00" * 32, guess) == committed for guess in DECK)
        assert not any("{" + sha256(f"{label}{guess}".encode()).hexdigest() + "}" == committed for guess in DECK)


@given(st.lists(st.sampled_from(DECK), min_size=1, max_size=7, unique=True))
def test_opening_gives_back_what_was_hidden(cards: list[str]) -> None:
    people = People(b"s" * 32)
    events = [HandOpened("V", "T", "1", 0), HoleCardsDealt(3, "".join(cards))]
    assert reveal_cards(hide_cards(events, people), people) == events
    hidden_events = hide_cards(events, people)
    assert reveal_cards(hidden_events, People(b"s" * 32)) == hidden_events, "no vault, no card"
