"""One call: who sits there with what, the posts that the structure demands, the cards, the plays."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.biggame.acts import VENUE, BigGameHand, cards, play, straddles
from ledger.formats.biggame.literal import OF_HAND, OF_PLAYER, LiteralObject, ParsedLiteral
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import BlindRole, ButtonPlaced, GameSet, HandOpened
from ledger.people import People
from ledger.readers import amounts, settling
from ledger.readers.documented import count
from ledger.readers.hand import SEATS
from ledger.vocabulary import Chips, Seat, Witness

WITNESSES: Final = Witness.of("BUTTON STACKS_BEFORE ACTS BOARD AWARDS RUNS BLIND_AMOUNTS MISSING_HANDS")
"""What every call tells. `ALL_CARDS` is added to a hand in which no seat's cards are missing.

Posts are not told: only what the blinds and the ante are. Who made up a missed blind is nowhere.
"""

_MOST: Final = 200
_WHERE: Final = re.compile(r"/s(\d{1,4})/w(\d{1,4})/(d\d{1,4})/([^/.]*+)[^/]*+$", re.ASCII)
_NUMBER: Final = re.compile(r"d+(\d{1,4})h(\d{1,9})", re.ASCII)


class CallAddress(NamedTuple):
    """The address from which a call was fetched, and its place."""

    text: str
    start: int
    length: int


def tell(
    data: bytes, found: ParsedLiteral, address: CallAddress | None, people: People, exponent: int | None
) -> BigGameHand:
    """Tell the call; one that cannot be read raises `UnreadableHandError`.

    Who pays the ante is told nowhere. That it is the button alone holds unless the pot that was won
    is larger by just the antes of all others.
    """
    hand = _tell(data, found, address, people, exponent, of_all=False)
    others = (len(hand.stacks) - 1) * hand.game.ante
    if others and hand.paid - hand.total_put_in() == others:
        return _tell(data, found, address, people, exponent, of_all=True)
    return hand


def _tell(
    data: bytes,
    found: ParsedLiteral,
    address: CallAddress | None,
    people: People,
    exponent: int | None,
    *,
    of_all: bool,
) -> BigGameHand:
    call = found.value
    value, plays = call.get("Hand"), call.get("Plays")
    if not isinstance(value, dict) or not isinstance(plays, list):
        raise UnreadableHandError("no hand: the call has no Hand or no Plays", kind="not-a-hand")
    exponent = exponent or 0
    table, number, day = _identity(value.get("Title"), address)
    small, big, ante = (_sum(value.get(one), exponent) for one in ("SmallBlind", "BigBlind", "Ante"))
    game = GameSet("holdem", "no-limit", "cash", "chips", exponent, tuple(one for one in (small, big) if one), ante)
    first = found.spans.add(address.start, address.length) if address else call[""]
    hand = BigGameHand(data, found, people, game, first)
    whole: int = value[""]
    hand.at = hand.where.get("BigBlind", whole)
    hand.infer(game, at=hand.at)
    titled = _NUMBER.fullmatch(str(value.get("Title")).strip())
    if titled and titled[2] != number:  # another hand's title: the address is the program's own
        hand.strange("Title", hand.where.get("Title", whole))
    _sit(hand, value.get("Players"), plays)
    _button(hand, value)
    for name in value:
        if name not in OF_HAND:
            hand.strange(name, hand.where.get(name, whole))
    for name in call:
        if name not in ("Hand", "Plays", ""):
            hand.strange(name, call[""])
    _posts(hand, small, big, ante, of_all=of_all)
    rest = straddles(hand, plays)
    known = _deal(hand)
    play(hand, plays, rest)
    _end(hand)
    witnesses = WITNESSES | (int(Witness.ALL_CARDS) if known else 0)
    hand.open(HandOpened(VENUE, table, number, witnesses, None, day, count(value.get("NumberOfSeats"), SEATS)))
    return hand


def _sum(value: object, exponent: int) -> Chips:
    """Return an amount; what is missing is nothing, less than nothing raises `UnreadableHandError`."""
    found = 0 if value is None else amounts.number(value, exponent)
    if found < 0:
        raise UnreadableHandError(f"the amount {found} is below 0", kind="amount")
    return found


def _identity(title: object, address: CallAddress | None) -> tuple[str, str, str]:
    """Return the table, the hand's number and the day, as address and title have them.

    The table is a season's week: hands are numbered through all days of a week.
    """
    title = title[:_MOST].strip() if isinstance(title, str) else ""
    where = _WHERE.search(address.text) if address else None
    named = (where and _NUMBER.fullmatch(where[4])) or _NUMBER.fullmatch(title)
    if where and named:
        return f"Season {int(where[1])}, week {int(where[2])}", named[2], where[3]
    if address and (title or "/" in address.text):
        folder, _, file = address.text.removeprefix("http://").rpartition("/")
        return folder[:_MOST] or file[:_MOST], title or file[:_MOST], ""
    if named:
        return f"week {int(named[1])}", named[2], ""
    if title:
        return "", title, ""
    raise UnreadableHandError(
        "the call has neither a title nor an address",
        kind="no-header",
        hint="Without one the hand cannot be told from others.",
    )


# -- seats --------------------------------------------------------------------------------------


def _sit(hand: BigGameHand, players: object, plays: list[object]) -> None:
    """Seat the players: dealt in is who has cards or makes a play.

    A player without cards may have been dealt in all the same: no camera saw them.
    """
    if not isinstance(players, list):
        raise UnreadableHandError("the call has no players", kind="seat")
    busy: set[Seat] | None = None
    for one in players:
        seat: Seat = count(one.get("Seat"), SEATS) if isinstance(one, dict) else 0
        if not seat:
            raise UnreadableHandError("a player has no seat", kind="seat")
        hand.at = one[""]
        name, held = one.get("Name"), one.get("Cards")
        name = name[:_MOST].strip() if isinstance(name, str) else ""
        stack = None if one.get("Stack") is None else hand.chips_of(one["Stack"])
        if stack is not None and stack < 0:
            raise UnreadableHandError(f"the amount {stack} is below 0", kind="amount")
        if not held and busy is None:
            busy = _busy(plays)
        if held or (busy and seat in busy):
            hand.sit(seat, name or f"seat {seat}", stack)
            hand.held.append((one[""], seat, held))
        else:
            hand.leave_out(seat, name or f"seat {seat}", stack)
        hand.strangers(one, OF_PLAYER, one[""])
        if one.get("CurrentBet"):
            hand.strange("CurrentBet", one[""])
    if not hand.stacks:
        raise UnreadableHandError("nobody is dealt in", kind="seat")


def _busy(plays: list[object]) -> set[Seat]:
    """Return who makes a play."""
    return {count(one.get("Seat"), SEATS) for one in plays if isinstance(one, dict)}


def _button(hand: BigGameHand, value: LiteralObject) -> None:
    """Place the button; what lies there already stays unread, as no call has any of it."""
    whole: int = value[""]
    hand.button = count(value.get("Dealer"), SEATS)
    if hand.button:
        hand.at = hand.where.get("Dealer", whole)
        hand.put(ButtonPlaced(hand.button))
    for name in ("PotSize", "CurrentBet", "CardsOut"):
        if value.get(name):
            hand.strange(name, hand.where.get(name, whole))


# -- posts and cards ----------------------------------------------------------------------------


def _posts(hand: BigGameHand, small: Chips, big: Chips, ante: Chips, *, of_all: bool) -> None:
    """Infer the posts: the button's ante for all, or one of each, and the blinds of the two behind it.

    Where the button lies is told, and how much is due; that it was paid is not.
    """
    if not hand.button:
        return
    seats = sorted(hand.stacks, key=lambda seat: (seat <= hand.button, seat))
    for seat in seats if of_all else [hand.button]:
        if seat in hand.stacks and (paid := min(ante, hand.left(seat))):
            _inferred(hand, "Ante")
            hand.ante(seat, paid, for_table=not of_all)
    if len(seats) == 2:
        seats.reverse()  # the button has the small blind
    roles: tuple[tuple[BlindRole, Chips], ...] = (("small", small), ("big", big))
    for seat, (role, due) in zip(seats, roles, strict=False):
        if len(seats) > 1 and (paid := min(due, hand.left(seat))):
            _inferred(hand, f"{role.capitalize()}Blind")
            hand.post(seat, role, paid)


def _inferred(hand: BigGameHand, name: str) -> None:
    """Mark the event that comes next as inferred from the member of that name."""
    hand.at = hand.where.get(name, hand.at)
    hand.inferred.append(len(hand.events))


def _deal(hand: BigGameHand) -> bool:
    """Deal the cards that the broadcast knows; return whether they are those of every seat."""
    known = True
    for at, seat, held in hand.held:
        hand.at = at
        found = cards(held) if held else ""
        if found:
            hand.put(HoleCardsDealt(seat, found, how="rfid"))
        elif held:
            hand.strange("Cards", at)
        known = known and bool(found)
    hand.infer(DealCompleted())
    return known


def _end(hand: BigGameHand) -> None:
    """Give back what nobody called, which `Wins` counts, and end a hand that somebody won."""
    hand.close_bets()
    settling.within_awards(hand, always=False)
    hand.return_bets()
    if hand.paid:
        hand.put(HandCompleted())
