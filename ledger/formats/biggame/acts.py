"""The plays: a table from `Action` to what is told, and which cards belong to which run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from ledger.formats.biggame.literal import OF_PLAY, LiteralObject, ParsedLiteral
from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import BoardDealt, RabbitShown
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.acts import checks, folds
from ledger.readers.documented import JsonHandBuilder, plain
from ledger.vocabulary import DECK, Cards, Chips, Seat, Street

VENUE: Final = "The Big Game"
_PLAIN: Final = 10**12

CARDS: Final[dict[str, str]] = {
    **{(card[1] + card[0]).lower(): card for card in DECK},
    **{f"{card[1]}10": card for card in DECK if card[0] == "T"},
    **{card.lower(): card for card in DECK},
    **{f"10{card[1]}": card for card in DECK if card[0] == "T"},
}
"""A card in small letters → the card: the suit stands first. The other way round means no other card."""


def cards(value: object) -> Cards | None:
    """Return the cards of `["hq", "c2"]`, "" of an empty list; None where one is no card."""
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, list):
        return None
    try:
        return "".join([CARDS[one.lower()] for one in value])
    except (KeyError, AttributeError):
        return None


class BigGameHand(JsonHandBuilder):
    """The hand being told."""

    def __init__(self, data: bytes, found: ParsedLiteral, people: People, game: GameSet, at: int) -> None:
        """Begin the hand of the call `found`; its first part is place `at`."""
        super().__init__(data, found.spans, people, VENUE, game, at)
        self.where = found.where
        self.button: Seat = 0
        self.held: list[tuple[int, Seat, object]] = []  # place, seat and cards of who is dealt in
        self.lying = 0  # how many cards the board has
        self.runs = 1

    def chips_of(self, value: object) -> Chips:
        """Return a number as an amount; what is none raises `UnreadableHandError`."""
        if type(value) is int and not self.exponent and value < _PLAIN:
            return value
        return amounts.number(value, self.exponent)


ActTeller: TypeAlias = Callable[[BigGameHand, Seat, Chips, bool | None], bool | None]
"""Tells an act of a seat; the amount is 0 where none stands there. False where it makes no sense."""

_STREETS: Final[tuple[Street, ...]] = ("flop", "flop", "flop", "turn", "river")
"""The street of each card of a board."""

_BOARD: Final = 5
_NEXT: Final[dict[tuple[int, int], Street]] = {(0, 6): "flop", (3, 2): "turn", (4, 2): "river"}
_LYING: Final = frozenset((0, 3, 4, 5))
"""How many cards a board may have."""


def straddles(hand: BigGameHand, plays: list[object]) -> int:
    """Tell the straddles with which the plays begin; return where the others begin."""
    for at, one in enumerate(plays):
        if _kind(one) != "straddles":
            return at
        _play(hand, one, _straddle)
    return len(plays)


def play(hand: BigGameHand, plays: list[object], at: int) -> None:
    """Tell the plays from number `at` on in their order."""
    count = len(plays)
    while at < count:
        one = plays[at]
        at += 1
        kind = _kind(one)
        if kind != "deal":
            _play(hand, one, _ACTS.get(kind))
            continue
        first = at - 1
        while at < count and _kind(plays[at]) == kind:
            at += 1
        _deals(hand, [one for one in plays[first:at] if isinstance(one, dict)])


def _kind(one: object) -> str:
    """Return what a play does, in the words of the table; "" of what is no play."""
    found = one.get("Action") if isinstance(one, dict) else None
    if not isinstance(found, str):
        return ""
    known = _KINDS.get(found)
    if known:
        return known
    word = plain(found[:40])
    return _SIBLINGS.get(word, word)


def _play(hand: BigGameHand, one: object, act: ActTeller | None) -> None:
    """Tell a play; one that nobody knows is kept."""
    if not isinstance(one, dict):
        hand.unread(str(one)[:200])
        return
    hand.at = one[""]
    seat, value = one.get("Seat"), one.get("value")
    amount = 0 if value is None else hand.chips_of(value)
    if type(seat) is not int or seat not in hand.stacks or amount < 0:
        act = None
    if act is None or act(hand, seat, amount, None) is False:  # type: ignore[arg-type]  # it is in the hand
        hand.strange("play", one[""])
    if len(one) > (3 if value is None else 4) or not seat:  # place, seat, action, value
        hand.strangers(one, OF_PLAY, one[""])


# -- acts ---------------------------------------------------------------------------------------


def _straddle(hand: BigGameHand, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
    """Tell a straddle; `value` is what the seat then has in, of a blind of its own too."""
    if amount <= hand.bet_of(seat):
        return False
    again = hand.betting.bet_to_call > hand.blind
    hand.straddle(seat, amount - hand.bet_of(seat), "restraddle" if again else "straddle")
    return True


def _call(hand: BigGameHand, seat: Seat, _amount: Chips, _all_in: bool | None) -> bool:
    """Call the highest bet, with what is left if that is less."""
    due = hand.call_amount(seat)
    if due > 0:
        hand.call(seat, due)
    return due > 0


def _to(hand: BigGameHand, seat: Seat, amount: Chips, all_in: bool | None) -> bool:
    """Bet or raise; the amount is the street's total."""
    if amount <= hand.bet_of(seat):
        return False
    hand.wager(seat, amount, all_in=all_in)
    return True


def _all_in(hand: BigGameHand, seat: Seat, amount: Chips, _told: bool | None) -> bool:
    """Put all in: a call, a bet or a raise. No amount stands there: it is the seat's chips."""
    return _to(hand, seat, amount if hand.stacks[seat] is None else hand.bet_of(seat) + hand.left(seat), True)


