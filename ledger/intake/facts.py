"""Compare the facts between hands in two editions of a source, and void those that the new one lacks.

A corrected edition of a source replaces its earlier facts about the table, as it replaces hands. It only covers the
stretch of its own hands: facts before, after or elsewhere stay. So nothing is lost if the next night overwrote the
file, or if it only grew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID

import msgspec

from ledger.account import TableAccount
from ledger.entry import Entry, Provenance
from ledger.event import Event
from ledger.hand.ending import CorrectionMade
from ledger.marks import pack_origins
from ledger.store import CommitDraft
from ledger.table.events import HandPlayed, OrderTold
from ledger.table.order import sort_entries
from ledger.table.standing_accounts import apply_table_corrections, build_table_entries, group_hands

if TYPE_CHECKING:
    from ledger.store import Ledger

_encode: Final = msgspec.json.Encoder().encode


class TableFact(NamedTuple):
    """Facts for a table's stream, with the key that stores them once."""

    stream: UUID
    account: TableAccount
    key: str


class AnchoredFact(NamedTuple):
    """Facts, and the hand that they follow in the source; None at the source's start."""

    fact: TableFact
    hand: HandPlayed | None


@dataclass(slots=True)
class SourceEdition:
    """A table in one edition of a source: the hands, by an account of each, and the facts."""

    hands: dict[str, str] = field(default_factory=dict)  # account → earlier account of the same hand
    facts: list[AnchoredFact] = field(default_factory=list)
    first_hand: HandPlayed | None = None
    last_hand: HandPlayed | None = None

    def add_hand(self, hand: HandPlayed, home: str) -> None:
        """Add a hand, in the order of the source. `home` is an earlier account of it, or ""."""
        self.hands[hand.hand] = home or hand.hand
        self.first_hand, self.last_hand = self.first_hand or hand, hand


class KeptFacts(NamedTuple):
    """A hand after which facts stay as an earlier edition had them, and why."""

    hand: str  # account, hex, "" = before the first hand
    reason: str


class EditionChanges(NamedTuple):
    """The changes of a table's facts: versions to void, facts to repeat, and facts that stay."""

    voids: tuple[int, ...] = ()
    repeated: tuple[AnchoredFact, ...] = ()
    kept_facts: tuple[KeptFacts, ...] = ()
    voided_count: int = 0  # facts that this edition lacks
    missing_hands: tuple[HandPlayed, ...] = ()  # hands only in earlier editions, which still count


def build_fact_draft(fact: TableFact, order: OrderTold | None, provenance: Provenance) -> CommitDraft:
    """Return the draft of facts. `order` is their place, unless they belong at the stream's end."""
    account = fact.account
    events: list[Event] = list(account.events)
    places, inferred, times = account.places, account.inferred, account.times
    if order is not None:
        events.insert(0, order)
        places = [0, 0, *places]
        inferred = [0, *(index + 1 for index in inferred)]
        times = {index + 1: moment for index, moment in times.items()}
    marks = pack_origins(places, inferred, times)
    return CommitDraft("table", fact.stream, None, len(events), _encode(events), marks, provenance)


@dataclass(slots=True)
class _FactGroup:
    """Facts that were stored together, with their place and the hand that they follow."""

    key: str
    hand: str  # account, "" = at the start of their source
    source: str
    position: int
    versions: list[int]
    events: list[Event]
    next_hand: str = ""  # the hand that follows them, if `hand` is empty
    is_in_force: bool = False
    is_voided_by_rule: bool = False  # voided by a rule, not by a person


def compare_editions(
    ledger: Ledger,
    stream: UUID,
    edition: SourceEdition,
    is_own_source: Callable[[str], bool],
    find_binding: Callable[[Iterable[str], int], str],
) -> EditionChanges:
    """Compare the facts that earlier editions stored at a table with those of this one.

    `is_own_source`: whether a source is an edition of this one. `find_binding`: returns why only a person may change
    the facts after a hand with these accounts, at a position of the log; "" if software may.
    """
    commits = ledger.stream(stream)
    has_facts = any((commit.key or "").startswith("table:") for commit in commits)
    if not has_facts and sum(commit.count for commit in commits) <= len(edition.hands) + 1:
        return EditionChanges()  # the table only has this edition's hands
    return _EditionComparison(ledger.entries(stream), edition, is_own_source, find_binding).find_changes()


