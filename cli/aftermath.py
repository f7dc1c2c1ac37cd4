"""`handledger aftermath`: follow a wrong button or blind until the game is right again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cli.documents.judged_documents import KnockOnDocument
from cli.options import common_options, ledger_options
from cli.output import console
from cli.output.columns import format_columns
from ledger import safe
from ledger.errors import UsageError
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook
from projections.amount_text import amount

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.vocabulary import Chips
    from projections.audit.knock_on import ButtonAndBlinds, KnockOn, Overpayment
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Share


def command(
    hand: Annotated[
        str, typer.Argument(help="The hand that went wrong: T3/712.", autocompletion=common_options.complete_hands)
    ],
    *,
    books: common_options.Books = None,
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Follow a wrong button or blind until the game is right again."""
    from projections.audit.house_audit import House
    from projections.books.shelf import load_books

    with ledger_options.open_ledger(url, as_of=as_of) as ledger, console.show_progress("following") as progress:
        hand_row = hand_address.find(ledger, hand).row
        named_books = load_books(ledger, books)
        if len(named_books) > 1:
            raise UsageError("the aftermath goes by one rulebook", "Give only one -r.")
        if named_books:
            rulebook = named_books[0]
        else:
            rulebook = House(ledger).find_book(hand_row.venue, hand_row.table, hand_row.started)
        knock_on = _follow_hand(ledger, hand_row, rulebook, progress)
        address = AddressBook(ledger).find_hand_address(hand_row)
    document = KnockOnDocument(
        hand_row.venue,
        hand_row.tournament,
        hand_row.table,
        hand_row.number,
        rulebook.name,
        rulebook.edition,
        knock_on,
        address,
    )
    if format_ == "json":
        console.write_document(document, file)
    else:
        console.write_text("\n".join(_format_knock_on(document)), file)


def _follow_hand(ledger: Ledger, hand_row: HandRow, book: Rulebook, progress: console.ProgressLine) -> KnockOn:
    from ledger.store.hands.hand_accounts import TableKey
    from projections.tables.knock_ons import KnockOns

    place = TableKey(hand_row.venue, hand_row.tournament, hand_row.table)
    hands = next((table_row.hands for table_row in ledger.tables(hand_row.table) if table_row[:3] == place), 0)
    return KnockOns(ledger, [book]).follow_hand(
        place, hand_row.stream.hex, book, on_progress=progress.build_walk_callback(hands)
    )


def _format_knock_on(document: KnockOnDocument) -> Iterator[str]:
    knock_on = document.found
    yield f"from hand {document.address}, under {document.book} ({document.edition})"
    yield ""
    if knock_on.hands:
        cells = [["hand", "button, small, big", "should have been", "posted too much (+) or too little (-)"]]
        cells += [
            [
                safe.terminal(later_hand.number, 24),
                _format_spots(later_hand.recorded),
                _format_spots(later_hand.should),
                later_hand.untold or _format_money(later_hand.money, knock_on),
            ]
            for later_hand in knock_on.hands
        ]
        yield from (line.rstrip() for line in format_columns(cells))
        yield ""
    if knock_on.in_step:
        debts_note = "" if knock_on.settled else " What players owe may still be off."
        yield f"Hand {safe.terminal(knock_on.in_step, 24)} was right again.{debts_note}"
    elif knock_on.hands:
        yield f"Not corrected: {safe.terminal(knock_on.why, 200)}."
    else:
        yield f"Nothing to follow: {safe.terminal(knock_on.why, 200)}."
    if knock_on.hands:
        yield f"Over these hands: {_format_money(knock_on.money, knock_on) or 'every seat paid the right total'}."
    if knock_on.likely:
        yield "Likely, not certain: the button's method is assumed, or lines of these hands couldn't be read."


def _format_spots(spots: ButtonAndBlinds) -> str:
    return ", ".join("-" if seat is None else str(seat) for seat in (spots.button, spots.small, spots.big))


def _format_money(shares: Sequence[Share | Overpayment], knock_on: KnockOn) -> str:
    def format_signed(chips: Chips) -> str:
        amount_text = amount(abs(chips), knock_on.unit, knock_on.exponent)
        return f"+{amount_text}" if chips > 0 else f"-{amount_text}"

    return ", ".join(f"seat {share.seat} {format_signed(share.amount)}" for share in shares)
