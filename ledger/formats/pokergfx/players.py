"""The seats of a PokerGFX hand: players, positions, posts and cards, and the export's fixed lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.dealing import DealCompleted, HoleCardsDealt, HoleCardsLearned
from ledger.hand.opening import BlindPositionPlaced, BlindRole, BlindSkipped, ButtonPlaced, GameSet, NotPosted
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.cards import ANY_CASE, build_card_reader
from ledger.readers.hand import SEATS
from ledger.readers.json_hand import (
    JsonRecord,
    RecordHand,
    keep_letters_and_digits,
    list_objects,
    parse_count_below,
    split_names,
)
from ledger.vocabulary import Chips, Seat, Witness

VENUE: Final = "PokerGFX"
"""The export names no room, so the program's name is used."""

WITNESSES: Final = Witness.from_names(
    "BUTTON BLIND_POSITIONS POSTS ANTES BLIND_AMOUNTS STACKS_BEFORE STACKS_AFTER ACTS BOARD RUNS"
)
"""What every export records. `ALL_CARDS` is added to a hand with the cards of every seat."""

GAMES: Final[dict[str, str]] = {
    **dict.fromkeys(("holdem", "texasholdem"), "holdem"),
    **dict.fromkeys(
        (
            "holdemsixplus",
            "holdemsixplusstraightbeatstrips",
            "holdemsixplustripsbeatsstraight",
            "6plusholdem",
            "6tholdem",
            "6pholdem",
            "shortdeck",
        ),
        "short-deck",
    ),
    **dict.fromkeys(("omaha", "omaha4"), "omaha"),
    **dict.fromkeys(("omahahilo", "omaha8", "omahahl"), "omaha8"),
    "omaha5": "omaha5",
    "omaha5hilo": "omaha5-8",
    "omaha6": "omaha6",
    "omaha6hilo": "omaha6-8",
    **dict.fromkeys(("courchevel", "cour"), "courchevel"),
    "courchevelhilo": "courchevel8",
    **dict.fromkeys(("draw5", "5draw"), "draw5"),
    **dict.fromkeys(("deuce7draw", "27draw"), "single-27"),
    **dict.fromkeys(("deuce7triple", "27triple"), "triple-27"),
    "a5triple": "triple-a5",
    "badugi": "badugi",
    **dict.fromkeys(("badeucy", "badeucey"), "badeucey"),
    "badacey": "badacey",
    **dict.fromkeys(("stud", "stud7", "7stud"), "stud"),
    **dict.fromkeys(("stud7hilo8", "stud7hilo", "7studhl"), "stud8"),
    "razz": "razz",
}
"""`GameVariant`, in lower case without punctuation → the game. Pineapple has no rules here, so it is rejected."""

TRIPS_FIRST: Final = frozenset(("holdemsixplustripsbeatsstraight", "6tholdem"))
"""Variants in which three of a kind beats a straight."""

read_cards: Final = build_card_reader(ANY_CASE)


class PokerGfxHand(RecordHand):
    """Reads a hand."""

    def __init__(self, record: JsonRecord, people: People, game_set: GameSet) -> None:
        """Begin the hand of this record."""
        super().__init__(record, people, VENUE, game_set)
        self.structure = find_structure(record)
        self.players: dict[Seat, dict[str, object]] = {}
        self.player_places: dict[Seat, int] = {}  # seats that are dealt in → places of their players
        self.board_count = parse_count_below(self.value.get("NumBoards"), 10) or 1
        self._counts: dict[int, int] | None = None

    def chips_of(self, value: object) -> Chips:
        """Return an amount, 0 for a missing one."""
        return 0 if value is None else amounts.read_number(value, self.exponent)

    def span_places(self, first_place: int, last_place: int) -> int:
        """Return a new place from the start of one place to the end of another."""
        start = self.spans.starts[first_place]
        end = self.spans.starts[last_place] + self.spans.lengths[last_place]
        return self.spans.add(start, max(end - start, 0))

    def count_board_cards(self, board_number: int) -> int:
        """Return how many cards the actions deal to this board."""
        if self._counts is None:
            self._counts = {}
            for event in list_objects(self.value, "Events"):
                event_board = event.get("BoardNum") or 1
                if event.get("BoardCards") and type(event_board) is int:
                    self._counts[event_board] = self._counts.get(event_board, 0) + 1
        return self._counts.get(board_number, 0)


