"""The plays: the table from `Action` to the events of an act, and the cards of each run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from ledger.formats.biggame.literal import OF_PLAY, LiteralObject, ParsedLiteral
from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import BoardDealt, RabbitShown
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.acts import check, fold
from ledger.readers.json_hand import JsonHand, keep_letters_and_digits
from ledger.vocabulary import DECK, Cards, Chips, Seat, Street

VENUE: Final = "The Big Game"
_MAX_PLAIN_AMOUNT: Final = 10**12

CARDS: Final[dict[str, str]] = {
    **{(card[1] + card[0]).lower(): card for card in DECK},
    **{f"{card[1]}10": card for card in DECK if card[0] == "T"},
    **{card.lower(): card for card in DECK},
    **{f"10{card[1]}": card for card in DECK if card[0] == "T"},
}
"""A card in lower case → the card. The suit comes first; the other order can't be mistaken for another card."""


def parse_cards(value: object) -> Cards | None:
    """Return the cards of `["hq", "c2"]`, or None if one isn't a card. An empty list has no cards."""
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, list):
        return None
    try:
        return "".join([CARDS[card_name.lower()] for card_name in value])
    except (KeyError, AttributeError):
        return None


class BigGameHand(JsonHand):
    """The hand that is built from one call."""

    def __init__(self, data: bytes, call: ParsedLiteral, people: People, game: GameSet, first_place: int) -> None:
        """Begin the hand of `call`, whose first part is `first_place`."""
        super().__init__(data, call.spans, people, VENUE, game, first_place)
        self.member_places = call.member_places
        self.button: Seat = 0
        self.dealt_players: list[tuple[int, Seat, object]] = []  # place, seat and cards of each player dealt in
        self.board_size = 0  # how many cards the board has
        self.run_count = 1

    def chips_of(self, value: object) -> Chips:
        """Return a number as an amount. Anything else raises `UnreadableHandError`."""
        if type(value) is int and not self.exponent and value < _MAX_PLAIN_AMOUNT:
            return value
        return amounts.read_number(value, self.exponent)


ActTeller: TypeAlias = Callable[[BigGameHand, Seat, Chips, bool | None], bool | None]
"""Adds the act of a seat. The amount is 0 if the play has none. Returns False if the act makes no sense."""

_STREETS: Final[tuple[Street, ...]] = ("flop", "flop", "flop", "turn", "river")
"""The street of each card of a board."""

_BOARD_SIZE: Final = 5
_STREET_BY_CARDS: Final[dict[tuple[int, int], Street]] = {(0, 6): "flop", (3, 2): "turn", (4, 2): "river"}
_BOARD_SIZES: Final = frozenset((0, 3, 4, 5))
"""How many cards a board may have."""


def add_straddles(hand: BigGameHand, plays: list[object]) -> int:
    """Add the straddles at the beginning of the plays. Return the index of the next play."""
    for play_index, play_value in enumerate(plays):
        if _find_action(play_value) != "straddles":
            return play_index
        _add_play(hand, play_value, _post_straddle)
    return len(plays)


def add_plays(hand: BigGameHand, plays: list[object], play_index: int) -> None:
    """Add the plays from `play_index` on, in their order."""
    play_count = len(plays)
    while play_index < play_count:
        play_value = plays[play_index]
        play_index += 1
        action = _find_action(play_value)
        if action != "deal":
            _add_play(hand, play_value, _ACTS.get(action))
            continue
        first_deal = play_index - 1
        while play_index < play_count and _find_action(plays[play_index]) == action:
            play_index += 1
        _add_deals(hand, [play_value for play_value in plays[first_deal:play_index] if isinstance(play_value, dict)])


def _find_action(play_value: object) -> str:
    """Return a play's action as the tables below name it, or "" if it isn't a play."""
    written_action = play_value.get("Action") if isinstance(play_value, dict) else None
    if not isinstance(written_action, str):
        return ""
    usual_word = _WORD_OF_ACTION.get(written_action)
    if usual_word:
        return usual_word
    plain_word = keep_letters_and_digits(written_action[:40])
    return _OTHER_FORMS.get(plain_word, plain_word)


