"""Facts between hands of which a source tells another edition: what it no longer tells is voided.

The same source told anew stands instead of what it told before, for facts about the table as for hands.
It speaks for the stretch whose hands it tells: what an earlier edition told before, behind or elsewhere
stays, so that a file which the next night overwrote, or which only grew, takes nothing back.
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
from ledger.store import Draft
from ledger.table.events import HandPlayed, OrderTold
from ledger.table.order import sort_entries
from ledger.table.standing import apply_table_corrections, from_entries, group_hands

if TYPE_CHECKING:
    from ledger.store import Ledger

_encode: Final = msgspec.json.Encoder().encode


class TableFact(NamedTuple):
    """Facts for a table's stream, under the key that stores them once."""

    stream: UUID
    account: TableAccount
    key: str


class AnchoredFact(NamedTuple):
    """Facts, and the hand behind which the source tells them: its account, None at the source's start."""

    fact: TableFact
    hand: HandPlayed | None


@dataclass(slots=True)
class SourceEdition:
    """What one reading of a source tells of a table: the hands, by an account of each, and the facts."""

    hands: dict[str, str] = field(default_factory=dict)  # account → one that the ledger had before
    facts: list[AnchoredFact] = field(default_factory=list)
    first_hand: HandPlayed | None = None
    last_hand: HandPlayed | None = None

    def add_hand(self, hand: HandPlayed, home: str) -> None:
        """Take a hand, in the order of the source; `home`: an account of it that was there before."""
        self.hands[hand.hand] = home or hand.hand
        self.first_hand, self.last_hand = self.first_hand or hand, hand


class KeptFacts(NamedTuple):
    """A hand behind which facts stay as they were told before, and why."""

    hand: str  # account, hex, "" = before the first one
    reason: str


class EditionChanges(NamedTuple):
    """What a table is told: versions that no longer hold, facts to be told again, what had to stay."""

    voids: tuple[int, ...] = ()
    repeated: tuple[AnchoredFact, ...] = ()
    kept_facts: tuple[KeptFacts, ...] = ()
    voided_count: int = 0  # facts that are not told any more
    untold_hands: tuple[HandPlayed, ...] = ()  # hands that stand as an earlier edition told them, and this one does not


def fact_draft(fact: TableFact, order: OrderTold | None, recorded: Provenance) -> Draft:
    """Return facts as they are stored; `order`, where they do not belong at the stream's end."""
    account = fact.account
    events: list[Event] = list(account.events)
    places, inferred, times = account.places, account.inferred, account.times
    if order is not None:
        events.insert(0, order)
        places = [0, 0, *places]
        inferred = [0, *(index + 1 for index in inferred)]
        times = {index + 1: at for index, at in times.items()}
    marks = pack_origins(places, inferred, times)
    return Draft("table", fact.stream, None, len(events), _encode(events), marks, recorded)


@dataclass(slots=True)
class _FactGroup:
    """Facts that were stored together: where they stand, and behind which hand."""

    key: str
    hand: str  # account, "" = at the start of their source
    source: str
    position: int
    versions: list[int]
    events: list[Event]
    next_hand: str = ""  # the hand before which they stand, where `hand` says nothing
    is_in_force: bool = False
    is_voided_by_rule: bool = False  # they were voided by a rule, if they were


def compare_editions(
    ledger: Ledger,
    stream: UUID,
    edition: SourceEdition,
    mine: Callable[[str], bool],
    bound: Callable[[Iterable[str], int], str],
) -> EditionChanges:
    """Compare what a table was told by earlier editions with what this one tells.

    `mine` says of a source whether it is an edition of this one, `bound` why facts behind a hand of these
    accounts, at that place in the log, are left to people.
    """
    commits = ledger.stream(stream)
    facts = any((commit.key or "").startswith("table:") for commit in commits)
    if not facts and sum(commit.count for commit in commits) <= len(edition.hands) + 1:
        return EditionChanges()  # the table was opened, and told of no other hands than these
    return _EditionComparison(ledger.entries(stream), edition, mine, bound).find_changes()


