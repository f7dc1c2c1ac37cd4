"""`handledger compare`: two accounts of one hand, side by side to where they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli import opening, options, output, show
from cli.documents import CompareDocument, DifferenceTold, NetTold, SaidTold
from ledger import safe
from ledger.compare import Compared, Differing, Fact, compare
from ledger.errors import NothingFoundError, UsageError
from projections.addresses import hand_address, source_names
from projections.addresses.address_book import AddressBook, quote_for_shell
from projections.amount_text import Money

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.store import HandRow, Ledger

TEXT_MOST = 600
"""Characters of a source that are shown beside an event."""


def command(
    a: Annotated[str, typer.Argument(metavar="A", help="A hand, as for show.", autocompletion=options.complete_hands)],
    b: Annotated[
        str | None,
        typer.Argument(
            metavar="[B]",
            help="Another account of it; none = the first other account of A.",
            autocompletion=options.complete_hands,
        ),
    ] = None,
    *,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Compare two accounts of one hand: where they first differ, with the bytes, and what it moves.

    Facts are compared, not words; what a source never records is no difference. Exit 1 if they differ.

    \b
    handledger compare T7/408                       the account that stands, and another
    handledger compare T7/408~2 night.txt:120
    """  # noqa: D301 - \b keeps the lines of the examples
    with opening.opened(url) as ledger:
        first = hand_address.find(ledger, a).row
        second = hand_address.find(ledger, b).row if b else _second(ledger, first)
        if first.stream == second.stream:
            raise UsageError("that is one account, compared with itself", "Name another account: T7/408~2.")
        document = compared(ledger, first, second)
    output.put(output.encoded(document) if format_ == "json" else text(document), file)
    if not document.same:
        raise typer.Exit(1)


def _second(ledger: Ledger, row: HandRow) -> HandRow:
    others = [
        one
        for one in ledger.hands(venue=row.venue, tournament=row.tournament, table=row.table, number=row.number)
        if one.session == row.session and one.stream != row.stream
    ]
    if not others:
        raise NothingFoundError(
            f"there is only one account of hand {row.number!r}",
            f"Name the other hand: handledger compare {quote_for_shell(AddressBook(ledger).hand(row))} HAND.",
        )
    return others[0]


class _Account:
    """A recorded hand: as it is shown, and as it stands after its corrections."""

    def __init__(self, ledger: Ledger, row: HandRow) -> None:
        from ledger.replay import corrected

        self.ledger = ledger
        self.shown = show.hand(ledger, row)
        valid = corrected(source_names.events_of(ledger, row))
        self.events: list[Event] = [event for _, event in valid]
        self.versions = [version for version, _ in valid]

    def said(self, fact: Fact | None) -> SaidTold | None:
        """Return the event of a fact with the text of its source."""
        if fact is None or not fact.version:
            return None
        event = self.shown.events[self.versions[fact.version - 1] - 1]
        place = event.place
        if place is None:
            return SaidTold(event)
        data = self.ledger.sources.slice(place.source, place.start, min(place.length, TEXT_MOST))
        return SaidTold(event, data.decode("utf-8", "replace"))


def compared(ledger: Ledger, first: HandRow, second: HandRow) -> CompareDocument:
    """Return the comparison of two recorded hands."""
    a, b = _Account(ledger, first), _Account(ledger, second)
    found = compare(a.events, b.events, ledger.people, ledger.people)

    def told(one: Differing) -> DifferenceTold:
        return DifferenceTold(one.about, a.said(one.a), b.said(one.b))

    return CompareDocument(
        a=a.shown.hand,
        b=b.shown.hand,
        same=found.same,
        equal=found.equal,
        first=told(found.first) if found.first else None,
        others=[told(one) for one in found.others],
        nets=_nets(ledger, a.events, found),
        only_a=dict(sorted(found.only_a.items())),
        only_b=dict(sorted(found.only_b.items())),
        unit=a.shown.hand.unit,
        exponent=found.exponent,
    )


def _nets(ledger: Ledger, events: list[Event], found: Compared) -> list[NetTold]:
    from ledger.hand.opening import SeatDealtIn

    names = {event.seat: ledger.people.name(event.player) or "" for event in events if isinstance(event, SeatDealtIn)}
    return [NetTold(seat, names.get(seat, ""), one, other) for seat, one, other in found.nets]


def text(document: CompareDocument) -> str:
    """Return a comparison for people."""
    lines = [f"A  {show.headline(document.a)}", f"B  {show.headline(document.b)}", ""]
    agree = f"They agree in {document.equal} facts"
    if document.same:
        lines.append(output.paint(f"{agree} and differ in none.", "good"))
    elif document.first is None:
        lines.append(f"{agree}, and in all that was done.")
    else:
        lines.append(f"{agree}. The first difference in the course of play:")
        lines += ["", *_difference(document.first)]
    if document.others:
        lines += ["", "They also differ in:"]
        for one in document.others:
            lines += ["", *_difference(one)]
    lines += _money(document)
    for mark, only in (("A", document.only_a), ("B", document.only_b)):
        if only:
            said = ", ".join(f"{kind} ({count})" for kind, count in only.items())
            lines += ["", f"Only {mark} tells: {said}"]
    return "\n".join(lines)


def _difference(one: DifferenceTold) -> list[str]:
    return [f"  {one.about}", *_side("A", one.a), *_side("B", one.b)]


def _side(mark: str, said: SaidTold | None) -> list[str]:
    if said is None:
        return [f"    {mark}  says nothing"]
    event = said.event
    inferred = " (inferred, not told)" if event.derived else ""
    lines = [f"    {mark}  event {event.version}: {event.told}{inferred}"]
    if event.place:
        place = event.place
        lines.append(
            f"       {safe.tail(safe.terminal(place.file, 400), 60)}:{place.line}  bytes {place.start}-{place.start + place.length}"
        )
        lines.append(f"       | {safe.terminal(' '.join(said.text.split()), 100)}")
    return lines


def _money(document: CompareDocument) -> list[str]:
    moved = [net for net in document.nets if net.a != net.b]
    if not moved:
        return ["", "In money it changes nothing: every seat wins or loses the same in both."]
    money = Money(None)
    money.unit, money.exponent = document.unit, document.exponent
    lines = ["", "In money:", "", f"  {'seat':<4}  {'player':<20}  {'A':>12}  {'B':>12}  {'B less A':>12}"]
    for net in moved:
        name = safe.fit(safe.name(net.player), 20)
        lines.append(f"  {net.seat:<4}  {name}  {money(net.a):>12}  {money(net.b):>12}  {money(net.b - net.a):>12}")
    return lines