def find_structure(record: JsonRecord) -> dict[str, object]:
    """Return the blinds and positions of a hand."""
    structure = record.value.get("FlopDrawBlinds")
    return structure if isinstance(structure, dict) else {}


def parse_seat(value: object) -> Seat:
    """Return a `PlayerNum` as a seat, 0 if it isn't one."""
    return parse_count_below(value, SEATS)


_PLAYER_MEMBERS: Final = split_names(
    "AggressionFrequencyPercent BlindBetStraddleAmt CumulativeWinningsAmt EliminationRank EndStackAmt HoleCards",
    "LongName Name PlayerNum PreFlopRaisePercent SittingOut StartStackAmt VPIPPercent WentToShowDownPercent",
)
"""Members of a player. The percentages and the cumulative winnings are the program's own statistics."""

_STRUCTURE_MEMBERS: Final = split_names(
    "AnteType BigBlindAmt BigBlindPlayerNum BlindLevel ButtonPlayerNum SmallBlindAmt SmallBlindPlayerNum",
    "ThirdBlindAmt ThirdBlindPlayerNum",
)

_BLIND_ROLES: Final[tuple[tuple[str, BlindRole], ...]] = (("Small", "small"), ("Big", "big"), ("Third", "extra"))


def seat_players(hand: PokerGfxHand) -> None:
    """Seat the players. Those with cards or an action are dealt in, and those with chips who don't sit out."""
    acting_numbers = {
        event.get("PlayerNum")
        for _, event in hand.list_member_elements("Events")
        if isinstance(event, dict) and type(event.get("PlayerNum")) is int
    }
    for player_place, player in hand.list_member_elements("Players"):
        hand.place = player_place
        seat = parse_seat(player.get("PlayerNum")) if isinstance(player, dict) else 0
        if not seat:
            hand.add_unread_value(player)
            continue
        hand.players[seat] = player
        stack = hand.chips_of(player.get("StartStackAmt"))
        sits_out = bool(player.get("SittingOut"))
        name = _find_player_name(player, seat)
        if seat in acting_numbers or _format_card(player) or (stack and not sits_out):
            hand.seat_player(seat, name, stack)
            hand.player_places[seat] = player_place
        else:
            hand.leave_seat_out(seat, name, stack, "sitting-out" if stack else "no-chips")
        hand.add_unread_members(player, _PLAYER_MEMBERS)
    if not hand.player_places:
        raise UnreadableHandError("nobody is dealt in", kind="cut-off")


def _find_player_name(player: dict[str, object], seat: Seat) -> str:
    """Return the player's long name or short name, or a name made from the seat."""
    for key in ("LongName", "Name"):
        player_name = player.get(key)
        if isinstance(player_name, str) and player_name.strip():
            return player_name.strip()
    return f"seat {seat}"


def _format_card(player: dict[str, object]) -> str:
    """Return a player's cards in one text, as the export writes them."""
    card_value = player.get("HoleCards")
    if isinstance(card_value, list):
        return " ".join(card_text for card_text in card_value if isinstance(card_text, str)).strip()
    return card_value.strip() if isinstance(card_value, str) else ""