def _add_play(hand: BigGameHand, play_value: object, add_act: ActTeller | None) -> None:
    """Add a play. An unknown one is kept as unread."""
    if not isinstance(play_value, dict):
        hand.add_unread(str(play_value)[:200])
        return
    hand.place = play_value[""]
    seat, written_amount = play_value.get("Seat"), play_value.get("value")
    amount = 0 if written_amount is None else hand.chips_of(written_amount)
    if type(seat) is not int or seat not in hand.stacks or amount < 0:
        add_act = None
    if add_act is None or add_act(hand, seat, amount, None) is False:  # type: ignore[arg-type]  # it is in the hand
        hand.add_unread_place("play", play_value[""])
    if len(play_value) > (3 if written_amount is None else 4) or not seat:  # place, seat, action, value
        hand.add_unread_names(play_value, OF_PLAY, play_value[""])


# -- acts ---------------------------------------------------------------------------------------


def _post_straddle(hand: BigGameHand, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
    """Add a straddle. The amount is the seat's total, which includes its blind."""
    if amount <= hand.get_bet(seat):
        return False
    is_restraddle = hand.betting.bet_to_call > hand.big_blind
    hand.post_straddle(seat, amount - hand.get_bet(seat), "restraddle" if is_restraddle else "straddle")
    return True


def _call_bet(hand: BigGameHand, seat: Seat, _amount: Chips, _all_in: bool | None) -> bool:
    """Call the bet, for less if the stack is shorter."""
    amount_due = hand.get_call_amount(seat)
    if amount_due > 0:
        hand.call(seat, amount_due)
    return amount_due > 0


def _read_wager(hand: BigGameHand, seat: Seat, amount: Chips, all_in: bool | None) -> bool:
    """Bet or raise to the street's total."""
    if amount <= hand.get_bet(seat):
        return False
    hand.wager(seat, amount, all_in=all_in)
    return True


def _go_all_in(hand: BigGameHand, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
    """Go all-in with a call, a bet or a raise. The play has no amount: it is the seat's whole stack."""
    return _read_wager(
        hand, seat, amount if hand.stacks[seat] is None else hand.get_bet(seat) + hand.get_stack_left(seat), True
    )


def _return_bet(hand: BigGameHand, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
    """Return an uncalled bet. It can't be more than the seat put in."""
    if not 0 < amount <= hand.get_chips_put_in(seat):
        return False
    hand.return_uncalled(seat, amount)
    return True


def _win_pot(hand: BigGameHand, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
    if amount:
        hand.award(seat, amount)
    return bool(amount)


_ACTS: Final[dict[str, ActTeller]] = {
    "straddles": _post_straddle,
    "folds": fold,
    "checks": check,
    "calls": _call_bet,
    "bets": lambda hand, seat, amount, all_in: (
        amount > 0 and _read_wager(hand, seat, hand.get_bet(seat) + amount, all_in)
    ),
    "raisesto": _read_wager,
    "allin": _go_all_in,
    "takesback": _return_bet,
    "wins": _win_pot,
}
"""`Action` in lower-case letters → the function that adds the act. `_add_deals` adds a `Deal` and those next to it."""

_WORD_OF_ACTION: Final[dict[str, str]] = {
    word: keep_letters_and_digits(word)
    for word in ("Folds", "Checks", "Calls", "Bets", "Raises To", "All-In", "Straddles", "Takes Back", "Wins", "Deal")
}
"""The actions as the program writes them, looked up first for speed."""

_OTHER_FORMS: Final[dict[str, str]] = {
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
"""Other forms of the same words, which none of our calls has."""


# -- cards --------------------------------------------------------------------------------------


class _StreetCards(NamedTuple):
    """Cards of one street of one run, and their place. "" = the run's cards are missing."""

    street: Street
    cards: Cards
    run_number: int
    place_number: int
    is_moved: bool = False  # the call has it after cards that were dealt later


def _add_deals(hand: BigGameHand, plays: list[LiteralObject]) -> None:
    """Add cards that were dealt without an act between them: one street, or the rest of all runs."""
    if len(plays) == 1 and not hand.total_awarded and _add_street(hand, plays[0]):
        return
    dealt_cards: list[tuple[int, Cards]] = []
    for play_value in plays:
        new_cards = parse_cards(play_value.get("value"))
        if new_cards is None:
            hand.add_unread_place("play", play_value[""])
        else:
            dealt_cards.append((play_value[""], new_cards))
        hand.add_unread_names(play_value, OF_PLAY, play_value[""])
    if hand.total_awarded:
        for place_number, new_cards in dealt_cards:
            _add_rabbit_cards(hand, new_cards, place_number)
        return
    flop_place = _find_moved_flop(hand, dealt_cards)
    if flop_place >= 0:
        dealt_cards.sort(key=lambda dealt: dealt[0] != flop_place)
    _deal_cards(hand, _assign_cards(hand, dealt_cards, flop_place))


def _find_moved_flop(hand: BigGameHand, dealt_cards: list[tuple[int, Cards]]) -> int:
    """Return the place of a flop that the program lists after later cards, -1 if there is none.

    It does so after an all-in before the flop.
    """
    if hand.board_size or not dealt_cards or len(hand.list_seats_able_to_bet()) > 1:
        return -1
    first_place = dealt_cards[0][0]
    flop_place = next((place for place, new_cards in dealt_cards if len(new_cards) == 6), first_place)
    return flop_place if flop_place != first_place else -1


def _add_street(hand: BigGameHand, play_value: LiteralObject) -> bool:
    """Add the cards of one street that make a play of their own, as nearly all do. Return whether they do."""
    new_cards = parse_cards(play_value.get("value"))
    street = _STREET_BY_CARDS.get((hand.board_size, len(new_cards))) if new_cards else None
    if not new_cards or not street or not OF_PLAY.issuperset(play_value):
        return False
    hand.place = play_value[""]
    hand.board_size += len(new_cards) // 2
    hand.deal_board(street, new_cards)
    return True


def _assign_cards(hand: BigGameHand, dealt_cards: list[tuple[int, Cards]], moved_place: int) -> list[_StreetCards]:
    """Assign the cards to streets and runs. Cards after a full board are another run of the board's last cards."""
    street_cards = []
    for place_number, new_cards in dealt_cards:
        card_count = len(new_cards) // 2
        if hand.board_size < _BOARD_SIZE:
            first_card, run_number = hand.board_size, 1
        else:
            first_card, run_number = _BOARD_SIZE - card_count, hand.run_count + 1
        fills_streets = first_card in _BOARD_SIZES and first_card + card_count in _BOARD_SIZES and card_count
        if run_number == 1:
            is_possible = bool(fills_streets)
        else:  # another run comes only after the betting, and its cards may be missing
            is_possible = len(hand.list_seats_able_to_bet()) < 2 and bool(fills_streets or not card_count)
        if not is_possible:
            hand.add_unread_place("play", place_number)
            continue
        if run_number > 1:
            hand.run_count = run_number
            if not card_count:
                street_cards.append(_StreetCards("river", "", run_number, place_number))
        else:
            hand.board_size += card_count
        for street in dict.fromkeys(_STREETS[first_card : first_card + card_count]):
            start_card = max(first_card, _STREETS.index(street))
            stop_card = min(first_card + card_count, _BOARD_SIZE - _STREETS[::-1].index(street))
            cards_of_street = new_cards[2 * (start_card - first_card) : 2 * (stop_card - first_card)]
            street_cards.append(
                _StreetCards(street, cards_of_street, run_number, place_number, place_number == moved_place)
            )
    return street_cards


def _deal_cards(hand: BigGameHand, street_cards: list[_StreetCards]) -> None:
    """Add the cards. Several runs were agreed on before the first street that differs between them."""
    own_streets = {dealt_street.street for dealt_street in street_cards if dealt_street.run_number > 1} or {"river"}
    runs_agreed = hand.run_count == 1
    for dealt_street in street_cards:
        if not runs_agreed and dealt_street.street in own_streets:
            hand.close_bets()
            hand.add_inferred(RunsAgreed(hand.run_count))
            runs_agreed = True
        hand.place = dealt_street.place_number
        if dealt_street.is_moved:
            hand.inferred.append(len(hand.events))
        if not dealt_street.cards:
            hand.add_unread_place("play", dealt_street.place_number)
        elif dealt_street.run_number == 1:
            hand.deal_board(dealt_street.street, dealt_street.cards)
        else:
            hand.add_event(BoardDealt(dealt_street.street, dealt_street.cards, 1, dealt_street.run_number))


def _add_rabbit_cards(hand: BigGameHand, new_cards: Cards, place_number: int) -> None:
    """Add cards that came after the pot was paid: they aren't part of the board."""
    hand.place = place_number
    if not new_cards:
        hand.add_unread_place("play", place_number)
        return
    fits_board = hand.board_size + len(new_cards) // 2 <= _BOARD_SIZE and (hand.board_size or len(new_cards) == 6)
    hand.add_event(RabbitShown(new_cards, _STREETS[hand.board_size] if fits_board else None))
    if fits_board:
        hand.board_size += len(new_cards) // 2
