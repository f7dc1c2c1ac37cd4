"""A hand of the log while it is read: tables from the words of a row to their readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from ledger.formats.pokernow.rows import ORDINALS, STACKS, pad_cards, parse_cards, split_stacks
from ledger.hand.betting import RunsAgreed, RunsAnswered, RunsOffered
from ledger.hand.dealing import DealCompleted, HoleCardsDealt, RabbitShown
from ledger.hand.ending import BountyWon, CardsShown, Half, RemarkNoted
from ledger.hand.opening import BlindSkipped, GameSet, OptionSet, StraddlePosted
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.presence import ChipsAdded, ChipsRemoved
from ledger.readers import acts
from ledger.readers.acts import ActionHandler
from ledger.readers.hand import HandBuilder
from ledger.readers.json_hand import split_names
from ledger.readers.phrase_hand import BOARD_STREETS
from ledger.readers.phrases import PhraseTable, build_rows
from ledger.readers.spans import Spans
from ledger.vocabulary import Cards, Chips, Seat, Street

ALL_IN: Final = (" and go all in", " and all in")
"""The endings of all-in actions; the second one is from the first logs, of spring 2020."""
_CARDS_WORDS: Final = "(hand: "


class PokerNowHand(HandBuilder):
    """A hand of the log, with what only a log needs."""

    def __init__(self, places: Spans, people: People, venue: str, game: GameSet, owner: str) -> None:
        """Begin a hand whose first row is place 0."""
        super().__init__(places, people, venue, game, 0)
        self.hole_card_count = VARIANTS[game.variant].hole_cards
        self.is_deal_told = False  # the end of the deal has been put
        self.is_paid_out = False  # a player has been paid
        self.is_button_placed = False  # the button's seat is known
        self.is_ended = False  # the row that ends the hand has been read
        self.owner = owner  # the player whose log this is, "" if unknown
        self.full_blinds: list[Chips] = []  # the blinds that were posted in full

    # -- rows -----------------------------------------------------------------------------------

    def read_row(self, row_text: str) -> bool:
        """Read one row of the hand; False if it is unknown."""
        if row_text[:1] == '"':
            token, separator, act_text = row_text[1:].rpartition('" ')
            seat = self.seats.get(token)
            if seat is not None:
                return self._read_act(seat, act_text)
            return bool(separator) and self._read_named_row(row_text)
        if row_text.startswith(STACKS):
            for seat, token, stack in split_stacks(row_text):
                self.seat_player(seat, token, self.parse_chips(stack))
            return True
        return self._read_phrase(LINES, row_text)

    def _read_named_row(self, row_text: str) -> bool:
        """Read a row with more quotes than usual, trying the longest names first."""
        for token in self.sort_names():
            if row_text.startswith(f'"{token}" '):
                return self._read_act(self.seats[token], row_text[len(token) + 3 :])
        return False

    def _read_act(self, seat: Seat, act_text: str) -> bool:
        """Read the words after a name; False if they are unknown or make no sense."""
        for make, amount, all_in in _find_acts(act_text):
            if make in _ACTS_AFTER_DEAL:
                self.complete_deal()
            if make(self, seat, self.parse_chips(amount) if amount else 0, all_in) is not False:
                return True
        return self._read_phrase(OTHER_ACTS, _split_all_in(act_text)[0], seat)

    def _read_phrase(self, phrase_table: PhraseRows, text: str, *seats: Seat) -> bool:
        """Read the first phrase that fits the text; False if there is none."""
        for teller, fields in phrase_table.matches(text):
            values = [parse_field(field_text) if parse_field else field_text for _, parse_field, field_text in fields]
            if None not in values and teller(self, *seats, *values) is not False:
                return True
        return False

    def complete_deal(self) -> None:
        """Infer the end of the deal, before the first action."""
        if not self.is_deal_told:
            self.is_deal_told = True
            self.add_inferred(DealCompleted())


def is_act(row_text: str) -> bool:
    """Whether a row is a player's action."""
    return row_text.rpartition('" ')[2].partition(" ")[0] in VERBS


# -- acts and posts -------------------------------------------------------------------------------


