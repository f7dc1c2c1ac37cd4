"""What all files together come to: which of them were read before, what the house records of them, the lake's manifest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from ledger.account import Reject, write_detail
from ledger.entry import Recorded
from ledger.house.events import LedgerCreated, SourceImported, SourceRejected
from ledger.intake.accounts import Editions
from ledger.intake.arriving import Came
from ledger.intake.importing import imported_of, said_again
from ledger.intake.recognising import told as as_told
from ledger.intake.summary import ACCOUNTS_SHOWN, COUNTED, REJECTS_SHOWN, FileSummary, ImportSummary
from ledger.lake import layout
from ledger.lake.layout import Log, Manifest, Receipt, Straight
from ledger.lake.several import account, house_written, root
from ledger.lake.writing import sheet
from ledger.store import Draft
from ledger.store.database import Row
from ledger.store.sources import imported_key
from ledger.streams import HOUSE
from projections.findings.doubts import SOUND, Spoiled, bits_of
from projections.shards import shard_plan
from projections.table_walk.rejected_lines import standing
from projections.table_walk.unread_lines import Told as Where
from projections.table_walk.unread_lines import beside

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.intake.apart import Told
    from ledger.store import Ledger
    from projections.shards.shard_plan import Plan

Marked: TypeAlias = Callable[[dict[str, dict[str, int]], Sequence[Receipt]], list[Receipt]]
"""Marks hands of shards, by shard and stream; returns the receipts of all."""

_encode: Final = msgspec.json.Encoder().encode


class Arrived(msgspec.Struct):
    """What came of a shard. `shard` and `log` none: it was told nothing."""

    plan: str
    came: dict[int, Came]
    shard: Receipt | None = None
    log: Log | None = None
    hands: dict[str, list[Where]] = {}  # of sources beside whose lines hands may be marked


@dataclass(slots=True)
class Settled:
    """What is decided of files in their order, before their hands come into any log."""

    told: list[Told]
    known: dict[int, int] = field(default_factory=dict)  # a source that was read before → when it was
    family: dict[int, list[SourceImported]] = field(default_factory=dict)
    again: dict[int, str] = field(default_factory=dict)  # makes it said anew that a source was read
    faulty: set[int] = field(default_factory=set)
    arrived: list[Arrived] = field(default_factory=list)

    @property
    def passed(self) -> set[int]:
        """Sources that tell no shard anything."""
        return {at for at, one in enumerate(self.told) if one.summary.outcome != "read"} | self.known.keys()

    @property
    def beside(self) -> set[str]:
        """Sources of which lines were not read, or may turn out not to be."""
        return {one.summary.source for one in self.told if (one.rejects or one.corrects) and one.reader}

    def same(self, other: Settled) -> bool:
        """Tell whether the same was decided."""
        return (self.known, self.family, self.again) == (other.known, other.family, other.again)

    def key(self, plan: Plan) -> str:
        """Return what tells these decisions from others, hex."""
        family = [[at, [[one.source, one.origin, one.told] for one in some]] for at, some in self.family.items()]
        read = [[one.summary.source, one.summary.outcome] for one in self.told]
        said = [plan.ledger, plan.at, plan.shards, plan.made_of, sorted(self.known.items()), family, read]
        return sha256(json.dumps(said).encode("ascii")).hexdigest()


def settled(house: Ledger, told: list[Told], refused: set[int]) -> Settled:
    """Decide which sources were read before, and which are one source told anew, as an import does on its way.

    `refused`: sources with corrections that do not fit.
    """
    found = Settled(told, faulty=refused | {at for at, one in enumerate(told) if one.faults})
    editions = Editions(house)
    read: dict[tuple[str, str], int] = {}
    for at, one in enumerate(told):
        if one.summary.outcome != "read":
            continue
        source, keys = one.summary.source, one.place.keys
        if editions.finished(source, one.reader, keys) is not None:
            found.known[at] = read[source, one.reader]
            continue
        family = editions.family(keys)
        if family:
            found.family[at] = family
        if editions.overtaken(source, keys):
            found.again[at] = f":again {editions.read}"
        if at not in found.faulty:
            editions.learn(imported_of(one.summary, one.reader, "", one.place, kept=True))
            read[source, one.reader] = at
    return found


def sealed(
    house: Ledger, folder: Path, plan: Plan, made: Settled, sources: list[Receipt], marked: Marked
) -> tuple[ImportSummary, Manifest]:
    """Write what is left of a lake: marks, the house's log, accounts, rejects, and the manifest last."""
    rejects = _summed(made)
    _recorded(house, folder, plan, made, rejects, sources)
    stands = {(event.source, event.start) for event in standing(house)}
    there = [(one.shard, one.log) for one in made.arrived if one.shard is not None and one.log is not None]
    shards = marked(_marks(house, made), [shard for shard, _ in there])
    house_file, house_log = house_written(house, folder, plan.made_of)
    logs = [house_log, *(log for _, log in there)]
    files = [_row(at, one.summary) for at, one in enumerate(made.told)]
    told = sheet(folder, "files.parquet", plan.made_of, layout.FILES, files)
    spans = (
        (at, source, r.line, r.start, r.length, r.code, _detail(r), int((source, r.start) in stands))
        for at, source, some in rejects
        for r in some
    )
    refused = sheet(folder, "rejects.parquet", plan.made_of, layout.REJECTS, spans)
    whole = root(logs, [told, refused, *sources])
    straight = Straight(
        logs, whole, plan.ids, plan.shards, plan.made_of, account(files), told, refused, sources
    )  # fmt: skip
    manifest = Manifest(
        layout.SEVERAL,
        plan.ledger,
        sum(one.position for one in logs),
        whole,
        sum(one.commits for one in logs),
        "",
        shards,
        house_file,
        straight=straight,
    )
    layout.write(folder / layout.MANIFEST, msgspec.json.encode(manifest))
    return ImportSummary([one.summary for one in made.told]), manifest


