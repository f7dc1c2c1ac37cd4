"""The parts of a direct import that need all files: decisions on sources, the house's log, rejects, the manifest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import msgspec

from ledger.account import Reject, write_detail
from ledger.entry import Provenance
from ledger.house.events import LedgerCreated, SourceImported, SourceRejected
from ledger.intake.accounts import Editions
from ledger.intake.finished_imports import import_event, report_duplicate
from ledger.intake.source_format import summarize_reject as as_told
from ledger.intake.spool_import import SourceArrival
from ledger.intake.summary import ACCOUNTS_SHOWN, COUNTED, REJECTS_SHOWN, FileSummary, ImportSummary
from ledger.lake import atomic_files, layout
from ledger.lake.layout import FileReceipt, LakeManifest, ShardLog, StraightImport
from ledger.lake.several import compute_logs_root, sum_accounts, write_house
from ledger.lake.shard_writer import write_sheet
from ledger.store import CommitDraft
from ledger.store.database.database import Row
from ledger.store.log.stored_sources import build_imported_key
from ledger.store.requests.open_rejects import iter_open_rejects
from ledger.streams import HOUSE
from projections.findings.doubts import ALL_READ, UnreadLines, pack_unread
from projections.shards.json_files import encode_json
from projections.table_walk.unread_lines import HandSpan, mark_hands_near_rejects

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.intake.apart import SpoolResult
    from ledger.store import Ledger
    from projections.shards.shard_plan import Plan

MarkShards: TypeAlias = Callable[[dict[str, dict[str, int]], Sequence[FileReceipt]], list[FileReceipt]]
"""Adds the bits for unread lines to hands, by shard and stream id; returns the receipts of all shards."""

_encode: Final = msgspec.json.Encoder().encode


class SourceRejects(NamedTuple):
    """The rejected spans of one source, by their position in it."""

    source_index: int
    digest: str
    rejects: list[Reject]


class ShardResult(msgspec.Struct):
    """The result of writing a shard."""

    plan: str  # digest of the decisions by which it was written
    arrivals: dict[int, SourceArrival]  # by source number: the part of the source that went into the shard
    shard: FileReceipt | None = None  # None = it got no hands
    log: ShardLog | None = None  # None = it got no hands
    hands: dict[str, list[HandSpan]] = {}  # spans of hands in sources with unread lines, by the source's digest


@dataclass(slots=True)
class SourceDecisions:
    """Decisions on the sources, made before any hand enters a log. Sources have numbers, counted from 0."""

    source_results: list[SpoolResult]
    earlier_reads: dict[int, int] = field(default_factory=dict)  # source → the earlier one with the same content
    earlier_versions: dict[int, list[SourceImported]] = field(default_factory=dict)  # source → earlier versions of it
    repeat_keys: dict[int, str] = field(default_factory=dict)  # source → suffix of the key of its repeated import
    faulty_sources: set[int] = field(default_factory=set)  # sources that don't count as imported
    shard_results: list[ShardResult] = field(default_factory=list)  # the shards written by these decisions

    @property
    def skipped_sources(self) -> set[int]:
        """The numbers of sources without hands for any shard."""
        return {
            source_index
            for source_index, source_result in enumerate(self.source_results)
            if source_result.summary.outcome != "read"
        } | self.earlier_reads.keys()

    @property
    def partly_read_sources(self) -> set[str]:
        """The digests of sources with unread lines, or with corrections that may be refused."""
        return {
            source_result.summary.source
            for source_result in self.source_results
            if (source_result.rejects or source_result.has_corrections) and source_result.reader
        }

    def has_same_decisions(self, decisions: SourceDecisions) -> bool:
        """Whether shards written by either decisions would be the same."""
        return (self.earlier_reads, self.earlier_versions, self.repeat_keys) == (
            decisions.earlier_reads,
            decisions.earlier_versions,
            decisions.repeat_keys,
        )

    def compute_digest(self, plan: Plan) -> str:
        """Return the digest of the plan and these decisions, hex."""
        earlier_versions = [
            [source_index, [[imported.source, imported.origin, imported.told] for imported in imports]]
            for source_index, imports in self.earlier_versions.items()
        ]
        outcomes = [
            [source_result.summary.source, source_result.summary.outcome] for source_result in self.source_results
        ]
        decisions = [
            plan.ledger_id,
            plan.imported_at,
            plan.shard_count,
            plan.input_digest,
            sorted(self.earlier_reads.items()),
            earlier_versions,
            outcomes,
        ]
        return sha256(json.dumps(decisions).encode("ascii")).hexdigest()


def decide_sources(house: Ledger, source_results: list[SpoolResult], refused: set[int]) -> SourceDecisions:
    """Decide which sources repeat earlier ones and which are corrected versions, as an import into a ledger does.

    `refused`: numbers of the sources with refused corrections.
    """
    decisions = SourceDecisions(
        source_results,
        faulty_sources=refused
        | {source_index for source_index, source_result in enumerate(source_results) if source_result.faults},
    )
    editions = Editions(house)
    read_sources: dict[tuple[str, str], int] = {}
    for source_index, source_result in enumerate(source_results):
        if source_result.summary.outcome != "read":
            continue
        source, keys = source_result.summary.source, source_result.origins.keys
        if editions.find_finished(source, source_result.reader, keys) is not None:
            decisions.earlier_reads[source_index] = read_sources[source, source_result.reader]
            continue
        earlier_versions = editions.find_family(keys)
        if earlier_versions:
            decisions.earlier_versions[source_index] = earlier_versions
        if editions.is_overtaken(source, keys):
            decisions.repeat_keys[source_index] = f":again {editions.sources_read}"
        if source_index not in decisions.faulty_sources:
            editions.learn(
                import_event(source_result.summary, source_result.reader, "", source_result.origins, keeps_bytes=True)
            )
            read_sources[source, source_result.reader] = source_index
    return decisions


def write_totals(
    house: Ledger,
    folder: Path,
    plan: Plan,
    decisions: SourceDecisions,
    sources: list[FileReceipt],
    mark_shards: MarkShards,
) -> tuple[ImportSummary, LakeManifest]:
    """Finish a lake: write the house's log, bits for unread lines and lists of files, and last the manifest."""
    rejects = _complete_summaries(decisions)
    _record_house_log(house, folder, plan, decisions, rejects, sources)
    standing_rejects = {(event.source, event.start) for event in iter_open_rejects(house)}
    shard_logs = [
        (result.shard, result.log)
        for result in decisions.shard_results
        if result.shard is not None and result.log is not None
    ]
    shards = mark_shards(_find_unread_bits(house, decisions), [shard for shard, _ in shard_logs])
    house_file, house_log = write_house(house, folder, plan.input_digest)
    logs = [house_log, *(log for _, log in shard_logs)]
    files = [
        _make_file_row(source_index, result.summary) for source_index, result in enumerate(decisions.source_results)
    ]
    file_sheet = write_sheet(folder, "files.parquet", plan.input_digest, layout.FILE_COLUMNS, files)
    reject_rows = (
        (
            source_index,
            source,
            reject.line,
            reject.start,
            reject.length,
            reject.code,
            _encode_reject_detail(reject),
            int((source, reject.start) in standing_rejects),
        )
        for source_index, source, source_rejects in rejects
        for reject in source_rejects
    )
    reject_sheet = write_sheet(folder, "rejects.parquet", plan.input_digest, layout.REJECT_COLUMNS, reject_rows)
    lake_root = compute_logs_root(logs, [file_sheet, reject_sheet, *sources])
    straight = StraightImport(
        logs,
        lake_root,
        plan.id_statement,
        plan.shard_count,
        plan.input_digest,
        sum_accounts(files),
        file_sheet,
        reject_sheet,
        sources,
    )
    manifest = LakeManifest(
        layout.SEVERAL_LOGS_SCHEMA,
        plan.ledger_id,
        sum(result.position for result in logs),
        lake_root,
        sum(result.commits for result in logs),
        "",
        shards,
        house_file,
        straight=straight,
    )
    atomic_files.write_file(folder / layout.MANIFEST_FILE, msgspec.json.encode(manifest))
    return ImportSummary([result.summary for result in decisions.source_results]), manifest


