"""`handledger report`: hands as one file of HTML that needs nothing else to be read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli import opening, options, output
from cli.show import looked, reasoned
from ledger.errors import UsageError
from projections.queries import addresses


def command(
    address: Annotated[str, typer.Argument(help="A hand, as for show.", autocompletion=options.complete_hands)],
    *,
    books: options.Books = None,
    audience: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="SEAT|PLAYER|public|house",
            help="Show what that audience may see: its own cards and those that were shown.",
        ),
    ] = "house",
    naming: Annotated[
        Literal["keep", "position", "pseudonym"],
        typer.Option("--names", help="Under which names: as they are, BTN and SB, or pseudonyms that stay the same."),
    ] = "keep",
    open_cards: options.OpenCards = False,
    why: options.Why = "",
    as_of: options.AsOf = None,
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Write a hand as one page: step through it, see what the books say of it, beside the bytes it was read from.

    The page is one file of HTML without anything beside it: it opens from a disk or a mail, also on a phone,
    can be printed, and reads without its script. Without -r it goes by the rulebook that the house had
    adopted, with the others beside it; with several, by the first.

    \b
    handledger report 208958141851 -o hand.html
    handledger report 208958141851 -r rrop4 -r hilton -o hand.html
    handledger report 208958141851 --as 5 --names position -o for-the-player.html
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections import rulebook
    from web.documents import ReportDocument
    from web.frames import Eyes, audience_of
    from web.hand_page import head_of, pages
    from web.judging import Books, offered
    from web.rendering import report

    reasoned(why, open_cards=open_cards)
    chosen = [rulebook.load(name) for name in dict.fromkeys(books or ())]
    eyes = Eyes(audience_of(audience), naming, open_cards)
    with opening.opened(ledger, read_only=not open_cards, as_of=as_of) as book:
        row = addresses.find(book, address).row
        if open_cards:
            looked(book, [row.stream], why, by="report")
        head = head_of(book, Path(opening.name_of(book)).name)
        told = list(pages(book, [row], Books(chosen) if chosen else offered(book, row), eyes))
    if format_ == "json":
        output.document(ReportDocument(audience=eyes.audience, naming=naming, head=head, hands=told), file)
        return
    if file is None and sys.stdout.isatty():
        raise UsageError("a page is nothing for a terminal", "Name a file with -o, such as -o hand.html.")
    output.put(report(told, head, title=f"Report of hand {row.number}", eyes=eyes), file)
