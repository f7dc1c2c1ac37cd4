"""The dealer's words, cards that are known or shown, clocks, who goes and who is told something."""

from __future__ import annotations

from typing import Any, Final

from ledger.formats.coinpoker.values import Hand, Message
from ledger.formats.coinpoker.words import POSTS, act, cards, spoken
from ledger.hand.betting import TimeBankUsed
from ledger.hand.dealing import HoleCardsDealt, RabbitShown
from ledger.hand.ending import CardsShown, RemarkNoted
from ledger.presence import ChipsAdded, ConnectionLost, PlayerAway
from ledger.readers import amounts
from ledger.vocabulary import Cards, Seat, Street

_OF_THE_TABLE: Final = ("New Hand: #", "PREFLOP", "FLOP", "TURN", "RIVER", "Winner-Info: ")
_SILENT: Final = ("Turn (", "Dealer", "Folds", "Checks", "Return-Chips: ")
_WITH_CHIPS: Final = ("Raises To ", "Calls ", "All In ", "Bets ", "SB ", "BB ", "Straddle ", "Ante ")
_MOST: Final = 500


def said(hand: Hand, line: str) -> None:
    """Take a line of the dealer's: what it says is told already, but for chips that were bought.

    Words that say something else than what was told are kept, as are words that nobody knows.
    """
    text = line.strip()
    if not text or text.startswith(_OF_THE_TABLE):
        return
    name = next((one for one in hand.callers if text.startswith(one) and text[len(one) : len(one) + 1] == " "), "")
    rest, seat = text[len(name) + 1 :], hand.seats.get(name, 0)
    if name and rest.startswith(_SILENT):
        return
    if name and rest.startswith(_WITH_CHIPS):
        if _by(hand, rest) in (None, hand.said.get(seat)):
            return
    elif name and (kind := act(rest.partition(" ")[0])) in POSTS:
        if _by(hand, rest) in (None, hand.posts.get((seat, str(kind)))):
            return
    elif name and rest.startswith("My Hole Cards"):
        if not hand.own or spoken(rest[len("My Hole Cards") :]) == hand.own:
            return
    elif name and rest.startswith("Show Cards"):
        if spoken(rest[len("Show Cards") :]) == hand.shown.get(seat):
            return
    elif name and rest.startswith("Top-Up: "):
        found = amounts.maybe(rest[len("Top-Up: ") :], hand.exponent)
        if found is not None:
            hand.put(ChipsAdded(seat, found, "top-up"))
            return
    hand.unread(text[:_MOST])


def _by(hand: Hand, rest: str) -> int | None:
    """Return the chips that words say went in: `Raises To 0.07 (by 0.05) => TotalPot: 0.10`."""
    head = rest.partition(" =>")[0]
    by = head.partition("(by ")[2].rstrip(") ") or head.rpartition(" ")[2]
    return amounts.maybe(by, hand.exponent)


def own(hand: Hand, message: Message, value: dict[str, Any]) -> None:
    """Tell the cards of whose client this is."""
    found = cards(value.get("holeCards") or value.get("playerCards"))
    if not found or not hand.hero:
        hand.strange(message.name, hand.at)
    elif not hand.own:
        hand.own = found
        hand.put(HoleCardsDealt(hand.hero, found))
    elif found != hand.own:
        hand.strange(f"{message.name}, other cards than before", hand.at)


def show(hand: Hand, seat: Seat, found: Cards) -> None:
    """Tell a hand that is turned up, once."""
    if seat not in hand.stacks:
        hand.strange("game.show_hole_cards", hand.at)
    elif hand.shown.get(seat) != found:
        hand.shown[seat] = found
        hand.put(CardsShown(seat, found, after=hand.settled > 0))


def rabbit(hand: Hand, found: Cards, street: Street, board: int) -> None:
    """Tell cards that would have come."""
    hand.put(RabbitShown(found, street, board))


def timer(hand: Hand, _message: Message, value: dict[str, Any]) -> None:
    """Tell that a player draws on extra time; another timer nobody knows."""
    name, seconds = str(value.get("timerName")).lower(), value.get("turnTime")
    seat = hand.seats.get(str(value.get("whoseTurn")), 0)
    if seat and "extra" in name:
        told = isinstance(seconds, int) and not isinstance(seconds, bool) and 0 < seconds < 10_000
        hand.put(TimeBankUsed(seat, int(str(seconds)) if told else None))
    else:
        hand.strange("game.user_turn", hand.at)


def gone(hand: Hand, seat: Seat, word: str) -> None:
    """Tell that a player is away or without connection."""
    if word == "disconnected":
        hand.put(ConnectionLost(seat))
    elif word.startswith(("sit", "away")):
        hand.put(PlayerAway(seat, why="sits-out" if word.startswith("sit") else "away"))


def notice(hand: Hand, _message: Message, value: dict[str, Any]) -> None:
    """Keep a notice to whose client this is: `HAND_END_BUYOUT_SUCCESS 1.94`."""
    words = [str(value[name]) for name in ("message", "data", "errorMsg") if value.get(name)]
    if words:
        hand.put(RemarkNoted(hand.people.text(" ".join(words)[:_MOST])))
