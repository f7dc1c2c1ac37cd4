"""What a position does, word by word, and lines that name nobody."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from ledger.formats.bovada.hand import Hand
from ledger.formats.bovada.words import INFO, STUD, cards
from ledger.hand.betting import Checked, ClockExpired, Folded
from ledger.hand.ending import BountyWon, CardsMucked, CardsShown, PlayerFinished, RemarkNoted, ShowdownBegun
from ledger.hand.opening import PostReturned
from ledger.presence import ChipsAdded, ConnectionLost, PlayerAway, PlayerBack, SeatLeft
from ledger.readers import amounts
from ledger.readers.hand import SEATS
from ledger.vocabulary import Chips, Seat

_VALUE: Final = re.compile(r"[$€£\d\[]")
_CARDS: Final = "Card dealt to a spot ["
_LONGEST: Final = 300


class Line(NamedTuple):
    """A line's words without its values, and its values."""

    head: str
    value: str  # from the first amount or bracket on
    text: str
    all_in: bool = False


Act: TypeAlias = Callable[[Hand, Seat, Line], bool]
"""Tells a line of a seat; False: the words mean something else."""


def act(told: Hand, seat: Seat, rest: str) -> bool:
    """Tell what stands behind a position; False if nobody knows the words."""
    if rest.startswith(_CARDS):
        new = cards(rest[len(_CARDS) :].rstrip("] "))
        if not new:
            return False
        told.dealing = True
        told.deal(seat, new)
        return True
    found = _lines.get(rest)
    if found is None:
        found = _understand(rest)
        if found is None:
            return False
    make, flags, once, line = found
    if once:
        text, at = told.lines.text, told.at
        if text[at] == text[at - 1] and _repeats(told):
            told.put(RemarkNoted(told.people.text(text[at].strip())))
            return True
    if flags:
        _why(told, seat, flags)
    return make(told, seat, line)


def _understand(rest: str) -> tuple[Act, tuple[str, ...], bool, Line] | None:
    """Return how these words are told, why the room acted, whether they can follow themselves."""
    text = rest.strip()
    if len(text) > _LONGEST:
        return None
    value = _VALUE.search(text)
    at = value.start() if value else len(text)
    words, flags = _head(text[:at].rstrip().lower())
    make = _ACTS.get(words)
    if make is None:
        if not words.startswith("showdown("):
            return None
        make = _show  # without cards: nobody else is left
    if len(_lines) > _KEPT:
        _lines.clear()
    line = Line(words, text[at:], text, "all-in" in words)
    found = _lines[rest] = make, flags, words in _ONCE, line
    return found


_lines: Final[dict[str, tuple[Act, tuple[str, ...], bool, Line]]] = {}
_KEPT: Final = 20_000
_REASONS: Final = ("timeout", "auth", "disconnect", "disconnected")


def _repeats(told: Hand) -> bool:
    """Tell whether a line that says what the one before it says is that line again.

    The room's files of 2014 hold such lines two to four times, and declare a pot with one of them:
    nobody acts twice running. Only where streets are not told, a check may follow a check; and
    of a pot for high and low a seat may get both halves.
    """
    return not told.board_told and not (told.hi_lo and "esult" in told.lines.text[told.at])


def _head(head: str) -> tuple[str, tuple[str, ...]]:
    """Split `folds (auth-disconnect)` into the words of the act and the reasons behind it."""
    words, bracket, inner = head.partition("(")
    inner, _, behind = inner.partition(")")
    parts = inner.replace("-", " ").split()
    flags = tuple(part for part in parts if part in _REASONS)
    if bracket and flags:
        kept = " ".join(part for part in parts if part not in _REASONS and part != "blind")
        words = f"{words.strip()}({kept}){behind}" if kept else f"{words.strip()}{behind}"
    else:
        words = head
    return " ".join(words.split()), flags


def _why(told: Hand, seat: Seat, flags: tuple[str, ...]) -> None:
    """Tell why the room acted for a player: no connection, or no time left."""
    gone = "disconnect" in flags or "disconnected" in flags
    told.before_act()
    if gone:
        told.put(ConnectionLost(seat, told.player_of[seat]))
    if "timeout" in flags or "auth" in flags:
        told.put(ClockExpired(seat, False if gone else None))


def _amount(told: Hand, line: Line) -> Chips:
    return told.chips(line.value.partition(" to ")[0].strip())


_FOLDED: Final = [Folded(seat) for seat in range(SEATS)]
_CHECKED: Final = [Checked(seat) for seat in range(SEATS)]


