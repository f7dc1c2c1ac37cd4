"""Every event can be written, and what is written says exactly the event."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.account import Account, SectionAccount, TableAccount
from ledger.events import EVENT_TYPES, STREAMS
from ledger.formats.handscript import FORMAT, read_with_comments, write_lines, write_told
from ledger.formats.handscript.grammar import OptionalPart
from ledger.formats.handscript.phrasebook import BOOK
from ledger.formats.handscript.slots import Flag, Nullable, Slot, Words
from ledger.hand.opening import HandOpened
from ledger.notation import Chunk
from ledger.people import People
from ledger.table.money_events import TOURNAMENT_MONEY

sys.path.insert(0, str(Path(__file__).parent))
from every_event import PEOPLE, events

STREAM_OF_KIND = {kind: name for name, kinds in reversed(STREAMS.items()) for kind in kinds}

LISTS = {
    stream: st.lists(
        st.sampled_from([kind for kind in kinds if kind is not HandOpened]).flatmap(events), min_size=1, max_size=6
    )
    for stream, kinds in STREAMS.items()
}


def section(stream: str, events: list, **marks):
    if stream == "hand":
        if not isinstance(events[0], HandOpened):
            events = [HandOpened("Riverside", "T7", "1", 7), *events]
        return Account(events, [], 0, 0, **marks)
    if stream == "table":
        has_tournament = not TOURNAMENT_MONEY.isdisjoint(map(type, events))  # other tables' lines of it are refused
        return TableAccount("Riverside", "T7", events, [], 0, 0, "88" if has_tournament else "", **marks)
    return SectionAccount(stream, "IN 1" if stream == "case" else "", events, [], 0, 0, **marks)


def read_back(text: str):
    (item,) = read_with_comments(text, PEOPLE)
    return item.told


def test_every_event_has_a_line():
    assert set(BOOK.wordings) == set(EVENT_TYPES), "add the line of the event to ledger/formats/handscript/templates.py"


@pytest.mark.slow
@pytest.mark.parametrize("kind", EVENT_TYPES, ids=lambda kind: kind.__name__)
@settings(max_examples=max(10, settings().max_examples // 5))
@given(data=st.data())
def test_every_event_with_every_value_is_read_as_it_was_written(kind, data):
    event = data.draw(events(kind))
    text = write_told(section(STREAM_OF_KIND[kind], [event]), PEOPLE)
    assert read_back(text).events[-1] == event
    assert "\n" not in write_lines([event], PEOPLE)[0]


@pytest.mark.parametrize("stream", STREAMS)
@given(data=st.data())
def test_a_whole_stream_with_times_and_what_is_inferred_is_read_as_it_was_written(stream, data):
    stream_events = section(stream, data.draw(LISTS[stream]))
    if stream == "hand":
        stream_events.events[0] = data.draw(events(HandOpened))
    indexes = st.integers(0, len(stream_events.events) - 1)
    stream_events.inferred = sorted(data.draw(st.sets(indexes)))
    stream_events.times = data.draw(st.dictionaries(indexes, st.integers(-(2**50), 2**50)))
    text = write_told(stream_events, PEOPLE)
    round_trip = read_back(text)
    assert (round_trip.events, round_trip.inferred, round_trip.times) == (
        stream_events.events,
        stream_events.inferred,
        stream_events.times,
    )
    assert write_told(round_trip, PEOPLE) == text


@given(event=events(HandOpened))
def test_the_format_writes_what_it_reads(event):
    export = FORMAT.write([event], PEOPLE)
    assert not export.losses
    (item,) = FORMAT.read(Chunk(export.text.encode()), PEOPLE)
    assert item.events == [event]


@given(text=st.text(max_size=200) | st.binary(max_size=200))
def test_nothing_that_is_read_raises(text):
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    for prefix in (b"", b"hand 1\n", b"handscript 1\nhouse\n"):
        for item in FORMAT.read(Chunk(prefix + data), People(b"k")):
            assert 0 <= item.start <= item.start + item.length <= len(prefix + data)


def test_no_two_parts_of_a_line_begin_alike():
    for kind in EVENT_TYPES:
        for wording in BOOK.wordings[kind]:
            words = [word for option in wording.options for word in _begins(option)]
            assert len(words) == len(set(words)), kind


def _begins(option: OptionalPart) -> list[str]:
    if option.word:
        return [option.word]
    slot: Slot = option.values[0].slot
    slot = slot.one if isinstance(slot, Nullable) else slot
    return list(slot.words) if isinstance(slot, Words | Flag) else [slot.expected]
