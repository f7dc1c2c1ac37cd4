"""One hand of a PokerGFX export to events, each with the value that tells it.

Blinds and antes are no acts here but the structure of the hand and the positions in it; bets, calls
and raises are all the street's total. An export has no winners, only every player's stack before and
after the hand: who was paid is inferred from the stacks; where these contradict the acts, from folds and
cards. The stacks themselves are told as declared and never make anything fit.
"""

from __future__ import annotations

from typing import Final, cast

from ledger.errors import UnreadableHandError
from ledger.formats.pokergfx import seating
from ledger.formats.pokergfx.acts import ACTS, Streets
from ledger.formats.pokergfx.seating import GAMES, TRIPS_FIRST, VENUE, WITNESSES, Gfx, flop_of
from ledger.hand.ending import HandCompleted, HandVoided, PlayerFinished, PotAwarded, RemarkNoted, ResultDeclared
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.opening import GameFormat, GameSet, HandOpened, OptionSet
from ledger.hand.pots import pots
from ledger.hand.state import HandState
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.readers import amounts, timestamps
from ledger.readers.documented import LIMITS, Record, names, objects, plain
from ledger.readers.games import unknown_game
from ledger.vocabulary import Chips, Millis, Seat, Witness

_KNOWN: Final = names(
    "AnteAmt BetStructure BombPotAmt Description Duration Events FlopDrawBlinds GameClass GameVariant HandNum",
    "NumBoards Players RecordingOffsetStart RunItNumTimes StartDateTimeUTC StudLimits",
)
"""Members of a hand; where its recording begins in the film is no fact of the hand."""

_EVENT: Final = names("BetAmt BoardCards BoardNum DateTimeUTC EventType NumCardsDrawn PlayerNum Pot")
"""Members of an act. `Pot` follows from the acts before it."""


def tell(data: bytes, place: tuple[int, int], table: str, people: People, exponent: int | None) -> Gfx:
    """Read the hand at `place`; one that cannot be read raises `UnreadableHandError`."""
    record = Record(data, place)
    number = record.value.get("HandNum")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 10**15:
        raise UnreadableHandError("the hand has no HandNum", kind="no-header")
    form, inferred = _format(record)
    gfx = Gfx(record, people, _game(record, form, exponent or 0))
    gfx.marks[0] = gfx.member("HandNum")
    gfx.at = gfx.member("GameVariant")
    gfx.put(gfx.game)
    if inferred:
        gfx.inferred.append(1)
    _options(gfx)
    seating.players(gfx)
    seating.positions(gfx)
    seating.posts(gfx)
    known = seating.cards(gfx)
    streets = Streets(gfx)
    for at, event in gfx.parts("Events"):
        gfx.at = at
        _event(streets, event)
    ends = _ends(gfx)  # without them, and without a duration, the hand runs: the next card of a flop may come
    runs = not ends and gfx.value.get("Duration") is None
    if not runs:
        streets.flush()
    seating.last_cards(gfx)
    gfx.besides(_KNOWN)
    written = gfx.value.get("StartDateTimeUTC")
    written = written[:40] if isinstance(written, str) else ""
    started = timestamps.iso(written)
    if not runs:
        settle(gfx, started, ends)
    witnesses = WITNESSES | int(Witness.ALL_CARDS) if known else WITNESSES
    if streets.astray:
        witnesses &= ~int(Witness.ACTS)
    gfx.open(HandOpened(VENUE, table, str(number), witnesses, started, written))
    return gfx


def _game(record: Record, form: GameFormat, exponent: int) -> GameSet:
    value, flop = record.value, flop_of(record)
    name = value.get("GameVariant")
    variant = GAMES.get(plain(name))
    if variant is None:
        raise unknown_game(str(name))
    limit = value.get("BetStructure")
    betting = LIMITS.get(plain(limit))
    if betting is None:
        raise UnreadableHandError(f"no limit is known as {str(limit)[:40]!r}", kind="unknown-game")

    def number(owner: dict[str, object], key: str) -> Chips:
        found = owner.get(key)
        return 0 if found is None else amounts.number(found, exponent)

    stud = value.get("StudLimits")
    stud = stud if isinstance(stud, dict) else {}
    # What stands here in a game that a bring-in opens is left from the game before it.
    roles = ("Small", "Big", "Third") if VARIANTS[variant].opening == "blinds" else ()
    blinds = [number(flop, role + "BlindAmt") for role in roles]
    bets = [number(stud, "LowLimitAmt"), number(stud, "HighLimitAmt")]
    return GameSet(
        variant,
        betting,
        form,
        "chips",
        exponent,
        tuple(one for one in blinds if one),
        number(value, "AnteAmt"),
        tuple(one for one in bets if one),
        number(stud, "BringInAmt"),
    )


def _format(record: Record) -> tuple[GameFormat, bool]:
    """Return of what the hand is, and whether that is inferred.

    A level or a rank says that it is a tournament. Without them a big blind's ante shows it, where
    it is no less than the big blind: cash games take no such antes.
    """
    flop = flop_of(record)
    found = [flop.get("BlindLevel"), *(one.get("EliminationRank") for one in objects(record.value, "Players"))]
    if any(type(one) is int and one > 0 for one in found):
        return "tournament", False
    ante, big = record.value.get("AnteAmt"), flop.get("BigBlindAmt")
    numbers = type(ante) is int and type(big) is int and ante >= big > 0
    if numbers and plain(str(flop.get("AnteType"))).startswith("bbante"):
        return "tournament", True
    return "unknown", False