class _TableHands:
    """The hands of a table in the ledger: their accounts, and their order."""

    def __init__(self, entries: list[Entry]) -> None:
        table_entries = build_table_entries(entries)
        valid_entries = apply_table_corrections(table_entries)
        hands = group_hands(valid_entries)
        self.valid_versions = {entry.version for entry in valid_entries}
        self.standing_hands = [hand.standing_account.hand for hand in hands]
        self._accounts: dict[str, list[str]] = {}  # first account of a hand → all its certain accounts
        self._first_accounts: dict[str, str] = {}
        for hand in hands:
            certain_accounts = [
                account.hand.hand for account in hand.accounts if account.hand.hand not in hand.doubtful
            ]
            self._accounts[certain_accounts[0]] = certain_accounts
            self._first_accounts.update(dict.fromkeys(certain_accounts, certain_accounts[0]))
        ordered_accounts = (
            entry.event.hand for entry in sort_entries(table_entries) if isinstance(entry.event, HandPlayed)
        )
        self._indexes = {self.find_first_account(account): index for index, account in enumerate(ordered_accounts)}

    def find_first_account(self, account: str) -> str:
        """Return the first account of the same hand."""
        return self._first_accounts.get(account, account)

    def list_accounts(self, account: str) -> list[str]:
        """Return all accounts of the same hand."""
        first_account = self.find_first_account(account)
        return self._accounts.get(first_account, [first_account])

    def find_index(self, account: str) -> int | None:
        """Return the place of a hand in the table's order, or None."""
        return self._indexes.get(self.find_first_account(account))

    def find_indexes(self, accounts: Iterable[str]) -> set[int]:
        """Return the places of the hands that the table has."""
        return {index for account in accounts if (index := self.find_index(account)) is not None}


class _EditionComparison:
    def __init__(
        self,
        entries: list[Entry],
        edition: SourceEdition,
        is_own_source: Callable[[str], bool],
        find_binding: Callable[[Iterable[str], int], str],
    ) -> None:
        self._edition, self._is_own_source, self._find_binding = edition, is_own_source, find_binding
        self._table = table = _TableHands(entries)
        self._groups = _group_facts(entries, table.valid_versions)
        self._own_accounts = {
            entry.event.hand
            for entry in entries
            if isinstance(entry.event, HandPlayed) and is_own_source(_find_source(entry))
        }
        self._family_indexes = table.find_indexes(self._own_accounts)
        self._edition_indexes = table.find_indexes(edition.hands.values())

    def _find_first_account(self, account: str) -> str:
        return self._table.find_first_account(account)

    def _list_missing_hands(self) -> list[HandPlayed]:
        """Return the counting hands of earlier editions that this edition lacks."""
        missing_hands: dict[int, HandPlayed] = {}
        for standing_hand in self._table.standing_hands:
            hand_index = self._table.find_index(standing_hand.hand)
            is_counted = standing_hand.hand in self._own_accounts and not standing_hand.voided
            if is_counted and hand_index is not None and hand_index not in self._edition_indexes:
                missing_hands[hand_index] = standing_hand
        return [missing_hands[hand_index] for hand_index in sorted(missing_hands)]

    def _find_anchor(self, anchored_fact: AnchoredFact) -> str:
        if anchored_fact.hand is None:
            return ""
        return self._find_first_account(self._edition.hands.get(anchored_fact.hand.hand, anchored_fact.hand.hand))

    def find_changes(self) -> EditionChanges:
        """Return the changes of the table's facts."""
        if not self._edition_indexes:
            return EditionChanges()
        dropped_groups, kept_facts = self._judge_groups()
        edition_events = [
            (self._find_anchor(edition_fact), event)
            for edition_fact in self._edition.facts
            for event in edition_fact.fact.account.events
        ]
        voided_count = sum(
            (self._find_first_account(group.hand), event) not in edition_events
            for group in dropped_groups
            for event in group.events
        )
        repeated = self._find_repeated(kept_facts, dropped_groups)
        versions = sorted({version for group in dropped_groups for version in group.versions})
        return EditionChanges(
            tuple(versions),
            tuple(repeated),
            tuple(kept_facts.values()),
            voided_count,
            tuple(self._list_missing_hands()),
        )

    def _judge_groups(self) -> tuple[list[_FactGroup], dict[str, KeptFacts]]:
        """Return the earlier editions' facts to drop, and by hand those that only a person may change."""
        edition_keys = {anchored_fact.fact.key for anchored_fact in self._edition.facts}
        dropped_groups: list[_FactGroup] = []
        kept_facts: dict[str, KeptFacts] = {}
        for group in self._groups:
            is_earlier = group.is_in_force and group.key not in edition_keys and self._is_own_source(group.source)
            if not is_earlier or not self._covers(group):
                continue
            accounts = self._table.list_accounts(group.hand or group.next_hand)
            reason = self._find_binding(accounts, group.position)
            if reason:
                kept_facts[self._find_first_account(group.hand)] = KeptFacts(group.hand, reason)
            else:
                dropped_groups.append(group)
        return dropped_groups, kept_facts

    def _covers(self, group: _FactGroup) -> bool:
        """Whether the place of these facts is in the stretch that this edition covers."""
        first_index, last_index = min(self._edition_indexes), max(self._edition_indexes)
        if not group.hand:
            return self._table.find_index(group.next_hand) in self._edition_indexes
        hand_index = self._table.find_index(group.hand)
        if hand_index is None or hand_index < first_index:
            return False
        return hand_index < last_index or (
            hand_index == last_index and not any(family_index > hand_index for family_index in self._family_indexes)
        )

    def _find_repeated(self, kept_facts: dict[str, KeptFacts], dropped_groups: list[_FactGroup]) -> list[AnchoredFact]:
        """Return the facts to repeat: those that a rule had voided, and those that would be out of order.

        If earlier facts stay, this edition's later facts at the same place are dropped.
        """
        groups_by_place: dict[tuple[str, str], list[_FactGroup]] = {}
        for group in self._groups:
            groups_by_place.setdefault((group.key, self._find_first_account(group.hand)), []).append(group)
        reached_versions: dict[str, int] = {}  # by hand: the version that the next facts must follow
        repeated: list[AnchoredFact] = []
        for anchored_fact in self._edition.facts:
            anchor_account = self._find_anchor(anchored_fact)
            groups = groups_by_place.get((anchored_fact.fact.key, anchor_account), [])
            valid_group = next((group for group in groups if group.is_in_force), None)
            if anchor_account in kept_facts:
                if valid_group and valid_group.position > self._find_last_kept_position(anchor_account):
                    dropped_groups.append(valid_group)
            elif valid_group is None:
                if any(group.is_voided_by_rule for group in groups):
                    repeated.append(anchored_fact)
                    reached_versions[anchor_account] = _LAST_VERSION
            elif valid_group.versions[0] >= reached_versions.get(anchor_account, 0):
                reached_versions[anchor_account] = valid_group.versions[-1]
            elif self._is_own_source(valid_group.source):
                dropped_groups.append(valid_group)
                repeated.append(anchored_fact)
                reached_versions[anchor_account] = _LAST_VERSION
        return repeated

    def _find_last_kept_position(self, first_account: str) -> int:
        edition_keys = {anchored_fact.fact.key for anchored_fact in self._edition.facts}
        return max(
            group.position
            for group in self._groups
            if group.is_in_force
            and group.key not in edition_keys
            and self._find_first_account(group.hand) == first_account
        )


