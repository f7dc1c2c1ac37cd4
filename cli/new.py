"""`handledger new`: a template for a night of notes."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Final

import typer

from cli.documents.import_documents import NewDocument
from cli.options import common_options
from cli.output import console
from ledger.errors import UsageError
from ledger.formats.handscript import name_of_game

_TEMPLATE: Final = """\
handscript 1
{place}date {day}
game {game}

# Write one line for each seat: its number, the player, the chips.
# seat 1 Ana 500
# seat 2 Bo 430
# seat 3 Cy 600
# seat 4 Di 250

# Then the hands, one below the other. These ten lines are enough:
# hand 1
# button 1
# 2 sb {small}, 3 bb
# Di raises to {raise_}, Ana folds, Bo calls, Cy folds
# flop Kd 7s 2c, both check
# turn 9h, Bo bets {raise_}, Di folds
# Bo wins
# Di rebuys 300
# Ana away
# new player Ned in seat 5 with 300
"""


def _find_small_blind(game: str) -> str:
    """Return the small blind of a game line: the first of its stakes, in limit games half of it."""
    first_stake = Decimal(game.rsplit(maxsplit=1)[-1].split("/", maxsplit=1)[0])
    small = first_stake / 2 if game.startswith("limit") else first_stake
    return f"{small.normalize():f}"


def command(
    night: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write. A file that you edited is never overwritten.")
    ],
    *,
    game: Annotated[str, typer.Option("--game", help='As in "limit 10/20" or "no-limit holdem 2/5".')],
    table: Annotated[str, typer.Option("--table", help="The table's name or number.")] = "",
    room: Annotated[str, typer.Option("--room", help="The room's name.")] = "",
    format_: common_options.Format = "text",
) -> None:
    """Create a file for a night of notes, with example lines."""
    game_name = name_of_game(game)
    if game_name is None:
        raise UsageError(
            f"I can't read {game!r} as a game with stakes", 'Write, for example: --game "no-limit holdem 2/5"'
        )
    place = "  ".join(f"{name} {value}" for name, value in (("room", room), ("table", table)) if value)
    text = _TEMPLATE.format(
        place=f"{place}  " if place else "",
        day=datetime.now(UTC).astimezone().date().isoformat(),
        game=game_name.text,
        raise_=game_name.raise_to,
        small=_find_small_blind(game_name.text),
    )
    if night.exists() and night.read_text(encoding="utf-8", errors="replace") != text:
        raise UsageError(f"{night} exists already", "Name another file.")
    try:
        night.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{night} can't be written: {error.strerror}", "Name another folder.") from None
    if format_ == "json":
        console.write_document(NewDocument(file=str(night), text=text))
    else:
        console.write_text(f"Wrote {night}. Fill it in, then: handledger read {night}")