class _EditionComparison:
    def __init__(
        self,
        entries: list[Entry],
        edition: SourceEdition,
        mine: Callable[[str], bool],
        bound: Callable[[Iterable[str], int], str],
    ) -> None:
        self._edition, self._is_own_source, self._find_binding = edition, mine, bound
        told = from_entries(entries)
        self._groups = _group_facts(entries, {one.version for one in apply_table_corrections(told)})
        self._accounts: dict[str, list[str]] = {}  # first account of a hand → all of them
        self._first_accounts: dict[str, str] = {}
        for hand in group_hands(apply_table_corrections(told)):
            sure = [a.hand.hand for a in hand.accounts if a.hand.hand not in hand.doubtful]
            self._accounts[sure[0]] = sure
            self._first_accounts.update(dict.fromkeys(sure, sure[0]))
        walked = [one.event.hand for one in sort_entries(told) if isinstance(one.event, HandPlayed)]
        self._hand_index = {self._first_accounts.get(hand, hand): at for at, hand in enumerate(walked)}
        self._family_indexes = {
            self._hand_index[self._first_account(entry.event.hand)]
            for entry in entries
            if isinstance(entry.event, HandPlayed)
            and mine(_source_of(entry))
            and self._first_account(entry.event.hand) in self._hand_index
        }
        self._told_indexes = {
            self._hand_index[home]
            for hand in edition.hands.values()
            if (home := self._first_account(hand)) in self._hand_index
        }

        own = {entry.event.hand for entry in entries if isinstance(entry.event, HandPlayed) and mine(_source_of(entry))}
        standing = [hand.stands.hand for hand in group_hands(apply_table_corrections(told))]
        self._untold_hands = {
            at: hand
            for hand in standing
            if hand.hand in own
            and not hand.voided
            and (at := self._hand_index.get(self._first_account(hand.hand), -1)) >= 0
            and at not in self._told_indexes
        }

    def _first_account(self, hand: str) -> str:
        return self._first_accounts.get(hand, hand)

    def _anchor_account(self, one: AnchoredFact) -> str:
        if one.hand is None:
            return ""
        return self._first_account(self._edition.hands.get(one.hand.hand, one.hand.hand))

    def find_changes(self) -> EditionChanges:
        """Return what the table is told."""
        if not self._told_indexes:
            return EditionChanges()
        keys = {one.fact.key for one in self._edition.facts}
        fallen: list[_FactGroup] = []
        kept: dict[str, KeptFacts] = {}
        for group in self._groups:
            if not (group.is_in_force and group.key not in keys and self._is_own_source(group.source)):
                continue
            if not self._covers(group):
                continue
            home = self._first_account(group.hand or group.next_hand)
            why = self._find_binding(self._accounts.get(home, [home]), group.position)
            if why:
                kept[self._first_account(group.hand)] = KeptFacts(group.hand, why)
            else:
                fallen.append(group)
        told = [(self._anchor_account(f), event) for f in self._edition.facts for event in f.fact.account.events]
        count = sum((self._first_account(group.hand), event) not in told for group in fallen for event in group.events)
        again = self._find_repeated(kept, fallen)
        versions = sorted({version for group in fallen for version in group.versions})
        left = tuple(self._untold_hands[at] for at in sorted(self._untold_hands))
        return EditionChanges(tuple(versions), tuple(again), tuple(kept.values()), count, left)

    def _covers(self, group: _FactGroup) -> bool:
        """Tell whether this edition tells the stretch of the table that these facts stand in."""
        low, high = min(self._told_indexes), max(self._told_indexes)
        if not group.hand:
            return self._hand_index.get(self._first_account(group.next_hand)) in self._told_indexes
        at = self._hand_index.get(self._first_account(group.hand))
        if at is None or at < low:
            return False
        return at < high or (at == high and not any(other > at for other in self._family_indexes))

    def _find_repeated(self, kept: dict[str, KeptFacts], fallen: list[_FactGroup]) -> list[AnchoredFact]:
        """Return what is told again: what a rule had voided, and what would stand in a wrong order.

        Where facts had to stay, those that this edition tells instead of them do not hold.
        """
        of: dict[tuple[str, str], list[_FactGroup]] = {}
        for group in self._groups:
            of.setdefault((group.key, self._first_account(group.hand)), []).append(group)
        reached: dict[str, int] = {}  # by hand: the version behind which the next facts belong
        again: list[AnchoredFact] = []
        for one in self._edition.facts:
            hand = self._anchor_account(one)
            groups = of.get((one.fact.key, hand), [])
            held_one = next((group for group in groups if group.is_in_force), None)
            if hand in kept:
                if held_one and held_one.position > self._last_kept_position(hand):
                    fallen.append(held_one)
            elif held_one is None:
                if any(group.is_voided_by_rule for group in groups):
                    again.append(one)
                    reached[hand] = _LAST_VERSION
            elif held_one.versions[0] >= reached.get(hand, 0):
                reached[hand] = held_one.versions[-1]
            elif self._is_own_source(held_one.source):
                fallen.append(held_one)
                again.append(one)
                reached[hand] = _LAST_VERSION
        return again

    def _last_kept_position(self, hand: str) -> int:
        keys = {one.fact.key for one in self._edition.facts}
        return max(
            group.position
            for group in self._groups
            if group.is_in_force and group.key not in keys and self._first_account(group.hand) == hand
        )


