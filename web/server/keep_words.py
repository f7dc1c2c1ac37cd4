"""Texts of the page that keeps a table, and of the frame around it, in the page's language.

The page hands the texts of its scripts over as JSON.
"""

from __future__ import annotations

import json
from typing import Final

from ledger.text.language import phrase, translatable
from web.server.between_words import BETWEEN_WORDS

SCRIPT_WORDS: Final = {
    # the top of the page
    "table": translatable("Table {table}"),
    "hand": translatable("hand {hand}"),
    "tables": translatable("tables"),
    "live": translatable("live"),
    "sendingNow": translatable("sending {count} …"),
    "offlineNow": translatable("offline: {count}"),
    "events": translatable("Events"),
    "record": translatable("Record"),
    "findings": translatable("Findings"),
    # the acts of the seat whose turn it is
    "toAct": translatable("Seat {seat} {player} is to act"),
    "fold": translatable("Fold"),
    "check": translatable("Check"),
    "call": translatable("Call {amount}"),
    "bet": translatable("Bet"),
    "raise": translatable("Raise"),
    "raiseTo": translatable("Raise to"),
    "checkAround": translatable("Check around"),
    "tapChair": translatable("Tap a chair: fold up to it."),
    "tapChairToCheck": translatable("Tap a chair: check up to it."),
    "preset least": translatable("least"),
    "preset half": translatable("½ pot"),
    "preset pot": translatable("pot"),
    "preset twice": translatable("2x pot"),
    "preset all-in": translatable("all in"),
    "noAmount": translatable("That's no amount."),
    "noRaise": translatable("The bet is {amount} already."),
    "belowLeast": translatable("The least is {amount}."),
    "aboveMost": translatable("The most is {amount}."),
    "cancel": translatable("Cancel"),
    "delete": translatable("delete"),
    "done": translatable("Done"),
    # what comes next
    "whatNext": translatable("what comes next"),
    "later": translatable("What comes next is shown when what waits is recorded."),
    "deal": translatable("Deal"),
    "dealHand": translatable("Deal hand {hand}"),
    "dealDone": translatable("Cards are dealt"),
    "nextHand": translatable("Next hand {hand}, by {book}"),
    "betweenHands": translatable("Between hands"),
    "noHand": translatable("Seat the players, or adopt a rulebook: then the next hand is shown here."),
    "nextWaits": translatable("Next"),
    "goOn": translatable("Go on"),
    "tapCards": translatable("{street}: tap {count} cards"),
    "tapCard": translatable("{street}: tap the card"),
    "nobodySaw": translatable("{street}: nobody saw it"),
    "cards": translatable("Cards"),
    "card": translatable("card: {card}"),
    "showdown": translatable("Showdown"),
    "showsNow": translatable("Seat {seat} {player} shows"),
    "showCards": translatable("Show cards"),
    "muck": translatable("Muck"),
    "whoWins": translatable("Who wins?"),
    "award": translatable("Award {amount}"),
    "seatsOf": translatable("Seats {seats}"),
    "winnerAndMucks": translatable("{winners}; muck: {mucks}"),
    "uncalled": translatable("Uncalled bet back"),
    "overpaid": translatable("More was paid than is in the pot"),
    "end": translatable("End of the hand"),
    "usualHand": translatable("Offline: button {button}, blinds {small} and {big}"),
    "handOver": translatable("The hand is over. The next is shown when it's recorded."),
    # taking back, and the record
    "takeBack": translatable("Take back"),
    "takenBack": translatable("taken back: {act}"),
    "takeBackTo": translatable("Take back to here"),
    "noLines": translatable("Nothing recorded in this hand yet."),
    "aLine": translatable("a line"),
    "recordLine": translatable("Record"),
    "mendable": translatable("It can still be put right."),
    "close": translatable("Close"),
    "who": translatable("Signed in"),
    "deals": translatable("{name} deals"),
    "dealNow": translatable("I deal now"),
    "signOut": translatable("Sign out"),
    "makeCode": translatable("A code for another device"),
    "sendsFirst": translatable("Acts still wait to be sent. Sign out when all are recorded."),
    # the felt
    "theTable": translatable("the table"),
    "seatOf": translatable("Seat {seat} {player}"),
    "emptyChair": translatable("Seat {seat}: empty chair"),
    "acts": translatable("to act"),
    "pot": translatable("pot {amount}"),
    "sidePot": translatable("side pot {amount}"),
    "folded": translatable("folded"),
    "dead": translatable("hand is dead"),
    "all-in": translatable("all in"),
    "left-out": translatable("not dealt in"),
    "away": translatable("away"),
    "mucked": translatable("mucked"),
    "betOf": translatable("bet {chips}"),
    "waits": translatable("waiting"),
    "D": translatable("D"),
    "SB": translatable("SB"),
    "BB": translatable("BB"),
    "XB": translatable("XB"),
    # acts, as they wait or are taken back
    "foldOf": translatable("{seat} folds"),
    "checkOf": translatable("{seat} checks"),
    "callOf": translatable("{seat} calls"),
    "betOfSeat": translatable("{seat} bets {amount}"),
    "totalOf": translatable("{seat} to {amount}"),
    "streetOf": translatable("{street} {cards}"),
    "showOf": translatable("{seat} shows {amount}"),
    "muckOf": translatable("{seat} mucks"),
    "winOf": translatable("{seat} wins {amount}"),
    "uncalledOf": translatable("{amount} back to {seat}"),
    "postOf": translatable("{seat} posts {amount}"),
    "straddleOf": translatable("{seat} straddles {amount}"),
    "anteOf": translatable("{seat} antes {amount}"),
    "sitOf": translatable("{player} sits in seat {seat}"),
    "leaveOf": translatable("{seat} leaves"),
    "awayOf": translatable("{seat} away"),
    "backOf": translatable("{seat} back"),
    "leaves": translatable("leaves"),
    "back": translatable("back"),
    "floorCalled": translatable("Floor called"),
    "stop": translatable("Leave the hand"),
    "enter": translatable("Enter"),
    # a table that isn't recorded yet
    "game": translatable("Game"),
    "chairs": translatable("Chairs"),
    "recordTable": translatable("Record this table"),
    # acts that wait
    "waiting": translatable("{count} waiting."),
    "waitingFor": translatable("{reason}: {count} waiting."),
    "kept": translatable("They are kept here and sent in their order."),
    "unkept": translatable("This browser keeps nothing: leave the page open."),
    "notShown": translatable("{reason}: what was recorded last is not shown yet."),
    "both": translatable("{sentence} {next_sentence}"),
    "giveUp": translatable("Give them up"),
    "refused": translatable("Not recorded:"),
    "approve": translatable("A floor approves it"),
    "signIn": translatable("Sign in"),
    "seen": translatable("OK"),
    "cantReopen": translatable("This page can't be reopened offline: keep it open."),
    # why an act waits or is refused
    "offline": translatable("No connection"),
    "status": translatable("The server answers {status}"),
    "restarted": translatable(
        "The server was started again. Open its new address on this device: what waits is sent then"
    ),
    "signedOut": translatable("You're signed out. Sign in again: what waits is sent then"),
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


def encode_script_words() -> str:
    """Return the texts in the language in force, as a JSON object. The scripts fill in their fields."""
    words = SCRIPT_WORDS | BETWEEN_WORDS | {f"street {stage}": message for stage, message in _STAGES.items()}
    return json.dumps({name: phrase(message) for name, message in words.items()})


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
    "requests": translatable("requests"),
}
_ROLES: Final = {
    "auditor": translatable("auditor"),
    "dealer": translatable("dealer"),
    "floor": translatable("floor"),
    "viewer": translatable("viewer"),
}


def label_stage(stage: str) -> str:
    """Return the name of a street, or of the time before the first."""
    return phrase(_STAGES.get(stage, stage))


def label_marker(role: str) -> str:
    """Return the sign of the button or of a blind at a seat."""
    return phrase(_MARKERS.get(role, role))


def label_page(page_name: str) -> str:
    """Return the name of a page."""
    return phrase(_PAGES[page_name])


def label_role(role: str) -> str:
    """Return the name of a role."""
    return phrase(_ROLES[role])


def label_pot(amount: str, *, is_main: bool) -> str:
    """Return a pot with its amount."""
    return phrase("pot {amount}", amount=amount) if is_main else phrase("side pot {amount}", amount=amount)
