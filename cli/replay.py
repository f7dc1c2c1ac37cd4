"""`handledger replay`: step through a hand."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli import opening, options, output
from cli.documents import ReplayDocument
from cli.drawing import drawing
from cli.show import head, headline, looked, reasoned
from ledger.hiding import opened
from projections.queries import addresses
from projections.reports import sources
from projections.reports.hand_documents import MomentDocument

FORTH = {" ", "\r", "\n", "l", "n", "\x1b[C", "\x1bOC"}
BACK = {"h", "p", "\x1b[D", "\x1bOD"}
QUIT = {"q", "\x1b", "\x03", "\x04"}


def command(
    address: Annotated[
        str,
        typer.Argument(help="A hand, as for show; with @12 it begins there.", autocompletion=options.complete_hands),
    ],
    *,
    every: Annotated[bool, typer.Option("--all", help="Print every state, also on a terminal.")] = False,
    open_cards: options.OpenCards = False,
    why: options.Why = "",
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Replay a hand: on a terminal step by step, otherwise every state one after the other.

    Keys: space or right = on, left = back, s = next street, 0 = start, $ = end, q = leave.
    """
    from ledger.hand import fold
    from projections.reports.states import moment
    from projections.reports.teller import Teller

    reasoned(why, open_cards=open_cards)
    with opening.opened(ledger, read_only=not open_cards) as book:
        found = addresses.find(book, address)
        told = head(book, found.row)
        events = sources.events_of(book, found.row)
        if open_cards:
            looked(book, [found.row.stream], why, by="replay")
            events = opened(events, book.people)
        teller, state, moments = Teller(book.people), fold.begin(), []
        for version, event in enumerate(events, 1):
            fold.apply(state, event)
            moments.append(moment(told, state, version, teller.tell(event), teller))
    if format_ == "json":
        output.document(ReplayDocument(hand=told, moments=moments), file)
    elif every or file is not None or not (sys.stdout.isatty() and sys.stdin.isatty()):
        frames = [frame(m, len(moments)) for m in moments[(found.version or 1) - 1 :]]
        output.put(f"{headline(told)}\n\n" + "\n\n".join(frames), file)
    else:
        _step(moments, (found.version or 1) - 1)


def frame(moment: MomentDocument, of: int) -> str:
    """Return one state for people."""
    return f"--- {moment.version} of {of}: {moment.told}\n{drawing(moment, output.width())}"


def _step(moments: list[MomentDocument], at: int) -> None:
    """Show one state after the other as keys are pressed."""
    while True:
        state = moments[at]
        sys.stdout.write(f"\x1b[H\x1b[2J{headline(state.hand)}\n{frame(state, len(moments))}\n\n")
        sys.stdout.write("space on · left back · s street · 0 start · $ end · q leave\n")
        sys.stdout.flush()
        try:
            key = typer.getchar()
        except EOFError:  # nobody is there to press a key
            return
        if key in QUIT:
            return
        if key in FORTH:
            at = min(at + 1, len(moments) - 1)
        elif key in BACK:
            at = max(at - 1, 0)
        elif key == "s":
            later = range(at + 1, len(moments))
            at = next((n for n in later if moments[n].street != state.street), at)
        elif key == "0":
            at = 0
        elif key == "$":
            at = len(moments) - 1
