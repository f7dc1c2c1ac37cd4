"""Find the finishing places of a tournament's players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.hand.ending import PlayerFinished
from ledger.table.events import PlayerEliminated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.vocabulary import PlayerId
    from projections.money.tournament import Stay, Tournament, TournamentFact, TournamentTable


def find_places(tournament: Tournament, entrants: Iterable[PlayerId]) -> dict[PlayerId, int]:
    """Return the place of each player whose finish is on record.

    A finish before a re-entry doesn't count. If all entrants but one went broke, the remaining one is the winner.
    """
    places = {
        player: rank
        for table, fact in tournament.facts
        for player, rank in _read_finish(table, fact)
        if rank is not None and _is_final(tournament.stays_by_player.get(player, []), table, fact)
    }
    winner = find_winner(tournament, entrants)
    if winner is not None:
        places.setdefault(winner, 1)
    return places


def find_winner(tournament: Tournament, entrants: Iterable[PlayerId]) -> PlayerId | None:
    """Return the only player with chips left; None if several have some, or if an entrant is in no hand."""
    sold_players = set(entrants)
    if not sold_players or not sold_players <= tournament.stays_by_player.keys():
        return None
    alive_players = [player for player, stays in tournament.stays_by_player.items() if not stays[-1].ended_broke]
    return alive_players[0] if len(alive_players) == 1 else None


def _read_finish(table: TournamentTable, fact: TournamentFact) -> Iterator[tuple[PlayerId, int | None]]:
    """Yield the player who went out by an event, with the place."""
    event = fact.event
    if isinstance(event, PlayerEliminated):
        yield event.player, event.rank
    elif isinstance(event, PlayerFinished):
        player = table.hands[fact.hands_before - 1].players.get(event.seat)
        if player is not None:
            yield player, event.rank


def _is_final(stays: list[Stay], table: TournamentTable, fact: TournamentFact) -> bool:
    """Whether a player has no hand after the event. Always true for the desk's events, which aren't between hands."""
    if not table.hands or not stays:
        return True
    last_stay = stays[-1]
    return last_stay.table is table and (last_stay.last is None or last_stay.last < fact.hands_before)
