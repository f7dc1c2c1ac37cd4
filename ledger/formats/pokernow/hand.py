"""A hand of the log while it is told: a table from the words of a row to what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from ledger.formats.pokernow.rows import ORDINALS, STACKS, cards, padded, split_stacks
from ledger.hand.betting import RunsAgreed, RunsAnswered, RunsOffered
from ledger.hand.dealing import DealCompleted, HoleCardsDealt, RabbitShown
from ledger.hand.ending import BountyWon, CardsShown, Half, RemarkNoted
from ledger.hand.opening import BlindSkipped, GameSet, OptionSet, StraddlePosted
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.presence import ChipsAdded, ChipsRemoved
from ledger.readers import acts
from ledger.readers.acts import Make
from ledger.readers.documented import names
from ledger.readers.hand import HandBuilder
from ledger.readers.phrases import Table, alike
from ledger.readers.room import BOARD_STREETS
from ledger.readers.spans import Spans
from ledger.vocabulary import Cards, Chips, Seat, Street

ALL_IN: Final = (" and go all in", " and all in")
"""What an act ends with that puts somebody all in; the second one is of the first logs, of spring 2020."""
_HELD: Final = "(hand: "


class Hand(HandBuilder):
    """The hand being told, with what only a log needs."""

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
        if text.startswith(STACKS):
            for seat, token, stack in split_stacks(text):
                self.sit(seat, token, self.chips(stack))
            return True
        return self._told(LINES, text)

    def _named(self, text: str) -> bool:
        """Look for the seats' names in a row that holds more quotes than usual, longest first."""
        for token in self.names():
            if text.startswith(f'"{token}" '):
                return self._act(self.seats[token], text[len(token) + 3 :])
        return False

    def _act(self, seat: Seat, rest: str) -> bool:
        """Tell what stands behind a name; False where nobody knows it, or it makes no sense."""
        for make, amount, all_in in _deeds(rest):
            if make in _ACTING:
                self.deal()
            if make(self, seat, self.chips(amount) if amount else 0, all_in) is not False:
                return True
        return self._told(SAYINGS, _without_all_in(rest)[0], seat)

    def _told(self, rows: Rows, text: str, *who: Seat) -> bool:
        """Tell the first phrase that fits and is meant; False where there is none."""
        for tell, found in rows.matches(text):
            values = [read(said) if read else said for _, read, said in found]
            if None not in values and tell(self, *who, *values) is not False:
                return True
        return False

    def deal(self) -> None:
        """Infer that the cards are dealt, before the first act."""
        if not self.dealt:
            self.dealt = True
            self.infer(DealCompleted())


def is_act(text: str) -> bool:
    """Whether a row tells an act of a player, whoever that is."""
    return text.rpartition('" ')[2].partition(" ")[0] in VERBS


# -- acts and posts -------------------------------------------------------------------------------


def _calls(hand: Hand, seat: Seat, to: Chips, all_in: bool | None) -> bool:
    """Tell a call; the amount is the street's total."""
    if to >= hand.bet_of(seat):
        hand.call_to(seat, to, all_in=all_in)
    return to >= hand.bet_of(seat)


def _wager(hand: Hand, seat: Seat, to: Chips, all_in: bool | None) -> bool:
    """Tell a bet or raise; the amount is the street's total."""
    if to >= hand.bet_of(seat):
        hand.wager(seat, to, all_in=all_in)
    return to >= hand.bet_of(seat)


def _all(hand: Hand, seat: Seat, to: Chips, _all_in: bool | None) -> bool:
    """Tell `all in with 400`, which some logs write for a wager of that size."""
    return _wager(hand, seat, to, all_in=True)


