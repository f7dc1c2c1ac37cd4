"""Build evidence from a ledger or a lake for a reader, and check it before it's written."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import typer

from cli.documents.command_documents import EvidenceDocument
from cli.output import console
from ledger import safe
from ledger.errors import NothingFoundError, SigningKeyError
from ledger.evidence import evidence_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from uuid import UUID

    from ledger.entry import SourceSpan
    from ledger.event import Event
    from ledger.formats.handscript import SpanAnswers
    from ledger.hand.events import HandEvent
    from ledger.seal.note import InclusionProof
    from ledger.store import Ledger
    from ledger.vocabulary import PlayerId
    from projections.audit.audit_result import AuditResult
    from projections.books.rulebook import Rulebook


ANSWERS_MEMBER: Final = "view/answers.txt"
"""The member with the answers to questions about a hand's notes."""


class EvidenceRequest(NamedTuple):
    """The evidence to write: file, reader, rulebooks, purpose, and the size of the checkpoint (None = choose one)."""

    output_file: Path
    audience: str
    books: list[Rulebook]
    purpose: str
    size: int | None

    def with_books(self, books: list[Rulebook]) -> EvidenceRequest:
        """Return the request with some books, named as in their files, as the reader of the evidence knows them."""
        request = self._replace(books=[replace(book, name=book.plain_name) for book in books])
        unprovable_books = [book.name for book in books if len(book.own_files) > 1] if request.bases is None else []
        for book_name in unprovable_books:
            typer.echo(
                f"{safe.terminal(book_name, 60)} extends more files of the house's own than there is room for in evidence: "
                "whoever gets it can read the findings, and not find them again.",
                err=True,
            )
        return request

    @property
    def bases(self) -> dict[str, bytes] | None:
        """The members with the house's files that the books extend; None if they are too many."""
        from cli.proofs.refound_findings import MAX_BASES, build_base_members

        base_files = {name: data for book in self.books for name, data in build_base_members(book).items()}
        is_complete = len(base_files) == sum(len(book.own_files) - 1 for book in self.books)
        return base_files if is_complete and len(base_files) <= MAX_BASES else None


def write_evidence(
    ledger: Ledger,
    stream: UUID,
    request: EvidenceRequest,
    note: str,
    proof: Callable[[int], InclusionProof] | None = None,
    extract: Callable[[str, int, int], bytes] | None = None,
    key: str = "",
) -> EvidenceDocument:
    """Write the evidence of a stream, proved by the checkpoint `note`, after checking it as its reader will.

    For a hand of a lake, `proof` returns the proof of a position, `extract` bytes of a source by id, start and length, and
    `key` is the public key of the note's signature.
    """
    from ledger.evidence.bundle import make_bundle
    from ledger.seal.note import read_checkpoint, read_note
    from ledger.store.seals import sealer, time_stamps

    reader = find_audience(ledger, stream, request.audience)
    rule_files = _build_rule_files(request.books)
    other_members = (
        build_findings_member(ledger, stream, request.books) | (request.bases or {}) if request.books else {}
    )
    if reader == "house":
        other_members |= build_view_members(ledger, stream, extract)
    data = make_bundle(
        ledger,
        stream,
        note,
        audience=reader,
        rule_files=rule_files,
        further_members=other_members,
        prove_position=proof,
    )
    checkpoint = read_checkpoint(read_note(note))
    signer_key = key or sealer.find_signing_key(ledger, checkpoint.size)
    with console.PendingOutput(request.output_file) as draft:
        draft.write(data)
        _require_valid(draft.read_all(), signer_key)
        draft.publish()
    return EvidenceDocument(
        file=str(request.output_file),
        sha256=sha256(data).hexdigest(),
        length=len(data),
        audience=request.audience,
        origin=checkpoint.origin,
        size=checkpoint.size,
        stamps=len(time_stamps.list_stamps(ledger, checkpoint.size)),
        key=signer_key,
        answers=max(0, other_members.get(ANSWERS_MEMBER, b"").count(b"\n") - 2),  # below two lines of heading
    )


def _require_valid(data: bytes, key: str) -> None:
    """Check evidence as its reader will; `ProofError` if it isn't valid."""
    from cli.proofs import evidence_check

    try:
        document = evidence_check.check_bytes("", data, key)
    except SigningKeyError as error:
        raise evidence_errors.log_key_damaged(error.message) from None
    if not document.holds:
        raise evidence_errors.evidence_not_valid(
            document.reason, document.code, is_too_large=document.code in ("container", "large")
        )


def _build_rule_files(books: list[Rulebook]) -> dict[str, bytes]:
    """Return the rulebooks' files by the names of their members."""
    from cli.proofs.refound_findings import name_rule_member

    rule_files = {name_rule_member(book.name).removeprefix("rules/"): book.data for book in books}
    if len(rule_files) < len(books):
        raise evidence_errors.same_book_names()
    return rule_files


def find_audience(ledger: Ledger, stream: UUID, audience: str) -> str:
    """Return "house", "public", or the id of the player with this name in a hand or a case."""
    if audience in ("house", "public"):
        return audience
    people = _list_people(ledger.events(stream))
    matches = [player for player in people if audience in (ledger.people.name(player), player)]
    if len(matches) != 1:
        raise evidence_errors.unknown_audience(audience)
    return matches[0]


