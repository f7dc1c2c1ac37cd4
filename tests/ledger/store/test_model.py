"""Whatever is appended, in whatever order, the ledger holds what a list of events would hold."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import ledger
from ledger.entry import Provenance
from ledger.errors import ConflictError
from ledger.store import CommitDraft
from ledger.table.events import HandsMissing
from tests.ledger.store.conftest import Clock
from tests.ledger.store.hands import draft

pytestmark = pytest.mark.slow  # seconds; left out of `make check`

STREAMS = st.integers(1, 4).map(lambda number: UUID(int=number))
EVENTS = st.lists(st.text(max_size=5).filter(lambda t: "\0" not in t).map(HandsMissing), min_size=1, max_size=4)


class LedgerMachine(RuleBasedStateMachine):
    """Appends, retries, conflicts, imports, reopening; the model is a dict of lists."""

    def __init__(self) -> None:
        super().__init__()
        self.book = ledger.open("sqlite://", clock=Clock())
        self.streams: dict[UUID, list[HandsMissing]] = {}
        self.log: list[tuple[UUID, int]] = [(next(self.book.commits()).stream, 1)]
        self.keys: dict[str, tuple[UUID, int]] = {}
        self.tellings: dict[int, list[int]] = {}

    def teardown(self) -> None:
        assert self.book.verify() == []
        self.book.close()

    def _took(self, stream: UUID, events: list[HandsMissing]) -> None:
        chips = self.streams.setdefault(stream, [])
        for event in events:
            chips.append(event)
            self.log.append((stream, len(chips)))

    @rule(stream=STREAMS, events=EVENTS)
    def append(self, stream: UUID, events: list[HandsMissing]) -> None:
        commit = self.book.append("table", stream, events)
        self._took(stream, events)
        assert (commit.position, commit.count) == (len(self.log), len(events))

    @rule(stream=STREAMS, events=EVENTS, version=st.integers(1, 6))
    def append_at(self, stream: UUID, events: list[HandsMissing], version: int) -> None:
        fits = version == len(self.streams.get(stream, [])) + 1
        try:
            self.book.append("table", stream, events, version=version)
        except ConflictError:
            assert not fits
        else:
            assert fits
            self._took(stream, events)

    @rule(stream=STREAMS, events=EVENTS, key=st.sampled_from("abc"))
    def append_keyed(self, stream: UUID, events: list[HandsMissing], key: str) -> None:
        commit = self.book.append("table", stream, events, recorded=Provenance(1, key=key))
        if key in self.keys:
            assert (commit.stream, commit.position) == self.keys[key]
        else:
            self._took(stream, events)
            self.keys[key] = (stream, commit.position)

    @rule(hands=st.lists(st.tuples(st.integers(1, 5), st.sampled_from([200, 300])), max_size=6))
    def import_hands(self, hands: list[tuple[int, int]]) -> None:
        drafts = [draft(number, self.book.people, amount) for number, amount in hands]
        with self.book.bulk():
            outcomes = self.book.append_all(drafts)
        for (number, amount), hand_draft, outcome in zip(hands, drafts, outcomes, strict=True):
            chips = self.tellings.setdefault(number, [])
            if amount in chips:
                assert outcome.state == "same"
                continue
            chips.append(amount)
            assert (outcome.state, outcome.account) == ("new", len(chips))
            self.log.extend((hand_draft.stream, version) for version in range(1, 8))

    @rule(stream=STREAMS, events=EVENTS)
    def fail_half_way(self, stream: UUID, events: list[HandsMissing]) -> None:
        data = self.book.mapper.encode("table", events)
        good = CommitDraft("table", stream, None, len(events), data, b"", Provenance(1))
        try:
            self.book.append_all([good, good._replace(version=99)])
        except ConflictError:
            return
        raise AssertionError("a version in the future was taken")

    @precondition(lambda self: len(self.log) < 200)
    @rule()
    def read_from_the_middle(self) -> None:
        middle = len(self.log) // 2
        entry_keys = [
            (entry.stream, entry.version)
            for commit in self.book.commits(after=middle)
            if commit.kind != "house"
            for entry in self.book.entries_of(commit)
            if entry.position > middle
        ]
        assert entry_keys == [pair for pair in self.log[middle:] if pair[0] != self.log[0][0]]

    @invariant()
    def the_log_is_the_model(self) -> None:
        assert self.book.head()[0] == len(self.log)
        for stream, events in self.streams.items():
            assert self.book.events(stream) == events
        assert len(list(self.book.hands())) == sum(map(len, self.tellings.values()))


LedgerMachine.TestCase.settings = settings(max_examples=15, stateful_step_count=12, deadline=None)
TestLedgerAgainstAModel = LedgerMachine.TestCase
