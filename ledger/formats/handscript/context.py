"""The context of a line from the lines before it: room, table, unit, bets, the clock."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final, TypeAlias, TypedDict, cast

from msgspec import Struct, field

from ledger import clocks
from ledger.case.events import CaseOpened
from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.early_streets import belongs_to_early
from ledger.hand.fold import HANDLERS
from ledger.hand.state import HandState
from ledger.people import People
from ledger.readers import timestamps
from ledger.table.events import HandPlayed, TableOpened
from ledger.vocabulary import Chips, Millis, PlayerId, Seat

EXPONENT_MOST: Final = 15
DAY: Final = 86_400_000


class Settings(Struct):
    """The header's values, which apply to all hands up to the next header."""

    venue: str = ""
    table: str = ""
    seats: int = 0
    tournament: str = ""
    club: str = ""
    witnesses: int = 0
    trusts_derived_button: bool = False  # `witness` names `written-button` explicitly
    unit: str = "chips"
    exponent: int = 0
    book: str = ""
    source: str = ""  # whose record this is: the same words, the same record, told anew


class BetValues(TypedDict, total=False):
    """The values in the line of a bet."""

    seat: Seat
    added: Chips | None
    to: Chips


class SeatNames(Struct, frozen=True):
    """The names of a table's players, as lines may use them."""

    players: Mapping[Seat, PlayerId]
    full_names: tuple[tuple[str, str] | None, ...]  # venue and name of each player, None = unknown
    seats: Mapping[str, Seat | None]  # by name in lower case; None if two players share it


class Context(Struct):
    """The state of reading or writing within a section."""

    people: People
    settings: Settings = field(default_factory=Settings)
    state: HandState = field(default_factory=HandState)
    number: str = ""  # of the case
    scale: int = 0  # decimals of an amount
    started_text: str = ""  # the time as the hand's line has it, but for one in UTC
    zone: tzinfo = UTC
    clock: Millis | None = None  # the last moment told
    short: bool = False  # names without their room: for people, not for reading back
    sitting: Callable[[], Mapping[Seat, PlayerId]] = dict  # who sits at the table, by lines before this section
    seat_names: SeatNames | None = None  # the names of the table as it was when a line last asked for them

    def __post_init__(self) -> None:
        self.scale = count_decimals(self.settings.exponent)

    def follow(self, event: Event) -> None:
        """Apply an event, on which later lines may depend."""
        kind = type(event)
        step = HANDLERS.get(kind)
        if step is not None:
            step(self.state, event)
        if kind is o.GameSet and isinstance(event, o.GameSet):
            self.scale = count_decimals(event.exponent)
        elif kind is o.HandOpened and isinstance(event, o.HandOpened):
            self.clock = event.started
            self.zone = parse_zone(self.started_text)

    def find_occupant(self, seat: Seat) -> PlayerId | None:
        """Return the player in a seat, or None if no line names one."""
        seat_entry = self.state.dealt.get(seat) or self.state.left_out.get(seat)
        return seat_entry.player if seat_entry is not None else self.sitting().get(seat)

    def bet(self, seat: Seat) -> Chips:
        """Return a seat's live bet on this street."""
        return self.state.round.bets.get(seat, 0)

    def call(self, seat: Seat) -> Chips:
        """Return the chips that a seat adds to call, at most its stack if that is known."""
        owed = max(0, self.state.round.bet_to_call - self.bet(seat))
        dealt = self.state.dealt.get(seat)
        if dealt is None or dealt.stack is None:
            return owed
        return min(owed, max(0, dealt.stack - self.state.chips.put_in.get(seat, 0)))


def count_decimals(exponent: int) -> int:
    """Return the number of decimals in amounts, or 0 for an absurd exponent."""
    return exponent if 0 <= exponent <= EXPONENT_MOST else 0


def _infer_table(context: Context, _values: BetValues) -> dict[str, object]:
    """Return the header's values about where hands are played."""
    return {
        name: getattr(context.settings, name) for name in ("venue", "table", "seats", "tournament", "club", "witnesses")
    }