def _fold(told: Hand, seat: Seat, line: Line) -> bool:
    if told.board_told or not told.dealt_in:
        told.before_act()
        told.acted.add(seat)
    told.folded.add(seat)
    told.events.append(_FOLDED[seat])
    told.marks.append(told.at)
    return not line.value


def _fold_shown(told: Hand, seat: Seat, line: Line) -> bool:
    """Read `Folds & Shows [4s 5h] Show1 [4s]`: the last bracket holds what is shown."""
    shown = cards(line.value.rpartition("[")[2].rstrip("] "))
    if not shown:
        return False
    told.before_act()
    told.folded.add(seat)
    told.put(Folded(seat, shown))
    told.acts(seat)
    return True


def _check(told: Hand, seat: Seat, line: Line) -> bool:
    if told.board_told or not told.dealt_in:
        told.before_act()
        told.acted.add(seat)
    told.events.append(_CHECKED[seat])
    told.marks.append(told.at)
    return not line.value


def _call(told: Hand, seat: Seat, line: Line) -> bool:
    amount = _amount(told, line)
    told.before_act()
    told.call(seat, amount)
    told.acts(seat)
    return True


def _bet(told: Hand, seat: Seat, line: Line) -> bool:
    amount = _amount(told, line)
    told.before_act()
    told.bet(seat, amount)
    told.acts(seat, raises=True)
    return True


def _raise(told: Hand, seat: Seat, line: Line) -> bool:
    """Read `Raises $18.80 to $20`, the old `Raises $20` as well: the last amount is the total."""
    to = told.chips(line.value.rpartition(" to ")[2].strip())
    told.before_act()
    told.raise_to(seat, to, all_in=line.all_in or None)
    told.acts(seat, raises=True)
    return True


def _all_in(told: Hand, seat: Seat, line: Line) -> bool:
    """Read `All-in $5`: chips added, as a post, a bet, a call or a short raise."""
    amount = _amount(told, line)
    if not told.dealing:
        _post_all_in(told, seat, amount)
        return True
    told.before_act()
    before = told.level
    told.wager(seat, told.bets[seat] + amount, all_in=True)
    told.acts(seat, raises=told.level > before)
    return True


def _post_all_in(told: Hand, seat: Seat, amount: Chips) -> None:
    name = next(name for name, one in told.seats.items() if one == seat) if seat in told.seats.values() else ""
    if told.antes and name not in told.antes:
        told.ante(seat, amount, all_in=True)
    elif name == "Big Blind":
        told.post(seat, "big", amount, all_in=True)
    elif name == "Small Blind" or (name == "Dealer" and len(told.seats) == 2):
        told.post(seat, "small", amount, all_in=True)
    else:
        told.post(seat, "entry", amount, all_in=True)


def _small(told: Hand, seat: Seat, line: Line) -> bool:
    told.post(seat, "small", _amount(told, line))
    return True


def _big(told: Hand, seat: Seat, line: Line) -> bool:
    if line.head == "big blind/bring in" and told.head.variant in STUD:
        return _bring_in(told, seat, line)
    told.post(seat, "big", _amount(told, line))
    return True


def _ante(told: Hand, seat: Seat, line: Line) -> bool:
    told.ante(seat, _amount(told, line))
    return True


def _entry(told: Hand, seat: Seat, line: Line) -> bool:
    """Read `Posts chip $0.25`: live; less than the big blind makes up for a missed small one."""
    amount = _amount(told, line)
    told.post(seat, "makeup-small" if amount < told.blind else "entry", amount)
    return True


def _dead(told: Hand, seat: Seat, line: Line) -> bool:
    """Read `Posts dead chip $0.35`: both blinds in one amount, of which the small one is dead."""
    told.post_both(seat, _amount(told, line))
    return True


def _bring_in(told: Hand, seat: Seat, line: Line) -> bool:
    amount = _amount(told, line)
    told.dealt()
    told.bring_in(seat, amount)
    return True


def _straddle(told: Hand, seat: Seat, line: Line) -> bool:
    told.straddle(seat, _amount(told, line))
    return True


def _return(told: Hand, seat: Seat, line: Line) -> bool:
    amount = _amount(told, line)
    if not told.dealing and told.bets[seat] < amount:
        # An ante that nobody could match.
        told.put_in[seat] -= amount
        told.put(PostReturned(seat, amount, "ante", dead=True))
        return True
    told.give_back(seat, amount)
    return True


