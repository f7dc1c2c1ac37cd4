"""Rounds and pots of Open Hand History: a table from the act's name to what it means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import msgspec

from ledger.errors import UnreadableHandError
from ledger.formats.ohh.words import ACT, BOARDS, CARDS, POT, STREETS, WIN
from ledger.hand.betting import CashOutTaken, RunsAgreed
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import (
    CardsMucked,
    CardsShown,
    DropTaken,
    HandCompleted,
    RemarkNoted,
    ResultDeclared,
    ShowdownBegun,
)
from ledger.hand.opening import PotSeeded
from ledger.hand.variants import VARIANTS
from ledger.presence import ChipsAdded, SeatLeft, SeatTaken
from ledger.readers import amounts
from ledger.readers.hand import HandBuilder
from ledger.readers.spans import Spans, elements, members
from ledger.vocabulary import Cards, Seat

Seats = dict[Any, Seat]


def rounds(told: HandBuilder, data: bytes, hand: dict[str, Any], places: dict[str, int], seats: Seats) -> bool:
    """Tell the rounds; return whether somebody's own cards are told."""
    found = listed(hand, "rounds")
    spans = _spans(told)
    course = _Course(told, seats, found, hand.get("hero_player_id"))
    if not found:
        return False
    for part, (start, size) in zip(found, elements(data, *_at(spans, places["rounds"])), strict=True):
        inside = members(data, start, size)
        whole = spans.add(start, size)
        course.street(part, {name: spans.add(*span) for name, span in inside.items()}, whole)
        acts = listed(part, "actions")
        if not acts:
            continue
        for act, span in zip(acts, elements(data, *inside["actions"]), strict=True):
            told.at = spans.add(*span)
            course.act(act)
    course.complete()
    return course.own


class _Course:
    """What the rounds told so far make of the next one."""

    def __init__(self, told: HandBuilder, seats: Seats, found: list[dict[str, Any]], hero: object) -> None:
        self.told = told
        self.seats = seats
        self.hero = hero
        self.own = False
        self.dealt = False  # the deal is complete
        self.small: Seat = 0
        self.dead: set[Seat] = set()  # seats that posted dead chips
        self.seen: Counter[str] = Counter()
        often = Counter(_street(part) for part in found if part.get("cards"))
        self.several = {street for street, times in often.items() if times > 1 and street in BOARDS}
        self.runs = max((often[street] for street in self.several), default=1)
        self.agreed = False

    def street(self, part: dict[str, Any], places: dict[str, int], whole: int) -> None:
        """Begin a round."""
        told, street = self.told, _street(part)
        told.at = places.get("street", whole)
        if street in BOARDS:
            self.complete()
            self.board(street, part, places, whole)
        elif street == "showdown":
            self.complete()
            if not self.seen["showdown"]:
                told.close_bets()
                told.put(ShowdownBegun())
        elif street == "":
            told.unread(f"street {str(part.get('street'))[:200]}")
        elif street in ("preflop", "third"):
            told.street = street  # type: ignore[assignment]  # a word of STREETS
        else:
            self.complete()
            told.deal_street(street)  # type: ignore[arg-type]  # a word of STREETS
        self.seen[street] += 1

    def board(self, street: Any, part: dict[str, Any], places: dict[str, int], whole: int) -> None:  # noqa: ANN401 - a street
        told = self.told
        if street in self.several and not self.agreed:
            told.derive(RunsAgreed(self.runs), at=told.at)
            self.agreed = True
        told.at = places.get("cards", whole)
        cards = _cards(part.get("cards"))
        if cards:
            told.board(street, cards, run=self.seen[street] + 1)
        else:
            told.next_street(street)

    def complete(self) -> None:
        """Let the deal be over, once."""
        if not self.dealt:
            self.dealt = True
            self.told.derive(DealCompleted(), at=self.told.at)

    def act(self, act: dict[str, Any]) -> None:
        """Tell one act."""
        told = self.told
        name = act.get("action")
        tell = _ACTS.get(name.lower()) if isinstance(name, str) else None
        seat = self.seats.get(who(act.get("player_id")), 0)
        strange = act.keys() - ACT
        if tell is None or strange or (not seat and tell is not _seed):
            told.unread(msgspec.json.encode(act).decode()[:2000])
            return
        tell(self, seat, act)

    def chips(self, act: dict[str, Any]) -> int:
        """Return how much an act puts in."""
        return amounts.number(act.get("amount") or 0, self.told.exponent)


