"""How evidence is made, whatever ledger or lake it is of: what it holds for whom, checked before anybody gets it."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, cast

import typer

from cli import output
from cli.documents import EvidenceDocument
from ledger import safe
from ledger.errors import NothingFoundError, ProofError, SigningKeyError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from uuid import UUID

    from ledger.event import Event
    from ledger.hand.events import HandEvent
    from ledger.seal.note import Proof
    from ledger.store import Ledger
    from ledger.vocabulary import PlayerId
    from projections.books.rulebook import Rulebook


class Asked(NamedTuple):
    """What evidence is to be: where, for whom, under which books, what for, by the checkpoint of how many commits."""

    to: Path
    audience: str
    books: list[Rulebook]
    purpose: str
    size: int | None

    def under(self, books: list[Rulebook]) -> Asked:
        """Return the same under some books, by the names of their files: so whoever gets the evidence reads them."""
        asked = self._replace(books=[replace(one, name=one.plain_name) for one in books])
        left = [one.name for one in books if len(one.own_files) > 1] if asked.bases is None else []
        for name in left:
            typer.echo(
                f"{safe.terminal(name, 60)} extends more files of the house's own than there is room for in evidence: "
                "whoever gets it can read the findings, and not find them again.",
                err=True,
            )
        return asked

    @property
    def bases(self) -> dict[str, bytes] | None:
        """The members with the house's files that the books extend; None: there is no room for them."""
        from cli.refinding import BASES_MOST, bases

        found = {name: data for one in self.books for name, data in bases(one).items()}
        whole = len(found) == sum(len(one.own_files) - 1 for one in self.books)
        return found if whole and len(found) <= BASES_MOST else None


def put(
    ledger: Ledger,
    stream: UUID,
    asked: Asked,
    note: str,
    proof: Callable[[int], Proof] | None = None,
    extract: Callable[[str, int, int], bytes] | None = None,
    key: str = "",
) -> EvidenceDocument:
    """Write the evidence of a stream, proved by the checkpoint `note`, once it was checked as a stranger will.

    Where the ledger holds hands of a lake, `proof` and `extract` give what lies there, as for `bundle` and of a source;
    `key`: whose signature the note bears, where the log does not say so.
    """
    from ledger.evidence.bundle import bundle
    from ledger.seal.note import read_checkpoint, read_note
    from ledger.store import sealing, stamping

    reader = audience_of(ledger, stream, asked.audience)
    rules = _rules(asked.books)
    more = findings(ledger, stream, asked.books) | (asked.bases or {}) if asked.books else {}
    if reader == "house":
        more |= views(ledger, stream, extract)
    data = bundle(ledger, stream, note, audience=reader, rules=rules, more=more, proof=proof)
    point = read_checkpoint(read_note(note))
    with output.Draft(asked.to) as draft:
        draft.write(data)
        _accepted(draft.whole(), key or sealing.signed_with(ledger, point.size))
        draft.publish()
    return EvidenceDocument(
        file=str(asked.to),
        sha256=sha256(data).hexdigest(),
        length=len(data),
        audience=asked.audience,
        origin=point.origin,
        size=point.size,
        stamps=len(stamping.kept(ledger, point.size)),
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


def audience_of(ledger: Ledger, stream: UUID, told: str) -> str:
    """Return "house", "public", or the id of who is called so at this hand's table, or named in this case."""
    if told in ("house", "public"):
        return told
    people = _people(ledger.events(stream))
    found = [player for player in people if told in (ledger.people.name(player), player)]
    if len(found) != 1:
        raise UsageError(
            f"{told!r} is nobody here",
            "Say house, public, or the name or the id of a player at the table or of a person that the case names.",
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


def findings(ledger: Ledger, stream: UUID, books: list[Rulebook]) -> dict[str, bytes]:
    """Return what the books find in the hand by itself, as the verifier can find it again."""
    from cli.refinding import NAME, written
    from ledger.replay import PlayedHand
    from projections.audit.auditor import audit

    entries = ledger.entries(stream)
    events = [cast("HandEvent", entry.event) for entry in entries]
    row = ledger.hand(stream.hex)
    session = 1 if row is None else row.session
    found = audit([PlayedHand(events, [entry.mark for entry in entries], stream, session=session)], books)
    return {NAME: written(found, session)}


def views(ledger: Ledger, stream: UUID, extract: Callable[[str, int, int], bytes] | None = None) -> dict[str, bytes]:
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
            data = (extract or ledger.sources.slice)(place.source, place.start, place.length)
        except NothingFoundError:
            return found
        found[f"source/{place.source[:32]}-{place.start}"] = data
    return found


def issued(ledger: Ledger, stream: UUID, told: EvidenceDocument, audience: str, purpose: str) -> None:
    """Write into the house's record who was given what."""
    from ledger.entry import Recorded
    from ledger.house.events import EvidenceIssued
    from ledger.streams import HOUSE

    event = EvidenceIssued(stream.hex, told.sha256, audience, ledger.people.text(purpose) if purpose else "")
    ledger.append("house", HOUSE, [event], recorded=Recorded(ledger.now(), by="evidence"))