def _encode_reject_detail(reject: Reject) -> bytes:
    return write_detail(reject).encode("utf-8", "surrogatepass")


def _make_file_row(number: int, summary: FileSummary) -> Row:
    """Return a source's row in the list of files: number, names, counts, and the summary as JSON."""
    counts = summary.length, summary.read, summary.blank, summary.rejected_bytes, summary.not_read
    return (
        number,
        layout.replace_non_utf8(summary.name),
        summary.source,
        summary.sha256,
        *counts,
        encode_json(summary),
    )


def _complete_summaries(decisions: SourceDecisions) -> list[SourceRejects]:
    """Add the counts of all shards to the summaries; return the rejects of the sources that have any."""
    for shard_result in decisions.shard_results:
        for source_index, arrival in shard_result.arrivals.items():
            summary = decisions.source_results[source_index].summary
            for name in COUNTED:
                setattr(summary, name, getattr(summary, name) + arrival.counts.get(name, 0))
            summary.accounts += arrival.accounts
            decisions.source_results[source_index].rejects += arrival.rejects
            summary.rejected += len(arrival.rejects)
            refused_bytes = sum(reject.length for reject in arrival.rejects)
            summary.rejected_bytes, summary.read = summary.rejected_bytes + refused_bytes, summary.read - refused_bytes
    rejects = []
    for source_index, source_result in enumerate(decisions.source_results):
        summary = source_result.summary
        if source_index in decisions.earlier_reads:
            earlier_result = decisions.source_results[decisions.earlier_reads[source_index]]
            report_duplicate(
                summary,
                import_event(
                    earlier_result.summary, earlier_result.reader, "", earlier_result.origins, keeps_bytes=True
                ),
            )
            summary.rejects = earlier_result.summary.rejects
            continue
        if summary.outcome == "failed":
            continue
        source_result.rejects.sort(key=lambda reject: reject.start)
        summary.rejects = [as_told(reject) for reject in source_result.rejects[:REJECTS_SHOWN]]
        by_number = sorted(summary.accounts, key=lambda account: (account.number, account.hand))
        summary.accounts = by_number[:ACCOUNTS_SHOWN]
        if source_result.rejects and summary.source:  # a large file that isn't text has no digest
            rejects.append(SourceRejects(source_index, summary.source, source_result.rejects))
    return rejects