def _street(part: dict[str, Any]) -> str:
    name = part.get("street")
    return STREETS.get(name.lower(), "") if isinstance(name, str) else ""


def _all_in(act: dict[str, Any]) -> bool | None:
    said = act.get("is_allin")
    return said if isinstance(said, bool) else None


def _cards(value: object) -> Cards:
    if value is None or value == "":
        return ""
    if isinstance(value, str):  # `AhKd` and `Ah Kd`, as some writers have it
        value = [one for part in value.replace(",", " ").split() for one in _in_twos(part)]
    found = [CARDS.get(one) if isinstance(one, str) else None for one in value] if isinstance(value, list) else [None]
    if None in found:
        raise UnreadableHandError(f"these are no cards: {str(value)[:80]}", kind="cards")
    return "".join(one for one in found if one)


def _in_twos(part: str) -> list[str]:
    part = part.replace("10", "T")
    return [part[at : at + 2] for at in range(0, len(part), 2)]


def who(player: object) -> str:
    """Return a player's id as text: writers mix `1` and `"1"`."""
    return str(player) if isinstance(player, int) else player if isinstance(player, str) else ""


def _held(course: _Course, cards: Cards) -> Cards:
    """Fill up a hand of which only some cards are told."""
    missing = VARIANTS[course.told.game.variant].start_cards - len(cards) // 2
    return cards + "??" * missing if course.told.street in ("preflop", "flop", "turn", "river") else cards


