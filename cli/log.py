"""`handledger log`: list hands, one line each."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain, islice
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cli.documents.command_documents import LogDocument
from cli.documents.query_documents import CountDocument
from cli.options import common_options, day_options, ledger_options, saved_queries
from cli.options.day_options import DayBegins, TimeSpan
from cli.options.saved_queries import Save
from cli.options.where import QueryOption
from cli.output import console
from cli.output.log_fields import Fields, Group, Listing, Sort, check_listing_options, write_listing
from ledger import safe
from ledger.hand.titles import format_game_title
from projections.addresses import source_names
from projections.amount_text import amount
from projections.reports.event_text import format_cards
from projections.reports.hand_documents import HandTold

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.store import HandRow, Ledger
    from projections.queries.query_run import HandSelection


Shape = Annotated[
    Literal["text", "json", "jsonl"],
    typer.Option("--format", help="Text for people, JSON for programs, or a line per hand."),
]
SinceOption = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="DATE",
        help="Only hands since this gaming day or time: 2026-01-02, 2026-01-02T20:00 (room's clock), 2026-01-02T20:00Z.",
    ),
]
UntilOption = Annotated[
    str | None,
    typer.Option("--until", metavar="DATE", help="Only hands up to the end of this gaming day, or before this time."),
]
Limit = Annotated[int, typer.Option("--limit", "-n", min=0, help="The number of hands at most; 0 = all.")]
EveryAccount = Annotated[bool, typer.Option("--accounts", help="Also list the other accounts of a hand.")]

_MORE_HANDS: Final = "handledger log lists all hands; handledger import PATH brings more in."


def command(
    *,
    table: common_options.Table = None,
    venue: Annotated[str | None, typer.Option("--venue", help="Only hands of this room.")] = None,
    source: Annotated[str | None, typer.Option("--source", help="Only hands of this file (name or SHA-256).")] = None,
    first_day: SinceOption = None,
    last_day: UntilOption = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            help="Only hands dealt to this player: a name, venue/name, or an id.",
            autocompletion=common_options.complete_people,
        ),
    ] = None,
    query_text: QueryOption = None,
    fields: Fields = None,
    sort: Sort = None,
    grouping: Group = None,
    save: Save = None,
    count: Annotated[bool, typer.Option("--count", help="Print only the number of hands.")] = False,
    day_begins: DayBegins = day_options.DEFAULT_DAY_START,
    reverse: Annotated[bool, typer.Option("--reverse", help="Newest first.")] = False,
    limit: Limit = 1000,
    accounts: EveryAccount = False,
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: Shape = "text",
    file: common_options.Output = None,
) -> None:
    """List hands, one line each."""
    from projections.addresses.room_days import parse_day_start

    span = day_options.parse_span(first_day, last_day, day_begins)
    check_listing_options(fields, sort, grouping)
    is_plain = fields is None and sort is None and grouping is None
    with ledger_options.open_ledger(url, read_only=save is None, as_of=as_of) as ledger:
        if save is not None:
            saved_queries.save(ledger, save, query_text)
        if query_text is not None or count or not is_plain:
            from projections.queries.ledger_query import add_option_terms

            narrowing = {"table": table, "venue": venue, "source": source, "player": player}
            query = add_option_terms(query_text, {**narrowing, "since": first_day, "until": last_day})
            with _select_hands(ledger, query, day_begins, grouping) as selection:
                if not (is_plain or count):
                    no_hands = partial(ledger_options.no_hands_error, ledger, _MORE_HANDS, table=table)
                    listing = Listing(fields, sort, grouping, parse_day_start(day_begins), limit, no_hands)
                    write_listing(ledger.people.name, selection, listing, format_, file)
                    return
                rows = selection.iter_rows(
                    newest_first=reverse, include_superseded=accounts, limit=limit + 1 if limit else None
                )
                _write_count(selection, format_, file) if count else _write_hands(ledger, rows, limit, format_, file)
            return
        hand_order: Literal["newest", "played"] = "newest" if reverse else "played"
        list_hands = partial(ledger.hands, venue=venue, table=table, standing=not accounts, order=hand_order)
        matching_rows = _check_table(ledger, table, _list_matching(ledger, list_hands, source, span, player, limit))
        _write_hands(ledger, matching_rows, limit, format_, file)


@contextmanager
def _select_hands(ledger: Ledger, query: str | None, day_begins: str, grouping: str | None) -> Iterator[HandSelection]:
    """Yield the hands that match a query; show the progress if results must be added up first."""
    from projections.queries.ledger_query import select_hands

    groups = (grouping or "").split(",")
    with ExitStack() as stack:
        with console.show_progress("summing up") as progress:
            selecting = select_hands(
                ledger,
                query,
                day_begins,
                group_fields=groups,
                progress=progress.show_judged,
                on_log_progress=progress.show_followed,
            )
            selection = stack.enter_context(selecting)
        yield selection


def _check_table(ledger: Ledger, table: str | None, matching_rows: Iterator[HandRow]) -> Iterator[HandRow]:
    """Yield the hands; if there are none and the table is unknown, raise the error that lists the tables."""
    is_empty = True
    for hand_row in matching_rows:
        is_empty = False
        yield hand_row
    if is_empty and table is not None and next(ledger.tables(table), None) is None:
        raise ledger_options.no_hands_error(ledger, _MORE_HANDS, table=table)


def _list_matching(
    ledger: Ledger,
    list_hands: partial[Iterator[HandRow]],
    source: str | None,
    span: TimeSpan,
    player: str | None,
    limit: int,
) -> Iterator[HandRow]:
    """Yield the hands of a time span, files and a player: one more than the limit, if there are more."""
    is_unfiltered = span == TimeSpan(day=span.day) and player is None
    files = None if source is None else tuple(source_names.find_sources(ledger, source))
    earliest, latest = span.utc_bounds
    matching_rows = list_hands(
        source=files, since=earliest, until=latest, limit=limit + 1 if limit and is_unfiltered else None
    )
    matching_rows = day_options.select_in_span(ledger, span, matching_rows)
    return matching_rows if player is None else _filter_by_player(ledger, player, matching_rows)


def _write_count(selection: HandSelection, format_: str, file: Path | None) -> None:
    """Write the number of matching hands."""
    hand_count = selection.count_hands()
    if format_ in ("json", "jsonl"):
        console.write_document(CountDocument(hands=hand_count), file)
    else:
        console.write_text(f"{hand_count:,} hand{'' if hand_count == 1 else 's'}", file)


def _write_hands(ledger: Ledger, matching_rows: Iterator[HandRow], limit: int, format_: str, file: Path | None) -> None:
    """Write the matching hands as they're read, at most `limit`."""
    from projections.reports.states import build_hands

    first_row = next(matching_rows, None)
    if first_row is None:
        raise ledger_options.no_hands_error(ledger, _MORE_HANDS)
    matching_rows = chain([first_row], matching_rows)
    hands = build_hands(ledger, islice(matching_rows, limit or None))
    has_more = partial(_has_more, matching_rows, limit)
    if format_ == "jsonl":
        console.write_jsonl(hands, file)
    elif format_ == "json":
        console.write_listing(
            LogDocument(hands=[], more=False),
            "hands",
            hands,
            file,
            after_first=lambda: LogDocument(hands=[], more=has_more()),
        )
    else:
        width = console.find_width() if sys.stdout.isatty() and file is None else None
        console.write_lines(chain(format_lines(hands, width), _note_limit(has_more, limit)), file)


