"""`handledger knock-on`: what a wrong button or blind led to, until the game was back in step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cli import opening, options, output
from cli.judged_documents import KnockOnDocument
from cli.results import table
from ledger import safe
from ledger.errors import UsageError
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook
from projections.amount_text import amount

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.vocabulary import Chips
    from projections.audit.knock_on import KnockOn, Paid, Spots
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Share


def command(
    hand: Annotated[
        str, typer.Argument(help="The hand that went wrong, as for show.", autocompletion=options.complete_hands)
    ],
    *,
    books: options.Books = None,
    as_of: options.AsOf = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Follow a wrong button or blind: the hands until the game was back in step, and what each seat posted too much.

    From the hand on, button and blinds are put where the rulebook wants them after the hands before, as if
    they had been there all along; whoever got cards got them. Without -r it is the rulebook that the house
    had adopted for the table at that time.

    \b
    handledger knock-on T3/712 -r hilton
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections.audit.house_audit import House
    from projections.books.shelf import load_books as named

    with opening.opened(url, as_of=as_of) as ledger, output.working("following") as far:
        row = hand_address.find(ledger, hand).row
        chosen = named(ledger, books)
        if len(chosen) > 1:
            raise UsageError("it is told under one rulebook", "Say one -r.")
        rules = chosen[0] if chosen else House(ledger).under(row.venue, row.table, row.started)
        found, address = _followed(ledger, row, rules, far), AddressBook(ledger).hand(row)
    document = KnockOnDocument(
        row.venue, row.tournament, row.table, row.number, rules.name, rules.edition, found, address
    )
    if format_ == "json":
        output.document(document, file)
    else:
        output.put("\n".join(_text(document)), file)


def _followed(ledger: Ledger, row: HandRow, book: Rulebook, far: output.Progress) -> KnockOn:
    from ledger.store.accounts import Place
    from projections.tables.kept_knock_ons import KnockOns

    place = Place(row.venue, row.tournament, row.table)
    hands = next((one.hands for one in ledger.tables(row.table) if one[:3] == place), 0)
    return KnockOns(ledger, [book]).of_hand(place, row.stream.hex, book, on_progress=far.walked(hands))


def _text(document: KnockOnDocument) -> Iterator[str]:
    found = document.found
    yield f"from hand {document.address}, under {document.book} ({document.edition})"
    yield ""
    if found.hands:
        cells = [["hand", "button, small, big", "should have been", "posted too much (+) or too little (-)"]]
        cells += [
            [
                safe.terminal(one.number, 24),
                _spots(one.recorded),
                _spots(one.should),
                one.untold or _money(one.money, found),
            ]
            for one in found.hands
        ]
        yield from (line.rstrip() for line in table(cells))
        yield ""
    if found.in_step:
        owed = "" if found.settled else " What is owed may still differ because of it."
        yield f"Back in step with hand {safe.terminal(found.in_step, 24)}.{owed}"
    elif found.hands:
        yield f"Not back in step: {safe.terminal(found.why, 200)}."
    else:
        yield f"Nothing to follow: {safe.terminal(found.why, 200)}."
    if found.hands:
        yield f"Over these hands: {_money(found.money, found) or 'every seat paid in all what it should have'}."
    if found.likely:
        yield "Likely, not certain: a method of the button is assumed, or lines of these hands were not read."


def _spots(one: Spots) -> str:
    return ", ".join("-" if seat is None else str(seat) for seat in (one.button, one.small, one.big))


def _money(shares: Sequence[Share | Paid], found: KnockOn) -> str:
    def signed(chips: Chips) -> str:
        shown = amount(abs(chips), found.unit, found.exponent)
        return f"+{shown}" if chips > 0 else f"-{shown}"

    return ", ".join(f"seat {one.seat} {signed(one.amount)}" for one in shares)
