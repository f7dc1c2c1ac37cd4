"""`handledger evidence`: one hand, or one case, as a file that a stranger can check offline."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, cast

import typer

from cli import opening, options, output
from cli.documents import EvidenceDocument
from ledger.errors import NothingFoundError, NotSealedError, ProofError, SigningKeyError, UsageError
from projections.queries import addresses

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from ledger.event import Event
    from ledger.hand.events import HandEvent
    from ledger.store import Ledger
    from ledger.vocabulary import PlayerId
    from projections.rulebook import Rulebook

VERIFIER: Final = "verify_hlev.py"

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
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
) -> None:
    """Write a hand as evidence: exact bytes, proofs, the signed checkpoint; who got it is recorded.

    The ledger must have been sealed after the hand. Whoever gets the file checks it with the ledger's
    public key, got from elsewhere: `handledger verify FILE --key KEY`, or `python3 verify_hlev.py`.
    What would not be accepted there is not written: exit 4.

    \b
    handledger evidence 208958141851 -o hand.hlev -r hilton
    handledger evidence 208958141851 -o hand.hlev --as public
    handledger evidence case:IN2026-1 -o case.hlev
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections import rulebook

    chosen = [rulebook.load(name) for name in dict.fromkeys(books or [])]
    program = _verifier(to) if verifier else b""
    with opening.opened(url, read_only=False) as ledger, output.working("proving"):
        told = _made(ledger, address, to, audience, chosen, purpose, checkpoint)
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
            f"To check it: handledger verify {told.file} --key KEY",
            f"  KEY is the public key of {told.origin}; `handledger seal` prints it",
            *(f"The case concerns a hand; evidence of that: handledger evidence {hand} -o FILE" for hand in told.hands),
        ]
    )


def _verifier(to: Path) -> bytes:
    """Return the single-file verifier; `UsageError` if its place beside the evidence is taken."""
    from ledger.evidence import offline

    data, beside = Path(offline.__file__).read_bytes(), to.with_name(VERIFIER)
    if to.name == VERIFIER or (beside.exists() and beside.read_bytes() != data):
        raise UsageError(f"{beside} is there already and is another file", "Write the evidence to another folder.")
    return data


def _made(
    ledger: Ledger, address: str, to: Path, audience: str, books: list[Rulebook], purpose: str, size: int | None
) -> EvidenceDocument:
    """Write the file, and into the house's record who was given it."""
    from ledger.evidence.bundle import bundle
    from ledger.seal.note import read_checkpoint, read_note
    from ledger.store import sealing, stamping

    stream = _stream(ledger, address)
    linked = _linked(ledger, stream) if address.startswith("case:") else None
    if books and linked is not None:
        raise UsageError(
            "a rulebook judges hands, and this is a case",
            "Leave out -r, and say it for the evidence of the case's hands"
            + (f": handledger evidence {linked[0]} -r BOOK -o FILE" if linked else "."),
        )
    reader = _audience(ledger, stream, audience)
    if sealing.reached(ledger) == 0:
        raise NotSealedError(
            "nothing in this ledger was ever sealed, so nothing of it can be proved",
            "Seal it first: handledger seal --new-key --key FILE --name WHO.KEEPS.IT",
        )
    note = sealing.checkpoint(ledger, size) if size else stamping.to_prove(ledger, stream)
    rules = _rules(books)
    more = _findings(ledger, stream, books) if books else {}
    if reader == "house":
        more |= _views(ledger, stream)
    data = bundle(ledger, stream, note, audience=reader, rules=rules, more=more)
    point = read_checkpoint(read_note(note))
    with output.Draft(to) as draft:
        draft.write(data)
        _accepted(draft.whole(), sealing.signed_with(ledger, point.size))
        draft.publish()
    _issued(ledger, stream, data, reader, purpose)
    return EvidenceDocument(
        file=str(to),
        sha256=sha256(data).hexdigest(),
        length=len(data),
        audience=audience,
        origin=point.origin,
        size=point.size,
        stamps=len(stamping.kept(ledger, point.size)),
        hands=linked or [],
    )


def _accepted(data: bytes, key: str) -> None:
    """Check evidence as whoever is given it will; `ProofError` unless it holds."""
    from cli import checking

    try:
        told = checking.of_bytes("", data, key)
    except SigningKeyError as error:
        raise ProofError(f"the log names a key that is none: {error.message}") from None
    if not told.holds:
        raise ProofError(
            f"the evidence would not be accepted, so none was written: {told.reason} ({told.code})",
            "A live hand of thousands of commits is sealed first: handledger seal --every."
            if told.code in ("container", "large")
            else "handledger verify says what does not hold in this ledger.",
        )


