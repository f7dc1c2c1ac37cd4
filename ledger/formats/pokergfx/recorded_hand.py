"""Reads one hand of a PokerGFX export: its events, each with the place of its value.

Blinds and antes are no acts here but the structure of the hand and the positions in it; bets, calls
and raises are all the street's total. An export has no winners, only every player's stack before and
after the hand: who was paid is inferred from the stacks; where these contradict the acts, from folds and
cards. The stacks themselves are told as declared and never make anything fit.
"""

from __future__ import annotations

from typing import Final, cast

from ledger.errors import UnreadableHandError
from ledger.formats.pokergfx import players
from ledger.formats.pokergfx.acts import ACTIONS, StreetTracker
from ledger.formats.pokergfx.players import GAMES, TRIPS_FIRST, VENUE, WITNESSES, PokerGfxHand, find_structure
from ledger.hand.ending import HandCompleted, HandVoided, PlayerFinished, PotAwarded, RemarkNoted, ResultDeclared
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.opening import GameFormat, GameSet, HandOpened, OptionSet
from ledger.hand.pots import pots
from ledger.hand.state import HandState
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.readers import amounts, timestamps
from ledger.readers.games import unknown_game
from ledger.readers.json_hand import LIMITS, JsonRecord, keep_letters_and_digits, list_objects, split_names
from ledger.vocabulary import Chips, Millis, Seat, Witness

_HAND_MEMBERS: Final = split_names(
    "AnteAmt BetStructure BombPotAmt Description Duration Events FlopDrawBlinds GameClass GameVariant HandNum",
    "NumBoards Players RecordingOffsetStart RunItNumTimes StartDateTimeUTC StudLimits",
)
"""Members of a hand; the start of its recording in the film isn't a fact of the hand."""

_EVENT_MEMBERS: Final = split_names("BetAmt BoardCards BoardNum DateTimeUTC EventType NumCardsDrawn PlayerNum Pot")
"""Members of an act. `Pot` follows from the acts before it."""


def read_hand(data: bytes, place: tuple[int, int], table: str, people: People, exponent: int | None) -> PokerGfxHand:
    """Read the hand at `place`. Raises `UnreadableHandError` if it can't be read."""
    record = JsonRecord(data, place)
    hand_number = record.value.get("HandNum")
    if not isinstance(hand_number, int) or isinstance(hand_number, bool) or not 0 <= hand_number < 10**15:
        raise UnreadableHandError("the hand has no HandNum", kind="no-header")
    game_format, is_inferred = _find_game_format(record)
    hand = PokerGfxHand(record, people, _build_game_set(record, game_format, exponent or 0))
    hand.event_places[0] = hand.find_member_place("HandNum")
    hand.place = hand.find_member_place("GameVariant")
    hand.add_event(hand.game)
    if is_inferred:
        hand.inferred.append(1)
    _put_options(hand)
    players.seat_players(hand)
    players.place_positions(hand)
    players.post_blinds_and_antes(hand)
    cards_are_complete = players.deal_cards(hand)
    streets = StreetTracker(hand)
    for event_place, event in hand.list_member_elements("Events"):
        hand.place = event_place
        _read_event(streets, event)
    end_stacks = _end_stacks(
        hand
    )  # without them, and without a duration, the hand runs: the next card of a flop may come
    is_running = not end_stacks and hand.value.get("Duration") is None
    if not is_running:
        streets.deal_pending_cards()
    players.add_final_cards(hand)
    hand.add_unknown_values(_HAND_MEMBERS)
    date_text = hand.value.get("StartDateTimeUTC")
    date_text = date_text[:40] if isinstance(date_text, str) else ""
    started_at = timestamps.parse_iso(date_text)
    if not is_running:
        settle_hand(hand, started_at, end_stacks)
    witnesses = WITNESSES | int(Witness.ALL_CARDS) if cards_are_complete else WITNESSES
    if streets.has_fold_out_of_turn:
        witnesses &= ~int(Witness.ACTS)
    hand.set_opening(HandOpened(VENUE, table, str(hand_number), witnesses, started_at, date_text))
    return hand


