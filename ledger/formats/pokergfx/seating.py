"""Who sits at the table and is dealt in, the positions, the posts and the cards of a hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from ledger.errors import UnreadableHandError
from ledger.formats.pokergfx.values import Gfx, read_cards, seat_of
from ledger.hand.dealing import DealCompleted, HoleCardsDealt, HoleCardsLearned
from ledger.hand.opening import BlindPositionPlaced, BlindRole, BlindSkipped, ButtonPlaced, NotPosted
from ledger.hand.variants import VARIANTS
from ledger.readers.documented import names, plain
from ledger.vocabulary import Chips, Seat

_PLAYER: Final = names(
    "AggressionFrequencyPercent BlindBetStraddleAmt CumulativeWinningsAmt EliminationRank EndStackAmt HoleCards",
    "LongName Name PlayerNum PreFlopRaisePercent SittingOut StartStackAmt VPIPPercent WentToShowDownPercent",
)
"""Members of a player. The percentages and the sum of winnings are the program's own statistics."""

_FLOP: Final = names(
    "AnteType BigBlindAmt BigBlindPlayerNum BlindLevel ButtonPlayerNum SmallBlindAmt SmallBlindPlayerNum",
    "ThirdBlindAmt ThirdBlindPlayerNum",
)

_ROLES: Final[tuple[tuple[str, BlindRole], ...]] = (("Small", "small"), ("Big", "big"), ("Third", "extra"))


def players(gfx: Gfx) -> None:
    """Seat the players: dealt in is who has cards, an act, or chips without sitting out."""
    acted = {
        event.get("PlayerNum")
        for _, event in gfx.parts("Events")
        if isinstance(event, dict) and type(event.get("PlayerNum")) is int
    }
    for at, player in gfx.parts("Players"):
        gfx.at = at
        seat = seat_of(player.get("PlayerNum")) if isinstance(player, dict) else 0
        if not seat:
            gfx.encoded(player)
            continue
        gfx.players[seat] = player
        stack = gfx.chips_of(player.get("StartStackAmt"))
        out = bool(player.get("SittingOut"))
        name = _name(player, seat)
        if seat in acted or _held(player) or (stack and not out):
            gfx.sit(seat, name, stack)
            gfx.dealt[seat] = at
        else:
            gfx.leave_out(seat, name, stack, "sitting-out" if stack else "no-chips")
        gfx.others(player, _PLAYER)
    if not gfx.dealt:
        raise UnreadableHandError("nobody is dealt in", kind="cut-off")


def _name(player: dict[str, Any], seat: Seat) -> str:
    """Return the player's long name, else the short one; without either, the seat stands for it."""
    for key in ("LongName", "Name"):
        found = player.get(key)
        if isinstance(found, str) and found.strip():
            return found.strip()
    return f"seat {seat}"


def _held(player: dict[str, Any]) -> str:
    """Return a player's cards as the export writes them, in one text."""
    found = player.get("HoleCards")
    if isinstance(found, list):
        return " ".join(one for one in found if isinstance(one, str)).strip()
    return found.strip() if isinstance(found, str) else ""


def positions(gfx: Gfx) -> None:
    """Place the button and the blinds; each may lie at a seat where nobody sits. Stud has no blinds."""
    flop = gfx.flop
    gfx.at = gfx.member("FlopDrawBlinds")
    gfx.others(flop, _FLOP)
    button = seat_of(flop.get("ButtonPlayerNum"))
    if button:
        gfx.put(ButtonPlaced(button))
    if _brought_in(gfx):
        return
    for key, role in _ROLES:
        seat = seat_of(flop.get(f"{key}BlindPlayerNum"))
        if seat and role in ("small", "big", "extra"):
            gfx.put(BlindPositionPlaced(role, seat))


def _brought_in(gfx: Gfx) -> bool:
    """Whether no blinds open this game, but a bring-in (stud, razz)."""
    return VARIANTS[gfx.game.variant].opening != "blinds"


# -- posts --------------------------------------------------------------------------------------


def posts(gfx: Gfx) -> None:
    """Put down what the structure and the positions say that was posted."""
    value = gfx.value
    bomb = gfx.chips_of(value.get("BombPotAmt"))
    if bomb:
        gfx.at = gfx.member("BombPotAmt")
        for seat in sorted(gfx.dealt):
            _ante(gfx, seat, bomb, bomb_pot=True)
        return
    gfx.at = gfx.member("FlopDrawBlinds")
    ante = gfx.chips_of(value.get("AnteAmt"))
    if _brought_in(gfx):
        _stud_posts(gfx, ante)
        return
    kind = gfx.flop.get("AnteType")
    payer = ANTES.get(plain(kind) or "stdante")
    if ante and payer is None:
        gfx.unread(f"AnteType: {str(kind)[:200]}, AnteAmt: {ante}")
    if ante and payer and not payer.behind:
        payer.post(gfx, ante)
    for key, role in _ROLES:
        _blind(gfx, key, role)
    for seat in sorted(gfx.dealt):
        extra = gfx.chips_of(gfx.players[seat].get("BlindBetStraddleAmt"))
        if extra > gfx.bets[seat]:
            gfx.straddle(seat, min(extra, gfx.left(seat)))
    if ante and payer and payer.behind:
        payer.post(gfx, ante)


