"""Habits of some writers of Open Hand History that differ from its specification."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from ledger.decoders import build_json_decoder
from ledger.errors import UnreadableHandError
from ledger.formats.ohh.words import read_player_id, read_text
from ledger.readers.spans import find_members
from ledger.vocabulary import Chips

LIVE_ACTS: Final = frozenset(("post sb", "post bb", "post extra blind", "straddle", "bet", "call", "raise"))
DEAD_ACTS: Final = frozenset(("post ante", "post dead", "add to pot"))
_decoder = build_json_decoder(dict[str, object], float_hook=str)

Acts = Sequence[Mapping[str, object]]


def decode_hand(data: bytes, start: int, end: int) -> tuple[dict[str, object], tuple[int, int]]:
    """Return the hand of an object, and its place. An object without a hand raises `UnreadableHandError`.

    A hand with an empty number gets the object's own id.
    """
    try:
        json_object = _decoder.decode(data[start:end])
    except RecursionError:
        raise UnreadableHandError("nests too deep for a hand history", kind="too-deep") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableHandError(
            f"the object cannot be read: {error}", kind="damaged", hint="Was the file cut off, or changed by hand?"
        ) from None
    hand_object = json_object.get("ohh")
    if not isinstance(hand_object, dict):
        raise UnreadableHandError("no hand stands in this object", kind="not-a-hand")
    if hand_object.get("game_number") == "":
        hand_object["game_number"] = read_text(json_object.get("id"))
    return hand_object, find_members(data, start, end - start)["ohh"]


def has_street_totals(rounds: Sequence[Acts], declared_pots: Chips, chips: Callable[[object], Chips]) -> bool:
    """Whether each amount is the seat's total on its street instead of the chips that the act adds.

    `rounds`: the acts of each round. The declared pots decide: they must match the totals and not the sums.
    """
    sums_by_street: list[dict[str, Chips]] = []  # what each seat bet on each street: read in one way, and in the other
    totals_by_street: list[dict[str, Chips]] = []
    dead_chips = 0
    for acts in rounds:
        street_sums: dict[str, Chips] = {}
        last_amounts: dict[str, Chips] = {}
        sums_by_street.append(street_sums)
        totals_by_street.append(last_amounts)
        for act in acts:
            act_name = read_text(act.get("action")).lower()
            if act_name in LIVE_ACTS:
                player, amount = read_player_id(act.get("player_id")), chips(act.get("amount"))
                street_sums[player], last_amounts[player] = street_sums.get(player, 0) + amount, amount
            elif act_name in DEAD_ACTS:
                dead_chips += chips(act.get("amount"))
    return (
        sums_by_street != totals_by_street
        and declared_pots not in _sum_pots(sums_by_street, dead_chips)
        and declared_pots in _sum_pots(totals_by_street, dead_chips)
    )


def _sum_pots(streets: Sequence[dict[str, Chips]], dead_chips: Chips) -> tuple[Chips, Chips]:
    """Return the sum of all pots, without and with an uncalled last bet."""
    total_chips = dead_chips + sum(sum(bets.values()) for bets in streets)
    last_bets = next((bets for bets in reversed(streets) if bets), {})
    second_bet, largest_bet = [0, 0, *sorted(last_bets.values())][-2:]
    return total_chips - (largest_bet - second_bet), total_chips
