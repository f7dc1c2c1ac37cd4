"""`handledger compare`: compare two accounts of one hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli import show
from cli.documents.command_documents import ComparedEvent, CompareDocument, DifferenceEntry, NetComparison
from cli.hand_titles import format_headline
from cli.options import common_options, ledger_options
from cli.output import console
from ledger import safe
from ledger.compare import FactDifference, HandComparison, HandFact, compare_hand_accounts
from ledger.errors import NothingFoundError, UsageError
from projections.addresses import hand_address, source_names
from projections.addresses.address_book import AddressBook
from projections.addresses.address_grammar import quote_for_shell
from projections.amount_text import MoneyFormat

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.store import HandRow, Ledger

_MAX_SOURCE_BYTES = 600
"""Bytes of a source that are shown next to an event."""


def command(
    a: Annotated[
        str, typer.Argument(metavar="A", help="A hand: T7/408.", autocompletion=common_options.complete_hands)
    ],
    b: Annotated[
        str | None,
        typer.Argument(
            metavar="[B]",
            help="Another hand or account. Default: the first other account of A.",
            autocompletion=common_options.complete_hands,
        ),
    ] = None,
    *,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Compare two accounts of one hand."""
    with ledger_options.open_ledger(url) as ledger:
        first_row = hand_address.find(ledger, a).row
        second_row = hand_address.find(ledger, b).row if b else _find_other_account(ledger, first_row)
        if first_row.stream == second_row.stream:
            raise UsageError("that is one account, compared with itself", "Name another account: T7/408~2.")
        document = compare_accounts(ledger, first_row, second_row)
    console.write_text(console.encode_document(document) if format_ == "json" else format_comparison(document), file)
    if not document.same:
        raise typer.Exit(1)


def _find_other_account(ledger: Ledger, hand_row: HandRow) -> HandRow:
    other_rows = [
        account_row
        for account_row in ledger.hands(
            venue=hand_row.venue, tournament=hand_row.tournament, table=hand_row.table, number=hand_row.number
        )
        if account_row.session == hand_row.session and account_row.stream != hand_row.stream
    ]
    if not other_rows:
        raise NothingFoundError(
            f"there is only one account of hand {hand_row.number!r}",
            f"Name the other hand: handledger compare {quote_for_shell(AddressBook(ledger).find_hand_address(hand_row))} HAND.",
        )
    return other_rows[0]


class _Account:
    """A recorded hand: its document, and its events after corrections with their versions."""

    def __init__(self, ledger: Ledger, hand_row: HandRow) -> None:
        from ledger.replay import list_corrected

        self.ledger = ledger
        self.document = show.build_show_document(ledger, hand_row)
        valid_events = list_corrected(source_names.read_recorded_events(ledger, hand_row))
        self.events: list[Event] = [event for _, event in valid_events]
        self.versions = [version for version, _ in valid_events]

    def describe_fact(self, fact: HandFact | None) -> ComparedEvent | None:
        """Return the event of a fact with the text of its source."""
        if fact is None or not fact.version:
            return None
        event = self.document.events[self.versions[fact.version - 1] - 1]
        source_place = event.place
        if source_place is None:
            return ComparedEvent(event)
        data = self.ledger.sources.slice(
            source_place.source, source_place.start, min(source_place.length, _MAX_SOURCE_BYTES)
        )
        return ComparedEvent(event, data.decode("utf-8", "replace"))


def compare_accounts(ledger: Ledger, first: HandRow, second: HandRow) -> CompareDocument:
    """Return the comparison of two recorded hands."""
    a, b = _Account(ledger, first), _Account(ledger, second)
    comparison = compare_hand_accounts(a.events, b.events, ledger.people, ledger.people)

    def describe_difference(difference: FactDifference) -> DifferenceEntry:
        return DifferenceEntry(difference.subject, a.describe_fact(difference.a), b.describe_fact(difference.b))

    return CompareDocument(
        a=a.document.hand,
        b=b.document.hand,
        same=comparison.same,
        equal=comparison.equal,
        first=describe_difference(comparison.first) if comparison.first else None,
        others=[describe_difference(difference) for difference in comparison.others],
        nets=_list_nets(ledger, a.events, comparison),
        only_a=dict(sorted(comparison.only_a.items())),
        only_b=dict(sorted(comparison.only_b.items())),
        unit=a.document.hand.unit,
        exponent=comparison.exponent,
    )


def _list_nets(ledger: Ledger, events: list[Event], comparison: HandComparison) -> list[NetComparison]:
    from ledger.hand.opening import SeatDealtIn

    names = {event.seat: ledger.people.name(event.player) or "" for event in events if isinstance(event, SeatDealtIn)}
    return [
        NetComparison(seat, names.get(seat, ""), first_net, second_net)
        for seat, first_net, second_net in comparison.nets
    ]


def format_comparison(document: CompareDocument) -> str:
    """Return a comparison for people."""
    lines = [f"A  {format_headline(document.a)}", f"B  {format_headline(document.b)}", ""]
    agreement = f"They agree in {document.equal} facts"
    if document.same:
        lines.append(console.paint(f"{agreement} and differ in none.", "good"))
    elif document.first is None:
        lines.append(f"{agreement}, and in everything that happened.")
    else:
        lines.append(f"{agreement}. The first difference in the course of play:")
        lines += ["", *_format_difference(document.first)]
    if document.others:
        lines += ["", "They also differ in:"]
        for difference in document.others:
            lines += ["", *_format_difference(difference)]
    lines += _format_nets(document)
    for account_name, extra_facts in (("A", document.only_a), ("B", document.only_b)):
        if extra_facts:
            fact_counts = ", ".join(f"{kind} ({count})" for kind, count in extra_facts.items())
            lines += ["", f"Only {account_name} records: {fact_counts}"]
    return "\n".join(lines)


def _format_difference(difference: DifferenceEntry) -> list[str]:
    return [f"  {difference.about}", *_format_account("A", difference.a), *_format_account("B", difference.b)]


def _format_account(account_name: str, statement: ComparedEvent | None) -> list[str]:
    if statement is None:
        return [f"    {account_name}  nothing recorded"]
    event = statement.event
    inferred_text = " (inferred)" if event.derived else ""
    lines = [f"    {account_name}  event {event.version}: {event.told}{inferred_text}"]
    if event.place:
        source_place = event.place
        lines.append(
            f"       {safe.tail(safe.terminal(source_place.file, 400), 60)}:{source_place.line}  bytes {source_place.start}-{source_place.start + source_place.length}"
        )
        lines.append(f"       | {safe.terminal(' '.join(statement.text.split()), 100)}")
    return lines


def _format_nets(document: CompareDocument) -> list[str]:
    changed_nets = [net for net in document.nets if net.a != net.b]
    if not changed_nets:
        return ["", "In money it changes nothing: every seat wins or loses the same in both."]
    format_money = MoneyFormat(None)
    format_money.unit, format_money.exponent = document.unit, document.exponent
    lines = ["", "In money:", "", f"  {'seat':<4}  {'player':<20}  {'A':>12}  {'B':>12}  {'B less A':>12}"]
    for net in changed_nets:
        player_name = safe.fit(safe.name(net.player), 20)
        lines.append(
            f"  {net.seat:<4}  {player_name}  {format_money(net.a):>12}  {format_money(net.b):>12}  {format_money(net.b - net.a):>12}"
        )
    return lines
