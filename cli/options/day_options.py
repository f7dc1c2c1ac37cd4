"""`--day-begins`, and the days and times of rooms for commands."""

from __future__ import annotations

from typing import Annotated

import typer

from ledger.clocks import describe_local_time, format_minute, format_wall_time
from projections.addresses.room_days import (
    DEFAULT_DAY_START,
    TimeSpan,
    find_local_start,
    format_local_start,
    parse_span,
    select_in_span,
)

__all__ = [
    "DEFAULT_DAY_START",
    "DayBegins",
    "TimeSpan",
    "describe_local_time",
    "find_local_start",
    "format_local_start",
    "format_minute",
    "format_wall_time",
    "parse_span",
    "select_in_span",
]

DayBegins = Annotated[
    str,
    typer.Option(
        "--day-begins",
        metavar="HH:MM",
        envvar="HANDLEDGER_DAY_BEGINS",
        help="When a gaming day begins on the room's clock, so that 02:00 belongs to the evening before. If the zone is unknown, at midnight.",
    ),
]
