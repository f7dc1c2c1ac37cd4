"""Lines that are no act of a seated player: pots, presence, chat, tournament news."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.formats.pokerstars import acts, streets
from ledger.formats.pokerstars import hand as h
from ledger.formats.pokerstars.hand import Hand
from ledger.formats.pokerstars.words import REMARKS
from ledger.hand.betting import BetReturned, CashOutTaken, ClockExpired, RaisesCapped
from ledger.hand.ending import BountyWon, HandVoided, PlayerFinished, PotAwarded, RemarkNoted
from ledger.hand.opening import PotSeeded
from ledger.presence import (
    ChipsAdded,
    ConnectionLost,
    ConnectionRestored,
    EntryDeferred,
    PlayerAway,
    PlayerBack,
    SeatLeft,
    SeatTaken,
    WordsSaid,
)
from ledger.readers import amounts
from ledger.readers.hand import SEATS
from ledger.vocabulary import Chips, Seat


def other(hand: Hand, line: str, k: int) -> int:
    """Read a line of another kind; return the next line to read."""
    name, word, tail = line.rpartition(" collected ")
    if (
        tail[-9:] == " from pot"
        and word
        and not line[0].isspace()
        and (seat := hand.seats.get(name)) is not None
        and (amount := hand.money.get(tail[:-9])) is not None
    ):
        hand.end_bets()
        hand.after = True
        hand.put(PotAwarded(seat, amount, None, hand.run, hand.face), k)
        return k + 1
    bare = line.strip()
    if bare.startswith("Uncalled bet ("):
        if _returned(hand, bare, k):
            return k + 1
    elif bare.startswith("Dealt to "):
        streets.dealt(hand, line, k)
        return k + 1
    elif bare.endswith("sits out") and _stranger(hand, bare, k):
        return k + 1
    elif line[:1] == " " and bare.startswith(_STARLESS) and (heading := _starred(bare)):
        hand.lines.text[k] = heading
        return k
    own = hand.dialect.line
    if not (
        (own is not None and own(hand, bare, k))
        or collected(hand, bare, k)
        or _named(hand, bare, k)
        or _nobody(hand, bare, k)
    ):
        hand.unread(line, k)
    return k + 1


def _starred(bare: str) -> str:
    """Return ` FLOP  [2c 7d Kc]`, whose stars a message board took for bold type, as a heading."""
    title, bracket, cards = bare.partition("  [")
    if title not in _STARLESS or bool(bracket) == (title in ("HOLE CARDS", "SHOW DOWN", "SUMMARY")):
        return ""
    return f"*** {title} *** [{cards}" if bracket else f"*** {title} ***"


def _returned(hand: Hand, line: str, k: int) -> bool:
    """Read `Uncalled bet ($5) returned to Name`."""
    written, words, name = line[14:].partition(") returned to ")
    if not words:
        return False
    seat = hand.seat(name)
    if seat is None:
        return False
    amount = hand.chips(written)
    if amount > hand.bets[seat]:
        amount = _less_the_splash(hand, seat, amount, k)
    give_back(hand, seat, amount, k)
    return True


def give_back(hand: Hand, seat: Seat, amount: Chips, k: int) -> None:
    """Keep the books for a bet that nobody called and that line `k` returns."""
    hand.bets[seat] = max(0, hand.bets[seat] - amount)
    if hand.alone == seat:
        hand.alone = 0
    hand.pending = [one for one in hand.pending if one[0] != seat]
    hand.put(BetReturned(seat, amount), k)


def _less_the_splash(hand: Hand, seat: Seat, told: Chips, k: int) -> Chips:
    """Return what came back: where the room added chips, Run It Once told more than the seat had bet.

    Then it is the bet that nobody called, which is concluded; the line is kept in its own words.
    """
    if not any(isinstance(event, PotSeeded) for event in hand.events):
        return told
    hand.end_bets()
    alone = next((rest for one, rest, _ in hand.pending if one == seat), 0)
    if not alone:
        return told
    hand.put(RemarkNoted(hand.people.text(hand.lines.text[k].strip())), k)
    hand.derived.append(len(hand.events))
    return alone


def collected(hand: Hand, line: str, k: int) -> bool:
    """Read `Name collected $5 from side pot-1`."""
    at = line.rfind(" collected ")
    if at < 0:
        return False
    seat = hand.seat(line[:at])
    amount, _, pot = line[at + 11 :].partition(" from ")
    if seat is None or (pot not in ("pot", "main pot") and not pot.startswith("side pot")):
        return False
    number: int | None = None
    if pot == "main pot":
        number = 0
    elif pot.startswith("side pot"):
        digits = pot[8:].lstrip("- ")
        number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 3 else 1
    hand.end_bets()
    hand.after = True
    hand.put(PotAwarded(seat, hand.chips(amount), number, hand.run, hand.face), k)
    return True


def _named(hand: Hand, line: str, k: int) -> bool:
    """Read a line that begins with a name, by the words that follow it."""
    for words, reader in _BY_LAST_WORD.get(line[line.rfind(" ") + 1 :], _PHRASES):
        at = line.find(words)
        while at >= 0:
            name = line[:at]
            seat = hand.seats.get(name)
            whole = seat is not None or words in _STRANGERS
            if whole and name not in hand.dup and reader(hand, seat, line[at + len(words) :], name, k):
                return True
            at = line.find(words, at + 1) if len(line) < 4096 else -1
    at = line.find(": ")
    if at < 0:
        at = len(line) - 1 if line.endswith(":") else -1
    found = hand.who(line, ": ") if at >= 0 else None
    if found is not None:
        name, rest = found
        if name in hand.seats and acts.act(hand, hand.seats[name], rest, k):
            return True
    return _stranger(hand, line, k)


def _stranger(hand: Hand, line: str, k: int) -> bool:
    """Read `Name: sits out` of somebody who has no seat in this hand."""
    for words in (": sits out", ": is sitting out"):
        if line.endswith(words):
            name = line[: -len(words)]
            why = "sits-out" if words == ": sits out" else "away"
            hand.put(PlayerAway(None, hand.player(name), why=why), k)  # type: ignore[arg-type]  # both are named there
            return True
    return False


def _said(hand: Hand, seat: Seat | None, rest: str, name: str, k: int) -> bool:
    if not rest.endswith('"'):
        return False
    words = hand.people.text(rest[:-1])
    name = name.removesuffix(" [observer]")
    hand.put(WordsSaid(words, seat, hand.player(name)), k)
    return True


def _timed_out(hand: Hand, seat: Seat | None, rest: str, _name: str, k: int) -> bool:
    if rest not in ("", " while disconnected", " while being disconnected"):
        return False
    if seat is None:  # somebody who is not in this hand
        hand.put(RemarkNoted(hand.people.text(hand.lines.text[k].strip())), k)
        return True
    hand.put(ClockExpired(seat, not rest), k)
    return True


def _left(hand: Hand, seat: Seat | None, rest: str, name: str, k: int) -> bool:
    if rest:
        return False
    hand.put(SeatLeft(seat, hand.player(name), "left"), k)
    return True


def _removed(hand: Hand, seat: Seat | None, rest: str, name: str, k: int) -> bool:
    if rest not in ("", " for failing to post"):
        return False
    hand.put(SeatLeft(seat, hand.player(name), "missed-post" if rest else "removed"), k)
    return True


def _joined(hand: Hand, _seat: Seat | None, rest: str, name: str, k: int) -> bool:
    if not (rest.isascii() and rest.isdigit()) or len(rest) > 3 or int(rest) >= SEATS:
        return False
    hand.put(SeatTaken(int(rest), hand.player(name)), k)
    return True


def _deferred(hand: Hand, seat: Seat | None, rest: str, name: str, k: int) -> bool:
    if rest:
        return False
    hand.put(EntryDeferred(seat, hand.player(name), "button-passed"), k)
    return True


def _away(hand: Hand, seat: Seat | None, rest: str, name: str, k: int) -> bool:
    if rest:
        return False
    hand.put(PlayerAway(seat, hand.player(name), why="unknown"), k)
    return True


def _back(hand: Hand, seat: Seat | None, rest: str, name: str, k: int) -> bool:
    if rest:
        return False
    hand.put(PlayerBack(seat, hand.player(name)), k)
    return True


def _lost(hand: Hand, seat: Seat | None, rest: str, name: str, k: int) -> bool:
    if rest:
        return False
    hand.put(ConnectionLost(seat, hand.player(name)), k)
    return True


def _restored(hand: Hand, seat: Seat | None, rest: str, name: str, k: int) -> bool:
    if rest:
        return False
    hand.put(ConnectionRestored(seat, hand.player(name)), k)
    return True


def _cashed_out(hand: Hand, seat: Seat | None, rest: str, _name: str, k: int) -> bool:
    """Read `$22.77 | Cash Out Fee $0.46`."""
    if seat is None:
        return False
    price, _, fee = rest.partition(" | Cash Out Fee ")
    hand.put(CashOutTaken(seat, hand.chips(price), hand.chips(fee) if fee else 0), k)
    return True


def _shows(hand: Hand, seat: Seat | None, rest: str, _name: str, k: int) -> bool:
    """Read ` shows [4s 4d] for Three of Kind [Qc 8s 4s 4d 4c]`, as Run It Once writes it."""
    shown = h.cards(rest.partition("]")[0])
    if seat is None or shown is None:
        return False
    claim = rest.partition("] for ")[2].partition(" [")[0]
    acts.put_shown(hand, seat, shown, claim, k)
    return True


def _finished(hand: Hand, seat: Seat | None, rest: str, _name: str, k: int) -> bool:
    """Read `9th place and received $2.20.`."""
    rank, _, prize = rest.partition(" place")
    digits = rank[:-2]
    if seat is None or not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
        return False
    received = prize.partition(" and received ")[2]
    hand.put(PlayerFinished(seat, int(digits), amounts.maybe(received, 2) if received else None), k)
    return True


def _won(hand: Hand, seat: Seat | None, rest: str, _name: str, k: int) -> bool:
    """Read ` and receives $54.29 - congratulations!`."""
    if seat is None:
        return False
    received = rest.partition(" and receives ")[2].partition(" - ")[0]
    hand.put(PlayerFinished(seat, 1, amounts.maybe(received, 2) if received else None), k)
    return True


def _bounty(hand: Hand, seat: Seat | None, rest: str, _name: str, k: int) -> bool:
    """Read `the $0.25 bounty for eliminating Name` and `$6.12 for eliminating Name and …`.

    Of an elimination that several share, `$3.06 for splitting the elimination of Name and …`, each
    has a line.
    """
    amount, word, who = rest.partition(" for eliminating ")
    if not word:
        amount, word, who = rest.partition(" for splitting the elimination of ")
    if not word or seat is None:
        return False
    fixed = amount.startswith("the ") and amount.endswith(" bounty")
    price = amounts.maybe(amount[4:-7] if fixed else amount, 2)
    if price is None:
        return False
    own = "" if fixed else who.partition(" and their own bounty")[1]
    over = hand.seat(who.partition(own)[0] if own else who)
    hand.put(BountyWon(seat, price, over, "knockout" if fixed else "progressive"), k)
    if own:
        hand.put(RemarkNoted(hand.people.text(rest[rest.find(own) + 1 :])), k)
    return True


def _split(hand: Hand, _seat: Seat | None, rest: str, names: str, k: int) -> bool:
    """Read `A, B split the $50 bounty for eliminating C`: the odd cent goes to the first."""
    amount, word, who = rest.partition(" bounty for eliminating ")
    price = amounts.maybe(amount, 2)
    seats = [hand.seat(name) for name in names.split(", ")]
    if not word or price is None or None in seats:
        return False
    each, odd = divmod(price, len(seats))
    for at, seat in enumerate(seats):
        hand.derived.append(len(hand.events))
        hand.put(BountyWon(seat or 0, each + (odd if at == 0 else 0), hand.seat(who)), k)
    return True


def _bought(hand: Hand, seat: Seat | None, rest: str, name: str, k: int) -> bool:
    """Read `3000 chips for $5.00` behind a re-buy or an add-on."""
    amount, word, price = rest.partition(" chips for ")
    if not word:
        return False
    kind = "add-on" if "add-on" in hand.lines.text[k] else "rebuy"
    hand.put(ChipsAdded(seat, hand.chips(amount), kind, "player", hand.player(name)), k)  # type: ignore[arg-type]  # one of two
    hand.put(RemarkNoted(hand.people.text("for " + price)), k)
    return True


def _added(hand: Hand, seat: Seat | None, rest: str, name: str, k: int) -> bool:
    """Read `500 chips (1 stack(s) of 500 chips). Name has 2 stack(s) remaining.`."""
    amount, word, stacks = rest.partition(" chips (")
    if not word or " stack(s) " not in stacks:
        return False
    hand.put(ChipsAdded(seat, hand.chips(amount), "add-on", "player", hand.player(name)), k)
    hand.put(RemarkNoted(hand.people.text(rest)), k)
    return True


def _noted(hand: Hand, _seat: Seat | None, _rest: str, _name: str, k: int) -> bool:
    """Keep the words of tournament news that have no event of their own."""
    hand.put(RemarkNoted(hand.people.text(hand.lines.text[k].strip())), k)
    return True


def _out(hand: Hand, seat: Seat | None, rest: str, _name: str, k: int) -> bool:
    """Read ` finished the tournament`, without a rank."""
    if seat is None or rest:
        return False
    hand.put(PlayerFinished(seat), k)
    return True


def _ticket(hand: Hand, seat: Seat | None, rest: str, name: str, k: int) -> bool:
    """Read `'€10 Step 3 ticket' ticket`."""
    return rest.endswith(" ticket") and _noted(hand, seat, rest, name, k)


def _nobody(hand: Hand, line: str, k: int) -> bool:
    """Read a line that names nobody."""
    if line == "Hand cancelled":
        hand.alone = 0
        hand.put(HandVoided("cancelled"), k)
    elif line == "Betting is capped":
        hand.put(RaisesCapped(), k)
    elif line in REMARKS:
        hand.put(RemarkNoted(hand.people.text(line)), k)
    elif line[:11].lower() == "stp added: ":  # the room splashes the pot
        hand.put(PotSeeded("splash", hand.chips(line[11:])), k)
    else:
        return False
    return True


_STARLESS: Final = ("HOLE CARDS", "FLOP", "TURN", "RIVER", "SHOW DOWN", "SUMMARY")

_Reader = Callable[[Hand, Seat | None, str, str, int], bool]

_PHRASES: Final[tuple[tuple[str, _Reader], ...]] = (
    (' said, "', _said),
    (" has timed out", _timed_out),
    (" leaves the table", _left),
    (" joins the table at seat #", _joined),
    (" was removed from the table", _removed),
    (" will be allowed to play after the button", _deferred),
    (" is sitting out", _away),
    (" has returned", _back),
    (" is disconnected", _lost),
    (" is connected", _restored),
    (" cashed out the hand for ", _cashed_out),
    (" finished the tournament in ", _finished),
    (" finished the tournament", _out),
    (" wins the tournament", _won),
    (" wins an entry to tournament #", _noted),
    (" wins a ", _ticket),
    (" wins ", _bounty),
    (" receives ", _bounty),
    (" also received a ", _noted),
    (" adds ", _added),
    (" split the ", _split),
    (" re-buys and receives ", _bought),
    (" takes the add-on and receives ", _bought),
    (" shows [", _shows),
)
"""What follows a name → what it means, the commoner first."""

_BY_LAST_WORD: Final[dict[str, tuple[tuple[str, _Reader], ...]]] = {
    word: tuple(pair for pair in _PHRASES if pair[0].endswith((" " + word, "timed out")))
    for word in ("table", "returned", "disconnected", "connected")
}
"""Lines whose last word says what they are, or else nothing is known of them."""

_STRANGERS: Final = frozenset(
    (
        ' said, "',
        " has timed out",
        " leaves the table",
        " joins the table at seat #",
        " was removed from the table",
        " will be allowed to play after the button",
        " has returned",
        " is disconnected",
        " is connected",
        " split the ",
    )
)
"""Phrases that may follow the name of somebody without a seat in this hand."""