def place_positions(hand: PokerGfxHand) -> None:
    """Place the button and the blinds, also at empty seats. Stud has no blinds."""
    structure = hand.structure
    hand.place = hand.find_member_place("FlopDrawBlinds")
    hand.add_unread_members(structure, _STRUCTURE_MEMBERS)
    button = parse_seat(structure.get("ButtonPlayerNum"))
    if button:
        hand.add_event(ButtonPlaced(button))
    if _has_bring_in(hand):
        return
    for key, role in _BLIND_ROLES:
        seat = parse_seat(structure.get(f"{key}BlindPlayerNum"))
        if seat and role in ("small", "big", "extra"):
            hand.add_event(BlindPositionPlaced(role, seat))


def _has_bring_in(hand: PokerGfxHand) -> bool:
    """Whether the game opens with a bring-in instead of blinds (stud, razz)."""
    return VARIANTS[hand.game.variant].opening != "blinds"


# -- posts --------------------------------------------------------------------------------------


def post_blinds_and_antes(hand: PokerGfxHand) -> None:
    """Post blinds and antes by the hand's structure and positions."""
    hand_value = hand.value
    bomb_pot_amount = hand.chips_of(hand_value.get("BombPotAmt"))
    if bomb_pot_amount:
        hand.place = hand.find_member_place("BombPotAmt")
        for seat in sorted(hand.player_places):
            _post_ante(hand, seat, bomb_pot_amount, bomb_pot=True)
        return
    hand.place = hand.find_member_place("FlopDrawBlinds")
    ante = hand.chips_of(hand_value.get("AnteAmt"))
    if _has_bring_in(hand):
        _post_stud(hand, ante)
        return
    ante_type = hand.structure.get("AnteType")
    post_ante, is_after_blinds = ANTES.get(keep_letters_and_digits(ante_type) or "stdante", (None, False))
    if ante and post_ante is None:
        hand.add_unread(f"AnteType: {str(ante_type)[:200]}, AnteAmt: {ante}")
    if ante and post_ante and not is_after_blinds:
        post_ante(hand, ante)
    for key, role in _BLIND_ROLES:
        _post_blind(hand, key, role)
    _post_straddles(hand)
    if ante and post_ante and is_after_blinds:
        post_ante(hand, ante)


def _post_straddles(hand: PokerGfxHand) -> None:
    """Post the straddles: the amount of a player who has posted less so far."""
    for seat in sorted(hand.player_places):
        straddle_amount = hand.chips_of(hand.players[seat].get("BlindBetStraddleAmt"))
        if straddle_amount > hand.get_bet(seat):
            hand.post_straddle(seat, min(straddle_amount, hand.get_stack_left(seat)))


def _post_stud(hand: PokerGfxHand, ante: Chips) -> None:
    """Post antes and bring-in. If the ante is of a kind for blind games, it is inferred that all pay it."""
    first_event = len(hand.events)
    _all_post_ante(hand, ante)
    ante_type = hand.structure.get("AnteType")
    if keep_letters_and_digits(ante_type) not in ("", "stdante"):
        post_indexes = range(first_event, len(hand.events))
        hand.inferred += [index for index in post_indexes if index not in hand.inferred]
    _post_bring_in(hand)


def _post_blind(hand: PokerGfxHand, key: str, role: BlindRole) -> None:
    """Post a blind as far as the stack goes, or say that nobody could post it."""
    structure = hand.structure
    seat, amount = parse_seat(structure.get(f"{key}BlindPlayerNum")), hand.chips_of(structure.get(f"{key}BlindAmt"))
    if not seat or not amount:
        return
    if seat not in hand.player_places:
        reason: NotPosted = "absent" if seat in hand.players else "empty-seat"
        if role in ("small", "big", "extra"):
            hand.add_event(BlindSkipped(role, seat, reason))
        return
    paid = min(amount, hand.get_stack_left(seat))
    if paid:
        hand.post_blind(seat, role, paid)
        _infer_short_post(hand, paid, amount)