def _take_back(hand: BigGameHand, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
    """Give back what nobody called; what is more than the seat put in is none."""
    if not 0 < amount <= hand.put_by(seat):
        return False
    hand.give_back(seat, amount)
    return True


def _win(hand: BigGameHand, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
    if amount:
        hand.award(seat, amount)
    return bool(amount)


_ACTS: Final[dict[str, ActTeller]] = {
    "straddles": _straddle,
    "folds": folds,
    "checks": checks,
    "calls": _call,
    "bets": lambda hand, seat, amount, all_in: amount > 0 and _to(hand, seat, hand.bet_of(seat) + amount, all_in),
    "raisesto": _to,
    "allin": _all_in,
    "takesback": _take_back,
    "wins": _win,
}
"""`Action`, small letters only → how it is told. `Deal` is told below, with those next to it."""

_KINDS: Final[dict[str, str]] = {
    word: plain(word)
    for word in ("Folds", "Checks", "Calls", "Bets", "Raises To", "All-In", "Straddles", "Takes Back", "Wins", "Deal")
}
"""The actions as the program writes them, which is read most quickly."""

_SIBLINGS: Final[dict[str, str]] = {
    "fold": "folds",
    "check": "checks",
    "call": "calls",
    "bet": "bets",
    "raiseto": "raisesto",
    "raise": "raisesto",
    "raises": "raisesto",
    "straddle": "straddles",
    "takeback": "takesback",
    "win": "wins",
    "deals": "deal",
    "allin": "allin",
    "goesallin": "allin",
}
"""Other forms of the same words; no call of ours has them."""


# -- cards --------------------------------------------------------------------------------------


class _StreetCards(NamedTuple):
    """Cards of one street of one run, and the place that tells them. "" = the run's cards are missing."""

    street: Street
    cards: Cards
    run: int
    at: int
    moved: bool = False  # it stands behind cards that came later


def _deals(hand: BigGameHand, plays: list[LiteralObject]) -> None:
    """Tell cards that were dealt without an act between them: one street, or the rest of all runs."""
    if len(plays) == 1 and not hand.paid and _street(hand, plays[0]):
        return
    found: list[tuple[int, Cards]] = []
    for one in plays:
        told = cards(one.get("value"))
        if told is None:
            hand.strange("play", one[""])
        else:
            found.append((one[""], told))
        hand.strangers(one, OF_PLAY, one[""])
    if hand.paid:
        for at, told in found:
            _behind(hand, told, at)
        return
    flop = next((at for at, told in found if len(told) == 6), found[0][0] if found else 0)
    moved = not hand.lying and bool(found) and found[0][0] != flop and len(hand.able()) < 2
    if moved:  # the program puts the flop behind what came later, where all was in before it
        found.sort(key=lambda one: one[0] != flop)
    _tell(hand, _planned(hand, found, flop if moved else -1))


def _street(hand: BigGameHand, one: LiteralObject) -> bool:
    """Tell the cards of one street where they stand alone, as nearly all do."""
    told = cards(one.get("value"))
    street = _NEXT.get((hand.lying, len(told))) if told else None
    if not told or not street or not OF_PLAY.issuperset(one):
        return False
    hand.at = one[""]
    hand.lying += len(told) // 2
    hand.board(street, told)
    return True


def _planned(hand: BigGameHand, found: list[tuple[int, Cards]], moved: int) -> list[_StreetCards]:
    """Share the cards out: what comes on a whole board is another run, of the board's last cards."""
    planned = []
    for at, told in found:
        count = len(told) // 2
        if hand.lying < _BOARD:
            first, run = hand.lying, 1
        else:
            first, run = _BOARD - count, hand.runs + 1
        whole = first in _LYING and first + count in _LYING and count
        if not whole if run == 1 else len(hand.able()) > 1 or (count and not whole):
            hand.strange("play", at)
            continue
        if run > 1:
            hand.runs = run
            if not count:
                planned.append(_StreetCards("river", "", run, at))
        else:
            hand.lying += count
        for street in dict.fromkeys(_STREETS[first : first + count]):
            low = max(first, _STREETS.index(street))
            high = min(first + count, _BOARD - _STREETS[::-1].index(street))
            part = told[2 * (low - first) : 2 * (high - first)]
            planned.append(_StreetCards(street, part, run, at, at == moved))
    return planned


def _tell(hand: BigGameHand, planned: list[_StreetCards]) -> None:
    """Tell the cards; several runs were agreed on before the first street of which each has its own."""
    own = {one.street for one in planned if one.run > 1} or {"river"}
    agreed = hand.runs == 1
    for one in planned:
        if not agreed and one.street in own:
            hand.close_bets()
            hand.infer(RunsAgreed(hand.runs))
            agreed = True
        hand.at = one.at
        if one.moved:
            hand.inferred.append(len(hand.events))
        if not one.cards:
            hand.strange("play", one.at)
        elif one.run == 1:
            hand.board(one.street, one.cards)
        else:
            hand.put(BoardDealt(one.street, one.cards, 1, one.run))


def _behind(hand: BigGameHand, told: Cards, at: int) -> None:
    """Tell cards that came when the pot was paid: they are no board."""
    hand.at = at
    if not told:
        hand.strange("play", at)
        return
    fits = hand.lying + len(told) // 2 <= _BOARD and (hand.lying or len(told) == 6)
    hand.put(RabbitShown(told, _STREETS[hand.lying] if fits else None))
    if fits:
        hand.lying += len(told) // 2
