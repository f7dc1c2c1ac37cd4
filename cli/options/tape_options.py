"""Options of an index for a camera's recording."""

from __future__ import annotations

from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import typer

from projections.tape import tape_errors

TAPE_FORMATS: Final = ("webvtt", "edl")

Starts: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--starts",
        metavar="TIME",
        help="When the recording begins, by the camera's clock. Without a zone: by the room's clock.",
    ),
]
Ends: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--ends", metavar="TIME", help="When the recording ends, by the camera's clock. Hands after it are left out."
    ),
]
ClockOffset: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--clock", metavar="OFFSET", help="How far the camera's clock is ahead (+3.2s) or behind (-1m5s) the ledger's."
    ),
]
Matches: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--match",
        metavar="EVENT=PLACE",
        help="An event that you see on the recording: T7/408@12=00:41:07.5. Two of them show a clock that drifts.",
    ),
]
FrameRate: TypeAlias = Annotated[
    Literal["24", "25", "30", "50", "60"] | None,
    typer.Option("--frame-rate", help="Frames a second of an edl. Default: 25."),
]


class TapeOptions(NamedTuple):
    """Where hands are on a recording, and under which books their findings are."""

    starts: str | None
    ends: str | None
    clock: str | None
    matches: list[str]
    frame_rate: str | None = None
    books: list[str] | None = None  # None = those of the house

    def require_tape(self, format_name: str) -> None:
        """Refuse these options with a format that is no index of a recording."""
        if format_name in TAPE_FORMATS:
            return
        options = {
            "--starts": self.starts,
            "--ends": self.ends,
            "--clock": self.clock,
            "--match": self.matches,
            "--frame-rate": self.frame_rate,
            "--rulebook": self.books,
        }
        for option, value in options.items():
            if value:
                raise tape_errors.tape_option_without_tape(option, format_name)
