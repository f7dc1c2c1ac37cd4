"""What a format is said to be able to say is what its writer loses nothing of, and nothing else is."""

from __future__ import annotations

import pytest

from ledger import formats
from ledger.event import Event
from ledger.events import STREAMS
from ledger.formats.ohh.writer import WRITTEN_EVENTS as OHH
from ledger.hand.betting import ClockCalled, RunsOffered
from ledger.hand.dealing import CardBurned, DeckCut
from ledger.people import People
from tests.formats.support import new_people, read_hand

WRITERS = [name for name in formats.NAMES if formats.get(name).write is not None]


def hand(people: People) -> list[Event]:
    form = formats.get("pokerstars")
    text = (
        "PokerStars Hand #900000000005:  Hold'em No Limit ($1/$2 USD) - 2026/01/15 15:04:05 ET\n"
        "Table 'Own Sample' 6-max Seat #1 is the button\nSeat 1: Ada ($200 in chips) \nSeat 2: Bo ($180 in chips) \n"
        "Ada: posts small blind $1\nBo: posts big blind $2\n*** HOLE CARDS ***\nAda: folds \n"
        "Uncalled bet ($1) returned to Bo\nBo collected $2 from pot\n*** SUMMARY ***\nTotal pot $2 | Rake $0 \n"
    )
    return list(read_hand(form, text, people=people).events)


@pytest.mark.parametrize("name", WRITERS)
def test_a_writer_says_only_events_of_hands(name: str) -> None:
    form = formats.get(name)
    assert form.written_events
    assert form.written_events <= set(STREAMS["hand"])


@pytest.mark.parametrize("name", ["ohh", "pokerstars"])
@pytest.mark.parametrize("event", [CardBurned("flop"), DeckCut(), ClockCalled(1), RunsOffered(1, 2)])
def test_an_event_without_a_word_is_counted_as_lost(name: str, event: Event) -> None:
    people = new_people()
    events = hand(people)
    form = formats.get(name)
    assert form.write is not None
    assert type(event) not in form.written_events
    losses = form.write(events, people).losses
    losses_after = form.write([*events[:6], event, *events[6:]], people).losses
    assert len(losses_after) == len(losses) + 1


def test_the_claims_of_open_hand_history_are_its_writers_own_table() -> None:
    assert formats.get("ohh").written_events == OHH
