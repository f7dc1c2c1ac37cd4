"""`handledger record TABLE`: record a table as it plays."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import common_options, ledger_options
from cli.output import console
from ledger.errors import HandledgerError
from ledger.recording import recording_errors

if TYPE_CHECKING:
    from ledger.errors import UnreadableHandError
    from ledger.recording.recorder import Recorder
    from ledger.store import Ledger
    from projections.live.live_session import TableSession


def command(
    table: Annotated[
        str,
        typer.Argument(
            help="A table: T7, tournament/T7 or venue/T7. For a new table, add --venue and --game.",
            autocompletion=common_options.complete_tables,
        ),
    ],
    *,
    venue: Annotated[str | None, typer.Option("--venue", help="The room of a new table.")] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="What is played: holdem no-limit cash blinds 2/5 unit USD 2. It may change later.",
        ),
    ] = None,
    seats: Annotated[
        int, typer.Option("--seats", min=0, max=23, help="How many chairs a new table has. 0: not known.")
    ] = 0,
    records: Annotated[
        str | None,
        typer.Option(
            "--records", metavar="PROFILE", help="What you always write down: dealer-notes, floor-form, live-table."
        ),
    ] = None,
    books: common_options.Books = None,
    person: common_options.Person = "",
    url: common_options.LedgerUrl = None,
    people_key: common_options.PeopleKey = None,
    format_: common_options.Format = "text",
) -> None:
    """Record a table as it plays, and check every line."""
    from projections.live.live_session import TableSession

    with ledger_options.open_ledger(url, create=True, read_only=False, people_key=people_key) as ledger:
        recorder = _open_recorder(ledger, table, venue, game, seats, records, person)
        table_session = TableSession(recorder, list(dict.fromkeys(books or ())))
        if format_ == "text" and sys.stdin.isatty() and sys.stdout.isatty():
            from cli.screens.record_screen import record_at_terminal

            record_at_terminal(table_session)
            return
        refused = sum(_answer_line(table_session, line, format_) for line in _read_lines())
    raise typer.Exit(3 if refused else 0)


def _open_recorder(
    ledger: Ledger, table: str, venue: str | None, game: str | None, seats: int, records: str | None, person: str
) -> Recorder:
    """Return the recorder of a table in the ledger, or of a new table."""
    from ledger.formats.handscript.context import Settings
    from ledger.formats.handscript.slots import read_witness_set
    from ledger.recording.author import Author
    from ledger.recording.recorder import Recorder
    from ledger.recording.running_hand import find_last_settings

    name, tournament, room = _parse_room(ledger, table, venue)
    earlier_state = find_last_settings(ledger, room, name, tournament)
    if earlier_state is None and room is None:
        raise recording_errors.unknown_table(table)
    settings, events = earlier_state or (Settings(room or "", name, seats, tournament), [])
    if records or not settings.witnesses:
        settings.witnesses = read_witness_set(records or _DEFAULT_PROFILE)
    author = Author(name=ledger.people.player(settings.venue, person) if person else "record")
    recorder = Recorder(ledger, settings, events, author)
    if game and not recorder.running:  # a running hand keeps its game
        _set_game(recorder, game)
    return recorder


def _set_game(recorder: Recorder, game: str) -> None:
    from ledger.errors import UnreadableHandError

    try:
        recorder.tell(f"game {game}")
    except UnreadableHandError as error:
        raise recording_errors.bad_game(game, _suggest_game(game, error)) from error


def _suggest_game(game: str, error: UnreadableHandError) -> str:
    """Return the game line for a usual name such as `limit 10/20`; else the error's proposal, or an example."""
    from ledger.formats.handscript import name_of_game

    game_name = name_of_game(game)
    if game_name is None:
        proposed_game = getattr(error, "write", "").removeprefix("game ")
        return proposed_game if "blinds " in proposed_game else "holdem no-limit cash blinds 2/5 unit USD 2"
    betting, variant, stakes = game_name.text.split(maxsplit=2)
    if betting != "limit":
        return f"{variant} {betting} cash blinds {stakes} unit USD 2"
    first_bet = Decimal(stakes.split("/", maxsplit=1)[0])
    return f"{variant} limit cash blinds {(first_bet / 2).normalize():f}/{first_bet} bets {stakes} unit USD 2"


_DEFAULT_PROFILE = "dealer-notes"
"""The default of --records."""


def _parse_room(ledger: Ledger, table: str, venue: str | None) -> tuple[str, str, str | None]:
    """Return name, tournament and room of a table; the room is None if neither the address nor --venue names it."""
    from ledger.errors import NothingFoundError
    from projections.addresses import hand_address

    if venue is None:
        try:
            row = hand_address.find_table(ledger, table)
        except NothingFoundError:
            if "/" in table and hand_address.is_hand(ledger, table):
                raise
            parts = table.rsplit("/", 1)
            return (parts[-1], "", parts[0] if len(parts) > 1 else None)
        return row.table, row.tournament, row.venue
    return table, "", venue


def _read_lines() -> Iterator[str]:
    for line in sys.stdin:
        yield line.rstrip("\r\n")


def _answer_line(table_session: TableSession, line: str, format_: common_options.Shape) -> bool:
    """Record a line and write the answer; return True if the line was refused."""
    from cli.screens.record_text import LEAVE, build_refusal, describe_refusal, record_line

    if not line.strip() or line.lstrip().startswith("#"):
        return False
    try:
        if line.strip() in LEAVE:
            raise recording_errors.terminal_only(line.strip())
        messages, current = record_line(table_session, line, table_session.document())
    except HandledgerError as error:
        console.write_text(
            console.encode_document(build_refusal(error)) if format_ == "json" else "\n".join(describe_refusal(error))
        )
        return True
    if format_ == "json":
        console.write_text(console.encode_document(current))
    else:
        console.write_text("\n".join(messages))
    return False