def bomb(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell what somebody puts into a bomb pot."""
    hand.ante(seat, amount, "bomb-pot", all_in=all_in)
    if not any(isinstance(event, OptionSet) for event in hand.events):
        hand.insert(2, OptionSet("bomb-pot", amount))


def _small(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    if not all_in:
        hand.told_blinds.append(amount)
    acts.small_blind(hand, seat, amount, all_in)


def _big(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    if not all_in and not hand.big:
        hand.told_blinds.append(amount)
    acts.big_blind(hand, seat, amount, all_in)


def _straddle(hand: Hand, seat: Seat, to: Chips, all_in: bool | None) -> bool:
    """Tell a straddle; the amount is what then lies before the seat, a blind that it posted with it."""
    if to <= hand.bet_of(seat):
        return False
    before = any(isinstance(event, StraddlePosted) for event in hand.events)
    hand.straddle(seat, to - hand.bet_of(seat), "restraddle" if before else "straddle", all_in=all_in)
    return True


def _missed_big(hand: Hand, seat: Seat, to: Chips, all_in: bool | None) -> bool:
    """Tell a missed big blind; with a blind that the seat posted, the amount is both."""
    before = hand.bet_of(seat)
    if to > before:
        acts.missed_big(hand, seat, to - before, all_in)
    return to > before


POSTS: Final[dict[str, Make]] = {
    "small blind": _small,
    "big blind": _big,
    **dict.fromkeys(("missing small blind", "missed small blind", "dead small blind"), acts.missed_small),
    **dict.fromkeys(("missed big blind", "missing big blind"), _missed_big),
    "straddle": _straddle,
    "ante": acts.antes,
}
"""What is posted, as the log calls it → how it is told."""

DEEDS: Final[Table[Make, None]] = Table(
    (
        ("folds", acts.folds),
        ("checks", acts.checks),
        ("calls {amount} (bomb pot bet)", bomb),
        *alike(_calls, "calls with {amount}", "calls {amount}"),
        *alike(_wager, "bets with {amount}", "raises with {amount}"),
        *alike(_wager, "bets {amount}", "raises to {amount}", "raises {amount}"),
        ("all in with {amount}", _all),
        ("posts {amount} for the bomb pot", bomb),
        *((f"posts {one}bet of {{amount}} (bomb pot bet)", bomb) for one in ("a ", "an ", "")),
        *((f"posts {one}{kind} of {{amount}}", make) for kind, make in POSTS.items() for one in ("a ", "an ", "")),
    ),
    {},
)
"""What a seat does with chips → how it is told."""


@lru_cache(maxsize=50_000)
def _deeds(rest: str) -> tuple[tuple[Make, str, bool | None], ...]:
    """Return how these words can be told: the act, its amount as written, and whether it is all-in."""
    found = []
    bare, all_in = _without_all_in(rest)
    for make, fields in DEEDS.matches(bare):
        amount, inner = _without_all_in(fields[0][2]) if fields else ("", False)  # it may stand before the brackets too
        found.append((make, amount, all_in or inner or None))
    return tuple(found)


def _without_all_in(text: str) -> tuple[str, bool]:
    for words in ALL_IN:
        if text.endswith(words):
            return text.removesuffix(words), True
    return text, False


_ACTING: Final = frozenset((acts.folds, acts.checks, _calls, _wager, _all))


# -- the end --------------------------------------------------------------------------------------


def _shows(hand: Hand, seat: Seat, found: Cards) -> None:
    hand.put(CardsShown(seat, padded(found, hand.count), hand.over))


def _collected(hand: Hand, seat: Seat, amount: str, how: str = "") -> None:
    told = how.removeprefix(" ").removeprefix("with ")
    claim, _, rest = told.partition("(combination")
    claim = claim.strip()
    run = next((number for word, number in ORDINALS.items() if claim.endswith(f"on the {word} run")), 1)
    board = next((number for word, number in ORDINALS.items() if claim.endswith(f"on the {word} board")), 1)
    half: Half = "low" if claim.startswith(("low hand", "lo hand")) else ""
    if claim.startswith(("hi hand", "high hand")):
        half = "high"
    _held(hand, seat, told)
    hand.over = True
    hand.award(seat, hand.chips(amount), run=run, board=board, half=half)
    if rest:
        _remark(hand, told)


def _held(hand: Hand, seat: Seat, told: str) -> None:
    """Tell the winner's cards, for which the first logs have no row of their own."""
    _, found, rest = told.rpartition(_HELD)
    held = cards(rest.removesuffix(")")) if found else None
    if held is not None and not any(type(one) is CardsShown and one.seat == seat for one in hand.events):
        _shows(hand, seat, held)


def _remark(hand: Hand, words: str) -> None:
    hand.put(RemarkNoted(hand.people.text(words.strip())))


def _paid(hand: Hand, seat: Seat, amount: str, kind: str, token: str) -> bool:
    """Tell `paid 5 for the 7-2 bounty to "Bo @ b"`: chips that go from seat to seat, not by the pot."""
    winner = hand.seats.get(token.rstrip(".").removesuffix('"'))
    if winner is None or not kind:
        return False
    chips = hand.chips(amount)
    seven = kind.strip() in ("7-2", "2-7", "seven-deuce")
    hand.put(BountyWon(winner, chips, seat, "seven-deuce" if seven else "other"))
    hand.put(ChipsRemoved(seat, chips))
    hand.put(ChipsAdded(winner, chips, "prize"))
    return True


def _chooses(hand: Hand, seat: Seat, runs: int) -> None:
    hand.deal()
    hand.put(RunsAnswered(seat, runs))


RUNS: Final = {
    "to run it twice.": 2,
    "to not run it twice.": 1,
    "to run it three times.": 3,
    "to not run it three times.": 1,
}


def _new_cards(rest: str) -> Cards | None:
    """Return the cards in the last brackets."""
    return cards(rest.rpartition("[")[2].rstrip("] "))


def _number(which: str) -> tuple[int, int] | None:
    """Return run and board of ` (second run)`; None for words that nobody knows."""
    word, _, kind = which.strip(" ()").partition(" ")
    number = ORDINALS.get(word, 1 if word == "first" else 0)
    if not number or kind not in ("run", "board"):
        return None if which else (1, 1)
    return (number, 1) if kind == "run" else (1, number)


FIELDS: Final[Mapping[str, Callable[[str], object]]] = {
    "shown": lambda text: cards(text.removeprefix("a ").removeprefix("an ").rstrip(".")),
    "cards": cards,
    "new": _new_cards,
    "which": _number,
    "runs": lambda text: RUNS.get(" ".join(text.split())),
}
"""How a field is read; None where its text is no such thing, and the phrase is not meant."""

Rows: TypeAlias = Table[Callable[..., bool | None], Callable[[str], object]]

SAYINGS: Final[Rows] = Table(
    (
        ("shows {shown}", _shows),
        ("collected {amount} from pot{how}", _collected),
        *alike(_collected, "gained {amount} from pot", "gained {amount} {how}", "gained {amount}"),
        *alike(_collected, "wins {amount} {how}", "wins {amount}"),
        (
            "collected {amount} from the {kind} bounty",  # the sum of what each paid, which stands in rows of its own
            lambda hand, _, amount, kind: _remark(hand, f"collected {amount} from the {kind} bounty"),
        ),
        ('paid {amount} for the {kind} bounty to "{token}', _paid),
        ("chooses {runs}", _chooses),
    ),
    FIELDS,
)
"""What else stands behind a name → how it is told."""

VERBS: Final = names("folds checks calls bets raises all posts shows collected gained wins paid chooses")


# -- rows without a name before them ---------------------------------------------------------------


def _own(hand: Hand, what: str) -> bool:
    """Tell the cards of whoever's log this is. The log does not say who that is."""
    found, seat = cards(what), hand.seats.get(hand.owner)
    if found is not None and seat is not None:
        hand.own = True
        hand.put(HoleCardsDealt(seat, found))
        hand.inferred.append(len(hand.events) - 1)
    elif found is not None:
        _remark(hand, f"Your hand is {what}")
    return found is not None


def _street(street: Street) -> Callable[..., None]:
    def deal(hand: Hand, which: tuple[int, int], found: Cards) -> None:
        hand.deal()
        hand.board(street, found, run=which[0], board=which[1])

    return deal


def _uncalled(hand: Hand, amount: str, name: str) -> bool:
    seat = hand.seats.get(name.strip().rstrip(".").strip('"'))
    seat = hand.seats.get(name.strip()[1:-1]) if seat is None else seat
    if seat is None:
        return False
    hand.give_back(seat, hand.chips(amount))
    return True


LINES: Final[Rows] = Table(
    (
        ("Undealt cards{which}:{new}", lambda hand, which, found: hand.put(RabbitShown(found, board=which[1]))),
        ("Uncalled bet of {amount} returned to {token}", _uncalled),
        ("Your hand is {what}", _own),
        ("Dead Small Blind", lambda hand: hand.put(BlindSkipped("small", None, "dead-small-blind"))),
        ("Dead Big Blind", lambda hand: hand.put(BlindSkipped("big", None))),
        ("Remaining players decide whether to run it twice.", lambda hand: hand.put(RunsOffered(None, 2))),
        ("All players in hand choose to run it twice.", lambda hand: hand.put(RunsAgreed(2))),
        ("Some players choose to not run it twice.", lambda hand: hand.put(RunsAgreed(1))),
        *(
            (f"{word}{{which}}:{{new}}", _street(street))
            for street in BOARD_STREETS
            for word in (street.title(), street)
        ),
    ),
    FIELDS,
)
"""The rows without a name before them → how they are told; the first logs write streets in small letters."""
