"""What leaves for an audience holds no card that it has not seen, and no name that it should not have."""

from __future__ import annotations

import typing

import msgspec
import pytest

from ledger.errors import UsageError
from ledger.events import TOPICS
from ledger.export.audience import HANDLERS, PUBLIC_EVENTS, find_visible_seats, list_visible_events
from ledger.export.player_names import name_positions, rename_players
from ledger.hand.betting import Folded
from ledger.hand.dealing import CardBurned, HoleCardsDealt, HoleCardsLearned
from ledger.hand.ending import CardsMucked, CardsShown, LineUnread, RemarkNoted
from ledger.hand.events import HandEvent
from ledger.hand.opening import ButtonPlaced, GameSet, HandOpened, SeatDealtIn
from ledger.people import People


def hand(people: People) -> list[HandEvent]:
    return [
        HandOpened("Room", "T", "1", 0),
        GameSet("stud", "limit", "cash", "USD", 2),
        *(SeatDealtIn(seat, people.player("Room", name), 100) for seat, name in ((1, "Ada"), (2, "Bo"), (3, "Cy"))),
        ButtonPlaced(3),
        HoleCardsDealt(1, "AhAd2c", "ddu", how="rfid"),
        HoleCardsDealt(2, "KhKd3c", "ddu", how="owner"),
        CardBurned("flop", "7s"),
        Folded(3, "4c4d"),
        CardsMucked(1, "AhAd"),
        CardsShown(2, "KhKd", claim=people.text("a pair of Kings")),
        HoleCardsLearned(1, "AhAd"),
        HoleCardsLearned(2, "KhKd", "shown"),
        RemarkNoted(people.text("Ada said she had AhAd")),
        LineUnread(people.text("Ada: [Ah Ad]")),
    ]


@pytest.fixture
def people() -> People:
    return People(bytes(range(32)))


def test_every_event_with_cards_is_hidden_or_was_seen_by_all() -> None:
    for kind in TOPICS.values():
        hints = typing.get_type_hints(kind)
        names = [
            name for name in kind.__struct_fields__ if name in ("card", "cards", "old", "new", "includes", "excludes")
        ]
        if kind.STREAM == "hand" and names and hints:
            assert (kind in HANDLERS) != (kind in PUBLIC_EVENTS), (
                f"decide in ledger/export/audience.py who may see the cards of {kind.__name__}"
            )


@pytest.mark.parametrize(
    ("audience", "sees", "not_"),
    [
        ("house", "AhAd KhKd 7s 4c4d", ""),
        ("public", "2c 3c KhKd 4c4d", 'AhAd "7s"'),
        ("Ada", "AhAd KhKd", '"7s"'),
        ("1", "AhAd KhKd", '"7s"'),
        ("Bo", "KhKd", 'AhAd "7s"'),
        ("nobody here", "KhKd", 'AhAd "7s"'),
    ],
)
def test_an_audience_sees_its_own_cards_and_what_was_shown(people: People, audience: str, sees: str, not_: str) -> None:
    events = hand(people)
    out = msgspec.json.encode(list_visible_events(events, find_visible_seats(events, audience, people))).decode()
    words = " ".join(people.texts[ref] for ref in people.texts if ref in out)
    for cards in sees.split():
        assert cards in out
    for cards in not_.split():
        assert cards not in out + words


def test_two_seats_under_one_name_are_asked_about(people: People) -> None:
    events = [*hand(people)[:3], SeatDealtIn(2, people.player("Room", "Ada"), 5)]
    with pytest.raises(UsageError, match="two seats"):
        find_visible_seats(events, "Ada", people)


def test_positions_are_those_of_the_button(people: People) -> None:
    positions = name_positions(hand(people))
    assert {people.name(player): title for player, title in positions.items()} == {"Ada": "SB", "Bo": "BB", "Cy": "BTN"}


@pytest.mark.parametrize("naming", ["position", "pseudonym"])
def test_no_name_and_no_free_text_is_left(people: People, naming: typing.Literal["position", "pseudonym"]) -> None:
    events, new = rename_players(hand(people), people, naming)
    text = " ".join((*(name for _, name in new.names.values()), *new.texts.values()))
    for name in ("Ada", "Bo", "Cy"):
        assert name not in text.split()
    assert "a pair of Kings" in text  # what a shown hand is called is no free text
    ids = msgspec.json.encode(events).decode()
    assert not any(player in ids for player in people.names)


def test_a_pseudonym_is_the_same_in_every_hand_and_another_in_another_ledger(people: People) -> None:
    first = rename_players(hand(people), people, "pseudonym")[1].names
    second = rename_players(hand(people)[:4], people, "pseudonym")[1].names
    assert second.items() <= first.items()
    other_people = People(bytes(32))
    assert not first.items() & rename_players(hand(other_people), other_people, "pseudonym")[1].names.items()
