"""What some writers of Open Hand History do otherwise than its specification says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from ledger.errors import UnreadableHandError
from ledger.formats.ohh.words import text, who
from ledger.readers.spans import members
from ledger.vocabulary import Chips

LIVE: Final = frozenset(("post sb", "post bb", "post extra blind", "straddle", "bet", "call", "raise"))
DEAD: Final = frozenset(("post ante", "post dead", "add to pot"))
_decoder = msgspec.json.Decoder(dict[str, object], float_hook=str)

Acts = Sequence[Mapping[str, object]]


def decoded(data: bytes, start: int, end: int) -> tuple[dict[str, object], tuple[int, int]]:
    """Return the hand of an object, and its place; what holds none raises `UnreadableHandError`.

    A hand whose number is left empty is known by the id that stands beside it.
    """
    try:
        whole = _decoder.decode(data[start:end])
    except RecursionError:
        raise UnreadableHandError("nests too deep for a hand history", kind="too-deep") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableHandError(
            f"the object cannot be read: {error}", kind="damaged", hint="Was the file cut off, or changed by hand?"
        ) from None
    hand = whole.get("ohh")
    if not isinstance(hand, dict):
        raise UnreadableHandError("no hand stands in this object", kind="not-a-hand")
    if hand.get("game_number") == "":
        hand["game_number"] = text(whole.get("id"))
    return hand, members(data, start, end - start)["ohh"]


def told_whole(rounds: Sequence[Acts], declared: Chips, chips: Callable[[object], Chips]) -> bool:
    """Tell whether each act's amount is all that its seat has bet on its street, where it is to be what the act adds.

    `rounds`: the acts of each. So it is if the pots, as they are declared, hold the one sum and not the other.
    """
    added: list[dict[str, Chips]] = []  # what each seat bet on each street: read in one way, and in the other
    whole: list[dict[str, Chips]] = []
    dead = 0
    for acts in rounds:
        sums: dict[str, Chips] = {}
        last: dict[str, Chips] = {}
        added.append(sums)
        whole.append(last)
        for act in acts:
            name = text(act.get("action")).lower()
            if name in LIVE:
                seat, amount = who(act.get("player_id")), chips(act.get("amount"))
                sums[seat], last[seat] = sums.get(seat, 0) + amount, amount
            elif name in DEAD:
                dead += chips(act.get("amount"))
    return added != whole and declared not in _pots(added, dead) and declared in _pots(whole, dead)


def _pots(streets: Sequence[dict[str, Chips]], dead: Chips) -> tuple[Chips, Chips]:
    """Return what all pots hold, without and with a last bet that nobody called."""
    total = dead + sum(sum(bets.values()) for bets in streets)
    last = next((bets for bets in reversed(streets) if bets), {})
    second, most = [0, 0, *sorted(last.values())][-2:]
    return total - (most - second), total