def _list_people(events: Sequence[Event]) -> list[PlayerId]:
    """Return the players of a hand, or the people of a case, without repeats."""
    from typing import get_args

    from ledger.case.events import CaseEvent
    from ledger.hand.opening import SeatDealtIn, SeatLeftOut

    players: list[PlayerId] = []
    for event in events:
        if isinstance(event, (SeatDealtIn, SeatLeftOut)):
            players.append(event.player)
        elif isinstance(event, get_args(CaseEvent)):
            players += [getattr(event, field, "") for field in ("person", "player")]
    return [player for player in dict.fromkeys(players) if player]


def build_findings_member(ledger: Ledger, stream: UUID, books: list[Rulebook]) -> dict[str, bytes]:
    """Return the member with the books' findings in the hand alone, which the verifier can repeat."""
    from cli.proofs.refound_findings import NAME, encode_findings

    hand_row = ledger.hand(stream.hex)
    return {NAME: encode_findings(_judge_alone(ledger, stream, books), 1 if hand_row is None else hand_row.session)}


def _judge_alone(ledger: Ledger, stream: UUID, books: list[Rulebook]) -> AuditResult:
    """Return the audit of a hand without its table."""
    from ledger.replay import HandReplay
    from projections.audit.auditor import audit

    entries = ledger.entries(stream)
    events = [cast("HandEvent", entry.event) for entry in entries]
    hand_row = ledger.hand(stream.hex)
    session = 1 if hand_row is None else hand_row.session
    return audit([HandReplay(events, [entry.mark for entry in entries], stream, session=session)], books)


def list_findings_left_out(ledger: Ledger, stream: UUID, books: list[Rulebook]) -> list[str]:
    """Return book and clause of the findings that the hand has at its table, but not by itself."""
    from ledger.store.requests.stored_hands import group_rows_by_table
    from projections.audit.auditor import Auditor
    from projections.table_walk.replay import walk_hands

    hand_row = ledger.hand(stream.hex)
    if hand_row is None or not books:
        return []
    at_table = Auditor(books).judge_hands(walk_hands(ledger, group_rows_by_table([hand_row]), books))
    alone = {
        (finding.book, finding.clause, finding.version) for finding in _judge_alone(ledger, stream, books).findings
    }
    return [
        finding.citation
        for finding in at_table.findings
        if (finding.book, finding.clause, finding.version) not in alone
    ]


def build_view_members(
    ledger: Ledger, stream: UUID, extract: Callable[[str, int, int], bytes] | None = None
) -> dict[str, bytes]:
    """Return the members with the hand or case as text, and the source bytes that it was read from."""
    from ledger.account import SectionAccount
    from ledger.case.events import CaseOpened
    from ledger.formats.handscript import write_lines, write_told

    entries = ledger.entries(stream)
    events = [entry.event for entry in entries]
    if isinstance(events[0], CaseOpened):
        times = {
            entry_index: entry.mark.time for entry_index, entry in enumerate(entries) if entry.mark.time is not None
        }
        case = SectionAccount("case", events[0].number, events, [], 0, 0, times=times)
        return {"view/case.txt": write_told(case, ledger.people).encode("utf-8", "surrogatepass")}
    lines = write_lines(events, ledger.people)
    members = {"view/hand.txt": ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")}
    source_span = entries[0].recorded.source
    if source_span is not None:
        read_piece = extract or ledger.sources.slice
        try:
            data = read_piece(source_span.source, source_span.start, source_span.length)
        except NothingFoundError:
            return members
        if len(data) < source_span.length:
            return members  # a lake may lack parts of it
        members[f"source/{source_span.source[:32]}-{source_span.start}"] = data
        if answers := find_hand_answers(read_piece, source_span):
            members[ANSWERS_MEMBER] = _name_lines(answers).encode() + answers.section
    return members


def find_hand_answers(read_piece: Callable[[str, int, int], bytes], span: SourceSpan) -> SpanAnswers | None:
    """Return the answers that completed the notes of a hand; None if there are none.

    `read_piece` returns bytes of a source by its id, start and length, fewer at its end.
    """
    from ledger.formats.handscript import NIGHT_MOST, find_span_answers

    data = read_piece(span.source, 0, 2 * NIGHT_MOST)
    return find_span_answers(data, span.start, span.length) if len(data) < 2 * NIGHT_MOST else None


def _name_lines(answers: SpanAnswers) -> str:
    return f"# The hand is lines {answers.first_line} to {answers.last_line} of its file. It was read with:\n"


def record_evidence(ledger: Ledger, stream: UUID, document: EvidenceDocument, audience: str, purpose: str) -> None:
    """Record in the house's stream for whom evidence was written."""
    from ledger.entry import Provenance
    from ledger.house.events import EvidenceIssued
    from ledger.streams import HOUSE

    event = EvidenceIssued(stream.hex, document.sha256, audience, ledger.people.text(purpose) if purpose else "")
    ledger.append("house", HOUSE, [event], recorded=Provenance(ledger.now(), writer="evidence"))
