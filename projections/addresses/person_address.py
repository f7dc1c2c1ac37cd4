"""Find the person that a name, a `venue/name` or the beginning of an id means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import AddressError, NothingFoundError
from projections.addresses.suggestions import suggest_names

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.vocabulary import PlayerId


def unknown_person_error(ledger: Ledger, person_name: str) -> NothingFoundError:
    """Return the error for an unknown person, with similar names."""
    with ledger.database.reading() as connection:
        known_names = [known_name for _, _, known_name in ledger.people.all_names(connection)]
    return NothingFoundError(
        f"nobody is called {person_name!r}",
        suggest_names(person_name, known_names, "handledger people list shows everybody."),
    )


def find_person(ledger: Ledger, typed_name: str) -> PlayerId:
    """Return the id of the only person with a name.

    Raise `AddressError` if several people match, and `NothingFoundError` if nobody does.
    """
    venue, separator, person_name = typed_name.partition("/")
    player_ids = ledger.people.find_players(typed_name)
    if not player_ids and separator:
        player_ids = ledger.people.find_players(person_name, venue)
    if not player_ids and len(typed_name) >= 4:
        with ledger.database.reading() as connection:
            player_ids = [
                player_id for player_id, _, _ in ledger.people.all_names(connection) if player_id.startswith(typed_name)
            ]
    if len(player_ids) == 1:
        return player_ids[0]
    if not player_ids:
        raise unknown_person_error(ledger, typed_name)
    choices = ", ".join(f"{player_id} ({_find_name(ledger, player_id)})" for player_id in player_ids[:5])
    raise AddressError(f"{typed_name!r} matches {len(player_ids)} people: {choices}", "Type venue/name, or an id.")


def _find_name(ledger: Ledger, player_id: PlayerId) -> str:
    """Return a player's name, or "?" for a player without a name here, such as one who was erased."""
    person = ledger.people.find_person(player_id)
    return "?" if person is None else person[0]
