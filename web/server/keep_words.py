"""Texts of the page that keeps a table, and of the frame around it, in the page's language.

The page hands the texts of its scripts over as JSON.
"""

from __future__ import annotations

import json
from typing import Final

from ledger.text.language import phrase, translatable

SCRIPT_WORDS: Final = {
    # buttons and fields of the round of betting
    "toAct": translatable("Seat {seat} {player} is to act"),
    "fold": translatable("Fold"),
    "check": translatable("Check"),
    "call": translatable("Call {amount}"),
    "bet": translatable("Bet"),
    "raise": translatable("Raise"),
    "raiseTo": translatable("Raise to"),
    "allIn": translatable("All in"),
    "later": translatable("What comes next is shown when what waits is recorded. Or write the line."),
    "card": translatable("card: {card}"),
    "delete": translatable("delete"),
    # seats
    "folded": translatable("folded"),
    "dead": translatable("hand is dead"),
    "all-in": translatable("all in"),
    "left-out": translatable("not dealt in"),
    "betOf": translatable("bet {chips}"),
    "left": translatable("{amount} left"),
    "waits": translatable("waiting"),
    # acts that wait
    "foldOf": translatable("{seat} folds"),
    "checkOf": translatable("{seat} checks"),
    "callOf": translatable("{seat} calls"),
    "allInOf": translatable("{seat} all in"),
    "totalOf": translatable("{seat} to {amount}"),
    "enter": translatable("Enter"),
    "waiting": translatable("{count} waiting."),
    "waitingFor": translatable("{reason}: {count} waiting."),
    "kept": translatable("They are kept here and sent in their order."),
    "unkept": translatable("This browser keeps nothing: leave the page open."),
    "notShown": translatable("{reason}: what was recorded last is not shown yet."),
    "both": translatable("{sentence} {next_sentence}"),
    "giveUp": translatable("Give them up"),
    "refused": translatable("Not recorded:"),
    "seen": translatable("OK"),
    # why an act waits or is refused
    "offline": translatable("No connection"),
    "status": translatable("The server answers {status}"),
    "restarted": translatable(
        "The server was started again. Open its new address on this device: what waits is sent then"
    ),
    "why": translatable("{act}: {reason}"),
    "whyAndHint": translatable("{act}: {reason}. {hint}"),
    "updated": translatable("it waited while the program was updated"),
    "turnOf": translatable("it is the turn of seat {seat}"),
    "unseen": translatable("what comes next is not shown yet"),
    "givenUp": translatable("you gave it up"),
    "givenUpHint": translatable("Look at the table: it may be recorded all the same."),
    "after": translatable("it came after {act}"),
}
"""Each text by its name in the scripts."""


def script_words() -> str:
    """Return the texts in the language in force, as a JSON object. The scripts fill in their fields."""
    return json.dumps({name: phrase(message) for name, message in SCRIPT_WORDS.items()}, ensure_ascii=False)


_STAGES: Final = {
    "before the deal": translatable("before the deal"),
    "preflop": translatable("preflop"),
    "flop": translatable("flop"),
    "turn": translatable("turn"),
    "river": translatable("river"),
    "third": translatable("third street"),
    "fourth": translatable("fourth street"),
    "fifth": translatable("fifth street"),
    "sixth": translatable("sixth street"),
    "seventh": translatable("seventh street"),
    "first-draw": translatable("first draw"),
    "second-draw": translatable("second draw"),
    "third-draw": translatable("third draw"),
}
_MARKERS: Final = {"D": translatable("D"), "SB": translatable("SB"), "BB": translatable("BB"), "XB": translatable("XB")}
_PAGES: Final = {
    "tables": translatable("tables"),
    "log": translatable("log"),
    "findings": translatable("findings"),
    "cases": translatable("cases"),
    "results": translatable("results"),
    "rules": translatable("rules"),
    "imports": translatable("imports"),
    "looks": translatable("looks"),
}
_ROLES: Final = {"auditor": translatable("auditor"), "floor": translatable("floor"), "viewer": translatable("viewer")}


def stage_label(stage: str) -> str:
    """Return what a street, or the time before the first, is called."""
    return phrase(_STAGES.get(stage, stage))


def marker_label(role: str) -> str:
    """Return the sign of the button or of a blind at a seat."""
    return phrase(_MARKERS.get(role, role))


def page_label(page_name: str) -> str:
    """Return what a page is called."""
    return phrase(_PAGES[page_name])


def role_label(role: str) -> str:
    """Return whose key opened the page."""
    return phrase(_ROLES[role])


def pot_label(amount: str, *, is_main: bool) -> str:
    """Return a pot with its amount."""
    return phrase("pot {amount}", amount=amount) if is_main else phrase("side pot {amount}", amount=amount)