def _build_game_set(record: JsonRecord, game_format: GameFormat, exponent: int) -> GameSet:
    hand_value, structure = record.value, find_structure(record)
    variant_name = hand_value.get("GameVariant")
    variant = GAMES.get(keep_letters_and_digits(variant_name))
    if variant is None:
        raise unknown_game(str(variant_name))
    limit_name = hand_value.get("BetStructure")
    betting = LIMITS.get(keep_letters_and_digits(limit_name))
    if betting is None:
        raise UnreadableHandError(f"no limit is known as {str(limit_name)[:40]!r}", kind="unknown-game")

    def parse_chips(members: dict[str, object], key: str) -> Chips:
        member = members.get(key)
        return 0 if member is None else amounts.read_number(member, exponent)

    stud_limits = hand_value.get("StudLimits")
    stud_limits = stud_limits if isinstance(stud_limits, dict) else {}
    # In a game with a bring-in, these amounts are left over from the game before it.
    roles = ("Small", "Big", "Third") if VARIANTS[variant].opening == "blinds" else ()
    blinds = [parse_chips(structure, role + "BlindAmt") for role in roles]
    bets = [parse_chips(stud_limits, "LowLimitAmt"), parse_chips(stud_limits, "HighLimitAmt")]
    return GameSet(
        variant,
        betting,
        game_format,
        "chips",
        exponent,
        tuple(blind for blind in blinds if blind),
        parse_chips(hand_value, "AnteAmt"),
        tuple(bet for bet in bets if bet),
        parse_chips(stud_limits, "BringInAmt"),
    )


def _find_game_format(record: JsonRecord) -> tuple[GameFormat, bool]:
    """Return the format of the game, and whether it is inferred.

    A level or a rank says that it is a tournament. Without them a big blind's ante shows it, where
    it is no less than the big blind: cash games take no such antes.
    """
    structure = find_structure(record)
    levels_and_ranks = [
        structure.get("BlindLevel"),
        *(level.get("EliminationRank") for level in list_objects(record.value, "Players")),
    ]
    if any(type(level) is int and level > 0 for level in levels_and_ranks):
        return "tournament", False
    ante, big_blind = record.value.get("AnteAmt"), structure.get("BigBlindAmt")
    is_at_least_blind = type(ante) is int and type(big_blind) is int and ante >= big_blind > 0
    if is_at_least_blind and keep_letters_and_digits(str(structure.get("AnteType"))).startswith("bbante"):
        return "tournament", True
    return "unknown", False


def _put_options(hand: PokerGfxHand) -> None:
    """Put the hand's house options, and its operator's description."""
    hand_value = hand.value
    bomb_pot_amount = hand.chips_of(hand_value.get("BombPotAmt"))
    if bomb_pot_amount:
        hand.place = hand.find_member_place("BombPotAmt")
        hand.add_event(OptionSet("bomb-pot", bomb_pot_amount))
    if keep_letters_and_digits(hand_value["GameVariant"]) in TRIPS_FIRST:
        hand.place = hand.find_member_place("GameVariant")
        hand.add_event(OptionSet("trips-beat-straights", 1))
    description = hand_value.get("Description")
    if isinstance(description, str) and description.strip():
        hand.place = hand.find_member_place("Description")
        hand.add_event(RemarkNoted(hand.people.text(description)))


def _read_event(streets: StreetTracker, event: object) -> None:
    """Read one element of `Events`."""
    read_action = ACTIONS.get(keep_letters_and_digits(event.get("EventType"))) if isinstance(event, dict) else None
    if not isinstance(event, dict) or read_action is None or not read_action(streets, event):
        streets.deal_pending_cards()
        streets.hand.add_unread_value(event)
        return
    streets.hand.add_unread_members(event, _EVENT_MEMBERS)


# -- the end --------------------------------------------------------------------------------------


