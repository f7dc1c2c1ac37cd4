"""What follows a name: posts, acts, draws, hands shown, awards."""

from __future__ import annotations

from typing import Final

from ledger.formats.kingsclub.words import DRAW, STUD, VENUE, read_cards
from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, StoodPat, StreetDealt
from ledger.hand.ending import CardsShown, LineUnread
from ledger.hand.opening import GameSet
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.telling import spoken
from ledger.telling.lines import Lines
from ledger.telling.spoken import Spoken
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street, split_cards

_NEXT_DRAW: Final[dict[Street, Street]] = {
    "preflop": "first-draw",
    "first-draw": "second-draw",
    "second-draw": "third-draw",
}

_DRAWING: Final = (StreetDealt, CardsDiscarded, CardsDrawn, StoodPat)
_BESIDES: Final = (LineUnread, RunsAgreed)


class Hand(Spoken):
    """The hand being read: `Name: posts …`, `Name acts …`."""

    __slots__ = ("boards", "holds", "runs", "summary")

    BEHIND = (":", "")
    ALL_IN = (", and is all in", " and is all in")

    def __init__(self, lines: Lines, people: People, game: GameSet, at: int) -> None:
        super().__init__(lines, people, VENUE, game, at)
        self.boards: dict[int, Cards] = {}  # what each board or run has, by number
        self.runs = False  # several boards are runs of one: those of which no second flop was told
        self.summary = 0  # the line with which the summary begins
        self.holds: dict[Seat, Cards] = {}  # what is known of a seat's cards

    def clean(self, text: str) -> str:
        """Return an amount as it is."""
        return text.strip("() ")

    def draw_begins(self) -> None:
        """Conclude that a draw began, where no heading says it and the last thing told is no draw."""
        last = next((one for one in reversed(self.events) if not isinstance(one, _BESIDES)), None)
        if not isinstance(last, _DRAWING) and self.street in _NEXT_DRAW:
            street = _NEXT_DRAW[self.street]
            self.next_street(street)
            self.conclude(StreetDealt(street))

    def agree_on_runs(self) -> None:
        """Say once that the rest is run twice."""
        if not any(isinstance(event, RunsAgreed) for event in self.events):
            self.close_bets()
            self.put(RunsAgreed(2))


def bracketed(text: str) -> list[str]:
    """Return what stands in brackets."""
    return [part.partition("]")[0] for part in text.split("[")[1:]]


def _call(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a call, whose amount is the street's total."""
    hand.call_to(seat, amount, all_in=all_in)


def _bet(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a bet; over stud's bring-in it is told as one too, and completes it."""
    if hand.level:
        hand.raise_to(seat, amount, all_in=all_in)
    else:
        hand.bet(seat, amount, all_in=all_in)


def _discards(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `discards [8d Ks] draws [Ac Qc]`; of two runs the second one's cards come last."""
    groups = [read_cards(one) for one in bracketed(rest)]
    if hand.game.variant not in DRAW or not groups or None in groups:
        return False
    gone, *came = [one or "" for one in groups]
    hand.draw_begins()
    hand.put(CardsDiscarded(seat, len(gone) // 2, gone))
    if len(came) > 1:
        hand.agree_on_runs()
        hand.unread(f"draws {rest.rpartition(' draws ')[2]}")  # no event holds a run's draw
    if came:
        hand.put(CardsDrawn(seat, came[0]))
        kept = [
            card for card in split_cards(hand.holds.get(seat, "")) if card not in split_cards(gone)
        ]
        hand.holds[seat] = "".join(kept) + came[0]
    return True


def _draws(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `draws 2`."""
    digits = rest[6:].removesuffix(" cards").removesuffix(" card")
    if hand.game.variant not in DRAW or digits not in ("1", "2", "3", "4", "5"):
        return False
    hand.draw_begins()
    hand.put(CardsDiscarded(seat, int(digits)))
    return True


def _stands(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest != "stands pat" or hand.game.variant not in DRAW:
        return False
    hand.draw_begins()
    hand.put(StoodPat(seat))
    return True


def shows(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `shows [4c Ac 8c Qc]`; of a hand that stud breaks off what was not dealt is unknown."""
    inner = bracketed(rest)
    cards = read_cards(inner[0]) if len(inner) == 1 else None
    if cards is None:
        return False
    hand.close_bets()
    variant = VARIANTS[hand.game.variant]
    whole = variant.hole_cards if hand.game.variant in STUD else variant.start_cards
    hand.put(CardsShown(seat, cards + UNKNOWN_CARD * max(0, whole - len(cards) // 2)))
    return True


def _wins(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `wins pot (199)`, `wins (484.50) from pot`, `wins (3,075) from side pot 1`."""
    words, found, inner = rest[4:].partition("(")
    amount, closed, behind = inner.partition(")")
    pot = (words + behind).replace("from", "").strip()
    number: int | None = None
    if pot.startswith("side pot"):
        digits = pot[8:].strip() or "1"
        if not digits.isascii() or not digits.isdigit() or len(digits) > 2:
            return False
        number = int(digits)
    elif pot == "main pot":
        number = 0
    elif pot != "pot":
        return False
    hand.award(seat, hand.amount(amount), number)
    return bool(found and closed)


Hand.ACTS = {
    "folds": (("folds", spoken.folds),),
    "checks": (("checks", spoken.checks),),
    "calls": (("calls ", _call),),
    "bets": (("bets ", _bet),),
    "completes": (("completes to ", _bet),),
    "raises": (("raises to ", spoken.raises_to),),
    "brings": (("brings in for ", spoken.brings_in),),
    "posts": (
        ("posts ante ", spoken.antes),
        ("posts the small blind ", spoken.small_blind),
        ("posts the big blind ", spoken.big_blind),
        ("posts small blind ", spoken.small_blind),
        ("posts big blind ", spoken.big_blind),
        ("posts the straddle ", spoken.straddles),
        ("posts straddle ", spoken.straddles),
    ),
}
Hand.SAYS = {
    "discards": _discards,
    "draws": _draws,
    "stands": _stands,
    "shows": shows,
    "wins": _wins,
}