def _detail(reject: Reject) -> bytes:
    return write_detail(reject).encode("utf-8", "surrogatepass")


def _row(number: int, summary: FileSummary) -> Row:
    counts = summary.length, summary.read, summary.blank, summary.rejected_bytes, summary.not_read
    return number, layout.plain(summary.name), summary.source, summary.sha256, *counts, shard_plan.encoded(summary)


def _summed(made: Settled) -> list[tuple[int, str, list[Reject]]]:
    """Write into every summary what came of the source in all shards; return what was rejected, source by source."""
    for arrived in made.arrived:
        for at, came in arrived.came.items():
            summary = made.told[at].summary
            for name in COUNTED:
                setattr(summary, name, getattr(summary, name) + came.counts.get(name, 0))
            summary.accounts += came.accounts
            made.told[at].rejects += came.refused
            summary.rejected += len(came.refused)
            moved = sum(one.length for one in came.refused)
            summary.rejected_bytes, summary.read = summary.rejected_bytes + moved, summary.read - moved
    rejects = []
    for at, one in enumerate(made.told):
        summary = one.summary
        if at in made.known:
            before = made.told[made.known[at]]
            said_again(summary, imported_of(before.summary, before.reader, "", before.place, kept=True))
            summary.rejects = before.summary.rejects
            continue
        if summary.outcome == "failed":
            continue
        one.rejects.sort(key=lambda reject: reject.start)
        summary.rejects = [as_told(reject) for reject in one.rejects[:REJECTS_SHOWN]]
        summary.accounts = sorted(summary.accounts, key=lambda one: (one.number, one.hand))[:ACCOUNTS_SHOWN]
        if one.rejects and summary.source:  # what is large and no text has no name here
            rejects.append((at, summary.source, one.rejects))
    return rejects


def _recorded(
    house: Ledger,
    folder: Path,
    plan: Plan,
    made: Settled,
    rejects: list[tuple[int, str, list[Reject]]],
    sources: Sequence[Receipt],
) -> None:
    """Write the log of the house: which sources were read, and what of them was not."""
    text = house.people.text
    spans = {at: some for at, _, some in rejects}
    asked = _compared(made) if rejects else set()
    with house.bulk():
        opened = LedgerCreated(plan.ledger, software=f"handledger {plan.version}", ids=plan.ids)
        house.append_all([_draft(plan, [opened], "created")])
        for at, one in enumerate(made.told):
            summary = one.summary
            if at in made.known or summary.outcome == "failed" or not summary.source:
                continue
            name = text(summary.name)
            if summary.source in asked:
                house.sources.put(_bytes(folder, sources, summary.source), name)
            elif rejects:
                house.sources.call(summary.source, name)
            drafts = []
            if at in spans:
                events: list[Event] = [
                    SourceRejected(summary.source, r.start, r.length, r.line, r.code, text(write_detail(r)))
                    for r in spans[at]
                ]
                drafts.append(_draft(plan, events, f"rejected:{summary.source}:{one.reader}:0"))
            if one.reader and at not in made.faulty:
                done = imported_of(summary, one.reader, name, one.place, kept=True)
                drafts.append(_draft(plan, [done], imported_key(done, made.again.get(at, ""))))
            house.append_all(drafts)


def _draft(plan: Plan, events: Sequence[Event], key: str) -> Draft:
    recorded = Recorded(plan.at, "system", "import", key)
    return Draft("house", HOUSE, None, len(events), _encode(events), b"", recorded)


def _compared(made: Settled) -> set[str]:
    """Return the sources whose bytes may be compared, to see whether a later one made right what was rejected."""
    by_key: dict[str, set[str]] = {}
    for one in made.told:
        for key in {one.summary.name, *one.place.keys}:
            by_key.setdefault(key, set()).add(one.summary.source)
    return {source for some in by_key.values() if len(some) > 1 for source in some}


def _bytes(folder: Path, sources: Sequence[Receipt], digest: str) -> Iterator[bytes]:
    for one in sources:
        found = False
        for source, _, _, _, block in layout.rows(folder / one.name, 16):
            if source == digest:
                found = True
                yield block
        if found:
            return


def _marks(house: Ledger, made: Settled) -> dict[str, dict[str, int]]:
    """Return what of hands, or beside them, was not read, as bits, by shard and by the id of the stream, hex."""
    hands: dict[str, list[Where]] = {}
    shard_of: dict[str, str] = {}
    for arrived in made.arrived:
        for digest, some in arrived.hands.items():
            hands.setdefault(digest, []).extend(some)
            shard_of.update((one.stream.hex(), arrived.shard.name) for one in some if arrived.shard is not None)
    found: dict[str, Spoiled] = {}

    def mark(stream: str, **what: bool) -> None:
        found[stream] = found.get(stream, SOUND)._replace(**what)

    beside(standing(house), lambda some: [(one, hand) for one in some for hand in sorted(hands.get(one, []))], mark)
    marks: dict[str, dict[str, int]] = {}
    for stream, one in found.items():
        marks.setdefault(shard_of[stream], {})[stream] = bits_of(one)
    return marks