def _options(gfx: Gfx) -> None:
    """Tell the house's options that the hand has, and what its operator wrote of it."""
    value = gfx.value
    bomb = gfx.chips_of(value.get("BombPotAmt"))
    if bomb:
        gfx.at = gfx.member("BombPotAmt")
        gfx.put(OptionSet("bomb-pot", bomb))
    if plain(value["GameVariant"]) in TRIPS_FIRST:
        gfx.at = gfx.member("GameVariant")
        gfx.put(OptionSet("trips-beat-straights", 1))
    words = value.get("Description")
    if isinstance(words, str) and words.strip():
        gfx.at = gfx.member("Description")
        gfx.put(RemarkNoted(gfx.people.text(words)))


def _event(streets: Streets, event: object) -> None:
    """Read one element of `Events`."""
    act = ACTS.get(plain(event.get("EventType"))) if isinstance(event, dict) else None
    if not isinstance(event, dict) or act is None or not act(streets, event):
        streets.flush()
        streets.gfx.encoded(event)
        return
    streets.gfx.others(event, _EVENT)


# -- the end --------------------------------------------------------------------------------------


def settle(gfx: Gfx, started: Millis | None, ends: dict[Seat, Chips]) -> None:
    """Infer returned bets and awards, declare the stacks after the hand, and end it."""
    gfx.return_bets()
    state = fold(cast("list[HandEvent]", gfx.events[1:]))
    awards = [] if _aborted(gfx, state, ends) else _awards(gfx, state, ends)
    for award in awards:
        gfx.infer(award)
    if not awards and _aborted(gfx, state, ends):
        gfx.infer(HandVoided("aborted"))
    for seat, end in ends.items():
        gfx.at = gfx.dealt[seat]
        gfx.put(ResultDeclared("end-stack", seat, end))
        rank = gfx.players[seat].get("EliminationRank")
        if not end and isinstance(rank, int) and not isinstance(rank, bool) and rank > 0:
            gfx.put(PlayerFinished(seat, rank))
    if awards:
        gfx.at = gfx.member("Duration")
        spent = timestamps.lasted(gfx.value.get("Duration"))
        if started is not None and spent is not None:
            gfx.times[len(gfx.events)] = started + spent
        gfx.put(HandCompleted())


def _ends(gfx: Gfx) -> dict[Seat, Chips]:
    """Return the stacks after the hand, of those who are dealt in."""
    return {
        seat: gfx.chips_of(gfx.players[seat]["EndStackAmt"])
        for seat in sorted(gfx.dealt)
        if gfx.players[seat].get("EndStackAmt") is not None
    }


def _aborted(gfx: Gfx, state: HandState, ends: dict[Seat, Chips]) -> bool:
    """Whether everybody has the same chips as before although the hand was not decided."""
    decided = len(state.live) == 1 or _all_cards_out(state)
    return not decided and all(gfx.stacks[seat] == end for seat, end in ends.items())


def _all_cards_out(state: HandState) -> bool:
    game = state.known_variant
    if game is None or not game.board_cards:
        return True
    return any(len(board) >= game.board_cards for board in state.boards)


def _awards(gfx: Gfx, state: HandState, ends: dict[Seat, Chips]) -> list[PotAwarded]:
    """Return what each seat was paid: by the stacks if they add up to the pot, else by the play."""
    gains = {seat: end - (gfx.stacks[seat] or 0) + gfx.put_by(seat) for seat, end in ends.items()}
    total = gfx.total_put_in()
    if not total:
        return []
    won = {seat: gain for seat, gain in gains.items() if gain}
    fits = sum(won.values()) == total and min(won.values()) > 0
    by_play = _by_play(state)
    if by_play is not None and (not fits or _sums(by_play) == won):
        return by_play
    if not fits:
        won = {seat: gain for seat, gain in won.items() if gain > 0 and seat in state.live}
        if sum(won.values()) > total:
            return []
    pot = 0 if len(pots(state)) == 1 else None
    return [PotAwarded(seat, gain, pot) for seat, gain in won.items()]


def _sums(awards: list[PotAwarded]) -> dict[Seat, Chips]:
    found: dict[Seat, Chips] = {}
    for award in awards:
        found[award.seat] = found.get(award.seat, 0) + award.amount
    return found


def _by_play(state: HandState) -> list[PotAwarded] | None:
    """Return what folds and cards give; None where they do not decide."""
    if len(state.live) == 1:
        return [PotAwarded(min(state.live), state.total_put(), 0)]
    # The evaluator loads large tables: only a showdown needs them.
    from ledger.hand.evaluate import shares  # noqa: PLC0415 - as said

    found = shares(state)
    if found.reason or not found.parts or any(part.odd for part in found.parts):
        return None
    return [
        PotAwarded(seat, part.amount // len(part.winners), part.pot, part.run, part.board, part.half)
        for part in found.parts
        for seat in part.winners
    ]