def _record_house_log(
    house: Ledger,
    folder: Path,
    plan: Plan,
    decisions: SourceDecisions,
    rejects: list[SourceRejects],
    sources: Sequence[FileReceipt],
) -> None:
    """Append the imported sources and their rejects to the house's log."""
    text = house.people.text
    spans = {source_index: source_rejects for source_index, _, source_rejects in rejects}
    compared_sources = _find_comparable_sources(decisions) if rejects else set()
    with house.bulk():
        creation = LedgerCreated(plan.ledger_id, software=f"handledger {plan.version}", ids=plan.id_statement)
        house.append_all([_build_draft(plan, [creation], "created")])
        for source_index, source_result in enumerate(decisions.source_results):
            summary = source_result.summary
            if source_index in decisions.earlier_reads or summary.outcome == "failed" or not summary.source:
                continue
            name = text(summary.name)
            if summary.source in compared_sources:
                house.sources.store(_iter_source_bytes(folder, sources, summary.source), name)
            elif rejects:
                house.sources.register_source(summary.source, name)
            drafts = []
            if source_index in spans:
                events: list[Event] = [
                    SourceRejected(
                        summary.source,
                        reject.start,
                        reject.length,
                        reject.line,
                        reject.code,
                        text(write_detail(reject)),
                    )
                    for reject in spans[source_index]
                ]
                drafts.append(_build_draft(plan, events, f"rejected:{summary.source}:{source_result.reader}:0"))
            if source_result.reader and source_index not in decisions.faulty_sources:
                imported = import_event(summary, source_result.reader, name, source_result.origins, keeps_bytes=True)
                drafts.append(
                    _build_draft(
                        plan, [imported], build_imported_key(imported, decisions.repeat_keys.get(source_index, ""))
                    )
                )
            house.append_all(drafts)


def _build_draft(plan: Plan, events: Sequence[Event], key: str) -> CommitDraft:
    """Return a commit to append to the house's stream, dated as the plan says."""
    provenance = Provenance(plan.imported_at, "system", "import", key)
    return CommitDraft("house", HOUSE, None, len(events), _encode(events), b"", provenance)


def _find_comparable_sources(decisions: SourceDecisions) -> set[str]:
    """Return the sources that share a name or key with another one, which may correct their rejects.

    The bytes of such sources are compared.
    """
    by_key: dict[str, set[str]] = {}
    for source_result in decisions.source_results:
        for key in {source_result.summary.name, *source_result.origins.keys}:
            by_key.setdefault(key, set()).add(source_result.summary.source)
    return {source for sources in by_key.values() if len(sources) > 1 for source in sources}


def _iter_source_bytes(folder: Path, sources: Sequence[FileReceipt], digest: str) -> Iterator[bytes]:
    """Yield the bytes of a source from the lake's files of sources."""
    for receipt in sources:
        has_source = False
        for source, _, _, _, block in layout.read_rows(folder / receipt.name, 16):
            if source == digest:
                has_source = True
                yield block
        if has_source:
            return


def _find_unread_bits(house: Ledger, decisions: SourceDecisions) -> dict[str, dict[str, int]]:
    """Return the bits of hands with unread lines in them or next to them, by shard and stream id (hex)."""
    spans_by_source: dict[str, list[HandSpan]] = {}
    shard_by_stream: dict[str, str] = {}
    for shard_result in decisions.shard_results:
        for digest, spans in shard_result.hands.items():
            spans_by_source.setdefault(digest, []).extend(spans)
            if shard_result.shard is not None:
                shard_by_stream |= dict.fromkeys((span.stream.hex() for span in spans), shard_result.shard.name)
    unread_lines: dict[str, UnreadLines] = {}

    def add_mark(stream: str, **flags: bool) -> None:
        unread_lines[stream] = unread_lines.get(stream, ALL_READ)._replace(**flags)

    mark_hands_near_rejects(
        iter_open_rejects(house),
        lambda digests: [(digest, span) for digest in digests for span in sorted(spans_by_source.get(digest, []))],
        add_mark,
    )
    unread_bits: dict[str, dict[str, int]] = {}
    for stream, lines in unread_lines.items():
        unread_bits.setdefault(shard_by_stream[stream], {})[stream] = pack_unread(lines)
    return unread_bits