def _deal(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    cards = _cards(act.get("cards"))
    if cards:
        own = course.hero is None or who(course.hero) == who(act.get("player_id"))
        course.own |= own
        course.told.put(HoleCardsDealt(seat, cards, how="owner" if own else "unknown"))


def _small(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    second = course.small and course.small != seat
    amount = course.chips(act)
    if second:
        course.told.post(seat, "makeup-small", 0, amount, all_in=_all_in(act))
    else:
        course.small = seat
        course.told.post(seat, "small", amount, all_in=_all_in(act))


def _big(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    role: Any = "entry" if course.told.big and course.told.big != seat else "big"
    course.told.post(seat, role, course.chips(act), all_in=_all_in(act))


def _dead(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    course.dead.add(seat)
    course.told.post(seat, "makeup-small", 0, course.chips(act), all_in=_all_in(act))


def _extra(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    role: Any = "makeup-big" if seat in course.dead else "entry"
    course.told.post(seat, role, course.chips(act), all_in=_all_in(act))


def _ante(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    course.told.ante(seat, course.chips(act), all_in=_all_in(act))


def _straddle(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    course.told.straddle(seat, course.chips(act), all_in=_all_in(act))


def _fold(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    course.complete()
    course.told.fold(seat, _cards(act.get("cards")))


def _check(course: _Course, seat: Seat, _act: dict[str, Any]) -> None:
    course.complete()
    course.told.check(seat)


def _call(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    course.complete()
    course.told.call(seat, course.chips(act), all_in=_all_in(act))


def _bet(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    course.complete()
    course.told.bet(seat, course.chips(act), all_in=_all_in(act))


def _raise(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    course.complete()
    course.told.raise_by(seat, course.chips(act), all_in=_all_in(act))


def _show(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    course.told.close_bets()
    cards = _cards(act.get("cards"))
    if cards:
        course.told.put(CardsShown(seat, _held(course, cards)))
    else:
        course.told.put(CardsMucked(seat))


def _muck(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    course.told.close_bets()
    course.told.put(CardsMucked(seat, _cards(act.get("cards"))))


def _chips_added(course: _Course, seat: Seat, act: dict[str, Any]) -> None:
    course.told.put(ChipsAdded(seat, course.chips(act), player=_player(course, seat)))


def _sits_down(course: _Course, seat: Seat, _act: dict[str, Any]) -> None:
    course.told.put(SeatTaken(seat, _player(course, seat)))


def _stands_up(course: _Course, seat: Seat, _act: dict[str, Any]) -> None:
    course.told.put(SeatLeft(seat, _player(course, seat), "left"))


def _player(course: _Course, seat: Seat) -> str:
    for event in course.told.events:
        if getattr(event, "seat", 0) == seat and (player := getattr(event, "player", "")):
            return str(player)
    return ""


def _seed(course: _Course, _seat: Seat, act: dict[str, Any]) -> None:
    course.told.put(PotSeeded("promotion", course.chips(act)))


_ACTS: Final[dict[str, Callable[[_Course, Seat, dict[str, Any]], None]]] = {
    "dealt cards": _deal,
    "dealt card": _deal,
    "post sb": _small,
    "post bb": _big,
    "post ante": _ante,
    "post dead": _dead,
    "post extra blind": _extra,
    "straddle": _straddle,
    "fold": _fold,
    "check": _check,
    "call": _call,
    "bet": _bet,
    "raise": _raise,
    "shows cards": _show,
    "mucks cards": _muck,
    "added chips": _chips_added,
    "sits down": _sits_down,
    "stands up": _stands_up,
    "add to pot": _seed,
}
"""An act's name, small letters → how it is told."""


_DROPS: Final = ("rake", "jackpot")


def pots(told: HandBuilder, data: bytes, hand: dict[str, Any], places: dict[str, int], seats: Seats) -> None:
    """Tell the awards, the drop, and what the record declares; the hand is over with them."""
    found = listed(hand, "pots")
    if not found:
        return
    spans = _spans(told)
    declared = 0
    for pot, (start, size) in zip(found, elements(data, *_at(spans, places["pots"])), strict=True):
        inside = members(data, start, size)
        told.at = spans.add(start, size)
        number = pot.get("number")
        which = number if type(number) is int and 0 <= number < 100 else None  # not `true`
        amount = amounts.number(pot.get("amount") or 0, told.exponent)
        declared += amount
        wins = listed(pot, "player_wins")
        if wins:
            for win, span in zip(wins, elements(data, *inside["player_wins"]), strict=True):
                told.at = spans.add(*span)
                _win(told, win, which if len(found) > 1 else None, seats)
            told.at = spans.add(start, size)
        for kind in _DROPS:
            taken = amounts.number(pot.get(kind) or 0, told.exponent)
            if taken or (pot.get(kind) is not None and pot is found[0]):
                told.put(DropTaken(kind, taken))
        if len(found) > 1:
            told.put(ResultDeclared("side-pot" if which else "main-pot", None, amount, "", which or 0))
        for name in sorted(pot.keys() - POT):
            told.unread(f"{name}: {msgspec.json.encode(pot[name]).decode()[:2000]}")
    told.at = places["pots"]
    told.put(ResultDeclared("total-pot", None, declared))
    told.return_bets(declared)
    told.put(HandCompleted())


def _win(told: HandBuilder, win: dict[str, Any], pot: int | None, seats: Seats) -> None:
    seat = seats.get(who(win.get("player_id")))
    if seat is None or win.keys() - WIN:
        told.unread(msgspec.json.encode(win).decode()[:2000])
        return
    cash = amounts.number(win.get("cashout_amount") or 0, told.exponent)
    if cash:
        fee = amounts.number(win.get("cashout_fee") or 0, told.exponent)
        told.put(CashOutTaken(seat, cash, fee))
    amount = amounts.number(win.get("win_amount") or 0, told.exponent)
    if amount and not cash:
        told.award(seat, amount, pot)
    if amounts.number(win.get("bonus_amount") or 0, told.exponent):
        told.put(RemarkNoted(told.people.text(f"bonus {win['bonus_amount']}")))


def listed(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the objects of a member that is a list of them; what is none makes the hand unreadable."""
    found = value.get(name)
    if found is None or found == "":
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise UnreadableHandError(f"{name} is no list of objects", kind="damaged")
    return found


def _spans(told: HandBuilder) -> Spans:
    assert isinstance(told.places, Spans)  # noqa: S101 - this reader's own
    return told.places


def _at(spans: Spans, at: int) -> tuple[int, int]:
    return spans.starts[at], spans.lengths[at]
