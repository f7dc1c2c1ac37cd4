"""The summary of a hand: what the source itself says came of it."""

from __future__ import annotations

from typing import Final

from ledger.formats.fulltilt.hand import Hand, cards
from ledger.formats.fulltilt.words import VENUE
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import HandVoided, ResultDeclared, ShowdownBegun
from ledger.readers import amounts
from ledger.readers.hand import SEATS
from ledger.vocabulary import Seat

_NUMBERS: Final = {str(number): number for number in range(1, SEATS)}
_LABELS: Final = ("(button)", "(small blind)", "(big blind)")
_QUIET: Final = ("folded", "didn't bet", "mucked", "and lost", "(didn't bet)", "[0]")
"""How the rest of a seat's line begins that says nothing which the acts did not."""


def line(hand: Hand, text: str) -> None:
    """Read one line of the summary."""
    if text[:5] == "Seat ":
        read = _seat(hand, text)
    elif text.startswith("Total pot "):
        read = _totals(hand, text)
    elif text.startswith("Board: ["):
        found = cards(text[8:].rstrip("]"))
        run = hand.runs > 1 and sum(
            isinstance(event, ResultDeclared) and event.what == "board" for event in hand.events
        )
        read = found is not None
        if found is not None:
            hand.put(ResultDeclared("board", cards=found, number=run + 1 if hand.runs > 1 else 0))
    elif text.startswith("Hand ") and text.endswith(("canceled", "cancelled")):
        hand.put(HandVoided("cancelled"))
        read = True
    else:
        read = text.startswith(("*** SUMMARY ", "Duration ", "Pot ", "*****", "END", "BEGIN"))
    if not read:
        hand.unread(text)


def _totals(hand: Hand, text: str) -> bool:
    """Read `Total pot 650 Main pot 150. Side pot 500. | Rake 0`."""
    pots, *drops = text.split(" | ")
    words = pots.split()
    if len(words) < 3:
        return False
    hand.total = hand.chips(words[2])
    for drop in drops:
        name, _, amount = drop.strip().rpartition(" ")
        hand.drop("rake" if name == "Rake" else "jackpot" if "Jackpot" in name else "other", hand.chips(amount))
    hand.put(ResultDeclared("total-pot", None, hand.total))
    label = ""
    for word in words[3:]:
        bare = word.rstrip(".")
        number = word[-1] == "." or bare[:1] in amounts.SYMBOLS or len(bare) > 2
        if number and any(map(str.isdigit, bare)):
            _pot(hand, label, bare)
            label = ""
        else:
            label = f"{label} {bare}".strip()
    return not label


def _pot(hand: Hand, label: str, amount: str) -> None:
    number = _NUMBERS.get(label.replace("-", " ").rpartition(" ")[2], 1)
    chips = hand.chips(amount)
    if label.startswith("Main"):
        hand.put(ResultDeclared("main-pot", None, chips))
    else:
        hand.put(ResultDeclared("side-pot", None, chips, "", number))


_NUMBER_ENDS: Final = len("Seat 99: ")


def _seat(hand: Hand, text: str) -> bool:
    """Read `Seat 3: Name (button) showed [Ah Kd] and won ($5) with a pair of Aces`."""
    at = 0
    while True:
        colon = text.find(": ", at + 5, at + _NUMBER_ENDS) + 2
        seat = _NUMBERS.get(text[at + 5 : colon - 2], 0)
        name = hand.sits.get(seat)
        if name is not None and text.startswith(name, colon):
            break
        # The room drops the line end behind somebody who came too late to be listed.
        at = text.find(" Seat ", max(at, colon)) + 1
        if not at:
            return False
    whole = text[colon + len(name) :]
    quiet = hand.people.read_before.of(
        VENUE, "quiet"
    )  # what stood behind a name and says nothing that the acts did not
    if whole in quiet:
        return True
    rest = whole.strip()
    while rest.startswith(_LABELS):
        rest = rest[rest.find(")") + 1 :].lstrip()
    if rest == "is sitting out":
        hand.away.add(seat)
        return True
    if rest.startswith(("showed [", "mucked [")):
        end = rest.find("]")
        found = cards(rest[8:end])
        if found is None:
            return False
        if hand.shown.get(seat) != found:
            how = "shown" if rest[0] == "s" else "after"
            hand.put(HoleCardsLearned(seat, found, how))  # type: ignore[arg-type]  # one of two
            hand.shown[seat] = found
        rest = rest[end + 1 :].lstrip()
        return _result(hand, seat, rest)
    count = len(hand.events), len(hand.collected)
    read = _result(hand, seat, rest)
    if read and count == (len(hand.events), len(hand.collected)) and len(whole) < 60:
        quiet[whole] = True
    return read


def _result(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `collected ($5), mucked`, `and won ($5) with …`, or that nothing was won."""
    for words in ("collected (", "and won ("):
        if rest.startswith(words):
            amount = hand.chips(rest[len(words) :].partition(")")[0])
            if hand.runs == 1:
                _declared(hand, seat, amount)
            hand.collected[seat] = hand.collected.get(seat, 0) + amount
            return True
    return not rest or rest.startswith((*_QUIET, "- "))


def _declared(hand: Hand, seat: Seat, amount: int) -> None:
    if not hand.paid and not any(isinstance(event, ShowdownBegun) for event in hand.events):
        hand.award(seat, amount)  # the line that pays the winner is missing: this one says it alone
        return
    hand.put(ResultDeclared("collected", seat, amount))


def collected(hand: Hand) -> None:
    """Declare what each seat collected over all runs: each run has a summary of its own."""
    if hand.runs > 1:
        for seat, amount in sorted(hand.collected.items()):
            hand.put(ResultDeclared("collected", seat, amount))