def _post_ante(
    hand: PokerGfxHand, seat: Seat, amount: Chips, *, for_table: bool = False, bomb_pot: bool = False
) -> None:
    paid = min(amount, hand.get_stack_left(seat))
    if paid:
        hand.post_ante(seat, paid, "bomb-pot" if bomb_pot else "ante", for_table=for_table)
        _infer_short_post(hand, paid, amount)


def _infer_short_post(hand: PokerGfxHand, paid: Chips, amount: Chips) -> None:
    """Mark the last post as inferred if it is less than the structure's amount."""
    if paid < amount:
        hand.inferred.append(len(hand.events) - 1)


def _all_post_ante(hand: PokerGfxHand, amount: Chips) -> None:
    for seat in sorted(hand.player_places):
        _post_ante(hand, seat, amount)


def _all_post_live_ante(hand: PokerGfxHand, amount: Chips) -> None:
    for seat in sorted(hand.player_places):
        paid = min(amount, hand.get_stack_left(seat))
        if paid:
            hand.post_blind(seat, "unknown", paid)
            _infer_short_post(hand, paid, amount)


def _one_posts_ante(key: str) -> Callable[[PokerGfxHand, Chips], None]:
    def post_one_ante(hand: PokerGfxHand, amount: Chips) -> None:
        seat = parse_seat(hand.structure.get(key))
        if seat in hand.player_places:
            _post_ante(hand, seat, amount, for_table=True)

    return post_one_ante


_BUTTON, _BIG_BLIND, _THIRD_BLIND = (
    _one_posts_ante(f"{position}PlayerNum") for position in ("Button", "BigBlind", "ThirdBlind")
)

ANTES: Final[dict[str, tuple[Callable[[PokerGfxHand, Chips], None], bool]]] = {
    "stdante": (_all_post_ante, False),
    "liveante": (_all_post_live_ante, True),
    "buttonante": (_BUTTON, False),
    "bbante": (_BIG_BLIND, False),
    "bbantebb1st": (_BIG_BLIND, True),
    "tbante": (_THIRD_BLIND, False),
    "tbantetb1st": (_THIRD_BLIND, True),
}
"""`AnteType`, in lower case without punctuation → who pays, and whether the blinds come first (`1ST`)."""


def _post_bring_in(hand: PokerGfxHand) -> None:
    stud_limits = hand.value.get("StudLimits")
    if not isinstance(stud_limits, dict):
        return
    seat, amount = parse_seat(stud_limits.get("BringInPlayerNum")), hand.chips_of(stud_limits.get("BringInAmt"))
    if seat in hand.player_places and amount and hand.get_stack_left(seat):
        hand.place = hand.find_member_place("StudLimits")
        paid = min(amount, hand.get_stack_left(seat))
        hand.post_bring_in(seat, paid)
        _infer_short_post(hand, paid, amount)


# -- cards --------------------------------------------------------------------------------------


def deal_cards(hand: PokerGfxHand) -> bool:
    """Deal the known cards; return whether every seat's are known."""
    are_complete = True
    if VARIANTS[hand.game.variant].board_cards:
        are_complete = _put_cards(hand, HoleCardsDealt)
    hand.add_inferred(DealCompleted())
    return are_complete


def add_final_cards(hand: PokerGfxHand) -> None:
    """Put the final cards of stud and draw, the only ones that the export has."""
    if not VARIANTS[hand.game.variant].board_cards:
        _put_cards(hand, HoleCardsLearned)


def _put_cards(hand: PokerGfxHand, event_type: type[HoleCardsDealt | HoleCardsLearned]) -> bool:
    are_complete = True
    for seat, player_place in sorted(hand.player_places.items()):
        hand.place = player_place
        card_text = _format_card(hand.players[seat])
        known_cards = read_cards(card_text)
        if known_cards:
            hand.add_event(event_type(seat, known_cards, how="rfid"))
        elif card_text:
            hand.add_unread(f"HoleCards: {card_text[:200]}")
        are_complete = are_complete and bool(known_cards)
    return are_complete