def _call_to(hand: PokerNowHand, seat: Seat, street_total: Chips, all_in: bool | None) -> bool:
    """Call; the amount is the street's total."""
    if street_total >= hand.get_bet(seat):
        hand.call_to(seat, street_total, all_in=all_in)
    return street_total >= hand.get_bet(seat)


def _read_wager(hand: PokerNowHand, seat: Seat, street_total: Chips, all_in: bool | None) -> bool:
    """Bet or raise; the amount is the street's total."""
    if street_total >= hand.get_bet(seat):
        hand.wager(seat, street_total, all_in=all_in)
    return street_total >= hand.get_bet(seat)


def _go_all_in(hand: PokerNowHand, seat: Seat, street_total: Chips, _all_in: bool | None) -> bool:
    """Read `all in with 400`, as some logs write a wager of that size."""
    return _read_wager(hand, seat, street_total, all_in=True)


def post_bomb_pot(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a bomb pot's ante; the first one shows the option."""
    hand.post_ante(seat, amount, "bomb-pot", all_in=all_in)
    if not any(isinstance(event, OptionSet) for event in hand.events):
        hand.insert_event(2, OptionSet("bomb-pot", amount))


def _post_small_blind(hand: PokerNowHand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    if not all_in:
        hand.full_blinds.append(amount)
    acts.post_small_blind(hand, seat, amount, all_in)


def _post_big_blind(hand: PokerNowHand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    if not all_in and not hand.big_blind_seat:
        hand.full_blinds.append(amount)
    acts.post_big_blind(hand, seat, amount, all_in)


def _post_straddle(hand: PokerNowHand, seat: Seat, street_total: Chips, all_in: bool | None) -> bool:
    """Post a straddle; the amount includes a blind that the seat posted before."""
    if street_total <= hand.get_bet(seat):
        return False
    is_restraddle = any(isinstance(event, StraddlePosted) for event in hand.events)
    hand.post_straddle(
        seat, street_total - hand.get_bet(seat), "restraddle" if is_restraddle else "straddle", all_in=all_in
    )
    return True


def _post_missed_big(hand: PokerNowHand, seat: Seat, street_total: Chips, all_in: bool | None) -> bool:
    """Post a missed big blind; the amount includes a blind that the seat posted before."""
    bet_before = hand.get_bet(seat)
    if street_total > bet_before:
        acts.make_up_big_blind(hand, seat, street_total - bet_before, all_in)
    return street_total > bet_before


POSTS: Final[dict[str, ActionHandler]] = {
    "small blind": _post_small_blind,
    "big blind": _post_big_blind,
    **dict.fromkeys(("missing small blind", "missed small blind", "dead small blind"), acts.make_up_small_blind),
    **dict.fromkeys(("missed big blind", "missing big blind"), _post_missed_big),
    "straddle": _post_straddle,
    "ante": acts.post_ante,
}
"""The log's name of a post → its reader."""

CHIP_ACTS: Final[PhraseTable[ActionHandler, None]] = PhraseTable(
    (
        ("folds", acts.fold),
        ("checks", acts.check),
        ("calls {amount} (bomb pot bet)", post_bomb_pot),
        *build_rows(_call_to, "calls with {amount}", "calls {amount}"),
        *build_rows(_read_wager, "bets with {amount}", "raises with {amount}"),
        *build_rows(_read_wager, "bets {amount}", "raises to {amount}", "raises {amount}"),
        ("all in with {amount}", _go_all_in),
        ("posts {amount} for the bomb pot", post_bomb_pot),
        *((f"posts {article}bet of {{amount}} (bomb pot bet)", post_bomb_pot) for article in ("a ", "an ", "")),
        *(
            (f"posts {article}{kind} of {{amount}}", make)
            for kind, make in POSTS.items()
            for article in ("a ", "an ", "")
        ),
    ),
    {},
)
"""Actions → their readers."""


@lru_cache(maxsize=50_000)
def _find_acts(act_text: str) -> tuple[tuple[ActionHandler, str, bool | None], ...]:
    """Return the possible actions of these words: reader, amount as written, and whether it is all-in."""
    readings = []
    stripped_act, all_in = _split_all_in(act_text)
    for make, fields in CHIP_ACTS.matches(stripped_act):
        amount, is_all_in_inside = (
            _split_all_in(fields[0][2]) if fields else ("", False)
        )  # it may stand before the brackets too
        readings.append((make, amount, all_in or is_all_in_inside or None))
    return tuple(readings)


def _split_all_in(act_text: str) -> tuple[str, bool]:
    for all_in_words in ALL_IN:
        if act_text.endswith(all_in_words):
            return act_text.removesuffix(all_in_words), True
    return act_text, False


_ACTS_AFTER_DEAL: Final = frozenset((acts.fold, acts.check, _call_to, _read_wager, _go_all_in))


# -- the end --------------------------------------------------------------------------------------


def _show_cards(hand: PokerNowHand, seat: Seat, shown_cards: Cards) -> None:
    hand.add_event(CardsShown(seat, pad_cards(shown_cards, hand.hole_card_count), hand.is_paid_out))


def _collect_pot(hand: PokerNowHand, seat: Seat, amount: str, explanation: str = "") -> None:
    winning_words = explanation.removeprefix(" ").removeprefix("with ")
    claim, _, combination = winning_words.partition("(combination")
    claim = claim.strip()
    run = next((number for ordinal, number in ORDINALS.items() if claim.endswith(f"on the {ordinal} run")), 1)
    board = next((number for ordinal, number in ORDINALS.items() if claim.endswith(f"on the {ordinal} board")), 1)
    half: Half = "low" if claim.startswith(("low hand", "lo hand")) else ""
    if claim.startswith(("hi hand", "high hand")):
        half = "high"
    _show_winning_cards(hand, seat, winning_words)
    hand.is_paid_out = True
    hand.award(seat, hand.parse_chips(amount), run=run, board=board, half=half)
    if combination:
        _put_remark(hand, winning_words)


def _show_winning_cards(hand: PokerNowHand, seat: Seat, winning_words: str) -> None:
    """Show the winner's cards, which have no row of their own in the first logs."""
    _, separator, cards_text = winning_words.rpartition(_CARDS_WORDS)
    hole_cards = parse_cards(cards_text.removesuffix(")")) if separator else None
    if hole_cards is not None and not any(type(event) is CardsShown and event.seat == seat for event in hand.events):
        _show_cards(hand, seat, hole_cards)


def _put_remark(hand: PokerNowHand, words: str) -> None:
    hand.add_event(RemarkNoted(hand.people.text(words.strip())))


def _pay_bounty(hand: PokerNowHand, seat: Seat, amount: str, kind: str, token: str) -> bool:
    """Read `paid 5 for the 7-2 bounty to "Bo @ b"`: chips that go from seat to seat, not through the pot."""
    winner = hand.seats.get(token.rstrip(".").removesuffix('"'))
    if winner is None or not kind:
        return False
    chips = hand.parse_chips(amount)
    is_seven_deuce = kind.strip() in ("7-2", "2-7", "seven-deuce")
    hand.add_event(BountyWon(winner, chips, seat, "seven-deuce" if is_seven_deuce else "other"))
    hand.add_event(ChipsRemoved(seat, chips))
    hand.add_event(ChipsAdded(winner, chips, "prize"))
    return True


def _answer_runs(hand: PokerNowHand, seat: Seat, runs: int) -> None:
    hand.complete_deal()
    hand.add_event(RunsAnswered(seat, runs))


RUNS: Final = {
    "to run it twice.": 2,
    "to not run it twice.": 1,
    "to run it three times.": 3,
    "to not run it three times.": 1,
}


def _parse_new_cards(board_text: str) -> Cards | None:
    """Return the cards in the last brackets."""
    return parse_cards(board_text.rpartition("[")[2].rstrip("] "))


def _parse_run_and_board(ordinal_words: str) -> tuple[int, int] | None:
    """Return run and board of ` (second run)`, or None for unknown words."""
    ordinal, _, run_or_board = ordinal_words.strip(" ()").partition(" ")
    number = ORDINALS.get(ordinal, 1 if ordinal == "first" else 0)
    if not number or run_or_board not in ("run", "board"):
        return None if ordinal_words else (1, 1)
    return (number, 1) if run_or_board == "run" else (1, number)


FIELDS: Final[Mapping[str, Callable[[str], object]]] = {
    "shown": lambda text: parse_cards(text.removeprefix("a ").removeprefix("an ").rstrip(".")),
    "cards": parse_cards,
    "new": _parse_new_cards,
    "run": _parse_run_and_board,
    "runs": lambda text: RUNS.get(" ".join(text.split())),
}
"""A field → its parser, which returns None if the phrase doesn't fit after all."""

PhraseRows: TypeAlias = PhraseTable[Callable[..., bool | None], Callable[[str], object]]

OTHER_ACTS: Final[PhraseRows] = PhraseTable(
    (
        ("shows {shown}", _show_cards),
        ("collected {amount} from pot{how}", _collect_pot),
        *build_rows(_collect_pot, "gained {amount} from pot", "gained {amount} {how}", "gained {amount}"),
        *build_rows(_collect_pot, "wins {amount} {how}", "wins {amount}"),
        (
            "collected {amount} from the {kind} bounty",  # the sum of payments that have rows of their own
            lambda hand, _, amount, kind: _put_remark(hand, f"collected {amount} from the {kind} bounty"),
        ),
        ('paid {amount} for the {kind} bounty to "{token}', _pay_bounty),
        ("chooses {runs}", _answer_runs),
    ),
    FIELDS,
)
"""Other words after a name → their readers."""

VERBS: Final = split_names("folds checks calls bets raises all posts shows collected gained wins paid chooses")


# -- rows without a name before them ---------------------------------------------------------------


def _deal_own_cards(hand: PokerNowHand, cards_text: str) -> bool:
    """Deal the cards of the log's owner, whose name the log doesn't say."""
    hole_cards, seat = parse_cards(cards_text), hand.seats.get(hand.owner)
    if hole_cards is not None and seat is not None:
        hand.has_own_cards = True
        hand.add_event(HoleCardsDealt(seat, hole_cards))
        hand.inferred.append(len(hand.events) - 1)
    elif hole_cards is not None:
        _put_remark(hand, f"Your hand is {cards_text}")
    return hole_cards is not None


def _build_street_dealer(street: Street) -> Callable[..., None]:
    def deal_street(hand: PokerNowHand, run_and_board: tuple[int, int], new_cards: Cards) -> None:
        hand.complete_deal()
        hand.deal_board(street, new_cards, run=run_and_board[0], board=run_and_board[1])

    return deal_street


def _return_uncalled(hand: PokerNowHand, amount: str, name: str) -> bool:
    seat = hand.seats.get(name.strip().rstrip(".").strip('"'))
    seat = hand.seats.get(name.strip()[1:-1]) if seat is None else seat
    if seat is None:
        return False
    hand.return_uncalled(seat, hand.parse_chips(amount))
    return True


LINES: Final[PhraseRows] = PhraseTable(
    (
        (
            "Undealt cards{run}:{new}",
            lambda hand, run_and_board, new_cards: hand.add_event(RabbitShown(new_cards, board=run_and_board[1])),
        ),
        ("Uncalled bet of {amount} returned to {token}", _return_uncalled),
        ("Your hand is {what}", _deal_own_cards),
        ("Dead Small Blind", lambda hand: hand.add_event(BlindSkipped("small", None, "dead-small-blind"))),
        ("Dead Big Blind", lambda hand: hand.add_event(BlindSkipped("big", None))),
        ("Remaining players decide whether to run it twice.", lambda hand: hand.add_event(RunsOffered(None, 2))),
        ("All players in hand choose to run it twice.", lambda hand: hand.add_event(RunsAgreed(2))),
        ("Some players choose to not run it twice.", lambda hand: hand.add_event(RunsAgreed(1))),
        *(
            (f"{word}{{run}}:{{new}}", _build_street_dealer(street))
            for street in BOARD_STREETS
            for word in (street.title(), street)
        ),
    ),
    FIELDS,
)
"""Rows that don't begin with a name → their readers. The first logs write streets in lower case."""
