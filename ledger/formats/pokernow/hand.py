"""A hand of the log while it is told: a table from the words of a row to what happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ledger.event import Event
from ledger.formats.pokernow.seats import ORDINALS, cards, padded, split_stacks
from ledger.hand.betting import RunsAgreed, RunsAnswered, RunsOffered
from ledger.hand.dealing import DealCompleted, HoleCardsDealt, RabbitShown
from ledger.hand.ending import BountyWon, CardsShown, Half, RemarkNoted
from ledger.hand.opening import BlindRole, BlindSkipped, GameSet, OptionSet, StraddlePosted
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.presence import ChipsAdded, ChipsRemoved
from ledger.readers.hand import HandBuilder
from ledger.readers.spans import Spans
from ledger.vocabulary import Chips, Seat, Street

ALL_IN: Final = " and go all in"
_HELD: Final = "(hand: "
_BOMB: Final = " (bomb pot bet)"
_FOR_BOMB: Final = " for the bomb pot"

Act: TypeAlias = Callable[["Hand", Seat, str, bool | None], bool]
"""Tells what a seat did; the text is what follows the verb. False: it makes no sense."""


class Hand(HandBuilder):
    """The hand being told, with what only a log needs."""

    __slots__ = ("count", "dealt", "ended", "over", "owner", "placed", "told_blinds")

    def __init__(self, places: Spans, people: People, venue: str, game: GameSet, owner: str) -> None:
        """Begin a hand whose first row is place 0."""
        super().__init__(places, people, venue, game, 0)
        self.count = VARIANTS[game.variant].hole_cards
        self.dealt = False  # the deal is told
        self.over = False  # somebody was paid
        self.placed = False  # it is known where the button lies
        self.ended = False  # behind the row that ends the hand
        self.owner = owner  # whose log this is, "" where that is not known
        self.told_blinds: list[Chips] = []  # small and big, as posted in full

    # -- rows -----------------------------------------------------------------------------------

    def row(self, text: str) -> bool:
        """Tell one row of the hand; False where nobody knows it."""
        if text[:1] == '"':
            token, found, rest = text[1:].rpartition('" ')
            seat = self.seats.get(token)
            if seat is not None:
                return self._act(seat, rest)
            return bool(found) and self._named(text)
        told = PLAIN.get(text)
        if told is not None:
            return told(self)
        for word, tell in BEGINNINGS:
            if text.startswith(word):
                return tell(self, text[len(word) :])
        return False

    def _named(self, text: str) -> bool:
        """Look for the seats' names in a row that holds more quotes than usual, longest first."""
        for token in self.names():
            if text.startswith(f'"{token}" '):
                return self._act(self.seats[token], text[len(token) + 3 :])
        return False

    def _act(self, seat: Seat, rest: str) -> bool:
        verb, _, what = rest.partition(" ")
        act = ACTS.get(verb)
        if act is None:
            return False
        if not self.dealt and verb in _ACTING and _BOMB not in what:
            self.deal()
        all_in: bool | None = None
        if what.endswith(ALL_IN):
            what, all_in = what[: -len(ALL_IN)], True
        return act(self, seat, what, all_in)

    def deal(self) -> None:
        """Conclude that the cards are dealt, before the first act."""
        if not self.dealt:
            self.dealt = True
            self.derive(DealCompleted())

    def settle(self) -> None:
        """Do what only the whole hand can tell."""
        self.deal()


def is_act(text: str) -> bool:
    """Whether a row tells an act of a player, whoever that is."""
    return text.rpartition('" ')[2].partition(" ")[0] in ACTS


# -- acts -----------------------------------------------------------------------------------------


def _folds(hand: Hand, seat: Seat, what: str, _all_in: bool | None) -> bool:
    if not what:
        hand.fold(seat)
    return not what


def _checks(hand: Hand, seat: Seat, what: str, _all_in: bool | None) -> bool:
    if not what:
        hand.check(seat)
    return not what


def _wager(hand: Hand, seat: Seat, to: Chips, all_in: bool | None) -> bool:
    if to < hand.bets[seat]:
        return False
    hand.wager(seat, to, all_in=all_in)
    return True


def _calls(hand: Hand, seat: Seat, what: str, all_in: bool | None) -> bool:
    if what.endswith(_BOMB):
        return _bomb(hand, seat, what[: -len(_BOMB)], all_in)
    to = hand.chips(what)
    if to < hand.bets[seat]:
        return False
    hand.call_to(seat, to, all_in=all_in)
    return True


def _bets(hand: Hand, seat: Seat, what: str, all_in: bool | None) -> bool:
    return _wager(hand, seat, hand.chips(what), all_in)


def _raises(hand: Hand, seat: Seat, what: str, all_in: bool | None) -> bool:
    return _wager(hand, seat, hand.chips(what.removeprefix("to ")), all_in)