def _group_facts(entries: list[Entry], valid_versions: set[int]) -> list[_FactGroup]:
    """Return the facts of a table's stream as stored, each with the hand that it follows."""
    fact_groups: list[_FactGroup] = []
    last_hands: dict[str, str] = {}  # last hand by source
    waiting_groups: dict[str, list[_FactGroup]] = {}
    ruled_versions: set[int] = set()
    commit_key = ""
    for entry in entries:
        event, source = entry.event, _find_source(entry)
        if isinstance(event, HandPlayed):
            last_hands[source] = event.hand
            for group in waiting_groups.pop(source, []):
                group.next_hand = event.hand
        elif isinstance(event, CorrectionMade) and entry.recorded.writer == "import":
            ruled_versions.update(event.voids)
        if not entry.recorded.key.startswith("table:"):
            commit_key = ""
            continue
        if entry.recorded.key != commit_key:
            commit_key = entry.recorded.key
            group = _FactGroup(commit_key.partition(" ")[0], last_hands.get(source, ""), source, entry.position, [], [])
            if isinstance(event, OrderTold):
                group.hand, group.next_hand = event.after_hand, event.before_hand
            elif not group.hand:
                waiting_groups.setdefault(source, []).append(group)
            fact_groups.append(group)
        fact_groups[-1].versions.append(entry.version)
        if not isinstance(event, OrderTold):
            fact_groups[-1].events.append(event)
    for group in fact_groups:
        group.is_in_force = any(version in valid_versions for version in group.versions)
        group.is_voided_by_rule = not ruled_versions.isdisjoint(group.versions)
        if group.is_in_force and group.is_voided_by_rule:
            group.source = ""  # a person restored them, so they are no source's facts any more
    return fact_groups


def _find_source(entry: Entry) -> str:
    return entry.recorded.source.source if entry.recorded.source else ""


def build_change_drafts(
    stream: UUID,
    changes: EditionChanges,
    first_hand: HandPlayed | None,
    provenance: Provenance,
    reason: str,
    repeat_suffix: str,
) -> Sequence[CommitDraft]:
    """Return the drafts that make the changes. `repeat_suffix` makes the keys of repeated facts unique."""
    drafts: list[CommitDraft] = []
    if changes.voids:
        correction = CorrectionMade(changes.voids, changes.voids[-1], 0, "software", "", reason)
        drafts.append(CommitDraft("table", stream, None, 1, _encode([correction]), b"", provenance))
    for fact, hand in changes.repeated:
        order = OrderTold("", "")
        if hand is not None:
            order = OrderTold(hand.number, "", hand.hand)
        elif first_hand is not None:
            order = OrderTold("", first_hand.number, "", first_hand.hand)
        source_place = provenance.source
        if source_place is not None:
            source_place = source_place._replace(start=fact.account.start, length=fact.account.length)
        commit_key = f"{fact.key} again {repeat_suffix}"
        drafts.append(build_fact_draft(fact, order, provenance._replace(key=commit_key, source=source_place)))
    return drafts


_LAST_VERSION: Final = 1 << 62
