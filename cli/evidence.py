"""`handledger evidence`: one hand, or one case, as a file that a stranger can check offline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import evidence_made as made
from cli import opening, options, output
from cli.documents import EvidenceDocument
from ledger.errors import NothingFoundError, NotSealedError, UsageError
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook, quote_for_shell

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.store import Ledger

VERIFIER: Final = "verify_hlev.py"

Lake = Annotated[
    Path | None,
    typer.Option(
        "--lake",
        metavar="DIR",
        help="Take the hand out of this lake; a ledger is asked for nothing then.",
        show_default=False,
    ),
]

Checkpoint = Annotated[
    int | None,
    typer.Option(
        "--checkpoint",
        metavar="SIZE",
        min=1,
        help="Prove it by the checkpoint of SIZE commits. Without it: the first that covers it and bears a time stamp; else the newest.",
    ),
]


def command(
    address: Annotated[
        str, typer.Argument(help="A hand (as everywhere), or case:NUMBER.", autocompletion=options.complete_hands)
    ],
    *,
    to: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The evidence, such as hand.hlev.")],
    audience: Annotated[
        str,
        typer.Option(
            "--as", metavar="AUDIENCE", help="Who is to read it: house, public, or a player's name at the table."
        ),
    ] = "house",
    books: Annotated[
        list[str] | None,
        typer.Option(
            "--rulebook",
            "-r",
            metavar="BOOK",
            autocompletion=options.complete_books,
            help="Put in this rulebook and what it finds in the hand; may be said several times.",
        ),
    ] = None,
    purpose: Annotated[
        str, typer.Option("--purpose", help="What it is given out for; kept in the house's record.")
    ] = "",
    verifier: Annotated[
        bool, typer.Option("--verifier", help=f"Write {VERIFIER} beside it: the program that checks it.")
    ] = False,
    checkpoint: Checkpoint = None,
    lake: Lake = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
) -> None:
    """Write a hand as evidence: exact bytes, proofs, the signed checkpoint; who got it is recorded.

    The ledger must have been sealed after the hand. Whoever gets the file checks it with the ledger's
    public key, got from elsewhere: `handledger verify FILE --key KEY`, or `python3 verify_hlev.py`.
    What would not be accepted there is not written: exit 4. From a lake, which `handledger shard` wrote, the proofs
    are the same; it has no names, openings of hidden cards or time stamps. Who got the file is recorded in the ledger that --ledger
    names, and nowhere without it.

    \b
    handledger evidence T7/408 -o hand.hlev -r hilton
    handledger evidence T7/408 -o hand.hlev --as public
    handledger evidence case:IN2026-1 -o case.hlev
    handledger evidence T7/408 --lake lake -o hand.hlev --ledger house.ledger
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections.books.shelf import load_books

    program = _verifier(to) if verifier else b""
    asked = made.Asked(to, audience, [], purpose, checkpoint)
    if lake is not None:
        from cli.evidence_lake import out_of

        told = out_of(lake, url, address, asked, books)
    else:
        with opening.opened(url, read_only=False) as ledger, output.working("proving"):
            told = _made(ledger, address, asked.under(load_books(ledger, books)))
    if verifier:
        output.put_bytes(program, to.with_name(VERIFIER))
    if format_ == "json":
        output.document(told)
    else:
        output.put(_text(told))


def _text(told: EvidenceDocument) -> str:
    """Return what was written, and what to do with it, for people."""
    stamps = f" and {told.stamps} time stamp{'s' * (told.stamps != 1)}" if told.stamps else ""
    return "\n".join(
        [
            f"{told.file}: {told.length:,} bytes, proved by the checkpoint of {told.size:,} commits{stamps}",
            f"sha256 {told.sha256}",
            f"To check it: handledger verify {quote_for_shell(told.file)} --key KEY",
            f"  KEY is the public key of {told.origin}; `handledger seal` prints it",
            *(
                f"The case concerns a hand; evidence of that: handledger evidence {quote_for_shell(hand)} -o FILE"
                for hand in told.addresses
            ),
            *(
                f"The case concerns a hand of another ledger: handledger evidence {hand} --lake LAKE -o FILE"
                for hand in told.elsewhere
            ),
            *(f"A lake has no {one}" for one in told.lacks),
            *([] if told.recorded else [_UNRECORDED]),
        ]
    )


_UNRECORDED: Final = (
    "Not recorded anywhere: to whom this is given, as nothing can be written into a lake. "
    "With --ledger LEDGER that ledger's house records it."
)


def _verifier(to: Path) -> bytes:
    """Return the single-file verifier; `UsageError` if its place beside the evidence is taken."""
    from ledger.evidence import offline

    data, beside = Path(offline.__file__).read_bytes(), to.with_name(VERIFIER)
    if to.name == VERIFIER or (beside.exists() and beside.read_bytes() != data):
        raise UsageError(f"{beside} is there already and is another file", "Write the evidence to another folder.")
    return data


def _made(ledger: Ledger, address: str, asked: made.Asked) -> EvidenceDocument:
    """Write the file, and into the house's record who was given it."""
    from ledger.store import sealing, stamping

    stream = _stream(ledger, address)
    links = _links(ledger, stream) if address.startswith("case:") else {}
    linked = [hand for hand in links if not links[hand]]
    if asked.books and address.startswith("case:"):
        raise UsageError(
            "a rulebook judges hands, and this is a case",
            "Leave out -r, and say it for the evidence of the case's hands"
            + (
                f": handledger evidence {quote_for_shell(AddressBook(ledger).of_stream(linked[0]) or linked[0])} -r BOOK -o FILE"
                if linked
                else "."
            ),
        )
    made.audience_of(ledger, stream, asked.audience)
    if sealing.reached(ledger) == 0:
        raise NotSealedError(
            "nothing in this ledger was ever sealed, so nothing of it can be proved",
            "Seal it first: handledger seal --new-key --key FILE --name WHO.KEEPS.IT",
        )
    note = sealing.checkpoint(ledger, asked.size) if asked.size else stamping.to_prove(ledger, stream)
    told = made.put(ledger, stream, asked, note)
    book = AddressBook(ledger)
    told.hands, told.addresses = linked, [book.of_stream(hand) or hand for hand in linked]
    told.elsewhere = [hand for hand in links if links[hand]]
    made.issued(ledger, stream, told, made.audience_of(ledger, stream, asked.audience), asked.purpose)
    return told


def _stream(ledger: Ledger, address: str) -> UUID:
    if address.startswith("case:"):
        from ledger.streams import case_stream

        number = address.removeprefix("case:")
        stream = case_stream(number)
        if ledger.commit_of(stream) is None:
            raise NothingFoundError(f"no case {number!r} in this ledger", "handledger case list shows all.")
        return stream
    return hand_address.find(ledger, address).row.stream


def _links(ledger: Ledger, case: UUID) -> dict[str, str]:
    """Return the ids of the hands that a case concerns, each with the id of the ledger it was read from, "" = this one."""
    from ledger.case.events import CaseLinked

    return {event.hand: event.ledger for event in ledger.events(case) if isinstance(event, CaseLinked)}