def _all(hand: Hand, seat: Seat, what: str, _all_in: bool | None) -> bool:
    """Tell `all in with 400`, which some logs write for a wager of that size."""
    return what.startswith("in with ") and _wager(hand, seat, hand.chips(what[8:]), all_in=True)


def _bomb(hand: Hand, seat: Seat, what: str, all_in: bool | None) -> bool:
    if what.endswith(ALL_IN):
        what, all_in = what[: -len(ALL_IN)], True
    amount = hand.chips(what)
    hand.ante(seat, amount, "bomb-pot", all_in=all_in)
    if sum(1 for event in hand.events if isinstance(event, OptionSet)) == 0:
        hand.insert(2, OptionSet("bomb-pot", amount))
    return True


# -- posts ----------------------------------------------------------------------------------------


def _posts(hand: Hand, seat: Seat, what: str, all_in: bool | None) -> bool:
    if what.endswith(_FOR_BOMB):
        return _bomb(hand, seat, what[: -len(_FOR_BOMB)], all_in)
    kind, _, amount = what.rpartition(" of ")
    kind = kind.removeprefix("a ").removeprefix("an ")
    if amount.endswith(_BOMB):
        return kind == "bet" and _bomb(hand, seat, amount[: -len(_BOMB)], all_in)
    post = POSTS.get(kind)
    if post is None:
        return False
    post(hand, seat, hand.chips(amount), all_in)
    return True


Post: TypeAlias = Callable[[Hand, Seat, Chips, bool | None], None]