def _infer_call(context: Context, values: BetValues) -> dict[str, object]:
    """Return the total of a call, from the chips added if the line has them."""
    seat, added = values["seat"], values.get("added")
    is_early = _starts_early_street(context, "call", seat)
    if added is None:
        added = 0 if is_early else context.call(seat)
    return {"added": added, "to": added if is_early else context.bet(seat) + added}


def _infer_bet(context: Context, values: BetValues) -> dict[str, object]:
    """Return the total of a bet, from the chips added."""
    seat, added = values["seat"], values.get("added") or 0
    return {"added": added, "to": added if _starts_early_street(context, "bet", seat) else context.bet(seat) + added}


def _infer_raise(context: Context, values: BetValues) -> dict[str, object]:
    """Return the chips added by a raise, from the total."""
    seat, raise_total = values["seat"], values["to"]
    return {"added": raise_total if _starts_early_street(context, "raise", seat) else raise_total - context.bet(seat)}


def _starts_early_street(context: Context, kind: str, seat: Seat) -> bool:
    """Whether an act begins the betting of a street that was dealt too early."""
    return context.state.early_street is not None and belongs_to_early(context.state, kind, seat)


INFERRED: Final[dict[type[Struct], Callable[[Context, BetValues], dict[str, object]]]] = {
    o.HandOpened: lambda c, values: {**_infer_table(c, values), "written": c.started_text},
    TableOpened: _infer_table,
    o.GameSet: lambda c, _: {"unit": c.settings.unit, "exponent": c.settings.exponent},
    CaseOpened: lambda c, _: {"number": c.number},
    b.Called: _infer_call,
    b.Bet: _infer_bet,
    b.Raised: _infer_raise,
    b.Completed: _infer_raise,
}
"""How each event's unsaid fields follow from what was said before."""

Infer: TypeAlias = Callable[[Context, dict[str, object]], dict[str, object]]


def find_inference(kind: type[Struct]) -> Infer | None:
    """Return how an event's unsaid fields follow from those that its line says: of a bet these are `Said`."""
    return cast("Infer | None", INFERRED.get(kind))


UNITED: Final = (o.GameSet, HandPlayed)
"""Events that say their own unit, in which their amounts are written."""


# Times


_ISO: Final = re.compile(r".{10}T.{5}:..(\.[0-9]{1,3})?(Z|[+-].{5})", re.ASCII)
_WALL: Final = re.compile(r".{10}T.{5}(:..)?", re.ASCII)
_CLOCK: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,3}))?")


def parse_zone(time_text: str) -> tzinfo:
    """Return the offset of an ISO time such as `2026-11-20T22:41:07-05:00`; UTC if it has none."""
    return (datetime.fromisoformat(time_text).tzinfo if time_text else None) or UTC


def write_moment(moment: Millis) -> str:
    """Return a moment in UTC, with milliseconds if it has any; `ms:` and a number beyond 0001-9999."""
    return clocks.format_moment(moment) or f"ms:{moment}"


def parse_iso(text: str) -> Millis | None:
    """Return the moment of an ISO time with `Z` or an offset, to the millisecond; None if it is none."""
    return timestamps.parse_iso(text) if _ISO.fullmatch(text) else None


def is_wall_time(text: str) -> bool:
    """Whether a text is a date and time without a zone: `2026-11-20T22:41`, or with seconds."""
    return bool(_WALL.fullmatch(text)) and timestamps.parse_iso(text) is not None


def parse_clock(text: str, reference: Millis, zone: tzinfo) -> Millis | None:
    """Return the moment nearest to `reference` at which a clock of that zone shows `22:41:30.5`."""
    clock_match = _CLOCK.fullmatch(text)
    if clock_match is None:
        return None
    hours, minutes, seconds, fraction = clock_match.groups("")
    time_of_day = ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(fraction.ljust(3, "0"))
    return reference + (time_of_day - (reference + _format_offset(zone)) % DAY + DAY // 2) % DAY - DAY // 2


def write_clock(moment: Millis, zone: tzinfo) -> str:
    """Return a moment as the time of day in a zone."""
    seconds, millis = divmod((moment + _format_offset(zone)) % DAY, 1000)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return text + (f".{millis:03}" if millis else "")


def _format_offset(zone: tzinfo) -> Millis:
    return (zone.utcoffset(None) or timedelta()) // timedelta(milliseconds=1)
