"""Define which acts at a table a dealer records only with a floor's approval.

Card rooms differ in details. This is what most have in common: dealers deal, take bets and push pots; whoever decides
against a player, moves the button or changes what was recorded is a floor.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from ledger.formats.handscript.header import OPENING, SETTINGS, STOP, WORD_ALIASES
from ledger.hand.betting import HandKilled, HandRetrieved
from ledger.hand.dealing import BoardDealt, BoardWithdrawn, CardsViewed, DealCompleted, HoleCardsDealt, MisdealDeclared
from ledger.hand.ending import CorrectionMade, HandVoided, PotImpounded, PotTakenBack
from ledger.hand.opening import ButtonPlaced, OptionSet, PermissionGranted
from ledger.presence import ChipsRemoved, FloorRuled
from ledger.recording.seat_keys import parse_button_line
from ledger.table.events import (
    AccountChosen,
    ButtonBought,
    ButtonDrawn,
    GameBroken,
    HouseNoticePosted,
    PlayerEliminated,
    RemovalQueued,
    SeatsAssigned,
    StakesChanged,
    TablePaused,
)
from ledger.table.money_events import (
    BoxCounted,
    ChipsCredited,
    ChipsFilled,
    EntrySold,
    FundPaid,
    PrizePaid,
    PrizePoolStated,
    TrayCounted,
)
from ledger.text.language import phrase, translatable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.event import Event
    from ledger.formats.handscript.live import LineResult
    from ledger.recording.recorder import Recorder


class FloorAct(StrEnum):
    """Something that a floor has to approve. The value is the text for people."""

    RULING = translatable("a ruling")
    MISDEAL = translatable("a misdeal, or a hand that is void")
    HAND = translatable("a hand killed or given back")
    BOARD = translatable("board cards taken back")
    POT = translatable("a pot taken back or held")
    BUTTON = translatable("the button placed by hand")
    CHIPS = translatable("chips taken off the table")
    GAME = translatable("other stakes or options, an exception, a table paused or broken")
    MONEY = translatable("a box or tray counted, a fill or credit, a fund, entry or prize paid")
    SEATS = translatable("seats assigned, or a player removed")
    STOPPED = translatable("a hand left without its end")
    REOPENED = translatable("a hand that had ended, opened again")
    CORRECTION = translatable("a correction of anything but the last act")


FLOOR_EVENTS: Final[Mapping[type[Event], FloorAct]] = {
    FloorRuled: FloorAct.RULING,
    AccountChosen: FloorAct.RULING,
    HouseNoticePosted: FloorAct.RULING,
    CardsViewed: FloorAct.RULING,
    MisdealDeclared: FloorAct.MISDEAL,
    HandVoided: FloorAct.MISDEAL,
    HandKilled: FloorAct.HAND,
    HandRetrieved: FloorAct.HAND,
    BoardWithdrawn: FloorAct.BOARD,
    PotTakenBack: FloorAct.POT,
    PotImpounded: FloorAct.POT,
    ButtonDrawn: FloorAct.BUTTON,
    ButtonBought: FloorAct.BUTTON,
    ChipsRemoved: FloorAct.CHIPS,
    StakesChanged: FloorAct.GAME,
    OptionSet: FloorAct.GAME,
    PermissionGranted: FloorAct.GAME,
    GameBroken: FloorAct.GAME,
    TablePaused: FloorAct.GAME,
    BoxCounted: FloorAct.MONEY,
    TrayCounted: FloorAct.MONEY,
    ChipsFilled: FloorAct.MONEY,
    ChipsCredited: FloorAct.MONEY,
    FundPaid: FloorAct.MONEY,
    EntrySold: FloorAct.MONEY,
    PrizePoolStated: FloorAct.MONEY,
    PrizePaid: FloorAct.MONEY,
    SeatsAssigned: FloorAct.SEATS,
    RemovalQueued: FloorAct.SEATS,
    PlayerEliminated: FloorAct.SEATS,
}
"""Event → the act that a floor has to approve, wherever somebody wrote it down. What the program proposes is no decision."""


def find_floor_act(facts: LineResult, recorder: Recorder, *, has_hands: bool) -> FloorAct | None:
    """Return why some facts need a floor, None if a dealer may record them. `has_hands`: it isn't the first hand there."""
    for index, event in enumerate(facts.events):
        if index in facts.inferred or event in recorder.lines.opening:
            continue  # the program proposed it, or it holds for every hand of the table
        if isinstance(event, CorrectionMade):
            floor_act = _find_act_of_correction(event, facts, recorder)
        elif isinstance(event, ButtonPlaced):
            floor_act = FloorAct.BUTTON if has_hands else None
        elif isinstance(event, HandVoided) and _is_undealt(recorder):
            floor_act = None  # the dealer takes back a hand that was begun by mistake
        else:
            floor_act = FLOOR_EVENTS.get(type(event))
        if floor_act is not None:
            return floor_act
    return FloorAct.STOPPED if facts.ends and not facts.events else None


def _is_undealt(recorder: Recorder) -> bool:
    """Whether a hand runs in which nobody has cards yet."""
    return recorder.running and not any(isinstance(event, _DEALING_EVENTS) for _, event in recorder.numbered)


_DEALING_EVENTS: Final = (HoleCardsDealt, DealCompleted, BoardDealt)


def _find_act_of_correction(event: CorrectionMade, facts: LineResult, recorder: Recorder) -> FloorAct | None:
    """Return why a correction needs a floor.

    A dealer takes back the last act of the running hand, or the last fact between hands, if no floor decided it.
    """
    if event.count or len(event.voids) != 1:
        return FloorAct.CORRECTION
    if not recorder.running:
        return FloorAct.REOPENED if facts.kind == "hand" else None
    if facts.kind == "table":
        return FloorAct.CORRECTION
    last_version, last_event = recorder.numbered[-1]
    return FloorAct.CORRECTION if event.voids != (last_version,) else FLOOR_EVENTS.get(type(last_event))


def find_floor_act_of_line(line: str, recorder: Recorder, *, has_hands: bool) -> FloorAct | None:
    """Return why a line needs a floor, as far as its words alone show it: no event says it."""
    first_words = {words[0].lower() for part in line.split(";") if (words := part.split())}
    if not recorder.running and first_words & _HEADER_WORDS:
        return FloorAct.GAME
    if has_hands and not recorder.running and parse_button_line(line) is not None:
        return FloorAct.BUTTON
    return FloorAct.STOPPED if STOP in first_words else None


_HEADER_WORDS: Final = (SETTINGS | OPENING | WORD_ALIASES.keys()) - {"table"}
"""Words of lines that hold for later hands. `table breaks` is an event."""


def format_floor_acts() -> str:
    """Return the acts as a list in Markdown for the documentation."""
    return "".join(f"- {phrase(floor_act.value)}\n" for floor_act in FloorAct)