def _group_facts(entries: list[Entry], holding: set[int]) -> list[_FactGroup]:
    """Return the facts of a table's stream as they were stored, each with the hand it follows."""
    found: list[_FactGroup] = []
    last: dict[str, str] = {}  # by source: the hand that it told last
    waiting: dict[str, list[_FactGroup]] = {}
    ruled: set[int] = set()
    key = ""
    for entry in entries:
        event, source = entry.event, _source_of(entry)
        if isinstance(event, HandPlayed):
            last[source] = event.hand
            for group in waiting.pop(source, []):
                group.next_hand = event.hand
        elif isinstance(event, CorrectionMade) and entry.recorded.by == "import":
            ruled.update(event.voids)
        if not entry.recorded.key.startswith("table:"):
            key = ""
            continue
        if entry.recorded.key != key:
            key = entry.recorded.key
            group = _FactGroup(key.partition(" ")[0], last.get(source, ""), source, entry.position, [], [])
            if isinstance(event, OrderTold):
                group.hand, group.next_hand = event.after_hand, event.before_hand
            elif not group.hand:
                waiting.setdefault(source, []).append(group)
            found.append(group)
        found[-1].versions.append(entry.version)
        if not isinstance(event, OrderTold):
            found[-1].events.append(event)
    for group in found:
        group.is_in_force = any(version in holding for version in group.versions)
        group.is_voided_by_rule = not ruled.isdisjoint(group.versions)
        if group.is_in_force and group.is_voided_by_rule:
            group.source = ""  # somebody took the rule's word back: it is theirs now
    return found


def _source_of(entry: Entry) -> str:
    return entry.recorded.source.source if entry.recorded.source else ""


def change_drafts(
    stream: UUID, settled: EditionChanges, first: HandPlayed | None, recorded: Provenance, why: str, turn: str
) -> Sequence[Draft]:
    """Return what a table is told in so many commits. `turn` makes keys new that were used before."""
    drafts: list[Draft] = []
    if settled.voids:
        made = CorrectionMade(settled.voids, settled.voids[-1], 0, "software", "", why)
        drafts.append(Draft("table", stream, None, 1, _encode([made]), b"", recorded))
    for fact, hand in settled.repeated:
        order = OrderTold("", "")
        if hand is not None:
            order = OrderTold(hand.number, "", hand.hand)
        elif first is not None:
            order = OrderTold("", first.number, "", first.hand)
        place = recorded.source
        if place is not None:
            place = place._replace(start=fact.account.start, length=fact.account.length)
        key = f"{fact.key} again {turn}"
        drafts.append(fact_draft(fact, order, recorded._replace(key=key, source=place)))
    return drafts


_LAST_VERSION: Final = 1 << 62
