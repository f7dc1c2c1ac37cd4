"""`handledger rules diff OLD NEW`: which findings another rulebook or edition brings, takes away, changes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from cli import days, opening, output
from cli.judged_documents import RulesDiffDocument, TurnTold
from cli.query_documents import SeatStake, StakeTold
from ledger import safe
from ledger.errors import NothingFoundError, UsageError
from projections.addresses.address_book import AddressBook
from projections.amount_text import amount
from projections.queries.ledger_query import list_matching_hands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ledger.store import Ledger
    from projections.addresses.hand_reference import Hand
    from projections.audit.edition_differences import Becomes, Turn
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding

DIFF: Final = "diff"
_MOST: Final = 40
"""Differences that are shown to people, of each kind."""
_SIGNS: Final[dict[Becomes, str]] = {"appears": "+", "vanishes": "-", "changes": "~"}


def tell(old: str | None, new: str | None, where: str | None, url: str | None, format_: str, file: Path | None) -> None:
    """Judge all hands, or those that a query means, under both books, and write what differs."""
    from projections.audit.audit_result import reference
    from projections.audit.edition_differences import at_stake, by_seat
    from projections.books.shelf import Shelf

    if old is None or new is None:
        raise UsageError("which two rulebooks?", "handledger rules diff hilton@undated hilton, or hilton my-room.toml.")
    with opening.opened(url) as ledger, output.working("judging") as progress:
        shelf = Shelf(ledger)
        books = shelf.load(old), shelf.load(new)
        if books[0].digest == books[1].digest:
            raise UsageError(f"{old} and {new} are the same book, to the byte", "handledger rules lists the books.")
        hands, turns = _turns(ledger, books, where, progress)
        if not hands:
            raise NothingFoundError(
                "no hands match", "handledger log lists all hands; handledger import PATH brings more in."
            )
        stakes = [
            StakeTold(becomes, chips, unit, exponent) for (becomes, unit, exponent), chips in at_stake(turns).items()
        ]
        document = RulesDiffDocument(
            old=reference(books[0]),
            new=reference(books[1]),
            hands=hands,
            turns=[TurnTold(one.becomes, one.old, one.new) for one in turns],
            at_stake=stakes,
            seats=[
                SeatStake(one.venue, one.tournament, one.table, one.seat, chips, one.unit, one.exponent)
                for one, chips in by_seat(turns).items()
            ],
        )
        if format_ == "json":
            output.document(document, file)
        else:
            output.put("\n".join(_text(document, turns, AddressBook(ledger).of_finding)), file)


def _turns(
    ledger: Ledger, books: tuple[Rulebook, Rulebook], where: str | None, progress: output.Progress
) -> tuple[int, list[Turn]]:
    """Return how many hands were judged under both, and what differs, table by table."""
    from projections.audit.edition_differences import turns
    from projections.table_walk.played_tables import places
    from projections.tables.judgement import Judgement
    from projections.tables.table_set import open_tables

    only = (
        None
        if where is None
        else {row.stream.hex for row in list_matching_hands(ledger, where, days.DEFAULT_DAY_START)}
    )
    hands, found = 0, []
    with open_tables(ledger, books, results=False) as (keeping, _):
        judgements = [Judgement(ledger, book, keeping) for book in books]
        for place in places(ledger):
            results = [one.result([place]) for one in judgements]
            hands += results[0].hands
            progress(f"{hands:,} hands compared")
            found += turns(
                *[[one for one in part.findings if only is None or one.hand.stream in only] for part in results]
            )
    return hands if only is None else len(only), found


def _text(document: RulesDiffDocument, turns: list[Turn], address: Callable[[Hand, int], str]) -> Iterator[str]:
    old, new = document.old, document.new
    yield f"{old.name} ({old.edition}) → {new.name} ({new.edition}), {document.hands:,} hands under both"
    yield ""
    counts = Counter(one.becomes for one in turns)
    if not turns:
        yield "Both find the same."
        return
    for becomes, sign in _SIGNS.items():
        if not counts[becomes]:
            continue
        said = [
            amount(one.chips, one.unit, one.exponent)
            for one in document.at_stake
            if one.becomes == becomes and one.chips
        ]
        money = f", about {' and '.join(said)}" if said else ""
        yield f"{counts[becomes]:,} finding{'s' * (counts[becomes] != 1)} {_verb(becomes, counts[becomes])}{money}"
        some = [one for one in turns if one.becomes == becomes]
        yield from (f"  {sign} {_line(one, address)}" for one in some[:_MOST])
        if len(some) > _MOST:
            yield f"  ({len(some) - _MOST:,} more; --format json has all)"
        yield ""
    yield from _seats(document.seats)


def _seats(seats: list[SeatStake]) -> Iterator[str]:
    """Yield what the seats of each table would be said to have too much or too little, more than before."""
    if not seats:
        return
    yield "Said of each seat more than before: too much (+), too little (-)"
    tables: dict[tuple[str, str, str], list[str]] = {}
    for one in seats:
        sign = "+" if one.chips > 0 else "-"
        said = f"seat {one.seat} {sign}{amount(abs(one.chips), one.unit, one.exponent)}"
        tables.setdefault((one.venue, one.tournament, one.table), []).append(said)
    for (_, tournament, table), words in list(tables.items())[:_MOST]:
        name = f"tournament {tournament} {table}" if tournament else table
        yield f"  {safe.terminal(name, 40)}: {', '.join(words)}"
    if len(tables) > _MOST:
        yield f"  ({len(tables) - _MOST:,} more tables; --format json has all)"


def _verb(becomes: str, count: int) -> str:
    return becomes if count == 1 else becomes.removesuffix("s") if becomes != "vanishes" else "vanish"


def _line(turn: Turn, address: Callable[[Hand, int], str]) -> str:
    one = turn.either
    seat = "" if one.seat is None else f" seat {one.seat}"
    where = f"{address(one.hand, one.version)}{seat}"
    if turn.old is not None and turn.new is not None:
        return f"{where}: {_brief(turn.old)} → {_brief(turn.new)}"
    return f"{where}: {_brief(one)}; {safe.terminal(one.saw, 100)}"


def _brief(one: Finding) -> str:
    from projections.audit.edition_differences import moved

    money = moved(one)
    return f"{one.clause} {one.severity}, {one.certainty}" + (
        f", {amount(money, one.unit, one.exponent)}" if money else ""
    )