def _blind(role: BlindRole, *, live: bool = True) -> Post:
    def post(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        first = role != "big" or not hand.big
        as_role = role if first else "entry"  # a second big blind is a new player's
        hand.post(seat, as_role, amount if live else 0, 0 if live else amount, all_in=all_in)
        if role in ("small", "big") and first and not all_in:
            hand.told_blinds.append(amount)

    return post


def _ante(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.ante(seat, amount, all_in=all_in)


def _straddle(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    before = any(isinstance(event, StraddlePosted) for event in hand.events)
    hand.straddle(seat, amount, "restraddle" if before else "straddle", all_in=all_in)


POSTS: Final[dict[str, Post]] = {
    "small blind": _blind("small"),
    "big blind": _blind("big"),
    "missing small blind": _blind("makeup-small", live=False),
    "missed small blind": _blind("makeup-small", live=False),
    "dead small blind": _blind("makeup-small", live=False),
    "missed big blind": _blind("makeup-big"),
    "missing big blind": _blind("makeup-big"),
    "straddle": _straddle,
    "ante": _ante,
}
"""What is posted, as the log calls it → how it is told."""


# -- the end --------------------------------------------------------------------------------------


def _shows(hand: Hand, seat: Seat, what: str, _all_in: bool | None) -> bool:
    found = cards(what.removeprefix("a ").removeprefix("an ").rstrip("."))
    if found is None:
        return False
    hand.put(CardsShown(seat, padded(found, hand.count), hand.over))
    return True


def _collected(hand: Hand, seat: Seat, what: str, _all_in: bool | None) -> bool:
    amount, found, how = what.partition(" from pot")
    if not found:
        # `5 from the 7-2 bounty`: the sum of what each paid, which stands in rows of its own.
        return " from the " in what and what.endswith(" bounty") and _remark(hand, f"collected {what}")
    told = how.removeprefix(" with ")
    claim, _, rest = told.partition("(combination")
    claim = claim.strip()
    run = board = 1
    for word, number in ORDINALS.items():
        if claim.endswith(f"on the {word} run"):
            run = number
        elif claim.endswith(f"on the {word} board"):
            board = number
    half: Half = "low" if claim.startswith(("low hand", "lo hand")) else ""
    if claim.startswith(("hi hand", "high hand")):
        half = "high"
    _held(hand, seat, told)
    hand.over = True
    hand.award(seat, hand.chips(amount), run=run, board=board, half=half)
    if rest:
        _remark(hand, told)
    return True


def _held(hand: Hand, seat: Seat, told: str) -> None:
    """Tell the winner's cards, for which the first logs have no row of their own."""
    _, found, rest = told.rpartition(_HELD)
    held = cards(rest.removesuffix(")")) if found else None
    shown = any(type(one) is CardsShown and one.seat == seat for one in hand.events)
    if held is not None and not shown:
        hand.put(CardsShown(seat, padded(held, hand.count), hand.over))


def _remark(hand: Hand, words: str) -> bool:
    hand.put(RemarkNoted(hand.people.text(words.strip())))
    return True


def _paid(hand: Hand, seat: Seat, what: str, _all_in: bool | None) -> bool:
    """Tell `paid 5 for the 7-2 bounty to "Bo @ b"`: chips that go from seat to seat, not by the pot."""
    amount, _, rest = what.partition(" for the ")
    kind, _, token = rest.rpartition(' bounty to "')
    winner = hand.seats.get(token.rstrip(".").removesuffix('"'))
    if winner is None or not kind:
        return False
    chips = hand.chips(amount)
    seven = kind.strip() in ("7-2", "2-7", "seven-deuce")
    hand.put(BountyWon(winner, chips, seat, "seven-deuce" if seven else "other"))
    hand.put(ChipsRemoved(seat, chips))
    hand.put(ChipsAdded(winner, chips, "prize"))
    return True


def _chooses(hand: Hand, seat: Seat, what: str, _all_in: bool | None) -> bool:
    words = " ".join(what.split())
    told = RUNS.get(words)
    if told is not None:
        hand.deal()
        hand.put(RunsAnswered(seat, told))
    return told is not None


RUNS: Final = {
    "to run it twice.": 2,
    "to not run it twice.": 1,
    "to run it three times.": 3,
    "to not run it three times.": 1,
}

ACTS: Final[dict[str, Act]] = {
    "folds": _folds,
    "checks": _checks,
    "calls": _calls,
    "bets": _bets,
    "raises": _raises,
    "all": _all,
    "posts": _posts,
    "shows": _shows,
    "collected": _collected,
    "paid": _paid,
    "chooses": _chooses,
}
"""The word behind a name → how it is told."""

_ACTING: Final = frozenset(("folds", "checks", "calls", "bets", "raises", "all"))


# -- rows without a name before them ---------------------------------------------------------------


def _stacks(hand: Hand, what: str) -> bool:
    for seat, token, stack in split_stacks(what):
        hand.sit(seat, token, hand.chips(stack))
    return True


def _own(hand: Hand, what: str) -> bool:
    """Tell the cards of whoever's log this is. The log does not say who that is."""
    found = cards(what)
    if found is None:
        return False
    seat = hand.seats.get(hand.owner)
    if seat is None:
        return _remark(hand, f"Your hand is {what}")
    hand.put(HoleCardsDealt(seat, found))
    hand.derived.append(len(hand.events) - 1)
    return True


def _street(street: Street) -> Callable[[Hand, str], bool]:
    def deal(hand: Hand, what: str) -> bool:
        which, colon, rest = what.partition(":")
        found = cards(rest.rpartition("[")[2].rstrip("] "))
        number = _number(which)
        if not colon or found is None or number is None:
            return False
        hand.deal()
        hand.board(street, found, run=number[0], board=number[1])
        return True

    return deal


def _number(which: str) -> tuple[int, int] | None:
    """Return run and board of ` (second run)`; None for words that nobody knows."""
    if not which:
        return 1, 1
    word, _, kind = which.strip(" ()").partition(" ")
    number = ORDINALS.get(word, 1 if word == "first" else 0)
    if not number or kind not in ("run", "board"):
        return None
    return (number, 1) if kind == "run" else (1, number)


def _rabbit(hand: Hand, what: str) -> bool:
    which, colon, rest = what.partition(":")
    found, number = cards(rest.rpartition("[")[2].rstrip("] ")), _number(which)
    if not colon or found is None or number is None:
        return False
    hand.put(RabbitShown(found, board=number[1]))
    return True


def _uncalled(hand: Hand, what: str) -> bool:
    amount, _, name = what.partition(" returned to ")
    seat = hand.seats.get(name.strip().rstrip(".").strip('"'))
    seat = hand.seats.get(name.strip()[1:-1]) if seat is None else seat
    if seat is None:
        return False
    hand.give_back(seat, hand.chips(amount))
    return True


BEGINNINGS: Final[tuple[tuple[str, Callable[[Hand, str], bool]], ...]] = (
    ("Flop", _street("flop")),
    ("Turn", _street("turn")),
    ("River", _street("river")),
    ("Uncalled bet of ", _uncalled),
    ("Your hand is ", _own),
    ("Player stacks: ", _stacks),
    ("Undealt cards", _rabbit),
)
"""How a row begins → what tells its rest."""


def _puts(make: Callable[[], Event]) -> Callable[[Hand], bool]:
    def tell(hand: Hand) -> bool:
        hand.put(make())
        return True

    return tell


PLAIN: Final[dict[str, Callable[[Hand], bool]]] = {
    "Dead Small Blind": _puts(lambda: BlindSkipped("small", None, "dead-small-blind")),
    "Dead Big Blind": _puts(lambda: BlindSkipped("big", None)),
    "Remaining players decide whether to run it twice.": _puts(lambda: RunsOffered(None, 2)),
    "All players in hand choose to run it twice.": _puts(lambda: RunsAgreed(2)),
    "Some players choose to not run it twice.": _puts(lambda: RunsAgreed(1)),
}
"""Whole rows → what they tell."""