def settle_hand(hand: PokerGfxHand, started_at: Millis | None, end_stacks: dict[Seat, Chips]) -> None:
    """Infer returned bets and awards, declare the stacks after the hand, and end it."""
    hand.infer_returns()
    state = fold(cast("list[HandEvent]", hand.events[1:]))
    awards = [] if _was_aborted(hand, state, end_stacks) else _infer_awards(hand, state, end_stacks)
    for award in awards:
        hand.add_inferred(award)
    if not awards and _was_aborted(hand, state, end_stacks):
        hand.add_inferred(HandVoided("aborted"))
    for seat, end_stack in end_stacks.items():
        hand.place = hand.player_places[seat]
        hand.add_event(ResultDeclared("end-stack", seat, end_stack))
        rank = hand.players[seat].get("EliminationRank")
        if not end_stack and isinstance(rank, int) and not isinstance(rank, bool) and rank > 0:
            hand.add_event(PlayerFinished(seat, rank))
    if awards:
        hand.place = hand.find_member_place("Duration")
        duration = timestamps.parse_duration(hand.value.get("Duration"))
        if started_at is not None and duration is not None:
            hand.times[len(hand.events)] = started_at + duration
        hand.add_event(HandCompleted())


def _end_stacks(hand: PokerGfxHand) -> dict[Seat, Chips]:
    """Return the stacks after the hand, of the seats that were dealt in."""
    return {
        seat: hand.chips_of(hand.players[seat]["EndStackAmt"])
        for seat in sorted(hand.player_places)
        if hand.players[seat].get("EndStackAmt") is not None
    }


def _was_aborted(hand: PokerGfxHand, state: HandState, end_stacks: dict[Seat, Chips]) -> bool:
    """Whether every stack is as before, although the hand wasn't decided."""
    is_decided = len(state.live) == 1 or _is_board_complete(state)
    return not is_decided and all(hand.stacks[seat] == end_stack for seat, end_stack in end_stacks.items())


def _is_board_complete(state: HandState) -> bool:
    game = state.known_variant
    if game is None or not game.board_cards:
        return True
    return any(len(board) >= game.board_cards for board in state.boards)


def _infer_awards(hand: PokerGfxHand, state: HandState, end_stacks: dict[Seat, Chips]) -> list[PotAwarded]:
    """Return the awards: by the stacks if they add up to the pot, otherwise by the play."""
    total = hand.get_total_put_in()
    if not total:
        return []
    winnings = _compute_winnings_by_stacks(hand, end_stacks)
    adds_up = sum(winnings.values()) == total and min(winnings.values()) > 0
    awards_by_play = _compute_awards_by_play(state)
    if awards_by_play is not None and (not adds_up or _sum_by_seat(awards_by_play) == winnings):
        return awards_by_play
    if not adds_up:
        winnings = {seat: gain for seat, gain in winnings.items() if gain > 0 and seat in state.live}
        if sum(winnings.values()) > total:
            return []
    pot = 0 if len(pots(state)) == 1 else None
    return [PotAwarded(seat, gain, pot) for seat, gain in winnings.items()]


def _compute_winnings_by_stacks(hand: PokerGfxHand, end_stacks: dict[Seat, Chips]) -> dict[Seat, Chips]:
    """Return what each seat has more at the end than it had left in front of it; seats without a difference are left out."""
    gains = {
        seat: end_stack - (hand.stacks[seat] or 0) + hand.get_chips_put_in(seat)
        for seat, end_stack in end_stacks.items()
    }
    return {seat: gain for seat, gain in gains.items() if gain}


def _sum_by_seat(awards: list[PotAwarded]) -> dict[Seat, Chips]:
    sums_by_seat: dict[Seat, Chips] = {}
    for award in awards:
        sums_by_seat[award.seat] = sums_by_seat.get(award.seat, 0) + award.amount
    return sums_by_seat


def _compute_awards_by_play(state: HandState) -> list[PotAwarded] | None:
    """Return the awards by folds and cards, or None if these don't decide."""
    if len(state.live) == 1:
        return [PotAwarded(min(state.live), state.pot_size(), 0)]
    # The evaluator loads large tables: only a showdown needs them.
    from ledger.hand.evaluate import shares  # noqa: PLC0415 - as said

    pot_shares = shares(state)
    if pot_shares.reason or not pot_shares.parts or any(part.odd for part in pot_shares.parts):
        return None
    return [
        PotAwarded(seat, part.amount // len(part.winners), part.pot, part.run, part.board, part.half)
        for part in pot_shares.parts
        for seat in part.winners
    ]
