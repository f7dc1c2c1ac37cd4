"""`handledger evidence`: write a hand or a case as a file that anyone can check offline."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.documents.command_documents import EvidenceDocument
from cli.options import common_options, ledger_options
from cli.output import console
from cli.proofs import evidence_builder as builder
from ledger.case import case_errors
from ledger.evidence import evidence_errors
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook
from projections.addresses.address_grammar import quote_for_shell

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.store import Ledger

VERIFIER: Final = "verify_hlev.py"

Lake = Annotated[
    Path | None,
    typer.Option("--lake", metavar="DIR", help="Take the hand from this lake, not from a ledger.", show_default=False),
]

Checkpoint = Annotated[
    int | None,
    typer.Option(
        "--checkpoint",
        metavar="SIZE",
        min=1,
        help="Use the checkpoint of SIZE commits. Default: the first with a time stamp that covers the hand, or the newest.",
    ),
]


def command(
    address: Annotated[
        str, typer.Argument(help="A hand, or case:NUMBER.", autocompletion=common_options.complete_hands)
    ],
    *,
    output_file: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write: hand.hlev.")],
    audience: Annotated[
        str,
        typer.Option("--as", metavar="AUDIENCE", help="The reader: house, public, or a player's name at the table."),
    ] = "house",
    books: Annotated[
        list[str] | None,
        typer.Option(
            "--rulebook",
            "-r",
            metavar="BOOK",
            autocompletion=common_options.complete_books,
            help="Add this rulebook and its findings from this hand alone. Repeatable.",
        ),
    ] = None,
    purpose: Annotated[str, typer.Option("--purpose", help="The purpose, recorded in the house's record.")] = "",
    verifier: Annotated[
        bool, typer.Option("--verifier", help=f"Also write {VERIFIER}, the program that checks it.")
    ] = False,
    checkpoint: Checkpoint = None,
    lake: Lake = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
) -> None:
    """Write a hand as evidence that others can verify."""
    from projections.books.shelf import load_books

    program = _read_verifier(output_file) if verifier else b""
    request = builder.EvidenceRequest(output_file, audience, [], purpose, checkpoint)
    if lake is not None:
        from cli.proofs.evidence_lake import write_lake_evidence

        document = write_lake_evidence(lake, url, address, request, books)
    else:
        with ledger_options.open_ledger(url, read_only=False) as ledger, console.show_progress("proving"):
            document = _make_evidence(ledger, address, request.with_books(load_books(ledger, books)))
    if verifier:
        console.write_bytes(program, output_file.with_name(VERIFIER))
    if format_ == "json":
        console.write_document(document)
    else:
        console.write_text(_format_document(document))


def _format_document(document: EvidenceDocument) -> str:
    """Return the result as text, with the next commands."""
    stamps_text = f" and {document.stamps} time stamp{'s' * (document.stamps != 1)}" if document.stamps else ""
    return "\n".join(
        [
            f"{document.file}: {document.length:,} bytes, proved by the checkpoint of {document.size:,} commits{stamps_text}",
            f"sha256 {document.sha256}",
            *([_name_answers(document.answers)] if document.answers else []),
            *([_name_left_out(document.left_out)] if document.left_out else []),
            f"To check it: handledger verify {quote_for_shell(document.file)} --key {shlex.quote(document.key)}",
            "  Send readers this public key separately from the file, so that they know whose it is.",
            *(
                f"The case concerns a hand. To write its evidence: handledger evidence {quote_for_shell(hand)} -o FILE"
                for hand in document.addresses
            ),
            *(
                f"The case concerns a hand of another ledger. To write its evidence: handledger evidence {hand} --lake LAKE -o FILE"
                for hand in document.elsewhere
            ),
            *(f"A lake has no {missing_part}" for missing_part in document.lacks),
            *([] if document.recorded else [_UNRECORDED]),
        ]
    )


def _name_answers(count: int) -> str:
    """Return the sentence about the answers in the file that completed a hand's notes."""
    answers = f"{count} answers that complete" if count > 1 else "the answer that completes"
    return f"{builder.ANSWERS_MEMBER} has {answers} the notes of this hand; no signature covers it."


def _name_left_out(citations: list[str]) -> str:
    """Return the sentence about findings that the file can't contain."""
    count = len(citations)
    findings = "1 finding that needs" if count == 1 else f"{count} findings that need"
    return f"Left out: {findings} earlier hands ({', '.join(dict.fromkeys(citations))})."


_UNRECORDED: Final = (
    "Nobody recorded who gets this file: a lake is read-only. To record it in a ledger, add --ledger LEDGER."
)


def _read_verifier(output_file: Path) -> bytes:
    """Return the single-file verifier; `UsageError` if another file next to the evidence has its name."""
    from ledger.evidence import offline

    data, verifier_path = Path(offline.__file__).read_bytes(), output_file.with_name(VERIFIER)
    if output_file.name == VERIFIER or (verifier_path.exists() and verifier_path.read_bytes() != data):
        raise evidence_errors.verifier_in_the_way(str(verifier_path))
    return data


def _make_evidence(ledger: Ledger, address: str, request: builder.EvidenceRequest) -> EvidenceDocument:
    """Write the file, and record in the house's stream for whom."""
    from ledger.store.seals import sealer, time_stamps

    stream = _find_stream(ledger, address)
    links = _list_linked_hands(ledger, stream) if address.startswith("case:") else {}
    linked_hands = [hand for hand in links if not links[hand]]
    if request.books and address.startswith("case:"):
        command = ""
        if linked_hands:
            typed_hand = quote_for_shell(AddressBook(ledger).find_stream_address(linked_hands[0]) or linked_hands[0])
            command = f"handledger evidence {typed_hand} -r BOOK -o FILE"
        raise evidence_errors.book_for_case(command)
    builder.find_audience(ledger, stream, request.audience)
    if sealer.read_sealed_position(ledger) == 0:
        raise evidence_errors.never_sealed()
    note = (
        sealer.checkpoint(ledger, request.size) if request.size else time_stamps.find_proving_checkpoint(ledger, stream)
    )
    document = builder.write_evidence(ledger, stream, request, note)
    address_book = AddressBook(ledger)
    document.hands, document.addresses = (
        linked_hands,
        [address_book.find_stream_address(hand) or hand for hand in linked_hands],
    )
    document.elsewhere = [hand for hand in links if links[hand]]
    document.left_out = builder.list_findings_left_out(ledger, stream, request.books)
    builder.record_evidence(
        ledger, stream, document, builder.find_audience(ledger, stream, request.audience), request.purpose
    )
    return document


def _find_stream(ledger: Ledger, address: str) -> UUID:
    if address.startswith("case:"):
        from ledger.streams import case_stream

        number = address.removeprefix("case:")
        stream = case_stream(number)
        if ledger.commit_of(stream) is None:
            raise case_errors.unknown_case(number)
        return stream
    return hand_address.find(ledger, address).row.stream


def _list_linked_hands(ledger: Ledger, case: UUID) -> dict[str, str]:
    """Return the ids of a case's hands, each with the id of the ledger it's from, "" for this one."""
    from ledger.case.events import CaseLinked

    return {event.hand: event.ledger for event in ledger.events(case) if isinstance(event, CaseLinked)}