def _has_more(matching_rows: Iterator[HandRow], limit: int) -> bool:
    """Whether the limit cut the list. Call it after the listed rows were taken from `matching_rows`."""
    return bool(limit) and next(matching_rows, None) is not None


def _note_limit(has_more: Callable[[], bool], limit: int) -> Iterator[str]:
    if has_more():
        yield f"(the first {limit:,}; --limit 0 shows all)"


def choose_rows(ledger: Ledger, venue: str | None, table: str | None, source: str | None) -> Iterator[HandRow]:
    """Yield the valid accounts of hands of a room, a table or a file, in the order of the log."""
    digests = [None] if source is None else source_names.find_sources(ledger, source)
    return chain.from_iterable(
        ledger.hands(venue=venue, table=table, source=digest, standing=True) for digest in digests
    )


def _filter_by_player(ledger: Ledger, person_name: str, hand_rows: Iterator[HandRow]) -> Iterator[HandRow]:
    """Yield the hands that a person was dealt into, under any of the person's ids."""
    from ledger.hand.opening import SeatDealtIn
    from ledger.store.requests.erasure import same_person
    from projections.addresses.person_address import find_person

    people = set(same_person(ledger, find_person(ledger, person_name)))
    marks = [person.encode() for person in people]
    for hand_row in hand_rows:
        commits = ledger.stream(hand_row.stream)
        if any(mark in commit.data for commit in commits for mark in marks) and any(
            isinstance(event, SeatDealtIn) and event.player in people
            for commit in commits
            for event in ledger.mapper.decode(commit.kind, commit.data)
        ):
            yield hand_row


def format_lines(hands: Iterable[HandTold], width: int | None) -> Iterator[str]:
    """Yield each hand on one line, cut to `width` unless it's None.

    The widths of the columns depend on all hands, so the cells are kept in a temporary file until the last one.
    """
    with TemporaryFile("w+", encoding="utf-8", newline="\n") as cell_file:
        widths: list[int] = []
        for hand in hands:
            hand_cells = _list_cells(hand)
            sizes = map(safe.columns, hand_cells)
            widths = [max(column_widths) for column_widths in zip(widths or [0] * len(hand_cells), sizes, strict=True)]
            cell_file.write(json.dumps(hand_cells) + "\n")
        cell_file.seek(0)
        for line in cell_file:
            cells = [
                safe.fit(cell, column_width)
                for cell, column_width in zip(json.loads(line), widths, strict=True)
                if column_width
            ]
            text = "  ".join(cells).rstrip()
            yield text if width is None else safe.cut(text, max(width, 60))


def _list_cells(hand: HandTold) -> list[str]:
    unit, exponent = hand.unit, hand.exponent
    winners = ", ".join(
        f"{safe.name(player, 16)} {amount(chips, unit, exponent)}" for player, chips in hand.won if chips
    )
    board = " | ".join(format_cards(board) for board in hand.board.split("/")) if hand.board else ""
    note_text = f"  ! {safe.terminal(hand.note, 40)}" if hand.note else ""
    return [
        hand.address,
        safe.terminal(day_options.describe_local_time(hand.local, hand.zone), 30),
        safe.terminal(hand.tournament and f"tournament {hand.tournament}", 30),
        safe.terminal(format_game_title(hand.game), 32),
        f"{hand.players:>2}p",
        board,
        f"pot {amount(hand.pot, unit, exponent)}",
        (f"→ {winners}" if winners else "") + note_text,
    ]
