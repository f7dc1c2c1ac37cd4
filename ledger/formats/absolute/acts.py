"""Lines `NAME - …`: posts, acts, cards, hands shown; and `NAME Collects …`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.formats.absolute.hand import Hand
from ledger.formats.absolute.words import STUD, read_cards
from ledger.hand.betting import Called, ClockExpired
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown
from ledger.hand.variants import VARIANTS
from ledger.presence import ChipsAdded, PlayerAway, WaitDeclared
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat

_TIMEOUT: Final = " (Timeout)"
_CHOSEN_BEFORE: Final = " (Preselection)"


def act(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what follows a name, which begins with a dash or with `Collects`."""
    if rest.startswith("Collects "):
        return _collect(hand, seat, rest.rstrip())
    if not rest.startswith("- "):
        return False
    rest = rest[2:].strip().removesuffix(_CHOSEN_BEFORE)
    bare = rest.removesuffix(_TIMEOUT)
    reader = _WORDS.get(bare.partition(" ")[0])
    if reader is None:
        return False
    if len(bare) < len(rest):
        hand.put(ClockExpired(seat))
    return reader(hand, seat, bare)


def _fold(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `Folds`, `Folds (Fold & Show [5c 5d])`."""
    shown = ""
    if rest != "Folds":
        if not rest.startswith("Folds (Fold & Show [") or not rest.endswith("])"):
            return False
        shown = read_cards(rest[20:-2]) or ""
        if not shown:
            return False
    hand.fold(seat, shown)
    return True


def _check(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest != "Checks":
        return False
    hand.check(seat)
    return True


def _call(hand: Hand, seat: Seat, rest: str) -> bool:
    hand.call(seat, hand.chips(rest[6:]))
    return True


def _bet(hand: Hand, seat: Seat, rest: str) -> bool:
    hand.bet(seat, hand.chips(rest[5:]))
    return True


def _raise(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `Raises 30 to 40`, `All-In(Raise) 30 to 40`: the second number is the street's total."""
    _, found, amount = rest.partition(" to ")
    if not found:
        return False
    all_in = True if rest.startswith("All-In") else None
    hand.wager(seat, hand.chips(amount), all_in=all_in)
    return True


def _all_in(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `All-In 245`; without an amount who lost the connection stays in for the pot so far."""
    if rest == "All-In":
        hand.put(Called(seat, 0, hand.bets[seat], True))
    else:
        hand.wager(seat, hand.bets[seat] + hand.chips(rest[7:]), all_in=True)
    return True


def _post(hand: Hand, seat: Seat, rest: str) -> bool:
    for words, role in (("Posts small blind ", "small"), ("Posts big blind ", "big")):
        if rest.startswith(words):
            again = role == "big" and hand.big
            hand.post(seat, "entry" if again else role, hand.chips(rest[len(words) :]))  # type: ignore[arg-type]  # one of three
            return True
    words, _, dead = rest.partition(" dead ")
    if words == "Posts" and dead:  # `Posts dead $40 dead $15`: the first is the sum
        total, found, part = dead.partition(" dead ")
        if found:
            amount = hand.chips(part)
            hand.post(seat, "makeup-small", 0, amount)
            hand.post(seat, "makeup-big", hand.chips(total) - amount)
        else:
            hand.post(seat, "makeup", 0, hand.chips(total))
        return True
    if dead:  # `Posts $1 dead $0.50`: the first is live
        hand.post(seat, "makeup-small", 0, hand.chips(dead))
        hand.post(seat, "makeup-big", hand.chips(words[6:]))
        return True
    amount = hand.chips(rest[6:])
    hand.post(seat, "makeup-small" if amount < hand.blind else "entry", amount)
    return True


def _ante(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `Ante $0.25`, `Ante returned $0.25`."""
    if rest.startswith("Ante returned"):
        return False
    hand.ante(seat, hand.chips(rest[5:]))
    return True


def _bring_in(hand: Hand, seat: Seat, rest: str) -> bool:
    hand.bring_in(seat, hand.chips(rest[9:]))
    return True


def _returned(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `returned ($60) : not called`."""
    amount, found, why = rest[10:].partition(")")
    if not rest.startswith("returned (") or not found or why.strip(" :") != "not called":
        return False
    hand.give_back(seat, hand.chips(amount))
    return True


def _pocket(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `Pocket [H H Js 10d]`: stud tells all of a hand street by street, `Pocket [H H]` in other games nothing."""
    cards = read_cards(rest[8:].removesuffix("]")) if rest.startswith("Pocket [") else None
    if cards is None:
        return False
    if hand.game.variant not in STUD:
        if UNKNOWN_CARD not in cards:
            hand.put(HoleCardsDealt(seat, cards))
        return True
    count = _STREETS.get(hand.street, 3)
    if len(cards) // 2 != count:
        return True  # a hand that was folded is told again as it was
    if count == 3:
        hidden = cards.startswith(UNKNOWN_CARD)
        hand.own = hand.own or not hidden
        hand.put(HoleCardsDealt(seat, cards, "ddu", "dealt-up" if hidden else "owner"))
        return True
    new = cards[-2:]
    face = "d" if count == 7 else "u"
    how = "dealt-up" if face == "u" else ("unknown" if new == UNKNOWN_CARD else "owner")
    hand.put(HoleCardsDealt(seat, new, face, how))  # type: ignore[arg-type]  # one of three
    return True


_STREETS: Final = {"third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7}


def _show(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `Shows [9c 9h] (One pair, nines)`."""
    end = rest.find("]")
    shown = read_cards(rest[7:end]) if rest.startswith("Shows [") and end > 0 else None
    if shown is None:
        return False
    claim = rest[end + 1 :].strip().removeprefix("(").removesuffix(")")
    hand.close_bets()
    hand.shown[seat] = shown
    variant = VARIANTS[hand.game.variant]
    missing = variant.hole_cards if hand.game.variant in STUD else variant.start_cards
    cards = shown + UNKNOWN_CARD * max(0, missing - len(shown) // 2)
    hand.put(CardsShown(seat, cards, False, hand.people.text(claim)))
    return True


def _muck(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest not in ("Mucks", "Does not show"):
        return False
    hand.close_bets()
    hand.put(CardsMucked(seat, declined=rest != "Mucks"))
    return True


def _sit_out(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `sitout (wait for BB)`, `sitout`."""
    if rest == "sitout (wait for BB)":
        hand.put(WaitDeclared(seat))
        hand.left_out(seat, "waiting-for-big-blind", told=True)
        return True
    if rest.startswith("sitout"):
        hand.put(PlayerAway(seat, hand.player_in(seat), why="sits-out"))
        if not hand.put_in[seat]:
            hand.left_out(seat, "sitting-out", told=True)
        return True
    return False


def _add(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `Adds $20`."""
    hand.put(ChipsAdded(seat, hand.chips(rest[5:]), "top-up", "player", hand.player_in(seat)))
    return True


def _collect(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `Collects $4.30 from main pot`, `Collects 1,730 from side pot-1`."""
    amount, found, pot = rest[9:].partition(" from ")
    number: int | None = None
    if pot == "main pot":
        number = 0
    elif pot.startswith("side pot"):
        digits = pot[8:].lstrip("- ")
        number = int(digits[:2]) if digits.isascii() and digits.isdigit() else 1
    elif pot != "pot":
        return False
    chips: Chips = hand.chips(amount)
    hand.award(seat, chips, number)
    return bool(found)


_WORDS: Final[dict[str, Callable[[Hand, Seat, str], bool]]] = {
    "Folds": _fold,
    "Checks": _check,
    "Calls": _call,
    "Bets": _bet,
    "Raises": _raise,
    "Completes": _raise,
    "All-In(Raise)": _raise,
    "All-In": _all_in,
    "Posts": _post,
    "Ante": _ante,
    "Bring-In": _bring_in,
    "returned": _returned,
    "Pocket": _pocket,
    "Shows": _show,
    "Mucks": _muck,
    "Does": _muck,
    "sitout": _sit_out,
    "Adds": _add,
}
"""The first word behind a name and a dash → how it is told."""
