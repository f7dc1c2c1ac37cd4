"""One call: the players and their stacks, the posts of the blind structure, the cards, the plays."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.biggame.acts import VENUE, BigGameHand, add_plays, add_straddles, parse_cards
from ledger.formats.biggame.literal import OF_HAND, OF_PLAYER, LiteralObject, ParsedLiteral
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import BlindRole, ButtonPlaced, GameSet, HandOpened
from ledger.people import People
from ledger.readers import amounts, payouts
from ledger.readers.hand import SEATS
from ledger.readers.json_hand import parse_count_below
from ledger.vocabulary import Chips, Seat, Witness

WITNESSES: Final = Witness.from_names("BUTTON STACKS_BEFORE ACTS BOARD AWARDS RUNS BLIND_AMOUNTS MISSING_HANDS")
"""What every call records. `ALL_CARDS` is added to a hand that shows every seat's cards.

Calls contain the size of blinds and ante, but not who posted them, nor who made up a missed blind.
"""

_MAX_TEXT_LENGTH: Final = 200
_ADDRESS_PATH: Final = re.compile(r"/s(\d{1,4})/w(\d{1,4})/(d\d{1,4})/([^/.]*+)[^/]*+$", re.ASCII)
_HAND_NUMBER: Final = re.compile(r"d+(\d{1,4})h(\d{1,9})", re.ASCII)


class CallAddress(NamedTuple):
    """The address that a call was fetched from, and its place."""

    text: str
    start: int
    length: int


def read_call(
    data: bytes, call_literal: ParsedLiteral, address: CallAddress | None, people: People, exponent: int | None
) -> BigGameHand:
    """Read a call. One that can't be read raises `UnreadableHandError`.

    The calls don't say who pays the ante. We assume the button pays it alone, unless the pot won is
    larger by exactly the antes of all others.
    """
    hand = _build_hand(data, call_literal, address, people, exponent, of_all=False)
    other_antes = (len(hand.stacks) - 1) * hand.game.ante
    if other_antes and hand.total_awarded - hand.get_total_put_in() == other_antes:
        return _build_hand(data, call_literal, address, people, exponent, of_all=True)
    return hand


def _build_hand(
    data: bytes,
    call_literal: ParsedLiteral,
    address: CallAddress | None,
    people: People,
    exponent: int | None,
    *,
    of_all: bool,
) -> BigGameHand:
    call = call_literal.value
    hand_object, plays = call.get("Hand"), call.get("Plays")
    if not isinstance(hand_object, dict) or not isinstance(plays, list):
        raise UnreadableHandError("no hand: the call has no Hand or no Plays", kind="not-a-hand")
    exponent = exponent or 0
    table, hand_number, day = _identify_hand(hand_object.get("Title"), address)
    small_blind, big_blind, ante = (
        _parse_amount(hand_object.get(name), exponent) for name in ("SmallBlind", "BigBlind", "Ante")
    )
    blinds = tuple(blind for blind in (small_blind, big_blind) if blind)
    game = GameSet("holdem", "no-limit", "cash", "chips", exponent, blinds, ante)
    first_place = call_literal.spans.add(address.start, address.length) if address else call[""]
    hand = BigGameHand(data, call_literal, people, game, first_place)
    whole_place: int = hand_object[""]
    hand.place = hand.member_places.get("BigBlind", whole_place)
    hand.add_inferred(game, place=hand.place)
    title_match = _HAND_NUMBER.fullmatch(str(hand_object.get("Title")).strip())
    if title_match and title_match[2] != hand_number:  # another hand's title; the address comes from the program itself
        hand.add_unread_place("Title", hand.member_places.get("Title", whole_place))
    _seat_players(hand, hand_object.get("Players"), plays)
    _place_button(hand, hand_object)
    for name in hand_object:
        if name not in OF_HAND:
            hand.add_unread_place(name, hand.member_places.get(name, whole_place))
    for name in call:
        if name not in ("Hand", "Plays", ""):
            hand.add_unread_place(name, call[""])
    _infer_posts(hand, small_blind, big_blind, ante, of_all=of_all)
    first_play = add_straddles(hand, plays)
    all_cards_known = _deal_hole_cards(hand)
    add_plays(hand, plays, first_play)
    _complete_hand(hand)
    witnesses = WITNESSES | (int(Witness.ALL_CARDS) if all_cards_known else 0)
    hand.set_opening(
        HandOpened(
            VENUE, table, hand_number, witnesses, None, day, parse_count_below(hand_object.get("NumberOfSeats"), SEATS)
        )
    )
    return hand


def _parse_amount(value: object, exponent: int) -> Chips:
    """Return an amount. A missing one is 0, a negative one raises `UnreadableHandError`."""
    amount = 0 if value is None else amounts.read_number(value, exponent)
    if amount < 0:
        raise UnreadableHandError(f"the amount {amount} is below 0", kind="amount")
    return amount


def _identify_hand(title: object, address: CallAddress | None) -> tuple[str, str, str]:
    """Return the table, the hand's number and the day from address and title.

    The table is a week of a season, since hands are numbered through all days of a week.
    """
    title = title[:_MAX_TEXT_LENGTH].strip() if isinstance(title, str) else ""
    path_match = _ADDRESS_PATH.search(address.text) if address else None
    number_match = (path_match and _HAND_NUMBER.fullmatch(path_match[4])) or _HAND_NUMBER.fullmatch(title)
    if path_match and number_match:
        return f"Season {int(path_match[1])}, week {int(path_match[2])}", number_match[2], path_match[3]
    if address and (title or "/" in address.text):
        folder, _, file_name = address.text.removeprefix("http://").rpartition("/")
        return folder[:_MAX_TEXT_LENGTH] or file_name[:_MAX_TEXT_LENGTH], title or file_name[:_MAX_TEXT_LENGTH], ""
    if number_match:
        return f"week {int(number_match[1])}", number_match[2], ""
    if title:
        return "", title, ""
    raise UnreadableHandError(
        "the call has neither a title nor an address",
        kind="no-header",
        hint="Without one the hand cannot be told from others.",
    )


# -- seats --------------------------------------------------------------------------------------


def _seat_players(hand: BigGameHand, players: object, plays: list[object]) -> None:
    """Seat the players. A player with cards or a play was dealt in.

    A player without cards may have been dealt in as well: no camera saw the cards.
    """
    if not isinstance(players, list):
        raise UnreadableHandError("the call has no players", kind="seat")
    acting_seats: set[Seat] | None = None
    for player in players:
        seat: Seat = parse_count_below(player.get("Seat"), SEATS) if isinstance(player, dict) else 0
        if not seat:
            raise UnreadableHandError("a player has no seat", kind="seat")
        hand.place = player[""]
        name, hole_cards = player.get("Name"), player.get("Cards")
        name = name[:_MAX_TEXT_LENGTH].strip() if isinstance(name, str) else ""
        stack = _read_stack(hand, player)
        if not hole_cards and acting_seats is None:
            acting_seats = _list_acting_seats(plays)
        if hole_cards or (acting_seats and seat in acting_seats):
            hand.seat_player(seat, name or f"seat {seat}", stack)
            hand.dealt_players.append((player[""], seat, hole_cards))
        else:
            hand.leave_seat_out(seat, name or f"seat {seat}", stack)
        hand.add_unread_names(player, OF_PLAYER, player[""])
        if player.get("CurrentBet"):
            hand.add_unread_place("CurrentBet", player[""])
    if not hand.stacks:
        raise UnreadableHandError("nobody is dealt in", kind="seat")


def _read_stack(hand: BigGameHand, player: LiteralObject) -> Chips | None:
    """Return a player's stack, None if the call doesn't have it."""
    stack = None if player.get("Stack") is None else hand.chips_of(player["Stack"])
    if stack is not None and stack < 0:
        raise UnreadableHandError(f"the amount {stack} is below 0", kind="amount")
    return stack


def _list_acting_seats(plays: list[object]) -> set[Seat]:
    """Return the seats that make a play."""
    return {parse_count_below(play_value.get("Seat"), SEATS) for play_value in plays if isinstance(play_value, dict)}


def _place_button(hand: BigGameHand, hand_object: LiteralObject) -> None:
    """Place the button. Chips and cards already on the table stay unread, since no call has any."""
    whole_place: int = hand_object[""]
    hand.button = parse_count_below(hand_object.get("Dealer"), SEATS)
    if hand.button:
        hand.place = hand.member_places.get("Dealer", whole_place)
        hand.add_event(ButtonPlaced(hand.button))
    for name in ("PotSize", "CurrentBet", "CardsOut"):
        if hand_object.get(name):
            hand.add_unread_place(name, hand.member_places.get(name, whole_place))


# -- posts and cards ----------------------------------------------------------------------------


def _infer_posts(hand: BigGameHand, small_blind: Chips, big_blind: Chips, ante: Chips, *, of_all: bool) -> None:
    """Infer the antes and the blinds of the two seats after the button.

    `of_all`: every seat posts an ante; otherwise the button posts one for the table. The call contains
    the button and the amounts, but not the posts.
    """
    if not hand.button:
        return
    seats = sorted(hand.stacks, key=lambda seat: (seat <= hand.button, seat))
    for seat in seats if of_all else [hand.button]:
        if seat in hand.stacks and (posted_amount := min(ante, hand.get_stack_left(seat))):
            _mark_inferred(hand, "Ante")
            hand.post_ante(seat, posted_amount, for_table=not of_all)
    if len(seats) == 2:
        seats.reverse()  # the button has the small blind
    roles: tuple[tuple[BlindRole, Chips], ...] = (("small", small_blind), ("big", big_blind))
    for seat, (role, blind_amount) in zip(seats, roles, strict=False):
        if len(seats) > 1 and (posted_amount := min(blind_amount, hand.get_stack_left(seat))):
            _mark_inferred(hand, f"{role.capitalize()}Blind")
            hand.post_blind(seat, role, posted_amount)


def _mark_inferred(hand: BigGameHand, name: str) -> None:
    """Mark the next event as inferred from the member of that name."""
    hand.place = hand.member_places.get(name, hand.place)
    hand.inferred.append(len(hand.events))


def _deal_hole_cards(hand: BigGameHand) -> bool:
    """Deal the cards that the broadcast knows. Return whether every seat has some."""
    all_known = True
    for place_number, seat, card_names in hand.dealt_players:
        hand.place = place_number
        hole_cards = parse_cards(card_names) if card_names else ""
        if hole_cards:
            hand.add_event(HoleCardsDealt(seat, hole_cards, how="rfid"))
        elif card_names:
            hand.add_unread_place("Cards", place_number)
        all_known = all_known and bool(hole_cards)
    hand.add_inferred(DealCompleted())
    return all_known


def _complete_hand(hand: BigGameHand) -> None:
    """Return uncalled bets, which `Wins` includes, and complete a hand that somebody won."""
    hand.close_bets()
    payouts.split_uncalled_awards(hand, is_always_paid=False)
    hand.infer_returns()
    if hand.total_awarded:
        hand.add_event(HandCompleted())
