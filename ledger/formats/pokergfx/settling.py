"""How a hand ended: an export has no winners, only every player's stack before and after it.

Who was paid is concluded from the stacks; where these contradict the acts, from folds and cards.
The stacks themselves are told as declared and never make anything fit.
"""

from __future__ import annotations

from typing import cast

from ledger.formats.pokergfx.values import Gfx
from ledger.hand.ending import HandCompleted, HandVoided, PlayerFinished, PotAwarded, ResultDeclared
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.pots import pots
from ledger.hand.state import HandState
from ledger.readers.timestamps import lasted
from ledger.vocabulary import Chips, Millis, Seat


def settle(gfx: Gfx, started: Millis | None) -> None:
    """Conclude returned bets and awards, declare the stacks after the hand, and end it."""
    told = gfx.told
    ends = _ends(gfx)
    told.return_bets()
    state = fold(cast("list[HandEvent]", told.events[1:]))
    awards = [] if _aborted(gfx, state, ends) else _awards(gfx, state, ends)
    for award in awards:
        told.derive(award)
    if not awards and _aborted(gfx, state, ends):
        told.derive(HandVoided("aborted"))
    for seat, end in ends.items():
        told.at = gfx.dealt[seat]
        told.put(ResultDeclared("end-stack", seat, end))
        rank = gfx.players[seat].get("EliminationRank")
        if not end and isinstance(rank, int) and not isinstance(rank, bool) and rank > 0:
            told.put(PlayerFinished(seat, rank))
    if awards:
        told.at = gfx.at("Duration")
        spent = lasted(gfx.value.get("Duration"))
        if started is not None and spent is not None:
            told.times[len(told.events)] = started + spent
        told.put(HandCompleted())


def _ends(gfx: Gfx) -> dict[Seat, Chips]:
    """Return the stacks after the hand, of those who are dealt in."""
    return {
        seat: gfx.chips(gfx.players[seat]["EndStackAmt"])
        for seat in sorted(gfx.dealt)
        if gfx.players[seat].get("EndStackAmt") is not None
    }


def _aborted(gfx: Gfx, state: HandState, ends: dict[Seat, Chips]) -> bool:
    """Whether everybody has the same chips as before although the hand was not decided."""
    decided = len(state.live) == 1 or _all_cards_out(state)
    return not decided and all(gfx.told.stacks[seat] == end for seat, end in ends.items())


def _all_cards_out(state: HandState) -> bool:
    game = state.known_variant
    if game is None or not game.board_cards:
        return True
    return any(len(board) >= game.board_cards for board in state.boards)


def _awards(gfx: Gfx, state: HandState, ends: dict[Seat, Chips]) -> list[PotAwarded]:
    """Return what each seat was paid: by the stacks if they add up to the pot, else by the play."""
    told = gfx.told
    gains = {seat: end - (told.stacks[seat] or 0) + told.put_in[seat] for seat, end in ends.items()}
    total = sum(told.put_in)
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