def _show(told: Hand, seat: Seat, line: Line) -> bool:
    """Read `Showdown [9d 8s 7h 6d 5h] (Straight)`: the best five cards; the hand itself is known."""
    _showdown(told)
    words = line.value or line.text[len("showdown") :]
    told.put(CardsShown(seat, told.hole.get(seat, ""), claim=told.people.text(words)))
    return True


def _showdown(told: Hand) -> None:
    if not told.shown:
        told.shown = True
        told.run_out()
        told.close_bets()
        told.put(ShowdownBegun())


def _muck(told: Hand, seat: Seat, line: Line) -> bool:
    _showdown(told)
    told.put(CardsMucked(seat, cards(line.value[1:].partition("]")[0]) or ""))
    return True


def _hide(told: Hand, seat: Seat, line: Line) -> bool:
    told.run_out()
    told.put(CardsMucked(seat, cards(line.value[1:].partition("]")[0]) or "", declined=True))
    return True


def _result(told: Hand, seat: Seat, line: Line) -> bool:
    """Read `Hand result $5` and `Hand result-Side pot $5`; of several side pots none is named."""
    amount = _amount(told, line)
    told.run_out()
    pot = 0 if told.sides else None
    if line.head.endswith("side pot"):
        pot = 1 if told.sides == 1 else None
    told.award(seat, amount, pot)
    return True


def _rank(told: Hand, seat: Seat, line: Line) -> bool:
    """Read `Ranking 2`; the prize may stand in the next line."""
    if not line.value.isdecimal() or len(line.value) > 9:
        return False
    prize = None
    text, k = told.lines.text, told.at + 1
    if k < told.after and " : Prize Cash [" in text[k] and told.find(text[k].partition(" : ")[0]) == seat:
        prize = amounts.maybe(text[k].rpartition("[")[2].strip("] "), 2)
    told.put(PlayerFinished(seat, int(line.value), prize))
    return True


def _prize(told: Hand, seat: Seat, line: Line) -> bool:
    """Read `Prize Cash [$9]`, which the line before it has told if that was the rank."""
    before = told.lines.text[told.at - 1].partition(" : ")
    if before[2].startswith("Ranking ") and told.find(before[0]) == seat:
        return True
    told.put(PlayerFinished(seat, None, amounts.maybe(line.value.strip("[] "), 2)))
    return True


def _bounty(told: Hand, seat: Seat, line: Line) -> bool:
    amount = amounts.maybe(line.value.strip("[] "), 2)
    if amount is None:
        return False
    told.put(BountyWon(seat, amount))
    return True


def _away(told: Hand, seat: Seat, line: Line) -> bool:
    why = "stood-up" if "stand" in line.head else "sits-out"
    told.put(PlayerAway(seat, told.player_of[seat], why=why))  # type: ignore[arg-type]  # both are named there
    return not line.value


def _back(told: Hand, seat: Seat, _line: Line) -> bool:
    told.put(PlayerBack(seat, told.player_of[seat]))
    return True


def _leave(told: Hand, seat: Seat, line: Line) -> bool:
    """Read `Table leave user`, and `Leave(Auto)`: the room moves who is through to another table."""
    told.put(SeatLeft(seat, told.player_of[seat], "moved" if "auto" in line.head else "left"))
    return True


def _deposit(told: Hand, seat: Seat, line: Line) -> bool:
    told.put(ChipsAdded(seat, _amount(told, line), "top-up", player=told.player_of[seat]))
    return True


def _note(told: Hand, _seat: Seat, line: Line) -> bool:
    """Keep the words: what they tell has no event of its own within a hand."""
    told.put(RemarkNoted(told.people.text(told.lines.text[told.at].strip())))
    return bool(line)


def _nothing(_told: Hand, _seat: Seat, _line: Line) -> bool:
    """Read what the seats, the button's line or another line have told already."""
    return True


_ONCE: Final = frozenset(
    (
        "folds",
        "checks",
        "check",
        "calls",
        "call",
        "bets",
        "bet",
        "raises",
        "raise",
        "all-in",
        "all-in(raise)",
        "small blind",
        "ante/small blind",
        "big blind",
        "big blind/bring in",
        "ante chip",
        "posts chip",
        "posts dead chip",
        "bring_in chip",
        "return uncalled portion of bet",
        "hand result",
        "ranking",
    )
)
"""What nobody does twice running."""