def _stud_posts(gfx: Gfx, ante: Chips) -> None:
    """Put down antes and bring-in; that all pay is concluded where the kind of ante is one of blinds."""
    first = len(gfx.events)
    _all_pay(gfx, ante)
    kind = gfx.flop.get("AnteType")
    if plain(kind) not in ("", "stdante"):
        late = range(first, len(gfx.events))
        gfx.derived += [at for at in late if at not in gfx.derived]
    _bring_in(gfx)


def _blind(gfx: Gfx, key: str, role: BlindRole) -> None:
    """Post a blind, with what the seat has; say so where nobody can."""
    flop = gfx.flop
    seat, amount = seat_of(flop.get(f"{key}BlindPlayerNum")), gfx.chips_of(flop.get(f"{key}BlindAmt"))
    if not seat or not amount:
        return
    if seat not in gfx.dealt:
        why: NotPosted = "absent" if seat in gfx.players else "empty-seat"
        if role in ("small", "big", "extra"):
            gfx.put(BlindSkipped(role, seat, why))
        return
    paid = min(amount, gfx.left(seat))
    if paid:
        gfx.post(seat, role, paid)
        _short(gfx, paid, amount)


def _ante(gfx: Gfx, seat: Seat, amount: Chips, *, for_table: bool = False, bomb_pot: bool = False) -> None:
    paid = min(amount, gfx.left(seat))
    if paid:
        gfx.ante(seat, paid, "bomb-pot" if bomb_pot else "ante", for_table=for_table)
        _short(gfx, paid, amount)


def _short(gfx: Gfx, paid: Chips, amount: Chips) -> None:
    """Mark the post just told as concluded where it is less than the structure says."""
    if paid < amount:
        gfx.derived.append(len(gfx.events) - 1)


def _all_pay(gfx: Gfx, amount: Chips) -> None:
    for seat in sorted(gfx.dealt):
        _ante(gfx, seat, amount)


def _all_pay_live(gfx: Gfx, amount: Chips) -> None:
    for seat in sorted(gfx.dealt):
        paid = min(amount, gfx.left(seat))
        if paid:
            gfx.post(seat, "unknown", paid)
            _short(gfx, paid, amount)


def _one_pays(key: str) -> Callable[[Gfx, Chips], None]:
    def pay(gfx: Gfx, amount: Chips) -> None:
        seat = seat_of(gfx.flop.get(key))
        if seat in gfx.dealt:
            _ante(gfx, seat, amount, for_table=True)

    return pay


class _Payer(msgspec.Struct, frozen=True):
    """Who pays the ante of a kind, and whether blinds come before it."""

    post: Callable[[Gfx, Chips], None]
    behind: bool = False


_BUTTON: Final = _one_pays("ButtonPlayerNum")
_BIG: Final = _one_pays("BigBlindPlayerNum")
_THIRD: Final = _one_pays("ThirdBlindPlayerNum")

ANTES: Final[dict[str, _Payer]] = {
    "stdante": _Payer(_all_pay),
    "liveante": _Payer(_all_pay_live, behind=True),
    "buttonante": _Payer(_BUTTON),
    "bbante": _Payer(_BIG),
    "bbantebb1st": _Payer(_BIG, behind=True),
    "tbante": _Payer(_THIRD),
    "tbantetb1st": _Payer(_THIRD, behind=True),
}
"""`AnteType`, small letters without marks → who pays. `1ST`: the blind is paid first where chips are short."""


def _bring_in(gfx: Gfx) -> None:
    stud = gfx.value.get("StudLimits")
    if not isinstance(stud, dict):
        return
    seat, amount = seat_of(stud.get("BringInPlayerNum")), gfx.chips_of(stud.get("BringInAmt"))
    if seat in gfx.dealt and amount and gfx.left(seat):
        gfx.at = gfx.member("StudLimits")
        paid = min(amount, gfx.left(seat))
        gfx.bring_in(seat, paid)
        _short(gfx, paid, amount)


# -- cards --------------------------------------------------------------------------------------


def cards(gfx: Gfx) -> bool:
    """Deal the cards that were read; return whether they are those of every seat."""
    known = True
    if VARIANTS[gfx.game.variant].board_cards:
        known = _tell_cards(gfx, HoleCardsDealt)
    gfx.derive(DealCompleted())
    return known


def last_cards(gfx: Gfx) -> None:
    """Tell the cards of stud and draw, which the export gives as they were in the end."""
    if not VARIANTS[gfx.game.variant].board_cards:
        _tell_cards(gfx, HoleCardsLearned)


def _tell_cards(gfx: Gfx, event: type[HoleCardsDealt | HoleCardsLearned]) -> bool:
    known = True
    for seat, at in sorted(gfx.dealt.items()):
        gfx.at = at
        held = _held(gfx.players[seat])
        found = read_cards(held)
        if found:
            gfx.put(event(seat, found, how="rfid"))
        elif held:
            gfx.unread(f"HoleCards: {held[:200]}")
        known = known and bool(found)
    return known