def _rules(books: list[Rulebook]) -> dict[str, bytes]:
    """Return rulebooks by the names of their members."""
    from cli.refinding import member

    rules = {member(one.name).removeprefix("rules/"): one.data for one in books}
    if len(rules) < len(books):
        raise UsageError("two rulebooks would have one name in the evidence", "Rename one of the files.")
    return rules


def _stream(ledger: Ledger, address: str) -> UUID:
    if address.startswith("case:"):
        from ledger.streams import case_stream

        number = address.removeprefix("case:")
        stream = case_stream(number)
        if ledger.commit_of(stream) is None:
            raise NothingFoundError(f"no case {number!r} in this ledger", "handledger case list shows all.")
        return stream
    return addresses.find(ledger, address).row.stream


def _linked(ledger: Ledger, case: UUID) -> list[str]:
    """Return the ids of the hands that a case concerns, each once."""
    from ledger.case.events import CaseLinked

    links = (event.hand for event in ledger.events(case) if isinstance(event, CaseLinked))
    return list(dict.fromkeys(links))


def _audience(ledger: Ledger, stream: UUID, told: str) -> str:
    """Return "house", "public", or the id of who is called so at this hand's table, or named in this case."""
    if told in ("house", "public"):
        return told
    people = _people(ledger.events(stream))
    found = [player for player in people if told in (ledger.people.name(player), player)]
    if len(found) != 1:
        raise UsageError(
            f"{told!r} is nobody here",
            "Say house, public, or the name of a player at the table or of a person that the case names.",
        )
    return found[0]


def _people(events: Sequence[Event]) -> list[PlayerId]:
    """Return whom a hand deals in or leaves out, or whom a case names, each once."""
    from typing import get_args

    from ledger.case.events import CaseEvent
    from ledger.hand.opening import SeatDealtIn, SeatLeftOut

    told: list[PlayerId] = []
    for event in events:
        if isinstance(event, (SeatDealtIn, SeatLeftOut)):
            told.append(event.player)
        elif isinstance(event, get_args(CaseEvent)):
            told += [getattr(event, name, "") for name in ("person", "player")]
    return [player for player in dict.fromkeys(told) if player]


def _findings(ledger: Ledger, stream: UUID, books: list[Rulebook]) -> dict[str, bytes]:
    """Return what the books find in the hand by itself, as the verifier can find it again."""
    from cli.refinding import NAME, written
    from ledger.replay import PlayedHand
    from projections.audit import audit

    entries = ledger.entries(stream)
    events = [cast("HandEvent", entry.event) for entry in entries]
    found = audit([PlayedHand(events, [entry.mark for entry in entries], stream)], books)
    return {NAME: written(found)}


def _views(ledger: Ledger, stream: UUID) -> dict[str, bytes]:
    """Return the hand or case as people read it, and the bytes of the source it was read from."""
    from ledger.account import SectionAccount
    from ledger.case.events import CaseOpened
    from ledger.formats.handscript import tell, write_told

    entries = ledger.entries(stream)
    events = [entry.event for entry in entries]
    if isinstance(events[0], CaseOpened):
        times = {at: entry.mark.at for at, entry in enumerate(entries) if entry.mark.at is not None}
        case = SectionAccount("case", events[0].number, events, [], 0, 0, times=times)
        return {"view/case.txt": write_told(case, ledger.people).encode("utf-8", "surrogatepass")}
    lines = tell(events, ledger.people)
    found = {"view/hand.txt": ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")}
    place = entries[0].recorded.source
    if place is not None:
        try:
            data = ledger.sources.slice(place.source, place.start, place.length)
        except NothingFoundError:
            return found
        found[f"source/{place.source[:32]}-{place.start}"] = data
    return found


def _issued(ledger: Ledger, stream: UUID, data: bytes, audience: str, purpose: str) -> None:
    """Write into the house's record who was given what."""
    from ledger.entry import Recorded
    from ledger.house.events import EvidenceIssued
    from ledger.streams import HOUSE

    event = EvidenceIssued(
        stream.hex, sha256(data).hexdigest(), audience, ledger.people.text(purpose) if purpose else ""
    )
    ledger.append("house", HOUSE, [event], recorded=Recorded(ledger.now(), by="evidence"))