_ACTS: Final[dict[str, Act]] = {
    **dict.fromkeys(("folds", "fold"), _fold),
    "folds & shows": _fold_shown,
    **dict.fromkeys(("checks", "check"), _check),
    **dict.fromkeys(("calls", "call"), _call),
    **dict.fromkeys(("bets", "bet", "d bets", "double bets", "bets chip info"), _bet),
    **dict.fromkeys(("raises", "raise", "all-in(raise)"), _raise),
    **dict.fromkeys(("all-in", "all-in(bet)", "all-in(call)", "all-in(blind)", "all-in(ante)"), _all_in),
    **dict.fromkeys(("small blind", "ante/small blind"), _small),
    **dict.fromkeys(("big blind", "big blind/bring in"), _big),
    **dict.fromkeys(("ante chip", "ante", "posts ante"), _ante),
    **dict.fromkeys(("posts chip", "post chip"), _entry),
    **dict.fromkeys(("posts dead chip", "post dead chip"), _dead),
    **dict.fromkeys(("bring_in chip", "bring in chip", "bring-in chip", "bring in"), _bring_in),
    **dict.fromkeys(("straddle", "posts straddle"), _straddle),
    "return uncalled portion of bet": _return,
    **dict.fromkeys(("showdown",), _show),
    "mucks": _muck,
    "does not show": _hide,
    **dict.fromkeys(("hand result", "hand result-side pot", "hand result-main pot"), _result),
    "ranking": _rank,
    "prize cash": _prize,
    "bounty prize": _bounty,
    **dict.fromkeys(("seat sit out", "sit out", "sits out", "seat stand", "stand"), _away),
    **dict.fromkeys(("seat re-join", "re-join", "seat sit down", "sit down"), _back),
    **dict.fromkeys(("table leave user", "leave(auto)"), _leave),
    "table deposit": _deposit,
    **dict.fromkeys(("enter(auto)", "table enter user", "draw for dealer"), _note),
    **dict.fromkeys(("set dealer", "set dealer/bring in spot", "sitout (wait for bb)"), _nothing),
}
"""What a position does, in small letters and without amounts and reasons → how it is told."""


def bare(told: Hand, text: str) -> bool:
    """Tell a line that names no position; False if nobody knows it."""
    if text.startswith("Card dealt to table ["):
        return _table(told, text)
    if text.startswith(INFO):
        told.put(RemarkNoted(told.people.text(text)))
        return True
    found = _VALUE.search(text)
    at = found.start() if found else len(text)
    make = _BARE.get(text[:at].rstrip().lower())
    return make is not None and make(told, text[at:])


def _table(told: Hand, text: str) -> bool:
    """Read `Card dealt to table [9c]`: the street follows from those before it."""
    new = cards(text.rpartition("[")[2].rstrip("] "))
    step = {"preflop": "flop", "flop": "turn", "turn": "river"}.get(told.street)
    if not new or step is None or (len(new) == 6) is not (step == "flop"):
        return False
    told.dealt()
    told.board(step, new)  # type: ignore[arg-type]  # all are named there
    return True


def _left(told: Hand, value: str) -> bool:
    told.put(SeatLeft(None, "", "left"))
    return not value


def _moved(told: Hand, value: str) -> bool:
    told.put(SeatLeft(None, "", "moved"))
    return not value


def _somebody_away(told: Hand, value: str) -> bool:
    told.put(PlayerAway(None, why="sits-out"))
    return not value


def _somebody_up(told: Hand, value: str) -> bool:
    told.put(PlayerAway(None, why="stood-up"))
    return not value


def _somebody_back(told: Hand, value: str) -> bool:
    told.put(PlayerBack(None))
    return not value


def _buy_in(told: Hand, value: str) -> bool:
    told.put(ChipsAdded(None, told.chips(value.strip()), "buy-in"))
    return True


def _words(told: Hand, value: str) -> bool:
    told.put(RemarkNoted(told.people.text(told.lines.text[told.at].strip())))
    return not value


_BARE: Final[dict[str, Callable[[Hand, str], bool]]] = {
    "table leave user": _left,
    "leave(auto)": _moved,
    **dict.fromkeys(("seat sit out", "sit out"), _somebody_away),
    **dict.fromkeys(("seat stand", "stand"), _somebody_up),
    **dict.fromkeys(("seat re-join", "re-join"), _somebody_back),
    "table deposit": _buy_in,
    **dict.fromkeys(("enter(auto)", "table enter user", "seat sit down"), _words),
    **dict.fromkeys(("set dealer", "set dealer/bring in spot"), lambda _told, value: not value),
}
"""Lines of people whom the text does not name → how they are told."""
