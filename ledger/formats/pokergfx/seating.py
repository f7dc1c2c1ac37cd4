"""The closed lists of a PokerGFX export, a hand's values with their places, and who sits at the table: positions, posts, cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.dealing import DealCompleted, HoleCardsDealt, HoleCardsLearned
from ledger.hand.opening import BlindPositionPlaced, BlindRole, BlindSkipped, ButtonPlaced, GameSet, NotPosted
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.cards import ANY_CASE, reader
from ledger.readers.documented import Record, Recorded, count, names, objects, plain
from ledger.readers.hand import SEATS
from ledger.vocabulary import Chips, Seat, Witness

VENUE: Final = "PokerGFX"
"""The export names no room; the program that wrote it stands for one."""

WITNESSES: Final = Witness.of(
    "BUTTON BLIND_POSITIONS POSTS ANTES BLIND_AMOUNTS STACKS_BEFORE STACKS_AFTER ACTS BOARD RUNS"
)
"""What every export tells. `ALL_CARDS` is added to a hand in which no seat's cards are missing."""

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
"""`GameVariant`, small letters without marks → the game. Pineapple has no rules here: it is rejected."""

TRIPS_FIRST: Final = frozenset(("holdemsixplustripsbeatsstraight", "6tholdem"))
"""The games of `GAMES` in which three of a kind beat a straight."""

read_cards: Final = reader(ANY_CASE)


class Gfx(Recorded):
    """The hand being told."""

    def __init__(self, record: Record, people: People, game: GameSet) -> None:
        """Begin the hand of this record."""
        super().__init__(record, people, VENUE, game)
        self.flop = flop_of(record)
        self.players: dict[Seat, dict[str, object]] = {}
        self.dealt: dict[Seat, int] = {}  # seats that are dealt in → places of their players
        self.boards = count(self.value.get("NumBoards"), 10) or 1
        self._counts: dict[int, int] | None = None

    def chips_of(self, value: object) -> Chips:
        """Return an amount; what is missing is nothing."""
        return 0 if value is None else amounts.number(value, self.exponent)

    def spanning(self, first: int, last: int) -> int:
        """Return a place that reaches from one place to the end of another."""
        start = self.spans.starts[first]
        end = self.spans.starts[last] + self.spans.lengths[last]
        return self.spans.add(start, max(end - start, 0))

    def on_board(self, number: int) -> int:
        """Return how many cards the acts put on this board."""
        if self._counts is None:
            self._counts = {}
            for event in objects(self.value, "Events"):
                board = event.get("BoardNum") or 1
                if event.get("BoardCards") and type(board) is int:
                    self._counts[board] = self._counts.get(board, 0) + 1
        return self._counts.get(number, 0)


def flop_of(record: Record) -> dict[str, object]:
    """Return the blinds and positions of a hand."""
    found = record.value.get("FlopDrawBlinds")
    return found if isinstance(found, dict) else {}


def seat_of(value: object) -> Seat:
    """Return a `PlayerNum` as a seat, 0 where it is none."""
    return count(value, SEATS)


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


def _name(player: dict[str, object], seat: Seat) -> str:
    """Return the player's long name, else the short one; without either, the seat stands for it."""
    for key in ("LongName", "Name"):
        found = player.get(key)
        if isinstance(found, str) and found.strip():
            return found.strip()
    return f"seat {seat}"


def _held(player: dict[str, object]) -> str:
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
    post, behind = ANTES.get(plain(kind) or "stdante", (None, False))
    if ante and post is None:
        gfx.unread(f"AnteType: {str(kind)[:200]}, AnteAmt: {ante}")
    if ante and post and not behind:
        post(gfx, ante)
    for key, role in _ROLES:
        _blind(gfx, key, role)
    for seat in sorted(gfx.dealt):
        extra = gfx.chips_of(gfx.players[seat].get("BlindBetStraddleAmt"))
        if extra > gfx.bet_of(seat):
            gfx.straddle(seat, min(extra, gfx.left(seat)))
    if ante and post and behind:
        post(gfx, ante)


def _stud_posts(gfx: Gfx, ante: Chips) -> None:
    """Put down antes and bring-in; that all pay is inferred where the kind of ante is one of blinds."""
    first = len(gfx.events)
    _all_pay(gfx, ante)
    kind = gfx.flop.get("AnteType")
    if plain(kind) not in ("", "stdante"):
        late = range(first, len(gfx.events))
        gfx.inferred += [at for at in late if at not in gfx.inferred]
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
    """Mark the post just told as inferred where it is less than the structure says."""
    if paid < amount:
        gfx.inferred.append(len(gfx.events) - 1)


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


_BUTTON, _BIG, _THIRD = (_one_pays(f"{who}PlayerNum") for who in ("Button", "BigBlind", "ThirdBlind"))

ANTES: Final[dict[str, tuple[Callable[[Gfx, Chips], None], bool]]] = {
    "stdante": (_all_pay, False),
    "liveante": (_all_pay_live, True),
    "buttonante": (_BUTTON, False),
    "bbante": (_BIG, False),
    "bbantebb1st": (_BIG, True),
    "tbante": (_THIRD, False),
    "tbantetb1st": (_THIRD, True),
}
"""`AnteType`, small letters without marks → who pays, and whether blinds come before it: `1ST`, where chips are short."""


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
    gfx.infer(DealCompleted())
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
